import { heightFault, ModuleError, messageOf, orUndefined } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import type { Page } from '../api/pages.ts';
import { Cursor, type LoadPage, OptionalPages, readPages } from '../api/readPages.ts';
import { concurrently } from '../api/sharing.ts';
import { toAccount } from '../chain/address.ts';
import { type Coin, type Deposit, descending } from '../chain/coin.ts';
import { type Content, type ContentKind, contentKind } from '../chain/content/content.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import { type ParamEntry, paramEntries } from '../chain/gov/params.ts';
import type { Proposal } from '../chain/gov/proposal.ts';
import type { Vote, VoterRow } from '../chain/gov/tally.ts';
import type { Validator } from '../chain/validator.ts';
import { Pager } from '../lists/pager.ts';
import type { Source } from '../session/source.ts';
import { type ChainTime, readChainTime } from './blockPace.ts';

/**
 * A bonded validator with all tokens that are bonded with it (`power`, in base units), and its own vote if it has
 * voted.
 */
export interface ValidatorVote extends Pick<Validator, 'operator' | 'moniker'> {
  readonly power: bigint;
  readonly vote: Vote | undefined;
}

/**
 * Reads the first deposits on an open proposal, with their number if the node counts. Undefined if it does not offer
 * them.
 */
export async function readDeposits(
  node: ChainNode,
  id: bigint,
  signal: AbortSignal,
): Promise<Page<Deposit> | undefined> {
  return node.deposits(id, { limit: 100, countTotal: true }, signal);
}

/** The limit for the depositors that are read. */
export const maxDepositors = 1000;

/**
 * Reads all deposits on an open proposal. Gives `tooMany` beyond `maxDepositors`, and undefined if the node does not
 * offer them. Rejects like the node.
 */
export async function readAllDeposits(
  node: ChainNode,
  id: bigint,
  signal: AbortSignal,
): Promise<readonly Deposit[] | 'tooMany' | undefined> {
  const pages = new OptionalPages<Deposit>((request, own) => node.deposits(id, request, own));
  const all: Deposit[] = [];
  const idOf = ({ depositor }: Deposit): string => depositor;
  for await (const { rows } of readPages(pages.load, { idOf, limit: 200, enough: maxDepositors + 1, signal }))
    for (const row of rows) all.push(row);
  if (!pages.isOffered) return undefined;
  return all.length > maxDepositors ? 'tooMany' : all;
}

/**
 * Gives the prefix of a chain's accounts, from one of its validators. Undefined if it lists none. Rejects like the
 * node.
 */
export async function validatorPrefix(chain: { readonly node: () => Promise<ChainNode> }): Promise<string | undefined> {
  const page = await (await chain.node()).validators({ limit: 1 });
  const read = toAccount(page?.rows[0]?.operator ?? '');
  return 'prefix' in read ? read.prefix : undefined;
}

/** The progress of reading the validators' votes. `of` is undefined if the node did not count. */
export interface VotersProgress {
  readonly step: 'validators' | 'votes';
  readonly done: number;
  readonly of: number | undefined;
}

export type ValidatorVotes =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly progress: VotersProgress }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The validators by power, the greatest first. */
  | { readonly kind: 'read'; readonly validators: readonly ValidatorVote[]; readonly at: Date };

