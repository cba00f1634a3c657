import { orUndefined } from '../../api/errors.ts';
import type { ChainNode } from '../../api/node.ts';
import type { Page, ReplyInfo } from '../../api/pages.ts';
import { Cursor, type LoadPage, type ReadOptions, readPages } from '../../api/readPages.ts';
import { type Coin, type DenomUnit, decimalAmount, groupDigits } from '../../chain/coin.ts';
import { type Fields, isFields } from '../../chain/fields.ts';
import { type Ratio, whole } from '../../chain/ratio.ts';
import { shownText } from '../../chain/text.ts';
import { readHeader } from '../../reads/export.ts';
import { chainIdOf } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import { sourceLabel } from '../question/questionSource.ts';
import type { Question, ToolHost } from '../question/tool.ts';
import { ToolError } from '../question/toolError.ts';

/** The limits for a text of a chain in an answer, in characters and in tokens. */
const longestText = 2000;
const longestTokens = 1000;
/** Marks of controls make a text longer. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** The caller, with the facts that limit the length of answers and their texts. */
export type Asker = Pick<ToolHost, 'isUnbounded'>;

/** Gives a text that may be long, like `untrusted`. It stays whole if the caller accepts answers of any length. */
export function longText(text: string, { isUnbounded }: Asker): string {
  return isUnbounded ? shownText(text, unlimited) : untrusted(text);
}

/** Makes the controls of a text from outside visible, and cuts it. The number of cut characters stands behind it. */
export function untrusted(text: string): string {
  let limit = longestText;
  while (estimateTokens(shownText(text, limit)) > longestTokens) limit = Math.floor(limit * 0.7);
  const left = text.length - limit;
  return left > 0 ? `${shownText(text, limit)} (+${groupDigits(left)} characters)` : shownText(text, limit);
}

/**
 * Gives a text that is an identifier of the chain, such as an address. Undefined for anything else, which may be read
 * as words.
 */
export function identifier(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.-]{1,128}$/.test(text) ? text : undefined;
}

/** Gives an address for an answer. One that is not plain text is marked as text of the chain. */
export function addressOf(address: string): Fields {
  return identifier(address) === undefined ? { untrusted_address: untrusted(address) } : { address };
}

/**
 * Gives members with values that may be unknown. An unknown value is null, and its reason stands under `unknown` with
 * the same name, beside the reasons already there.
 */
export function stated(members: Fields, reasons: Readonly<Record<string, string>> = {}): Fields {
  const missing = Object.keys(members).filter((name) => members[name] === undefined);
  if (missing.length === 0) return members;
  const { unknown, ...others } = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value ?? null]),
  );
  const named = Object.fromEntries(missing.map((name) => [name, reasons[name] ?? 'not reported by the source']));
  return { ...others, unknown: { ...(isFields(unknown) ? unknown : {}), ...named } };
}

/** Gives an amount with all its digits in base units, and in display units if these are known. */
export function amountOf({ denom, amount }: Coin, unit: DenomUnit | undefined): Fields {
  const symbol = unit && { untrusted_symbol: untrusted(unit.symbol) };
  return { amount: `${amount}`, untrusted_denom: untrusted(denom), ...displayOf(amount, unit), ...symbol };
}

/** The limit for the amounts of a list. */
const maxAmounts = 20;

/** Gives several amounts, and after the first 20 the number of the others. */
export function amountsOf(
  coins: readonly Coin[],
  { lists: { supply } }: Session,
  { isUnbounded }: Asker,
): readonly Fields[] {
  const max = isUnbounded ? coins.length : maxAmounts;
  const shown = coins.slice(0, max).map((coin) => amountOf(coin, supply.unit(coin.denom)));
  return coins.length > max ? [...shown, { more_amounts: coins.length - max }] : shown;
}

/** Gives the number in display units. Gives nothing if these are not known. */
export function displayOf(amount: bigint, unit: DenomUnit | undefined): Fields {
  return unit ? { display_amount: decimalAmount(amount, unit.exponent) } : {};
}

/** Gives an amount in base units, and in display units if these are known. */
export function baseAmount(amount: bigint, unit: DenomUnit | undefined): Fields {
  return { amount: `${amount}`, ...displayOf(amount, unit) };
}

/** Gives an amount of 10^-18 base units in whole base units, with its fraction beside it. */
export function exactAmount(amount: bigint, unit: DenomUnit | undefined): Fields {
  const units = amount / whole;
  const exact = amount % whole === 0n ? {} : { exact_amount: decimalAmount(amount, 18) };
  return { ...baseAmount(units, unit), ...exact };
}

