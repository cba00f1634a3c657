import type * as z from 'zod/mini';
import { toDotPath } from 'zod/v4/core';
import { type Fields, isFields, without } from '../../chain/fields.ts';
import type { FieldFault, GovForm } from '../../chain/gov/proposal.ts';
import { shorten } from '../../chain/text.ts';
import { ReplyError } from '../errors.ts';
import type { Mask } from '../masks.ts';
import type { Operation } from '../operations.ts';
import type { RowFault } from '../pages.ts';
import {
  article,
  expectation,
  proposalSchema,
  proposalV1Schema,
  type Reply,
  replies,
  type WireProposal,
  type WireProposalV1,
} from '../replySchemas.ts';
import { maxMembers } from '../wireValues.ts';

/**
 * A proposal on the wire. `form` tells how it is read. `raw` is its JSON without the parts that are not safe to show.
 * `unreadable`: the node cannot give it, or its status cannot be read.
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

const schemas: { readonly [O in Operation]: () => z.ZodMiniType<Reply<O>> } = replies;

/**
 * Checks the reply in `text` against the contract, except for the rows of lists. Unknown fields stay.
 *
 * @throws ReplyError that names the cause and the place (`pagination.next_key: expected a string, got a number`).
 */
export function checkReply<O extends Operation>(operation: O, text: string, url: string): Reply<O> {
  const schema: z.ZodMiniType<Reply<O>> = schemas[operation]();
  const checked = schema.safeParse(parseReply(text, url), { reportInput: true });
  if (checked.success) return checked.data;
  throw new ReplyError(url, 'shape', describeIssue(checked.error.issues[0]));
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path ?? [];
  const reason = `${expectation(issue)}, got ${kindOf(issue?.input)}`;
  if (path.length === 0) return `unexpected reply: ${reason}`;
  return `${shorten(toDotPath([...path]))}: ${reason}`;
}

function parseReply(text: string, url: string): unknown {
  if (text.trim() === '') throw new ReplyError(url, 'json', 'the reply is empty');
  const count = text.length > maxValues ? countValues(text) : 0;
  if (count > maxValues) throw new ReplyError(url, 'tooLarge', `expected at most ${maxValues} values, got ${count}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(text, url, error);
  }
}

/**
 * The limit for the values of a whole reply. A value of three characters takes fifty bytes of memory. A proposal of 8
 * MiB never has as many.
 */
const maxValues = 6_000_000;

/**
 * Gives an upper bound of the values in a JSON text: commas and opening brackets outside strings, and the first value.
 */
function countValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x2c || (char | 0x20) === 0x7b) count++;
    else if (char === 0x22) at = stringEnd(text, at);
  }
  return count;
}

/**
 * Gives the index of the quote that closes the string that begins at `start`. Gives the end of the text if none does.
 */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === 0x5c) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

function notJson(text: string, url: string, cause: unknown): ReplyError {
  const failure = (code: 'json' | 'page', reason: string): ReplyError => new ReplyError(url, code, reason, { cause });
  const start = text.trimStart().slice(0, 40);
  if (/^<(!doctype|html|head|body|\?xml)/i.test(start)) {
    return failure(
      'page',
      'the reply is a web page (HTML), not JSON. The address may be that of a website or proxy instead of a node',
    );
  }
  if (/^[[{]/.test(start) && !/[\]}]$/.test(text.trimEnd())) {
    return failure('json', 'the JSON in the reply is cut off');
  }
  return failure('json', `the reply is not JSON. It starts with ${JSON.stringify(start)}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length > 1000 ? `an array of ${value.length}` : 'an array';
  if (typeof value === 'string') return JSON.stringify(shorten(value, 40));
  return article(typeof value);
}

interface RowOptions {
  /** The length of the whole reply in characters. A small one holds no row that is too large. */
  readonly characters?: number | undefined;
  readonly mask?: Mask | undefined;
}

const asItIs: Mask = (text) => text;

const maxLevels = 200;
/** The limit for the JSON of a row, in characters. A longer one keeps only short texts. */
const maxCharacters = 8 * 1024 * 1024;
const shortText = 4096;

const idFields = { v1: 'id', v1beta1: 'proposal_id' } as const satisfies Readonly<Record<GovForm, string>>;

/** Gives the id of a proposal in this form, or a sentence that says why it has none. */
export function readProposalId(form: GovForm, value: unknown): bigint | string {
  if (!isFields(value)) return `expected an object, got ${kindOf(value)}`;
  const field = idFields[form];
  const id = value[field];
  if (typeof id === 'string' && /^\d{1,20}$/.test(id)) return BigInt(id);
  return `${field}: expected a string of 1 to 20 digits, got ${kindOf(id)}`;
}

/**
 * Reads a proposal that has an id (`readProposalId`). A field that does not follow the contract is left out and named
 * in `faults`. The row is unreadable if its status is, or if it is no row at all.
 *
 * @throws Error for a row without an id.
 */
export function readProposalRow(form: GovForm, value: unknown, options: RowOptions = {}): WireProposalRow {
  const id = readProposalId(form, value);
  if (typeof id === 'string' || !isFields(value)) throw new Error(`A proposal has no ID: ${id}`);
  if (Object.keys(value).length > maxMembers) return { form: 'unreadable', id, reason: tooManyMembers };
  const { row, faults } = withinLimits(value, options.characters ?? 0);
  // The JSON is shown as it came, if that is safe.
  const raw = faults.length > 0 ? row : value;
  const required = [idFields[form], 'status'];
  switch (form) {
    case 'v1': {
      const read = readFields(proposalV1Schema, row, required, options.mask);
      if (typeof read === 'string') return { form: 'unreadable', id, reason: read };
      return { form, id, proposal: read.fields, faults: [...faults, ...read.faults], raw };
    }
    case 'v1beta1': {
      const read = readFields(proposalSchema, row, required, options.mask);
      if (typeof read === 'string') return { form: 'unreadable', id, reason: read };
      return { form, id, proposal: read.fields, faults: [...faults, ...read.faults], raw };
    }
    default:
      return form satisfies never;
  }
}

/** The limit for the faulty rows of one reply. */
const maxFaultyRows = 10_000;

/** Throws `ReplyError` if more rows are faulty than can be told, since the answer then follows another contract. */
function checkFaultyRows(faulty: number, rows: number, { url = '', mask = asItIs }: ReplySource, reason: string): void {
  if (faulty <= maxFaultyRows) return;
  const text = `more than ${maxFaultyRows} of ${rows} rows cannot be read. The last one: ${mask(reason)}`;
  throw new ReplyError(mask(url), 'shape', text);
}

/** The reply that rows belong to. */
interface ReplySource {
  readonly url?: string | undefined;
  readonly mask?: Mask | undefined;
}

/** The rows of a list that can be read, and the faults of the others. */
interface ReadRows<Row> {
  readonly rows: readonly Row[];
  readonly faults: readonly RowFault[];
}

/**
 * Reads the rows of a list one by one. A faulty one is named in `faults` by this field, or by its position if the field
 * cannot be read.
 *
 * @throws ReplyError if more than 10,000 rows are faulty.
 */
export function readRows<S extends z.ZodMiniType>(
  values: readonly unknown[],
  schema: S,
  nameField: string,
  source: ReplySource = {},
): ReadRows<z.infer<S>> {
  const { mask = asItIs } = source;
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
      row: typeof name === 'string' && name !== '' ? mask(name.slice(0, 200)) : at,
      reason: mask(describeIssue(checked.error.issues[0])),
    });
    checkFaultyRows(faults.length, values.length, source, describeIssue(checked.error.issues[0]));
  }
  return { rows, faults };
}

