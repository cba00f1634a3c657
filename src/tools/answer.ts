import { isApiError } from '../api/errors.ts';
import { Cursor, type LoadPage, type Page, type PageInfo, type ReadOptions, readPages } from '../api/pages.ts';
import { type Fields, isFields } from '../api/wireValues.ts';
import { type Coin, type DenomUnit, decimalAmount, groupDigits, type Ratio } from '../chain/coin.ts';
import { shownText } from '../chain/text.ts';
import { readHeader } from '../session/export.ts';
import type { Session } from '../session/session.ts';
import { type Question, sourceLabel, ToolError } from './tool.ts';

/** The longest text of a chain in an answer: characters, and tokens where these are many. */
const longestText = 2000;
const longestTokens = 1000;

/** A text from outside with its controls visible, and cut; what is left out is counted behind it. */
export function untrusted(text: string): string {
  let limit = longestText;
  while (estimateTokens(shownText(text, limit)) > longestTokens) limit = Math.floor(limit * 0.7);
  const left = text.length - limit;
  return left > 0 ? `${shownText(text, limit)} (+${groupDigits(left)} characters)` : shownText(text, limit);
}

/** Text that holds an identifier of the chain, such as an address; undefined for anything else, which may be read as words. */
export function identifier(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.-]{1,128}$/.test(text) ? text : undefined;
}

/** Members whose value may be unknown: null then, with the reason by the same name under `unknown`, beside those that are there. */
export function stated(members: Fields, reasons: Readonly<Record<string, string>> = {}): Fields {
  const missing = Object.keys(members).filter((name) => members[name] === undefined);
  if (missing.length === 0) return members;
  const { unknown, ...others } = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value ?? null]),
  );
  const named = Object.fromEntries(missing.map((name) => [name, reasons[name] ?? 'not stated by the source']));
  return { ...others, unknown: { ...(isFields(unknown) ? unknown : {}), ...named } };
}

/** An amount with all its digits in base units, and in display units where they are known. */
export function amountOf({ denom, amount }: Coin, unit: DenomUnit | undefined): Fields {
  const symbol = unit && { untrusted_symbol: untrusted(unit.symbol) };
  return { amount: `${amount}`, untrusted_denom: untrusted(denom), ...displayOf(amount, unit), ...symbol };
}

/** Several amounts, at most 20. */
export function amountsOf(coins: readonly Coin[], { stores: { supply } }: Session): readonly Fields[] {
  return coins.slice(0, 20).map((coin) => amountOf(coin, supply.unit(coin.denom)));
}

/** The same number in display units; nothing where they are not known. */
export function displayOf(amount: bigint, unit: DenomUnit | undefined): Fields {
  return unit ? { display_amount: decimalAmount(amount, unit.exponent) } : {};
}

/** A share with all its digits: `0.334`. */
export function shareOf(ratio: Ratio): string {
  return decimalAmount(ratio, 18);
}

/** A name of ours as answers have it: `notAllAbstain` → `not_all_abstain`. */
export function wordOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** RFC 3339 in UTC. */
export function timeOf(time: Date | undefined): string | undefined {
  return time?.toISOString();
}

/** How long an answer may be. */
const maxCharacters = 24_000;
const maxTokens = 8_000;
/** Kept for what frames the rows: metadata, brackets. */
const frame = 600;

/**
 * A value of a chain with all names in it, such as the fields of a message: its controls visible; as a text that is cut where its
 * JSON is longer than texts may be.
 */
export function untrustedTree(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= longestText && estimateTokens(json) <= longestTokens ? shownTree(value) : untrusted(json);
}

function shownTree(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value, longestText);
  if (Array.isArray(value)) return value.map(shownTree);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [shownText(name, longestText), shownTree(inner)]),
  );
}

/** What is left of an answer while it is written. */
export class Space {
  #characters: number;
  #tokens: number;

  /** `parts`: of how many equal parts of an answer this is one. */
  constructor(parts = 1) {
    this.#characters = maxCharacters / parts - frame;
    this.#tokens = maxTokens / parts - frame / 3;
  }

