import type { Translate } from '../../../src/ui/panel/proposalFacts.ts';

/** The words as they are in English: what `vscode.l10n.t` does without a translation. */
export const plainWords: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