/**
 * Gives the fields that fit the schema, and the faults of the others. Gives a sentence if a required one does not fit.
 */
function readFields<S extends z.ZodMiniType>(
  schema: S,
  row: Fields,
  required: readonly string[],
  mask = asItIs,
): string | { readonly fields: z.infer<S>; readonly faults: readonly FieldFault[] } {
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
  const rest = schema.safeParse(without(row, faulty), { reportInput: true });
  return rest.success ? { fields: rest.data, faults } : describeIssue(rest.error.issues[0]);
}

function withinLimits(
  value: Fields,
  characters: number,
): { readonly row: Fields; readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = [];
  const left: string[] = [];
  for (const [field, member] of Object.entries(value)) {
    const reason = beyondLimits(member, maxLevels - 1);
    if (reason === undefined) continue;
    left.push(field);
    faults.push({ field, reason });
  }
  let row = without(value, left);
  if (characters > maxCharacters && JSON.stringify(row).length > maxCharacters) {
    const long = Object.keys(row).filter((field) => JSON.stringify(row[field] ?? null).length > shortText);
    const { content } = row;
    row = without(row, long);
    for (const field of long) faults.push({ field, reason: 'the proposal is larger than 8 MiB' });
    if (isFields(content) && long.includes('content')) {
      const { '@type': type, title } = content;
      const isShort = typeof title === 'string' && title.length <= shortText;
      row = { ...row, content: { '@type': type, ...(isShort ? { title } : {}) } };
    }
  }
  return { row, faults: atMost(faults) };
}

/** The limit for the faults that are told of one row. */
const maxFaults = 100;

function atMost(faults: readonly FieldFault[]): readonly FieldFault[] {
  if (faults.length <= maxFaults) return faults;
  const reason = `and ${faults.length - maxFaults} more fields`;
  return [...faults.slice(0, maxFaults), { field: '', reason }];
}

const tooDeep = `nested more than ${maxLevels} levels deep`;
const tooManyMembers = `expected an object of at most ${maxMembers} members`;

/** Tells why a value cannot be a part of a row: its nesting, or the members of an object in it. */
function beyondLimits(value: unknown, levels: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return tooDeep;
  const members = Array.isArray(value) ? value : Object.values(value);
  if (!Array.isArray(value) && members.length > maxMembers) return tooManyMembers;
  for (const member of members) {
    const reason = beyondLimits(member, levels - 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Reads the proposals of a list one by one. One without an id is named in `faults` by its position.
 *
 * @throws ReplyError if more than 10,000 rows are faulty.
 */
export function readProposalRows(
  form: GovForm,
  values: readonly unknown[],
  source: ReplySource & RowOptions,
): ReadRows<WireProposalRow> {
  const { mask = asItIs } = source;
  const rows: WireProposalRow[] = [];
  const faults: RowFault[] = [];
  let faulty = 0;
  for (const [at, value] of values.entries()) {
    const id = readProposalId(form, value);
    const row = typeof id === 'string' ? undefined : readProposalRow(form, value, source);
    if (row) rows.push(row);
    else faults.push({ row: at, reason: mask(String(id)) });
    const reason = row ? faultOf(row) : String(id);
    if (reason !== undefined) checkFaultyRows(++faulty, values.length, source, reason);
  }
  return { rows, faults };
}

function faultOf(row: WireProposalRow): string | undefined {
  return row.form === 'unreadable' ? row.reason : row.faults[0]?.reason;
}
