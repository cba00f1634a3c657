/** Longer texts are left as they are, so that no content takes long. */
const maxLength = 128 * 1024;
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * A JSON text laid out with two spaces, token by token, so that every digit and every repeated key stays; undefined
 * where the text is not JSON, or longer than 128 KiB.
 */
export function formatJson(text: string): string | undefined {
  if (parse(text) === undefined) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let open = false;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [part] of text.matchAll(token)) {
    if (part === '}' || part === ']') {
      depth--;
      parts.push(open ? part : line() + part);
      open = false;
      continue;
    }
    if (open) parts.push(line());
    open = part === '{' || part === '[';
    if (open) depth++;
    if (part === ',') parts.push(`,${line()}`);
    else if (part === ':') parts.push(': ');
    else parts.push(part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : part);
  }
  return parts.join('');
}

/** The value of a JSON text where a JavaScript value holds it exactly (no digit, no repeated key lost); else undefined. */
export function exactJson(text: string): unknown {
  const value = parse(text);
  return value !== undefined && JSON.stringify(value, null, 2) === formatJson(text) ? value : undefined;
}

function parse(text: string): unknown {
  if (text.length > maxLength) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
