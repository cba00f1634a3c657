/** How good a piece of news is. */
export type Tone = 'plain' | 'good' | 'warning' | 'bad';

/** Translates a text: `vscode.l10n.t`, or its plain English in tests. `{0}` stands for a value. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** The texts as they are written in the code. */
export const plainEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));

/** What words are written in: the translation, and the locale of days and times (BCP 47). */
export interface Language {
  readonly t: Translate;
  readonly locale: string;
}

/** The words for one, or those for another number: `1 request`, `2 requests`, `0 requests`. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
