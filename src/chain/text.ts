/** Matches characters that are invisible or change the direction of text. Tabs and line ends are not among them. */
const invisible = String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}`;

/**
 * Matches such characters in ordinary places: joiners within emoji and within scripts that need them, a variation
 * selector after an emoji.
 */
const belonging = String.raw`(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic}|[#*0-9])\ufe0f|(?<=[\u0600-\u109f\u1780-\u18af])[\u200c\u200d](?=[\u0600-\u109f\u1780-\u18af])`;

/** Made when they are first needed, because these classes take some 8 ms at every start. */
let marked: RegExp | undefined;
let escaped: RegExp | undefined;

/** Matches text without any of these characters, as most is. */
const plain = /^[\t\n\r -~]*$/;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function mark(found: string): string {
  return `⟦U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
}

/**
 * Marks characters that hide or reorder text, such as `⟦U+202E⟧`. Text from right to left is isolated (U+2068 …
 * U+2069).
 */
export function showControls(text: string): string {
  if (plain.test(text)) return text;
  marked ??= new RegExp(`(${belonging})|${invisible}`, 'gu');
  const shown = text.replace(marked, (found: string, belongs: string | undefined) => belongs ?? mark(found));
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}

const meanings = new Map([
  ['\\t', '\t'],
  ['\\"', '"'],
  ['\\\\', '\\'],
]);

/** Replaces CRLF, CR, and the two characters `\n` of a text that JSON or a shell escaped twice by line feeds. */
export function tidyDescription(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (lines.split('\\n').length <= lines.split('\n').length) return lines;
  return lines.replace(/\\r\\n|\\[nrt"\\]/g, (written) => meanings.get(written) ?? '\n');
}

/** Matches text that `showControls` isolated. Splitting by it keeps these parts, so that none is isolated twice. */
const isolated = /(\u2068[^\u2066-\u2069]*\u2069)/u;

/** Works like `showControls` and changes nothing when applied again. */
function showControlsOnce(text: string): string {
  const parts = text
    .split(isolated)
    .map((part) => (showControls(part.slice(1, -1)) === part ? part : showControls(part)));
  return parts.join('');
}

/** Makes one line of text for a terminal: tabs and line ends are marked too. Applied again, it changes nothing. */
export function shownLine(text: string): string {
  return showControlsOnce(text).replace(/[\t\r\n]/g, mark);
}

/** Gives the same JSON value with escapes such as `\u202e` for characters that hide or reorder text. */
export function escapeControls(json: string): string {
  const written = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  if (plain.test(json)) return json;
  escaped ??= new RegExp(invisible, 'gu');
  return json.replace(escaped, (found) => found.split('').map(written).join(''));
}

/**
 * Makes one line of text from outside for the editor's own interface. There, `[text](target)` would be a link that may
 * run a command, and `$(name)` an icon: a space breaks both. Control and direction characters are marked, and text
 * beyond `limit` characters is cut. Applied again, it changes nothing.
 */
export function escapeForUi(text: string, limit = 200): string {
  return showControlsOnce(shorten(text, limit).replace(/[\t\n\r]+/g, ' '))
    .replaceAll('](', '] (')
    .replaceAll('$(', '$ (');
}

/**
 * Makes text from outside for JSON or a sentence: lines stay, and controls are marked. It is cut after `limit`
 * characters, before and after its controls are marked.
 */
export function shownText(text: string, limit: number): string {
  // The marks that isolate text are for screens. Those of the text itself are marked.
  return shorten(showControls(shorten(text, limit)).replace(/[\u2068\u2069]/g, ''), limit);
}

/** Cuts a text after `limit` UTF-16 units, never inside a character, and adds an ellipsis. */
export function shorten(text: string, limit = 200): string {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}