/** Gives a share with all its digits: `0.334`. */
export function shareOf(ratio: Ratio): string {
  return decimalAmount(ratio, 18);
}

/** Gives one of our names in the form of answers: `notAllAbstain` → `not_all_abstain`. */
export function wordOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Gives a time in RFC 3339, in UTC. */
export function timeOf(time: Date | undefined): string | undefined {
  return time?.toISOString();
}

/** The limit for an answer in characters. */
const maxCharacters = 24_000;
const maxTokens = 8_000;
/** The characters that are reserved for the frame of the rows: metadata, brackets. */
const frame = 600;

/**
 * Gives a value of a chain with all its names, such as the fields of a message. Its controls are visible. If its JSON
 * is longer than a text may be, it becomes a text that is cut.
 */
export function untrustedTree(value: unknown, { isUnbounded }: Asker): unknown {
  if (isUnbounded) return shownTree(value);
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= longestText && estimateTokens(json) <= longestTokens ? shownTree(value) : untrusted(json);
}

function shownTree(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value, unlimited);
  if (Array.isArray(value)) return value.map(shownTree);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [shownText(name, unlimited), shownTree(inner)]),
  );
}

/** The space that is left in an answer while it is written. */
export class Space {
  #characters: number;
  #tokens: number;

  readonly #isUnbounded: boolean;

  /** `parts` is the number of equal parts of the answer. This is one of them. */
  constructor({ isUnbounded = false }: Asker, parts = 1) {
    this.#isUnbounded = isUnbounded;
    this.#characters = maxCharacters / parts - frame;
    this.#tokens = maxTokens / parts - frame / 3;
  }

