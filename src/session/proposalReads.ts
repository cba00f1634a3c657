import { heightFault, ModuleError, messageOf } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { Cursor, type LoadPage, mapRows, type Page, readPages } from '../api/pages.ts';
import { concurrently } from '../api/sharing.ts';
import { toAccount } from '../chain/address.ts';
import { type Coin, descending } from '../chain/coin.ts';
import { type ContentKind, contentKind } from '../chain/content/content.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import { toCoin, toVote } from '../chain/fromWire.ts';
import { readValidators } from '../chain/nodeReads.ts';
import { type ParamEntry, paramEntries } from '../chain/params.ts';
import type { Proposal, Vote } from '../chain/proposal.ts';
import type { Validator } from '../chain/validator.ts';
import { Pager } from '../lists/pager.ts';
import type { Source } from './source.ts';

/** A bonded validator with all that is bonded with it (`power`, in base units), and its own vote where it has voted. */
export interface ValidatorVote extends Pick<Validator, 'operator' | 'moniker'> {
  readonly power: bigint;
  readonly vote: Vote | undefined;
}

/** One vote of the list. */
export interface VoterRow {
  readonly voter: string;
  readonly vote: Vote;
}

/** What an account has deposited on a proposal, in base units. */
export interface Deposit {
  readonly depositor: string;
  readonly coins: readonly Coin[];
}

/** The first deposits on an open proposal, with their number where the node counts. Undefined where they are not offered. */
export async function readDeposits(
  node: ChainNode,
  id: bigint,
  signal: AbortSignal,
): Promise<Page<Deposit> | undefined> {
  const page = await node.deposits(id, { limit: 100, countTotal: true }, signal);
  return page && mapRows(page, ({ depositor, amount }) => ({ depositor, coins: amount.map(toCoin) }));
}

/** The prefix of a chain's accounts as one validator shows it; undefined where it lists none. Rejects as the node does. */
export async function validatorPrefix(chain: { readonly node: () => Promise<ChainNode> }): Promise<string | undefined> {
  const page = await (await chain.node()).validators({ limit: 1 });
  const read = toAccount(page?.rows[0]?.operator_address ?? '');
  return 'prefix' in read ? read.prefix : undefined;
}

/** How far the validators' votes are read; `of` is undefined where the node did not count. */
export interface VotersProgress {
  readonly step: 'validators' | 'votes';
  readonly done: number;
  readonly of: number | undefined;
}

export type ValidatorVotes =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly progress: VotersProgress }
  | { readonly kind: 'failed'; readonly reason: string }
  /** By power, the greatest first. */
  | { readonly kind: 'read'; readonly validators: readonly ValidatorVote[]; readonly at: Date };

/** The votes of a proposal, read when a person asks for them: those of the validators, and all one by one. */
export class WhoVoted implements Disposable {
  readonly #node: () => Promise<ChainNode>;
  readonly #id: bigint;
  readonly #changed = new Emitter<void>();
  readonly votes: Pager<VoterRow>;
  #validators: ValidatorVotes = { kind: 'idle' };
  #found: { readonly voter: string; readonly vote: Vote | undefined } | undefined;
  #reading: AbortController | undefined;
  #monikers: ReadonlyMap<string, string> = new Map();
  #forgettings = 0;

