import type * as z from 'zod/mini';
import { type Operation, operations, type Reply } from './contract.ts';
import { ReplyError, shorten } from './errors.ts';

type Schemas = { readonly [O in Operation]: { readonly reply: z.ZodMiniType<Reply<O>> } };
const schemas: Schemas = operations;

/**
 * The reply of `operation` in `text`, checked against the contract; unknown fields stay, and the rows of lists are not
 * looked at (wireRows.ts).
 *
 * @throws ReplyError that names the cause and the place (`pagination.next_key: expected a string, got a number`).
 */
export function checkReply<O extends Operation>(operation: O, text: string, url: string): Reply<O> {
  const json = parseJson(text, url);
  const schema: z.ZodMiniType<Reply<O>> = schemas[operation].reply;
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data;
  throw new ReplyError(url, 'shape', describeIssue(checked.error, json));
}

/** The first issue of a check as words: place, what was expected, and what stands there. */
export function describeIssue({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }, value: unknown): string {
  const [issue] = issues;
  const path = issue?.path ?? [];
  const expected = issue ? expectation(issue) : 'not what the contract says';
  const reason = `${expected}, got ${kindOf(valueAt(value, path))}`;
  return path.length > 0 ? `${shorten(toPath(path))}: ${reason}` : `the reply is not what was asked for: ${reason}`;
}

function parseJson(text: string, url: string): unknown {
  if (text.trim() === '') throw new ReplyError(url, 'json', 'the reply is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReplyError(url, 'json', notJson(text), { cause: error });
  }
}

function notJson(text: string): string {
  const start = text.trimStart().slice(0, 60);
  if (/^<(!doctype|html|head|body|\?xml)/i.test(start)) {
    return 'the reply is a web page (HTML), not JSON; the address may lead to a site or a proxy and not to a node';
  }
  if (/^[[{]/.test(start) && !/[\]}]$/.test(text.trimEnd())) return 'the reply breaks off in the middle of its JSON';
  return `the reply is not JSON; it begins with ${JSON.stringify(start.slice(0, 40))}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${article(issue.expected)}`;
  if (issue.code === 'invalid_union') return 'expected a string or a number';
  // The contract's own checks say what they expect.
  return 'message' in issue && issue.message ? issue.message : 'not what the contract says';
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}

function toPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path ? `${path}.${String(key)}` : String(key);
  }, '');
}

function valueAt(json: unknown, keys: readonly PropertyKey[]): unknown {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  return keys.reduce<unknown>((value, key) => (isObject(value) ? Reflect.get(Object(value), key) : undefined), json);
}

/** What a value is, in words; the beginning of a string. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(shorten(value, 40));
  return article(typeof value);
}