  /** True if a value still fits. It is then counted. */
  take(value: unknown): boolean {
    if (this.#isUnbounded) return true;
    const json = JSON.stringify(value);
    const characters = this.#characters - json.length - 1;
    const tokens = this.#tokens - estimateTokens(json) - 1;
    if (characters < 0 || tokens < 0) return false;
    this.#characters = characters;
    this.#tokens = tokens;
    return true;
  }

  /** Gives the members that still fit, from the first on. The names of the others stand under `left_out`. */
  members(values: Fields): Fields {
    const fitting = Object.entries(values).filter(([name, value]) => this.take({ [name]: value }));
    const kept = Object.fromEntries(fitting);
    const left = Object.keys(values).filter((name) => !Object.hasOwn(kept, name));
    return left.length > 0 ? { ...kept, left_out: left } : kept;
  }

  /** Gives the rows of a list that still fit, and the number of the others. */
  fit<Row>(rows: readonly Row[]): { readonly shown: readonly Row[]; readonly left: number } {
    const end = rows.findIndex((row) => !this.take(row));
    const shown = end < 0 ? rows : rows.slice(0, end);
    return { shown, left: rows.length - shown.length };
  }
}

/** Letters that mostly are tokens of their own: Latin with marks, Greek to Arabic, Thai, Japanese, Chinese, Korean. */
const letters = '\u00c0-\u024f\u0370-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af';
const parts = new RegExp(`[A-Z]?[a-z]+|[A-Z]+|\\d+| +|[${letters}]|[\\0-\\x7f]|[^]`, 'gu');

/**
 * Estimates the tokens of a text in the usual vocabularies. In any script, the estimate is at most a fifth too high.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [part] of text.matchAll(parts)) {
    const [code = 0, { length }] = [part.codePointAt(0), part];
    if (/^[a-z]/i.test(part)) tokens += length > 12 ? length / 2 : 1 + (length - 1) / 5;
    else if (/^\d/.test(part)) tokens += Math.ceil(length / 3);
    else if (code < 128) tokens += 0.7;
    else if (code > 0xffff) tokens += 4;
    else tokens += isLetter.test(part) ? 1 : 3;
  }
  return Math.ceil(tokens);
}

const isLetter = new RegExp(`[${letters}]`, 'u');

/** The rows of an answer that fit, and the count of the others. */
export interface AnswerRows {
  readonly rows: readonly Fields[];
  /** The number of rows that could be listed; undefined with the reason `noTotal`. */
  readonly total: bigint | number | undefined;
  readonly noTotal?: string;
  /** Gives the key after the first `count` rows. Undefined if there are no more rows. */
  readonly keyAfter: (count: number) => string | undefined;
}

/** Gives a list as an answer: `head`, then `metadata`, then as many rows as fit under `name`. */
export function listAnswer(
  asker: Asker,
  head: Fields,
  name: string,
  { rows, total, noTotal, keyAfter }: AnswerRows,
): Fields {
  const space = new Space(asker);
  space.take(head);
  const [first] = rows;
  const fitting = space.fit(rows).shown;
  // A row that alone fills an answer is cut, so that the list can go on after it.
  const shown = first && fitting.length === 0 ? [space.members(first)] : fitting;
  const nextKey = keyAfter(shown.length);
  const metadata = {
    ...stated(
      { total: total === undefined ? undefined : Number(total) },
      { total: noTotal ?? 'rows are counted only on the first page' },
    ),
    returned: shown.length,
    truncated: nextKey !== undefined || shown.length < rows.length,
    next_key: nextKey ?? null,
  };
  return { ...head, metadata, [name]: shown };
}

const maxNotices = 5;

/** Gives the beginning of every answer: the source of the facts, and their time. `info` came with the facts. */
export async function headOf(
  { host, signal }: Question,
  session: Session,
  info: Pick<ReplyInfo, 'height' | 'date' | 'dateFrom' | 'unpinnedReason'>,
): Promise<Fields> {
  const { source, notices } = session;
  const node = await session.node();
  const moment = isOfState(session, node) ? await readMoment(node, signal) : undefined;
  const { height, date, dateFrom } = { ...info, ...moment };
  const { chainId, time } = moment
    ? { chainId: await chainIdOf(node, signal), time: date }
    : await readHeader(node, height || undefined, signal);
  const said = notices.slice(0, maxNotices).map((notice) => shownText(notice, 300));
  const unsaid = notices.length - said.length;
  const members = {
    source: sourceLabel(source, host),
    ...chainIdFields(chainId),
    height: height ? `${height}` : undefined,
    time: timeOf(time),
  };
  const reasons = {
    height: 'the source does not report the height of its answer',
    time: 'the source does not report the time of this height',
  };
  return {
    ...stated(members, reasons),
    ...(moment && dateFrom !== undefined ? estimateOf(dateFrom) : {}),
    ...(info.unpinnedReason ? { untrusted_height_notice: untrusted(info.unpinnedReason) } : {}),
    ...(said.length > 0 ? { untrusted_notices: said } : {}),
    ...(unsaid > 0 ? { more_notices: unsaid } : {}),
  };
}

/** Gives the reason why the time of a state is estimated, and the field that it comes from. */
function estimateOf(from: string): Fields {
  const rule = 'the latest time in the state that is not in the future';
  const estimated = from === 'genesis_time' ? `${rule}: the state may be later` : rule;
  return { estimated, time_estimated_from: from };
}

/** Gives the block of the past that a source is read at. */
export function pastHeight({ source }: Session): bigint | undefined {
  return source.kind === 'http' && source.at ? BigInt(source.at.height) : undefined;
}

/** Gives the moment at which votes are judged: the time of a state that stands still, or else now. */
export async function nowOf(question: Question, session: Session, info: Parameters<typeof headOf>[2]): Promise<Date> {
  if (session.pastTime) return session.pastTime;
  const isStill = session.isStill || isOfState(session, await session.node());
  const { time } = isStill ? await headOf(question, session, info) : {};
  return typeof time === 'string' ? new Date(time) : new Date();
}

/** Gives a chain id for an answer. One that is not a plain name is marked as text of the chain. */
export function chainIdFields(chainId: string | undefined): Fields {
  if (chainId === undefined || /^[\w.-]{1,50}$/.test(chainId)) return { chain_id: chainId };
  return { untrusted_chain_id: shownText(chainId, 50) };
}

/**
 * True if a state answers, in process or behind an endpoint. It has one time, and no blocks. An endpoint has to be asked
 * something before.
 */
function isOfState({ source }: Session, { dialect }: ChainNode): boolean {
  return source.kind !== 'http' || dialect.segment === 'chain';
}

type Moment = Pick<ReplyInfo, 'height' | 'date' | 'dateFrom'>;

/**
 * Reads the moment that a state is of, after the whole file is read. A supply is answered before that, and so is a
 * module gov that is null. The parameters of all modules are not.
 */
async function readMoment(node: ChainNode, signal: AbortSignal): Promise<Moment> {
  const readSupply = (): Promise<Page<unknown>> => node.supply({ limit: 1 }, signal);
  // An answer states the time only when the whole file has been read.
  const ofSupply = await momentIn(readSupply);
  if (ofSupply?.date) return ofSupply;
  const ofProposals = await momentIn(() => node.proposals({}, { limit: 1 }, signal));
  if (ofProposals?.date) return ofProposals;
  await orUndefined(node.stateParams(signal));
  return (await momentIn(readSupply)) ?? ofProposals ?? {};
}

async function momentIn(read: () => Promise<Page<unknown>>): Promise<Moment | undefined> {
  const page = await orUndefined(read());
  if (!page) return undefined;
  const { height, date, dateFrom, isOfState: isStated } = page.info;
  return { height, date: isStated ? date : undefined, dateFrom };
}

/** The rows of a list from a key on. */
export interface Window<Row> {
  readonly rows: readonly Row[];
  /** Gives the key after the first `count` rows. Undefined if the list ends there. */
  readonly keyAfter: (count: number) => string | undefined;
  /** The number of rows of the whole list; undefined if they were not counted. */
  readonly total: bigint | undefined;
  readonly info: ReplyInfo;
  /** The number of rows that cannot be read. */
  readonly faults: number;
}

/** The number of rows of a page, if the whole list is read. */
const largestPage = 5000;

/** The rows that are wanted of a list. */
export interface WindowOptions<Row> extends Pick<ReadOptions<Row>, 'idOf' | 'limit'> {
  readonly wanted: number;
  readonly key: string | undefined;
  /** The height to read at; that of the first page if absent. */
  readonly height?: bigint | undefined;
  /** Selects the rows that match. */
  readonly keep?: ((row: Row) => boolean) | undefined;
}

/**
 * Reads pages until `wanted` rows match. `limit` is the size of a page. A key is `SKIP.KEY`: the number of rows to
 * skip, and the node's key to start from. Rejects like `readPages`, and with a `ToolError` for a key of another form.
 */
export async function readWindow<Row>(
  { signal, onProgress, host }: Question,
  load: LoadPage<Row>,
  { idOf, limit, wanted, key, height, keep = (): boolean => true }: WindowOptions<Row>,
): Promise<Window<Row>> {
  const start = readKey(key);
  const largest = host.isUnbounded ? largestPage : limit;
  const cursor = new Cursor();
  Object.assign(cursor, start.page === '' ? {} : { started: true, nextKey: start.page });
  cursor.height = height;
  const found: { readonly row: Row; readonly next: string }[] = [];
  let page = start.page;
  const loadNamed: LoadPage<Row> = (request, abort) => {
    page = request.key ?? '';
    return load(request, abort);
  };
  let { skip } = start;
  let faults = 0;
  let info: ReplyInfo = {};
  let isMore = false;
  for await (const read of readPages(loadNamed, { idOf, limit, largest, cursor, pinned: true, signal })) {
    info = { ...read.info, height: cursor.height, unpinnedReason: cursor.unpinnedReason };
    faults += read.info.faults?.length ?? 0;
    const passed = Math.min(skip, read.rows.length);
    skip -= passed;
    for (const [at, row] of read.rows.entries()) {
      if (at < passed || !keep(row)) continue;
      if (found.length < wanted) found.push({ row, next: `${at + 1}.${page}` });
      else isMore = true;
    }
    onProgress(cursor.ids.size);
    isMore ||= found.length >= wanted && cursor.hasMore;
    if (found.length >= wanted) break;
  }
  if (skip > 0) throw endedBefore();
  const keyAfter = (count: number): string | undefined => {
    if (count >= found.length && !isMore) return undefined;
    return count > 0 ? found[count - 1]?.next : key;
  };
  return { rows: found.map(({ row }) => row), keyAfter, total: cursor.total, info, faults };
}

/** Makes the error for a list that has become shorter since the key was given. */
export function endedBefore(): ToolError {
  return new ToolError(
    'input',
    '"key" is beyond the end of the list, which has become shorter.',
    'Leave it out to start from the beginning.',
  );
}

/**
 * Reads the number of rows to skip, and the key of their page. Throws a `ToolError` for a text that is none of our
 * keys.
 */
export function readKey(key: string | undefined): { readonly skip: number; readonly page: string } {
  const [whole, skip, page = ''] = /^(\d{1,9})\.(.{0,6000})$/s.exec(key ?? '0.') ?? [];
  if (whole === undefined)
    throw new ToolError(
      'input',
      '"key" must be the "next_key" of the previous answer, unchanged.',
      'Leave it out to start from the beginning.',
    );
  return { skip: Number(skip), page };
}

/** Gives the rows after a key, if all rows are at hand. */
export function windowOf<Row>(all: readonly Row[], wanted: number, key: string | undefined): Omit<Window<Row>, 'info'> {
  const { skip } = readKey(key);
  if (skip > 0 && skip >= all.length) throw endedBefore();
  const rows = all.slice(skip, skip + wanted);
  const keyAfter = (count: number): string | undefined => (skip + count < all.length ? `${skip + count}.` : undefined);
  return { rows, keyAfter, total: BigInt(all.length), faults: 0 };
}
