import type { CutText } from './fieldTree.ts';

const longString = 4_000;

/**
 * The JSON of a proposal as it came, indented. Strings longer than 4,000 characters are cut, with their length, so that
 * byte code does not fill the page; the document of Open JSON holds them whole.
 */
export function rawJson(raw: unknown, cut: CutText): string {
  return JSON.stringify(
    raw,
    (_, value: unknown) =>
      typeof value === 'string' && value.length > longString ? cut(value.slice(0, longString), value.length) : value,
    2,
  );
}
