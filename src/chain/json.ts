/** The limit for texts that are parsed. Laid-out text is limited to four times this. */
const longestJson = 128 * 1024;

const deepestJson = 200;

const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Lays out JSON and keeps every digit and repeated key; undefined if it is no JSON or beyond the limits above. */
export function formatJson(text: string): string | undefined {
  return parseJson(text) === undefined ? undefined : layOut(text);
}

function layOut(text: string): string | undefined {
  let laidOut = '';
  let depth = 0;
  let before = '';
  for (const [part] of text.matchAll(jsonToken)) {
    if (laidOut.length > 4 * longestJson || depth > deepestJson) return undefined;
    const isEnd = part === '}' || part === ']';
    const isFirst = before === '{' || before === '[';
    if (isEnd) depth--;
    // An empty value has no line between its brackets.
    if (isEnd !== isFirst || before === ',') laidOut += `\n${'  '.repeat(depth)}`;
    laidOut += part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : part;
    if (part === ':') laidOut += ' ';
    if (part === '{' || part === '[') depth++;
    before = part;
  }
  return laidOut;
}

/** Parses JSON that a JavaScript value holds exactly, with every digit and no repeated key; otherwise undefined. */
export function exactJson(text: string): unknown {
  const value = parseJson(text);
  // A value without members needs no layout, which takes longer than the rest.
  if (value === undefined || (typeof value !== 'object' && JSON.stringify(value) === text)) return value;
  const laidOut = layOut(text);
  return laidOut !== undefined && JSON.stringify(value, null, 2) === laidOut ? value : undefined;
}

/** Parses JSON; undefined if it is no JSON, or longer than 128 KiB. */
export function parseJson(text: string): unknown {
  if (text.length > longestJson) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