  constructor(node: () => Promise<ChainNode>, id: bigint) {
    this.#node = node;
    this.#id = id;
    this.votes = new Pager(
      async (request, signal) => loadVotes(await node(), id)(request, signal),
      ({ voter }) => voter,
      () => 100,
    );
    this.votes.onDidChange(() => this.#changed.fire());
  }

  readonly onDidChange = this.#changed.on;

  get validators(): ValidatorVotes {
    return this.#validators;
  }

  /** What validators call themselves, by their accounts; as far as it was read. */
  get monikers(): ReadonlyMap<string, string> {
    return this.#monikers;
  }

  /** Reads on in the votes, and with the first of them what the validators are called. Never rejects: see `votes.error`. */
  async readVotes(): Promise<void> {
    const names = this.votes.started ? undefined : this.#readMonikers();
    await Promise.allSettled([this.votes.loadMore(), names]);
  }

  /** The vote that was looked for last; undefined where that account has not voted. */
  get found(): { readonly voter: string; readonly vote: Vote | undefined } | undefined {
    return this.#found;
  }

  /** Asks for the vote of an account. Rejects as the node does. */
  async find(voter: string): Promise<void> {
    const forgettings = this.#forgettings;
    const vote = await voteOf(await this.#node(), this.#id, voter);
    if (forgettings !== this.#forgettings) return;
    this.#found = { voter, vote };
    this.#changed.fire();
  }

  /** Reads the votes of all bonded validators, again where they were read; at `height` where the node has it. Never rejects: see `validators`. */
  async readValidators(height?: bigint): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const show = (state: ValidatorVotes): void => {
      if (this.#reading !== reading) return;
      this.#validators = state;
      this.#changed.fire();
    };
    const onProgress = (progress: VotersProgress): void => show({ kind: 'reading', progress });
    onProgress({ step: 'validators', done: 0, of: undefined });
    try {
      const options = { onProgress, height, signal: reading.signal };
      const { validators } = await readValidatorVotes(await this.#node(), this.#id, options);
      show({ kind: 'read', validators, at: new Date() });
    } catch (error) {
      show({ kind: 'failed', reason: messageOf(error) });
    }
  }

  stop(): void {
    this.#reading?.abort();
    this.#reading = undefined;
    if (this.#validators.kind !== 'reading') return;
    this.#validators = { kind: 'idle' };
    this.#changed.fire();
  }

  async #readMonikers(): Promise<void> {
    const forgettings = this.#forgettings;
    const page = await readValidators(await this.#node(), { limit: pageRows });
    if (forgettings !== this.#forgettings) return;
    const named = [...validatorsByAccount(page?.rows ?? [])].filter(([, { moniker }]) => moniker !== '');
    this.#monikers = new Map(named.map(([account, { moniker }]) => [account, moniker]));
    this.#changed.fire();
  }

  /** Nothing was read: another state is behind the source. */
  forget(): void {
    this.#forgettings += 1;
    this.stop();
    this.#validators = { kind: 'idle' };
    this.#found = undefined;
    this.#monikers = new Map();
    this.votes.reset();
  }

  dispose(): void {
    this.#changed.dispose();
    this.stop();
    this.votes.dispose();
  }
}

/** Validators by the accounts of their operators, but for those whose address cannot be read. */
export function validatorsByAccount(validators: readonly Validator[]): ReadonlyMap<string, Validator> {
  return new Map(
    validators.flatMap((validator) => {
      const account = accountOf(validator);
      return account === undefined ? [] : [[account, validator] as const];
    }),
  );
}

/** The account of a validator's operator; undefined where its address cannot be read. */
function accountOf({ operator }: Validator): string | undefined {
  const account = toAccount(operator);
  return 'address' in account ? account.address : undefined;
}

/** Rows of a page of votes or validators: they are small. */
const pageRows = 1000;

/** Pages of all votes on an open proposal, the first one with their number. Throws `ModuleError` where they are not offered. */
export function loadVotes(node: ChainNode, id: bigint): LoadPage<VoterRow> {
  return async (request, signal) => {
    const page = await node.votes(id, { ...request, countTotal: request.key === undefined }, signal);
    if (!page) throw new ModuleError('votes');
    return mapRows(page, (row) => ({ voter: row.voter, vote: toVote(row) }));
  };
}

/** Undefined where the account has not voted. Throws `ModuleError` where single votes are not offered, which says nothing. */
async function voteOf(node: ChainNode, id: bigint, voter: string, signal?: AbortSignal): Promise<Vote | undefined> {
  const vote = await node.vote(id, voter, signal);
  if (!vote && !node.offers('vote')) throw new ModuleError('votes');
  return vote && toVote(vote);
}

interface VotersOptions {
  readonly onProgress: (progress: VotersProgress) => void;
  readonly signal: AbortSignal;
  /** The one that is asked for first, as that of a tally beside them; the latest where absent. */
  readonly height?: bigint | undefined;
}

/** By power, the greatest first. */
export interface VotesOfValidators {
  readonly validators: readonly ValidatorVote[];
  /** That of power and votes; undefined where they are not of one. */
  readonly height: bigint | undefined;
}

/** Every bonded validator with its vote. Throws `ModuleError` where they are not listed, or as the node. */
export async function readValidatorVotes(
  node: ChainNode,
  id: bigint,
  options: VotersOptions,
): Promise<VotesOfValidators> {
  const { onProgress, signal } = options;
  const load: LoadPage<Validator> = async (request, abort) => {
    const page = await readValidators(node, { ...request, status: 'BOND_STATUS_BONDED' }, abort);
    if (!page) throw new ModuleError('validators');
    return page;
  };
  const validators: Validator[] = [];
  const cursor = new Cursor();
  cursor.height = options.height;
  const idOf = ({ operator }: Validator): string => operator;
  for await (const { rows } of readPages(load, { cursor, idOf, limit: pageRows, pinned: true, signal })) {
    for (const row of rows) validators.push(row);
    onProgress({ step: 'validators', done: validators.length, of: undefined });
  }
  const rows = validators.map((validator) => ({ ...validator, account: accountOf(validator) }));
  const accounts = rows.flatMap(({ account }) => account ?? []);
  const asked = cursor.pinnedHeight;
  const { found, height } = await readVotesOf(node, id, accounts, { ...options, height: asked });
  const voters = rows.map(({ operator, moniker, tokens, account = '' }) => {
    return { operator, moniker, power: tokens, vote: found.get(account) };
  });
  return {
    validators: voters.toSorted((a, b) => descending(a.power, b.power)),
    height: asked === height ? height : undefined,
  };
}

/**
 * The votes of these accounts, by fewer requests: each page of votes that is left is one, and so is each account that is missing.
 * `height`: that of all of them, where they are of one.
 */
async function readVotesOf(
  node: ChainNode,
  id: bigint,
  accounts: readonly string[],
  { onProgress, signal, height }: VotersOptions,
): Promise<{ readonly found: ReadonlyMap<string, Vote>; readonly height: bigint | undefined }> {
  const found = new Map<string, Vote>();
  let missing = accounts;
  let read = 0;
  const cursor = new Cursor();
  cursor.height = height;
  const options = { cursor, idOf: ({ voter }: VoterRow): string => voter, limit: pageRows, pinned: true, signal };
  for await (const { rows } of readPages(loadVotes(node, id), options)) {
    for (const { voter, vote } of rows) found.set(voter, vote);
    missing = missing.filter((account) => !found.has(account));
    read += rows.length;
    const total = cursor.total === undefined ? undefined : Number(cursor.total);
    onProgress({ step: 'votes', done: read, of: total });
    if (missing.length === 0 || !cursor.hasMore) return { found, height: cursor.pinnedHeight };
    const pagesLeft = total === undefined ? Number.POSITIVE_INFINITY : (total - read) / Math.max(1, rows.length);
    if (pagesLeft > missing.length) break;
  }
  if (!cursor.hasMore) return { found, height: cursor.pinnedHeight };
  let pinned = cursor.pinnedHeight;
  let done = 0;
  await concurrently(missing, 4, async (account) => {
    const vote = await voteAt(pinned).catch((error: unknown) => {
      if (pinned === undefined || heightFault(error) === undefined) throw error;
      pinned = undefined;
      return voteAt(undefined);
    });
    if (vote) found.set(account, vote);
    onProgress({ step: 'votes', done: ++done, of: missing.length });

    function voteAt(at: bigint | undefined): Promise<Vote | undefined> {
      return voteOf(at === undefined ? node : node.at(at), id, account, signal);
    }
  });
  return { found, height: pinned };
}

/** What a page shows beside proposal and verdict; undefined where the source does not offer it. */
export interface PageFacts {
  readonly bondDenom: string | undefined;
  /** As `readCurrentParams`. */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The time of a state file, which stands still. */
  readonly now: Date | undefined;
  /** Where an upgrade is planned for a height. */
  readonly chainTime: ChainTime | undefined;
}

/**
 * Where a chain is, and how fast it goes: seconds for a block, measured over the last `blocks`; undefined where those are not kept,
 * and the pace is the one that the chain's parameters of mint assume.
 */
export interface ChainTime {
  readonly height: bigint;
  readonly time: Date;
  readonly blockTime: number;
  readonly blocks: number | undefined;
}

/** Asks for what this proposal needs. A read that fails leaves its fact undefined; rejects only when `signal` fires. */
export async function readPageFacts(
  node: ChainNode,
  proposal: Proposal,
  sourceKind: Source['kind'],
  signal: AbortSignal,
): Promise<PageFacts> {
  const optional = <T>(read: Promise<T>): Promise<T | undefined> => read.catch((): undefined => undefined);
  const kinds = proposal.contents.map(contentKind);
  const plansHeight = kinds.some((kind) => kind.kind === 'upgrade' && kind.plan.height !== undefined);
  const [bondDenom, currentParams, page, last] = await Promise.all([
    proposal.status === 'deposit' ? undefined : optional(node.param('staking', 'BondDenom', signal)),
    readCurrentParams(node, proposal, signal),
    sourceKind === 'file' ? optional(node.proposals({}, { limit: 1 }, signal)) : undefined,
    plansHeight ? optional(node.block('latest', signal)) : undefined,
  ]);
  const at = last ?? (proposal.height && { height: proposal.height, time: page?.info.date ?? new Date() });
  const chainTime = plansHeight && at ? await optional(readChainTime(node, at, signal)) : undefined;
  signal.throwIfAborted();
  return {
    // The value of staking's `BondDenom` is a JSON text.
    bondDenom: /^"([^"\\]+)"$/.exec(bondDenom ?? '')?.[1],
    currentParams,
    now: page?.info.date,
    chainTime,
  };
}

/** The seconds of a year as x/mint counts it (`BlocksPerYear` in x/mint/types/params.go: 60 * 60 * 8766 / 5). */
const mintYear = 60 * 60 * 8766;

/** Undefined where neither blocks of the past nor parameters of mint are offered. Rejects as `ChainNode.param` does. */
async function readChainTime(
  node: ChainNode,
  { height, time }: Pick<ChainTime, 'height' | 'time'>,
  signal: AbortSignal,
): Promise<ChainTime | undefined> {
  // Over fewer blocks where the node does not keep so many.
  for (const blocks of [10_000, 100]) {
    if (height <= blocks || !node.offers('block')) continue;
    const first = await node.block(height - BigInt(blocks), signal).catch(() => undefined);
    const blockTime = (Number(time) - Number(first?.time)) / 1000 / blocks;
    if (blockTime > 0) return { height, time, blockTime, blocks };
  }
  const [perYear] = /\d+/.exec((await node.param('mint', 'BlocksPerYear', signal)) ?? '') ?? [];
  const blockTime = mintYear / Number(perYear);
  return Number.isFinite(blockTime) ? { height, time, blockTime, blocks: undefined } : undefined;
}

/** When a height is expected at the pace of `chainTime`; undefined where that is not known, and for what has passed. */
export function expectedTime(height: bigint | undefined, chainTime: ChainTime | undefined): Date | undefined {
  if (!chainTime || !height || height <= chainTime.height) return undefined;
  const time = new Date(chainTime.time.getTime() + Number(height - chainTime.height) * chainTime.blockTime * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

const maxParams = 50;

/** JSON texts of at least the parameters that it changes, by `subspace/key`. Rejects only when `signal` fires. */
export async function readCurrentParams(
  node: ChainNode,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  const readModule = async (module: string): Promise<void> => {
    const params = (await node.moduleParams(module, signal)) ?? {};
    for (const [name, value] of Object.entries(params)) known.set(`${module}/${name}`, JSON.stringify(value));
  };
  const readParam = async (subspace: string, key: string): Promise<void> => {
    const value = await node.param(subspace, key, signal);
    if (value) known.set(`${subspace}/${key}`, value);
  };
  const reads: (() => Promise<void>)[] = [];
  for (const kind of proposal.contents.map(contentKind)) {
    if (kind.kind === 'moduleParams') reads.push(() => readModule(kind.module));
    if (kind.kind !== 'parameterChange') continue;
    for (const { subspace, key } of kind.changes) reads.push(() => readParam(subspace, key));
  }
  await Promise.allSettled(reads.slice(0, maxParams).map((read) => read()));
  signal.throwIfAborted();
  return known;
}

/** A value that a proposal sets: a parameter, or a field of one. `now` is in effect, undefined where that is not known. */
export interface ProposedValue {
  readonly name: string;
  readonly now: ParamEntry | undefined;
  readonly proposed: ParamEntry;
}

/** Characters of the proposed and the present values that are compared. */
const maxCompared = 1024 * 1024;

/**
 * The values that a content sets, at most so many: of `moduleParams` all of a module, which the message repeats whole. `left`:
 * changes, or values in one, beyond that. `current`: as `readCurrentParams`.
 */
export function proposedValues(
  kind: Extract<ContentKind, { kind: 'parameterChange' | 'moduleParams' }>,
  current: ReadonlyMap<string, string>,
  max: number,
): { readonly values: readonly ProposedValue[]; readonly left: number } {
  const changes =
    kind.kind === 'parameterChange'
      ? kind.changes.map(({ subspace, key, value }) => [subspace, key, value, `${subspace}/${key}`] as const)
      : Object.entries(kind.params).map(([key, value]) => [kind.module, key, JSON.stringify(value), key] as const);
  const values: ProposedValue[] = [];
  let left = 0;
  let space = maxCompared;
  for (const [module, key, json, name] of changes) {
    const stated = current.get(`${module}/${key}`);
    space -= json.length + (stated?.length ?? 0);
    if (values.length >= max || (space < 0 && values.length > 0)) {
      left++;
      continue;
    }
    const known = new Map(stated === undefined ? [] : paramEntries(module, key, stated).map((one) => [one.path, one]));
    // A field that is absent stays as it is (x/params types/subspace.go, Update).
    const entries = paramEntries(module, key, json);
    const shown = entries.slice(0, max - values.length);
    left += entries.length - shown.length;
    for (const proposed of shown) {
      const path = proposed.path === key ? name : `${name}.${proposed.path}`;
      values.push({ name: path, now: known.get(proposed.path), proposed });
    }
  }
  return { values, left };
}