  /** Whether a value still fits; if so it is counted. */
  take(value: unknown): boolean {
    const json = JSON.stringify(value);
    const characters = this.#characters - json.length - 1;
    const tokens = this.#tokens - estimateTokens(json) - 1;
    if (characters < 0 || tokens < 0) return false;
    this.#characters = characters;
    this.#tokens = tokens;
    return true;
  }

  /** The members that still fit, the first ones first; the names of the others stand under `left_out`. */
  members(values: Fields): Fields {
    const fitting = Object.entries(values).filter(([name, value]) => this.take({ [name]: value }));
    const kept = Object.fromEntries(fitting);
    const left = Object.keys(values).filter((name) => !Object.hasOwn(kept, name));
    return left.length > 0 ? { ...kept, left_out: left } : kept;
  }

  /** The rows of a list that still fit, and how many do not. */
  fit<Row>(rows: readonly Row[]): { readonly shown: readonly Row[]; readonly left: number } {
    const end = rows.findIndex((row) => !this.take(row));
    const shown = end < 0 ? rows : rows.slice(0, end);
    return { shown, left: rows.length - shown.length };
  }
}

/** Letters that mostly are tokens of their own: Latin with marks, Greek to Arabic, Thai, Japanese, Chinese, Korean. */
const letters = '\u00c0-\u024f\u0370-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af';
const parts = new RegExp(`[A-Z]?[a-z]+|[A-Z]+|\\d+| +|[${letters}]|[\\0-\\x7f]|[^]`, 'gu');

/** About how many tokens a text has in the usual vocabularies: at most a fifth more, whatever it is written in. */
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

/** The rows of an answer as far as they fit, and the count of the others. */
export interface Rows {
  readonly rows: readonly Fields[];
  /** How many rows there are that could be listed; undefined with the reason `noTotal`. */
  readonly total: bigint | number | undefined;
  readonly noTotal?: string;
  /** The key behind the first so many rows; undefined where there are no more. */
  readonly keyAfter: (count: number) => string | undefined;
}

/** A list as an answer: `head`, then `metadata`, then as many rows as fit under `name`. */
export function listAnswer(head: Fields, name: string, { rows, total, noTotal, keyAfter }: Rows): Fields {
  const space = new Space();
  space.take(head);
  const [first] = rows;
  const fitting = space.fit(rows).shown;
  // A row that fills an answer alone is cut: a list has to go on behind it.
  const shown = first && fitting.length === 0 ? [space.members(first)] : fitting;
  const nextKey = keyAfter(shown.length);
  const metadata = {
    ...stated(
      { total: total === undefined ? undefined : Number(total) },
      { total: noTotal ?? 'the node counts with the first page alone' },
    ),
    returned: shown.length,
    truncated: nextKey !== undefined || shown.length < rows.length,
    next_key: nextKey ?? null,
  };
  return { ...head, metadata, [name]: shown };
}

/** What every answer begins with: where the facts are from, and of when. `info`: what came with them. */
export async function headOf(
  { host, signal }: Question,
  session: Session,
  info: Pick<PageInfo, 'height' | 'date' | 'dateFrom' | 'heightDropped'>,
): Promise<Fields> {
  const { source, notices } = session;
  const isLocal = source.kind !== 'http';
  const node = await session.node();
  // What is answered in process has one time, and no blocks.
  const { height, date, dateFrom } = isLocal ? { ...info, ...(await readLocal(session, signal)) } : info;
  const { chainId, time } = await readHeader(node, height || undefined, signal);
  const said = notices.slice(0, 5).map((notice) => shownText(notice, 300));
  const members = {
    source: sourceLabel(source, host),
    ...chainIdOf(chainId),
    height: height ? `${height}` : undefined,
    time: timeOf(isLocal ? date : time),
  };
  const reasons = {
    height: 'the source does not state the height of its answer',
    time: 'the source does not state the time of this height',
  };
  return {
    ...stated(members, reasons),
    ...(isLocal && dateFrom !== undefined ? { time_estimated_from: dateFrom } : {}),
    ...(info.heightDropped ? { untrusted_height_notice: untrusted(info.heightDropped) } : {}),
    ...(said.length > 0 ? { untrusted_notices: said } : {}),
  };
}

