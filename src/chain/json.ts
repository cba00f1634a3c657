/** Longer texts are not parsed, nor laid out where that makes them longer than four times this. */
const maxLength = 128 * 1024;
const maxDepth = 200;
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON laid out, every digit and repeated key kept; undefined where it is none, or beyond the limits above. */
export function formatJson(text: string): string | undefined {
  if (parseJson(text) === undefined) return undefined;
  let laidOut = '';
  let depth = 0;
  let before = '';
  for (const [part] of text.matchAll(token)) {
    if (laidOut.length > 4 * maxLength || depth > maxDepth) return undefined;
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
  if (text.length > maxLength) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
