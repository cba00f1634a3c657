import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { toDotPath } from 'zod/v4/core';
import {
  type Operation,
  operations,
  proposalSchema,
  proposalV1Schema,
  type Reply,
  type WireProposal,
  type WireProposalV1,
} from './contract.ts';
import type { GovForm } from './dialect.ts';
import { ReplyError, shorten } from './errors.ts';
import type { Mask } from './mask.ts';
import type { RowFault } from './pages.ts';
import { type Fields, isFields, without } from './wireValues.ts';

/** A row's own field, named as on the wire, that is not what the contract says; it is left out of the row. */
export interface FieldFault {
  readonly field: string;
  readonly reason: string;
}

/**
 * A proposal as it came; `form` selects how it is read. `raw` is its JSON as far as it is safe to show. `unreadable`: the
 * node cannot give it, or its id or status cannot be read; a negative id stands for one that is not known.
 */
export type WireProposalRow =
  | ProposalInForm<'v1beta1', WireProposal>
  | ProposalInForm<'v1', WireProposalV1>
  | { readonly form: 'unreadable'; readonly id: bigint; readonly reason: string };

interface ProposalInForm<Form, Proposal> {
  readonly form: Form;
  readonly id: bigint;
  readonly proposal: Proposal;
  readonly faults: readonly FieldFault[];
  readonly raw: Fields;
}

type Schemas = { readonly [O in Operation]: { readonly reply: z.ZodMiniType<Reply<O>> } };
const schemas: Schemas = operations;

/**
 * The reply in `text`, checked against the contract but for the rows of lists; unknown fields stay.
 *
 * @throws ReplyError that names the cause and the place (`pagination.next_key: expected a string, got a number`).
 */
export function checkReply<O extends Operation>(operation: O, text: string, url: string): Reply<O> {
  const schema: z.ZodMiniType<Reply<O>> = schemas[operation].reply;
  const checked = schema.safeParse(parseJson(text, url), { reportInput: true });
  if (checked.success) return checked.data;
  throw new ReplyError(url, 'shape', describeIssue(checked.error.issues[0]));
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path ?? [];
  const expected = issue ? expectation(issue) : 'not what the contract says';
  const reason = `${expected}, got ${kindOf(issue?.input)}`;
  if (path.length === 0) return `the reply is not what was asked for: ${reason}`;
  return `${shorten(toDotPath([...path]))}: ${reason}`;
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
  // The contract's own checks have a message.
  return 'message' in issue && issue.message ? issue.message : 'not what the contract says';
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(shorten(value, 40));
  return article(typeof value);
}

interface RowOptions {
  /** Length of the whole reply: a small one holds no row that is too large. */
  readonly bytes?: number | undefined;
  readonly mask?: Mask | undefined;
}

const asItIs: Mask = (text) => text;

const mostLevels = 200;
/** Characters of a row's JSON; in a longer one only short texts are kept. */
const mostCharacters = 8 * 1024 * 1024;
const shortText = 4096;

/** A field that is not what the contract says is left out and named in `faults`; a row is unreadable where id or status is. */
export function readProposalRow(form: GovForm, value: unknown, options: RowOptions = {}): WireProposalRow {
  const idField = form === 'v1' ? 'id' : 'proposal_id';
  if (!isFields(value)) return unreadableRow(undefined, value, `expected an object, got ${kindOf(value)}`);
  const { row, faults } = withinLimits(value, options.bytes ?? 0);
  // The JSON is shown as it came, as far as that is safe.
  const raw = faults.length > 0 ? row : value;
  const required = [idField, 'status'];
  if (form === 'v1') {
    const read = readFields(proposalV1Schema, row, required, options.mask);
    if (typeof read === 'string') return unreadableRow(row[idField], row, read);
    return { form, id: BigInt(read.fields.id), proposal: read.fields, faults: [...faults, ...read.faults], raw };
  }
  const read = readFields(proposalSchema, row, required, options.mask);
  if (typeof read === 'string') return unreadableRow(row[idField], row, read);
  return { form, id: BigInt(read.fields.proposal_id), proposal: read.fields, faults: [...faults, ...read.faults], raw };
}

/** Rows of a list one by one; a faulty one is named in `faults` by this field, or by its place where that cannot be read. */
export function readRows<S extends z.ZodMiniType>(
  values: readonly unknown[],
  schema: S,
  nameField: string,
  mask: Mask = asItIs,
): { readonly rows: readonly z.infer<S>[]; readonly faults: readonly RowFault[] } {
  const rows: z.infer<S>[] = [];
  const faults: RowFault[] = [];
  for (const [at, value] of values.entries()) {
    const checked = schema.safeParse(value, { reportInput: true });
    if (checked.success) {
      rows.push(checked.data);
      continue;
    }
    const name = isFields(value) ? value[nameField] : undefined;
    faults.push({
      row: typeof name === 'string' && name !== '' ? mask(name.slice(0, 200)) : `[${at}]`,
      reason: mask(describeIssue(checked.error.issues[0])),
    });
  }
  return { rows, faults };
}

/** The fields that fit the schema, and what is wrong with the others; a sentence where a required one does not fit. */
function readFields<S extends z.ZodMiniType>(schema: S, row: Fields, required: readonly string[], mask = asItIs) {
  const checked = schema.safeParse(row, { reportInput: true });
  if (checked.success) return { fields: checked.data, faults: [] };
  const faults: FieldFault[] = [];
  const faulty = new Set<string>();
  for (const issue of checked.error.issues) {
    const field = String(issue.path[0]);
    if (faulty.has(field)) continue;
    faulty.add(field);
    faults.push({ field, reason: mask(describeIssue(issue)) });
  }
  const fatal = faults.find(({ field }) => required.includes(field));
  if (fatal) return fatal.reason;
  const rest = schema.safeParse(without(row, ...faulty), { reportInput: true });
  return rest.success ? { fields: rest.data, faults } : describeIssue(rest.error.issues[0]);
}

function withinLimits(value: Fields, bytes: number): { readonly row: Fields; readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = [];
  const deep = Object.keys(value).filter((field) => isDeeper(value[field], mostLevels - 1));
  for (const field of deep) faults.push({ field, reason: `nested in more than ${mostLevels} levels` });
  let row = deep.length > 0 ? without(value, ...deep) : value;
  if (bytes > mostCharacters && JSON.stringify(row).length > mostCharacters) {
    const long = Object.keys(row).filter((field) => JSON.stringify(row[field] ?? null).length > shortText);
    const { content } = row;
    row = without(row, ...long);
    for (const field of long) faults.push({ field, reason: 'the proposal is larger than 8 MiB' });
    if (isFields(content) && long.includes('content')) {
      const { '@type': type, title } = content;
      const isShort = typeof title === 'string' && title.length <= shortText;
      row = { ...row, content: { '@type': type, ...(isShort ? { title } : {}) } };
    }
  }
  return { row, faults };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Where the id cannot be read either, a negative number stands for it: the same for the same row. */
function unreadableRow(id: unknown, row: unknown, reason: string): WireProposalRow {
  if (typeof id === 'string' && /^\d{1,20}$/.test(id)) return { form: 'unreadable', id: BigInt(id), reason };
  const json = String(JSON.stringify(row));
  const hash = createHash('sha256').update(json).digest('hex');
  return { form: 'unreadable', id: -1n - BigInt(`0x${hash.slice(0, 12)}`), reason };
}
