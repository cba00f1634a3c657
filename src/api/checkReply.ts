import type * as z from 'zod/mini';
import { type Operation, operations, type Reply } from './contract.ts';
import { ReplyError, shorten } from './errors.ts';
import { isSupplyReply } from './supplyReply.ts';

type Schemas = { readonly [O in Operation]: { readonly reply: z.ZodMiniType<Reply<O>> } };
const schemas: Schemas = operations;

/**
 * Checks that say yes faster than the schema, which takes as long for a page of coins as parsing its JSON: a crawl would
 * feel it (`npm run bench -- crawl`). What a check refuses goes to the schema, which has the last word and the message.
 */
type FastChecks = { readonly [O in Operation]?: (value: unknown) => value is Reply<O> };
const fastChecks: FastChecks = { supply: isSupplyReply };

/**
 * The reply of `operation` in `text`, checked against the contract; unknown fields stay.
 *
 * @throws ReplyError that names the cause and the place (`supply[3].amount: expected a string of digits, got a number`).
 */
export function checkReply<O extends Operation>(operation: O, text: string, url: string): Reply<O> {
  const json = parseJson(text, url);
  const fast: ((value: unknown) => value is Reply<O>) | undefined = fastChecks[operation];
  if (fast?.(json)) return json;
  const schema: z.ZodMiniType<Reply<O>> = schemas[operation].reply;
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = issue ? toPath(issue.path) : '';
  const reason = `${issue ? expectation(issue) : 'not what the contract says'}, got ${kindOf(valueAt(json, issue?.path ?? []))}`;
  throw new ReplyError(
    url,
    path ? `${shorten(path)}: ${reason}` : `the reply is not what was asked for: ${reason}`,
    path,
  );
}

function parseJson(text: string, url: string): unknown {
  if (text.trim() === '') throw new ReplyError(url, 'the reply is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReplyError(url, notJson(text), undefined, { cause: error });
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
  if (issue.message.startsWith('expected')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${article(issue.expected)}`;
    case 'invalid_union':
      return 'expected a string or a number';
    default:
      return 'not what the contract says';
  }
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
  return keys.reduce<unknown>((value, key) => (isObject(value) ? Reflect.get(value, key) : undefined), json);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return article(typeof value);
}
