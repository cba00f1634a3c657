/** The signs of airdrop phishing in a text: its words and hosts. */
export interface PhishingSigns {
  readonly words: readonly string[];
  readonly hosts: readonly string[];
}

const bait = /\b(?:air\s?-?drops?|give\s?-?aways?|(?:free|bonus) (?:tokens?|coins?))\b/gi;
const call =
  /\b(?:claim(?:s|ed|ing|able)?|redeem|connect (?:your |the )?wallet|eligib(?:le|ility)|(?:go|head) (?:over )?to|visit|hurry|limited time|before it ends|(?:don.?t|do not) miss)\b/gi;
/** Matches runs of characters that hosts consist of, with the scheme before them. Each run is examined by itself. */
const hostLike = /(?:h(?:tt|xx)ps?:\/\/)?[a-z0-9][a-z0-9.-]*/gi;
const hostShape = /^(?:[a-z0-9-]{1,63}\.)+([a-z]{2,24})$/;
/** Endings by which a name without a scheme counts as a host. */
const endings =
  /^(?:com|net|org|io|app|xyz|top|site|online|info|live|fun|club|space|website|link|pro|vip|win|finance|network|zone|exchange|to|me|co|cc|us|uk|ru|cn|in|eu|dev|gg|page|tech|store|shop|cloud|world|life|today|one|click|icu|buzz|ws|biz|tv|ai|fi)$/;
const baitedHost = /air-?drop|claim|giveaway|reward|bonus|\bdrop|drop\b/;
/** Sites where proposals are discussed and read. A link to one of them is ordinary. */
const usual = /(?:^|\.)(?:github\.com|githubusercontent\.com|commonwealth\.im|mintscan\.io|ping\.pub|wikipedia\.org)$/;
/** Letters that look like Latin ones, in the order of `looksLike`. */
const lookAlike =
  '\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u04cf\u03b1\u03bf\u03c1\u03b9\u03bd';
const looksLike = 'aeopcyxijsdhlaopiv';
const maxLength = 200_000;

/**
 * Finds a bait, a call to act and a link, or a link whose host is a bait; otherwise undefined. This is a hint, not a
 * proof.
 */
export function phishingSigns(text: string): PhishingSigns | undefined {
  const letters = plainLetters(text);
  const hosts = distinct(Array.from(letters.matchAll(hostLike), ([part]) => readHost(part)));
  const baits = distinct(Array.from(letters.matchAll(bait), ([word]) => word.toLowerCase()));
  const calls = distinct(Array.from(letters.matchAll(call), ([word]) => word.toLowerCase()));
  const lures = hosts.filter((host) => baitedHost.test(host));
  if (lures.length > 0) return { words: [...baits, ...calls], hosts: lures };
  return baits.length > 0 && calls.length > 0 && hosts.length > 0 ? { words: [...baits, ...calls], hosts } : undefined;
}

/**
 * Removes invisible characters, replaces look-alike letters, and restores the dots of `evil[.]com` and `evil (dot)
 * com`.
 */
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

/**
 * Reads the host in `https://host` or `host.com`; undefined for file names, parameters (`gov.quorum`) and `end.Next
 * sentence`.
 */
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
