import { ModuleError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { Cursor, type LoadPage, mapRows, type Page, readPages } from '../api/pages.ts';
import { concurrently } from '../api/sharing.ts';
import { toAccount } from '../chain/address.ts';
import type { Coin } from '../chain/coin.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';
import { toCoin, toVote } from '../chain/fromWire.ts';
import { readValidators } from '../chain/nodeReads.ts';
import { Pager } from '../chain/pager.ts';
import type { Vote } from '../chain/proposal.ts';
import type { Validator } from '../chain/validator.ts';

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
    this.#found = { voter, vote: await voteOf(await this.#node(), this.#id, voter) };
    this.#changed.fire();
  }

  /** Reads the votes of all bonded validators, again where they were read. Never rejects: see `validators`. */
  async readValidators(): Promise<void> {
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
      const validators = await readValidatorVotes(await this.#node(), this.#id, onProgress, reading.signal);
      show({ kind: 'read', validators, at: new Date() });
    } catch (error) {
      show({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
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
    const page = await readValidators(await this.#node(), { limit: pageRows });
    const named = (page?.rows ?? []).flatMap(({ operator, moniker }): [string, string][] => {
      const account = toAccount(operator);
      return 'address' in account && moniker ? [[account.address, moniker]] : [];
    });
    this.#monikers = new Map(named);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
    this.stop();
    this.votes.dispose();
  }
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

/** Every bonded validator with its vote, by power. Throws `ModuleError` where they are not listed, or as the node. */
export async function readValidatorVotes(
  node: ChainNode,
  id: bigint,
  onProgress: (progress: VotersProgress) => void,
  signal: AbortSignal,
): Promise<readonly ValidatorVote[]> {
  const load: LoadPage<Validator> = async (request, abort) => {
    const page = await readValidators(node, { ...request, status: 'BOND_STATUS_BONDED' }, abort);
    if (!page) throw new ModuleError('validators');
    return page;
  };
  const validators: Validator[] = [];
  const accounts = new Map<Validator, string>();
  const options = { idOf: ({ operator }: Validator): string => operator, limit: pageRows, pinned: true, signal };
  for await (const { rows } of readPages(load, options)) {
    for (const row of rows) {
      const account = toAccount(row.operator);
      validators.push(row);
      if ('address' in account) accounts.set(row, account.address);
    }
    onProgress({ step: 'validators', done: validators.length, of: undefined });
  }
  const votes = await readVotesOf(node, id, [...accounts.values()], onProgress, signal);
  return validators
    .map((validator) => {
      const { operator, moniker, tokens } = validator;
      return { operator, moniker, power: tokens, vote: votes.get(accounts.get(validator) ?? '') };
    })
    .toSorted((a, b) => (a.power < b.power ? 1 : a.power > b.power ? -1 : 0));
}

/** The votes of these accounts, by fewer requests: each page of votes that is left is one, and so is each account that is missing. */
async function readVotesOf(
  node: ChainNode,
  id: bigint,
  accounts: readonly string[],
  onProgress: (progress: VotersProgress) => void,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Vote>> {
  const found = new Map<string, Vote>();
  let missing = accounts;
  let read = 0;
  const cursor = new Cursor();
  const options = { cursor, idOf: ({ voter }: VoterRow): string => voter, limit: pageRows, pinned: true, signal };
  for await (const { rows } of readPages(loadVotes(node, id), options)) {
    for (const { voter, vote } of rows) found.set(voter, vote);
    missing = missing.filter((account) => !found.has(account));
    read += rows.length;
    const total = cursor.total === undefined ? undefined : Number(cursor.total);
    onProgress({ step: 'votes', done: read, of: total });
    if (missing.length === 0 || !cursor.hasMore) return found;
    const pagesLeft = total === undefined ? Number.POSITIVE_INFINITY : (total - read) / Math.max(1, rows.length);
    if (pagesLeft > missing.length) break;
  }
  if (!cursor.hasMore) return found;
  let done = 0;
  await concurrently(missing, 4, async (account) => {
    const vote = await voteOf(node, id, account, signal);
    if (vote) found.set(account, vote);
    onProgress({ step: 'votes', done: ++done, of: missing.length });
  });
  return found;
}
