import { shorten } from '../api/errors.ts';

/** What in a text looks like airdrop phishing: its words and hosts. */
export interface PhishingSigns {
  readonly words: readonly string[];
  readonly hosts: readonly string[];
}

const bait = /\b(?:air\s?-?drops?|give\s?-?aways?|(?:free|bonus) (?:tokens?|coins?))\b/gi;
const call =
  /\b(?:claim(?:s|ed|ing|able)?|redeem|connect (?:your |the )?wallet|eligib(?:le|ility)|(?:go|head) (?:over )?to|visit|hurry|limited time|before it ends|(?:don.?t|do not) miss)\b/gi;
/** Runs of the characters that hosts are made of, with the scheme before them; each is looked at on its own. */
const hostLike = /(?:h(?:tt|xx)ps?:\/\/)?[a-z0-9][a-z0-9.-]*/gi;
const hostShape = /^(?:[a-z0-9-]{1,63}\.)+([a-z]{2,24})$/;
/** Endings that make a host of a name that stands without a scheme. */
const endings =
  /^(?:com|net|org|io|app|xyz|top|site|online|info|live|fun|club|space|website|link|pro|vip|win|finance|network|zone|exchange|to|me|co|cc|us|uk|ru|cn|in|eu|dev|gg|page|tech|store|shop|cloud|world|life|today|one|click|icu|buzz|ws|biz|tv|ai|fi)$/;
const baitedHost = /air-?drop|claim|giveaway|reward|bonus|\bdrop|drop\b/;
/** Sites where proposals are discussed and read; a link to one of them is ordinary. */
const usual = /(?:^|\.)(?:github\.com|githubusercontent\.com|commonwealth\.im|mintscan\.io|ping\.pub|wikipedia\.org)$/;
/** Letters that look like Latin ones, in the order of `looksLike`. */
const lookAlike =
  '\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u04cf\u03b1\u03bf\u03c1\u03b9\u03bd';
const looksLike = 'aeopcyxijsdhlaopiv';
const maxLength = 200_000;

/** A bait, a call to act and a link, or a link whose host is a bait; else undefined. A hint, not a proof. */
export function phishingSigns(text: string): PhishingSigns | undefined {
  const letters = plainLetters(text);
  const hosts = distinct(Array.from(letters.matchAll(hostLike), ([part]) => readHost(part)));
  const baits = distinct(Array.from(letters.matchAll(bait), ([word]) => word.toLowerCase()));
  const calls = distinct(Array.from(letters.matchAll(call), ([word]) => word.toLowerCase()));
  const lures = hosts.filter((host) => baitedHost.test(host));
  if (lures.length > 0) return { words: [...baits, ...calls], hosts: lures };
  return baits.length > 0 && calls.length > 0 && hosts.length > 0 ? { words: [...baits, ...calls], hosts } : undefined;
}

/** Without invisible characters and look-alike letters, and with the dots of `evil[.]com` and `evil (dot) com`. */
function plainLetters(text: string): string {
  return text
    .slice(0, maxLength)
    .normalize('NFKC')
    .slice(0, maxLength)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\u0370-\u05ff]/g, (letter) => looksLike[lookAlike.indexOf(letter.toLowerCase())] ?? letter)
    .replace(/ ?[[({] ?(?:\.|dot) ?[\])}] ?/gi, '.')
    .replace(/(?<=[a-z0-9]) \. ?(?=[a-z]{2,6}\b)/g, '.');
}

/** The host in `https://host`, `host.com`; undefined for file names, parameters (`gov.quorum`) and `end.Next sentence`. */
function readHost(part: string): string | undefined {
  const bare = part.replace(/^h(?:tt|xx)ps?:\/\//i, '').slice(0, 260);
  const host = bare.toLowerCase().replace(/[.-]{1,9}$/, '');
  const ending = hostShape.exec(host)?.[1];
  if (ending === undefined || usual.test(host)) return undefined;
  const hasScheme = /^h..ps?:/i.test(part);
  return hasScheme || (endings.test(ending) && !/\.[A-Z][a-z]/.test(bare)) ? host : undefined;
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== undefined).slice(0, 10);
}

/** Characters that are invisible or change the direction of text; tab and line ends are not among them. */
const invisible = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/u;

