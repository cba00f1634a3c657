/** The rating of a message. */
export type Tone = 'plain' | 'good' | 'warning' | 'bad';

/**
 * Translates a text: `vscode.l10n.t`, or plain English on the command line, in tools and in tests. `{0}` is the first
 * value.
 */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** Leaves the texts in English, as they are in the code. */
export const plainEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));

/** The translation of texts, and the locale of dates and times (BCP 47). */
export interface Language {
  readonly t: Translate;
  readonly locale: string;
}

/** Joins the parts of a list that are there: `a, b` in English, `a、b` in Chinese. */
export function listText(parts: readonly (string | false | undefined)[], t: Translate): string {
  return parts.filter(Boolean).join(t('{0}, {1}', '', ''));
}

/** Joins the sentences that are there. English puts a space between them, Chinese none after its full stop. */
export function sentencesText(sentences: readonly (string | false | undefined)[], t: Translate): string {
  return sentences.filter(Boolean).join(t('{0} {1}', '', ''));
}

/** The singular for one, otherwise the plural: `1 request`, `2 requests`, `0 requests`. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