/** The votes of a proposal: those of the validators, and all one by one. They are read when a person asks for them. */
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

  /** The names of validators by their accounts, if they were read. */
  get monikers(): ReadonlyMap<string, string> {
    return this.#monikers;
  }

  /** Reads more votes, and together with the first ones the names of validators. Never rejects: see `votes.error`. */
  async readVotes(): Promise<void> {
    const names = this.votes.started ? undefined : this.#readMonikers();
    await Promise.allSettled([this.votes.loadMore(), names]);
  }

  /** The vote that was looked for last; undefined if that account has not voted. */
  get found(): { readonly voter: string; readonly vote: Vote | undefined } | undefined {
    return this.#found;
  }

  /** Looks for the vote of an account. Rejects like the node. */
  async find(voter: string): Promise<void> {
    const forgettings = this.#forgettings;
    const vote = await voteOf(await this.#node(), this.#id, voter);
    if (forgettings !== this.#forgettings) return;
    this.#found = { voter, vote };
    this.#changed.fire();
  }

  /**
   * Reads the votes of all bonded validators, even if they were read before. Reads at `height` if the node has it.
   * Never rejects: see `validators`.
   */
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
    const page = await (await this.#node()).validators({ limit: pageRows });
    if (forgettings !== this.#forgettings) return;
    const named = [...validatorsByAccount(page?.rows ?? [])].filter(([, { moniker }]) => moniker !== '');
    this.#monikers = new Map(named.map(([account, { moniker }]) => [account, moniker]));
    this.#changed.fire();
  }

  /** Forgets all votes, since the source has another state. */
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

/** Gives validators by the accounts of their operators. Those whose address cannot be read are left out. */
export function validatorsByAccount(validators: readonly Validator[]): ReadonlyMap<string, Validator> {
  return new Map(
    validators.flatMap((validator) => {
      const account = accountOf(validator);
      return account === undefined ? [] : [[account, validator] as const];
    }),
  );
}

/** Gives the account of a validator's operator. Undefined if its address cannot be read. */
function accountOf({ operator }: Validator): string | undefined {
  const account = toAccount(operator);
  return 'address' in account ? account.address : undefined;
}

/** The number of rows of a page of votes or validators, which are small. */
const pageRows = 1000;

/**
 * Loads pages of all votes on an open proposal, the first one with their number. Throws `ModuleError` if the node does
 * not offer them.
 */
export function loadVotes(node: ChainNode, id: bigint): LoadPage<VoterRow> {
  return async (request, signal) => {
    const page = await node.votes(id, { ...request, countTotal: request.key === undefined }, signal);
    if (!page) throw new ModuleError('votes');
    return page;
  };
}

/**
 * Reads the vote of an account. Undefined if it has not voted. Throws `ModuleError` if the node does not offer single
 * votes, since that says nothing about the account.
 */
async function voteOf(node: ChainNode, id: bigint, voter: string, signal?: AbortSignal): Promise<Vote | undefined> {
  const vote = await node.vote(id, voter, signal);
  if (!vote && !node.offers('vote')) throw new ModuleError('votes');
  return vote;
}

interface VotersOptions {
  readonly onProgress: (progress: VotersProgress) => void;
  readonly signal: AbortSignal;
  /** The height to ask for first, such as that of a tally shown beside the votes. The latest if absent. */
  readonly height?: bigint | undefined;
}

/** The votes of validators by power, the greatest first. */
interface VotesOfValidators {
  readonly validators: readonly ValidatorVote[];
  /** The height of power and votes; undefined if these are of several heights. */
  readonly height: bigint | undefined;
}

/**
 * Reads every bonded validator with its vote. Throws `ModuleError` if the node does not list them. Otherwise rejects
 * like the node.
 */
export async function readValidatorVotes(
  node: ChainNode,
  id: bigint,
  options: VotersOptions,
): Promise<VotesOfValidators> {
  const { onProgress, signal } = options;
  const load: LoadPage<Validator> = async (request, abort) => {
    const page = await node.validators({ ...request, status: 'bonded' }, abort);
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
 * Reads the votes of these accounts in the way that takes fewer requests: one for each remaining page of votes, or one
 * for each missing account. `height` is that of all of them, if they are of one.
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
  let done = 0;
  const onVote = (): void => onProgress({ step: 'votes', done: ++done, of: missing.length });
  const rest = await readSingleVotes(node, id, missing, { height: cursor.pinnedHeight, signal, onVote });
  for (const [voter, vote] of rest.found) found.set(voter, vote);
  return { found, height: rest.height };
}

/**
 * Reads the votes of these accounts by one request each, and gives those that exist. `height` is that of all of them,
 * if they are of one. Rejects like the node, and with `ModuleError` if it offers no single votes.
 */
export async function readSingleVotes(
  node: ChainNode,
  id: bigint,
  accounts: readonly string[],
  options: { readonly height: bigint | undefined; readonly signal: AbortSignal; readonly onVote: () => void },
): Promise<{ readonly found: ReadonlyMap<string, Vote>; readonly height: bigint | undefined }> {
  const { signal, onVote } = options;
  const found = new Map<string, Vote>();
  let pinned = options.height;
  await concurrently(accounts, 4, async (account) => {
    const vote = await voteAt(pinned).catch((error: unknown) => {
      if (pinned === undefined || heightFault(error) === undefined) throw error;
      pinned = undefined;
      return voteAt(undefined);
    });
    if (vote) found.set(account, vote);
    onVote();

    function voteAt(at: bigint | undefined): Promise<Vote | undefined> {
      return voteOf(at === undefined ? node : node.at(at), id, account, signal);
    }
  });
  return { found, height: pinned };
}

/** The facts of a page beside proposal and verdict. Each is undefined if the source does not offer it. */
export interface PageExtras {
  readonly bondDenom: string | undefined;
  /** The result of `readCurrentParams`. */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The fixed time of a state file. */
  readonly now: Date | undefined;
  /** Set if an upgrade is planned for a height. */
  readonly chainTime: ChainTime | undefined;
  /** Set if an open proposal spends from the pool. */
  readonly communityPool: readonly Coin[] | undefined;
}

/** True if this content pays from the community pool. */
export function spendsPool({ typeUrl }: Pick<Content, 'typeUrl'>): boolean {
  return /CommunityPoolSpend(Proposal)?$/.test(typeUrl);
}

/**
 * Gives what the community pool lacks for all spends of a proposal together, by denom. Empty if it pays them all, and
 * undefined if the pool is not known.
 */
export function missingInPool(
  contents: readonly Content[],
  pool: readonly Coin[] | undefined,
): readonly Coin[] | undefined {
  const asked = new Map<string, bigint>();
  const kinds = contents.filter(spendsPool).map(contentKind);
  const spends = kinds.flatMap((kind) => (kind.kind === 'spend' ? kind.spends : []));
  for (const { denom, amount } of spends.flatMap(({ coins }) => coins))
    asked.set(denom, (asked.get(denom) ?? 0n) + amount);
  if (!pool) return asked.size > 0 ? undefined : [];
  const held = new Map(pool.map(({ denom, amount }) => [denom, amount] as const));
  const left = [...asked].map(([denom, amount]) => ({ denom, amount: amount - (held.get(denom) ?? 0n) }));
  return left.filter(({ amount }) => amount > 0n);
}

/**
 * Reads the facts that this proposal needs. A read that fails leaves its fact undefined. Rejects only when `signal`
 * fires.
 */
export async function readPageFacts(
  node: ChainNode,
  proposal: Proposal,
  sourceKind: Source['kind'],
  signal: AbortSignal,
): Promise<PageExtras> {
  const kinds = proposal.contents.map(contentKind);
  const plansHeight = kinds.some((kind) => kind.kind === 'upgrade' && kind.plan.height !== undefined);
  const isOpen = proposal.status === 'deposit' || proposal.status === 'voting';
  const isOfState = sourceKind !== 'http' || node.dialect.segment === 'chain';
  const asksPool = isOpen && proposal.contents.some(spendsPool);
  const [bondDenom, currentParams, page, last, communityPool] = await Promise.all([
    proposal.status === 'deposit' ? undefined : orUndefined(node.bondDenom(signal)),
    readCurrentParams(node, proposal, signal),
    isOfState ? orUndefined(node.proposals({}, { limit: 1 }, signal)) : undefined,
    plansHeight ? orUndefined(node.block('latest', signal)) : undefined,
    asksPool ? orUndefined(node.communityPool(signal)) : undefined,
  ]);
  const { date } = page?.info ?? {};
  // A node answers as of now, but a state has no other time than its own.
  const time = date ?? (isOfState ? undefined : new Date());
  const at = last ?? (proposal.height && time && { height: proposal.height, time });
  const paced = plansHeight && at ? await orUndefined(readChainTime(node, at, signal)) : undefined;
  const chainTime = paced && !last && !date ? { ...paced, isByClock: true } : paced;
  signal.throwIfAborted();
  return {
    bondDenom,
    currentParams,
    now: sourceKind === 'file' ? date : undefined,
    chainTime,
    communityPool,
  };
}

const maxParams = 50;

/**
 * Reads at least the parameters that the proposal changes, as JSON texts by `subspace/key`. Rejects only when `signal`
 * fires.
 */
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

/**
 * A value that a proposal sets: a parameter, or a field of one. `now` is the value in effect; undefined if it is not
 * known.
 */
export interface ProposedValue {
  readonly name: string;
  readonly now: ParamEntry | undefined;
  readonly proposed: ParamEntry;
}

/** The limit in characters for the proposed and the present values that are compared. */
const maxCompared = 1024 * 1024;

/**
 * Gives the values that a content sets, up to a limit. `moduleParams` sets all values of a module, because the message
 * repeats the module's whole parameters. `left` counts the changes, or the values in one, beyond the limit. `current`
 * is the result of `readCurrentParams`.
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
    // An absent field keeps its value (x/params types/subspace.go, Update).
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