/** Where they are ordinary: joiners within emoji and within scripts that need them, a variation selector after an emoji. */
const belonging =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic}|[#*0-9])\ufe0f|(?<=[\u0600-\u109f\u1780-\u18af])[\u200c\u200d](?=[\u0600-\u109f\u1780-\u18af])/u;
const marked = new RegExp(`(${belonging.source})|${invisible.source}`, 'gu');
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function mark(found: string): string {
  return `⟦U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
}

/** Marks such as `⟦U+202E⟧` for what hides or reorders text; text from right to left is isolated (U+2068 … U+2069). */
export function showControls(text: string): string {
  const shown = text.replace(marked, (found: string, belongs: string | undefined) => belongs ?? mark(found));
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}

const meanings = new Map([
  ['\\t', '\t'],
  ['\\"', '"'],
  ['\\\\', '\\'],
]);

/** Line feeds for CRLF and CR, and for `\n` in two characters where the text was escaped twice by JSON or a shell. */
export function tidyDescription(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (lines.split('\\n').length <= lines.split('\n').length) return lines;
  return lines.replace(/\\r\\n|\\[nrt"\\]/g, (written) => meanings.get(written) ?? '\n');
}

/** What `showControls` isolates; kept, so that a text may go through `escapeForUi` twice. */
const isolated = /(\u2068[^\u2066-\u2069]*\u2069)/u;

/** As `showControls`; applied again, it changes nothing. */
function showControlsOnce(text: string): string {
  const parts = text
    .split(isolated)
    .map((part) => (showControls(part.slice(1, -1)) === part ? part : showControls(part)));
  return parts.join('');
}

/** Text on one line of a terminal: tabs and line ends are marked, too. Applied again, it changes nothing. */
export function shownLine(text: string): string {
  return showControlsOnce(text).replace(/[\t\r\n]/g, mark);
}

/** The same JSON value, in which escapes such as `\u202e` stand for what hides or reorders text. */
export function escapeControls(json: string): string {
  const written = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(new RegExp(invisible.source, 'gu'), (found) => found.split('').map(written).join(''));
}

/**
 * Text from outside on one line of the editor's own interface, where `[text](target)` would be a link that may run a command
 * and `$(name)` an icon: both are broken by a space, control and direction characters are shown as what they are, and what
 * is longer than `limit` characters is cut. Applied again, it changes nothing.
 */
export function escapeForUi(text: string, limit = 200): string {
  return showControlsOnce(shorten(text, limit).replace(/[\t\n\r]+/g, ' '))
    .replaceAll('](', '] (')
    .replaceAll('$(', '$ (');
}

/** Text from outside in JSON or in a sentence, its lines as they are: controls visible, cut after `limit` characters. */
export function shownText(text: string, limit: number): string {
  // Marks of direction are for screens.
  return shorten(showControls(shorten(text, limit)).replace(/^\u2068|\u2069$/g, ''), limit);
}

/** Longer texts are not parsed, nor laid out where that makes them longer than four times this. */
const longestJson = 128 * 1024;
const deepestJson = 200;
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON laid out, every digit and repeated key kept; undefined where it is none, or beyond the limits above. */
export function formatJson(text: string): string | undefined {
  if (parseJson(text) === undefined) return undefined;
  let laidOut = '';
  let depth = 0;
  let before = '';
  for (const [part] of text.matchAll(jsonToken)) {
    if (laidOut.length > 4 * longestJson || depth > deepestJson) return undefined;
    const isEnd = part === '}' || part === ']';
    const isFirst = before === '{' || before === '[';
    if (isEnd) depth--;
    // No line between the brackets of an empty value.
    if (isEnd !== isFirst || before === ',') laidOut += `\n${'  '.repeat(depth)}`;
    laidOut += part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : part;
    if (part === ':') laidOut += ' ';
    if (part === '{' || part === '[') depth++;
    before = part;
  }
  return laidOut;
}

/** The value of a JSON text where a JavaScript value holds it exactly (no digit, no repeated key lost); else undefined. */
export function exactJson(text: string): unknown {
  const laidOut = formatJson(text);
  if (laidOut === undefined) return undefined;
  const value = parseJson(text);
  return JSON.stringify(value, null, 2) === laidOut ? value : undefined;
}

/** The value of a JSON text; undefined where it is not JSON, or longer than 128 KiB. */
export function parseJson(text: string): unknown {
  if (text.length > longestJson) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A time in UTC to the minute: `2026-11-24 09:12`. */
export function utcMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