/** A chain id as an answer has it: one that is no plain name is a text of the chain, and said to be one. */
export function chainIdOf(chainId: string | undefined): Fields {
  if (chainId === undefined || /^[\w.-]{1,50}$/.test(chainId)) return { chain_id: chainId };
  return { untrusted_chain_id: shownText(chainId, 50) };
}

/** Asks for what waits for the time of a state; a supply goes out before the whole file is read. */
async function readLocal(
  session: Session,
  signal: AbortSignal,
): Promise<Pick<PageInfo, 'height' | 'date' | 'dateFrom'>> {
  const node = await session.node();
  const reads = [
    (): Promise<Page<unknown>> => node.proposals({}, { limit: 1 }, signal),
    (): Promise<Page<unknown>> => node.supply({ limit: 1 }, signal),
  ];
  for (const read of reads)
    try {
      const { height, date, dateFrom } = (await read()).info;
      return { height, date, dateFrom };
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  return {};
}

/** Rows of a list from a key on. */
export interface Window<Row> {
  readonly rows: readonly Row[];
  /** The key behind the first so many rows; undefined where the list ends there. */
  readonly keyAfter: (count: number) => string | undefined;
  /** Rows of the whole list; undefined where they were not counted. */
  readonly total: bigint | undefined;
  readonly info: PageInfo;
  /** Rows that cannot be read. */
  readonly faults: number;
}

/** Which rows of a list are wanted. */
export interface WindowOptions<Row> extends Pick<ReadOptions<Row>, 'idOf' | 'limit'> {
  readonly wanted: number;
  readonly key: string | undefined;
  /** The rows that match. */
  readonly keep?: ((row: Row) => boolean) | undefined;
}

/**
 * Reads pages until `wanted` rows match; `limit` is the size of a page. A key is `SKIP.KEY`: rows to be passed over from a key of
 * the node on. Rejects as `readPages`, and with a `ToolError` for a key of another form.
 */
export async function readWindow<Row>(
  { signal, onProgress }: Question,
  load: LoadPage<Row>,
  { idOf, limit, wanted, key, keep = (): boolean => true }: WindowOptions<Row>,
): Promise<Window<Row>> {
  const start = readKey(key);
  const cursor = new Cursor();
  Object.assign(cursor, start.page === '' ? {} : { started: true, nextKey: start.page });
  const found: { readonly row: Row; readonly next: string }[] = [];
  let page = start.page;
  const loadNamed: LoadPage<Row> = (request, abort) => {
    page = request.key ?? '';
    return load(request, abort);
  };
  let { skip } = start;
  let faults = 0;
  let info: PageInfo = {};
  let isMore = false;
  for await (const read of readPages(loadNamed, { idOf, limit, cursor, pinned: true, signal })) {
    info = { ...read.info, height: cursor.height, heightDropped: cursor.heightDropped };
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
  const keyAfter = (count: number): string | undefined => {
    if (count >= found.length && !isMore) return undefined;
    return count > 0 ? found[count - 1]?.next : key;
  };
  return { rows: found.map(({ row }) => row), keyAfter, total: cursor.total, info, faults };
}

/** Rows to be passed over, and the key of the page that they are in. Throws a `ToolError` for a text that is none of our keys. */
export function readKey(key: string | undefined): { readonly skip: number; readonly page: string } {
  const [whole, skip, page = ''] = /^(\d{1,9})\.([\w+/=-]{0,6000})$/.exec(key ?? '0.') ?? [];
  if (whole === undefined)
    throw new ToolError(
      'input',
      '"key" has to be the "next_key" of the answer before, unchanged. Leave it out to begin.',
    );
  return { skip: Number(skip), page };
}

/** Of rows that are all there: those behind a key. */
export function windowOf<Row>(all: readonly Row[], wanted: number, key: string | undefined): Omit<Window<Row>, 'info'> {
  const { skip } = readKey(key);
  const rows = all.slice(skip, skip + wanted);
  const keyAfter = (count: number): string | undefined => (skip + count < all.length ? `${skip + count}.` : undefined);
  return { rows, keyAfter, total: BigInt(all.length), faults: 0 };
}
