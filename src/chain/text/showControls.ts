/** What cannot be seen, or turns the direction of the text around it; tab and line ends are no part of it. */
const invisible = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/u;

/** Where they belong: joiners within emoji and within scripts that need them, a variation selector behind an emoji. */
const belonging =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic}|[#*0-9])\ufe0f|(?<=[\u0600-\u109f\u1780-\u18af])[\u200c\u200d](?=[\u0600-\u109f\u1780-\u18af])/u;

const marked = new RegExp(`(${belonging.source})|${invisible.source}`, 'gu');

/** Scripts that run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Text that cannot disguise itself or its neighbours: invisible and direction-turning characters become marks such as
 * `⟦U+202E⟧`, and text with letters that run from right to left is isolated (U+2068 … U+2069). Other text stays as it is.
 */
export function showControls(text: string): string {
  const shown = text.replace(marked, (found: string, belongs: string | undefined) => belongs ?? mark(found));
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/** Whether `showControls` would mark anything. */
export function hasControls(text: string): boolean {
  return invisible.test(text) && text.replace(marked, '$1') !== text;
}

function mark(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
}
