import type { ChainNode, GovParamsReply } from '../../api/node.ts';
import { contentKind } from '../../chain/content/content.ts';
import { type Disposable, Emitter } from '../../chain/emitter.ts';
import { type GovParams, toGovParams } from '../../chain/params.ts';
import type { Proposal, ProposalRow, Tally } from '../../chain/proposal.ts';
import type { Session } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import type { Clock } from '../../session/watch/clock.ts';
import { nextCheck } from '../../session/watch/deadlineChecks.ts';

/**
 * Reads one proposal and what a page needs beside it: what the stores know at once, the rest when `start` is called,
 * everything again in another phase of it, and by itself when its period has ended, until the chain says how.
 */
export class ProposalReader implements Disposable {
  readonly #session: Session;
  readonly #id: bigint;
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  readonly #abort = new AbortController();
  readonly #listener: Disposable;
  readonly #end: EndCheck;
  #row: ProposalRow | undefined;
  #readAt: Date;
  #failure: unknown;
  #node: ChainNode | undefined;
  #inputs: ProposalInputs | undefined;
  #inputsReadAt: Date | undefined;
  #asked = 0;
  #loading = false;
  #unitsAsked = false;

  /** The session is somebody else's to hold. */
  constructor(session: Session, id: bigint, clock: Clock) {
    this.#session = session;
    this.#id = id;
    this.#clock = clock;
    this.#end = new EndCheck(clock, () => this.refresh());
    this.#row = session.proposals.known(id);
    this.#readAt = new Date(clock.now());
    this.#listener = session.proposals.onDidChange(() => this.#learn());
    this.#setEnd();
  }

  readonly onDidChange = this.#changed.on;

  get row(): ProposalRow | undefined {
    return this.#row;
  }

  /** When the row was read. */
  get readAt(): Date {
    return this.#readAt;
  }

  get height(): bigint | undefined {
    return this.#row && this.#session.proposals.heightOf(this.#row);
  }

  /** Why the last reading failed, where it did. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Undefined before the source is open. */
  get node(): ChainNode | undefined {
    return this.#node;
  }

  get inputs(): ProposalInputs | undefined {
    return this.#inputs;
  }

  get inputsReadAt(): Date | undefined {
    return this.#inputsReadAt;
  }

  /** Fires when the reader is disposed. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Opens the source and reads what is not known yet. Never rejects. */
  async start(): Promise<void> {
    await this.#attempt(async () => {
      if (this.#row === undefined) await this.#load();
    });
  }

  /** Asks the source again. Never rejects: a failure stands in `failure`. */
  async refresh(): Promise<void> {
    await this.#attempt(() => this.#load());
  }

  /** Nothing is asked by itself for a page that nobody sees. */
  setVisible(visible: boolean): void {
    this.#end.pause(!visible);
  }

  dispose(): void {
    this.#abort.abort();
    this.#end.dispose();
    this.#listener.dispose();
    this.#changed.dispose();
  }

  /** The store tells of what it learned. */
  async #load(): Promise<void> {
    this.#loading = true;
    try {
      await this.#session.proposals.load(this.#id, this.#abort.signal);
    } finally {
      this.#loading = false;
    }
  }

  /** Does a reading, then asks for the inputs of what is known now; says so at the end. */
  async #attempt(read: () => Promise<void>): Promise<void> {
    const turn = ++this.#asked;
    try {
      await read();
      await this.#askMore(turn);
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    }
    if (!this.#abort.signal.aborted) this.#changed.fire();
  }

  /** What a page about this proposal needs beside it; all of it optional. What was asked last counts. */
  async #askMore(turn: number): Promise<void> {
    // Asked each time: a file that changed was opened anew.
    const node = await this.#session.node();
    this.#node = node;
    this.#askUnits();
    if (this.#row?.kind !== 'proposal') return;
    const inputs = await loadInputs(node, this.#row, this.#session.source.kind, this.#abort.signal);
    if (turn !== this.#asked) return;
    this.#inputs = inputs;
    this.#inputsReadAt = new Date(this.#clock.now());
  }

  /** How amounts are shown: learned once for the whole source, and optional. Pages of the supply change nothing here. */
  #askUnits(): void {
    if (this.#unitsAsked) return;
    this.#unitsAsked = true;
    const tell = () => this.#changed.fire();
    void this.#session.supply.loadUnits().then(tell, () => undefined);
  }

  /** Somebody read it: this reader, a list, the watch list. In another phase other inputs matter. */
  #learn(): void {
    const before = this.#row;
    const row = this.#session.proposals.known(this.#id);
    if (row === undefined || row === before) return;
    this.#row = row;
    this.#readAt = new Date(this.#clock.now());
    this.#setEnd();
    this.#changed.fire();
    const moved = before?.kind === 'proposal' && row.kind === 'proposal' && before.status !== row.status;
    if (moved && !this.#loading) void this.#attempt(async () => {});
  }

  /** The time of a state file stands still: nothing in it ends. */
  #setEnd(): void {
    const live = this.#session.source.kind !== 'file' && this.#row?.kind === 'proposal' ? this.#row : undefined;
    this.#end.set(live && periodEnd(live)?.getTime());
  }
}

function periodEnd(proposal: Proposal): Date | undefined {
  if (proposal.status === 'voting') return proposal.votingEndTime;
  return proposal.status === 'deposit' ? proposal.depositEndTime : undefined;
}

/** What present parameters can be read from beside the params module. */
export interface ParamSources {
  readonly gov: GovParamsReply | undefined;
  /**
   * A state file, whose params are answered for every module. A node of SDK 0.47 and later answers with what the params
   * module held before the modules took their params over, which is not what is in force.
   */
  readonly isState: boolean;
}

const mostParams = 50;

/**
 * The present values (JSON texts) of the parameters that a proposal changes, by `subspace/key` for those of the params
 * module and by `cosmos.staking.v1beta1/max_validators` for `MsgUpdateParams`. What the source does not tell is absent;
 * rejects only when `signal` fires.
 */
export async function loadCurrentParams(
  node: ChainNode,
  proposal: Proposal,
  { gov, isState }: ParamSources,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  const asked: { readonly subspace: string; readonly key: string; readonly name: string }[] = [];
  for (const content of proposal.contents) {
    const kind = contentKind(content);
    if (kind.kind === 'parameterChange') {
      for (const { subspace, key } of kind.changes) asked.push({ subspace, key, name: `${subspace}/${key}` });
    }
    if (kind.kind !== 'moduleParams') continue;
    for (const key of Object.keys(kind.params)) {
      const name = `${kind.module}/${key}`;
      if (kind.module !== 'cosmos.gov.v1') {
        if (isState) asked.push({ subspace: subspaceOf(kind.module), key, name });
      } else if (gov?.v1?.[key] !== undefined) known.set(name, JSON.stringify(gov.v1[key]));
    }
  }
  await Promise.all(
    asked.slice(0, mostParams).map(async ({ subspace, key, name }) => {
      const value = await node.param(subspace, key, signal).catch(() => undefined);
      if (value !== undefined && value !== '') known.set(name, value);
    }),
  );
  signal.throwIfAborted();
  return known;
}

/** The name of a module in a state: `cosmos.staking.v1beta1` → `staking`; consensus params stand outside of the modules. */
function subspaceOf(module: string): string {
  const name = module
    .split('.')
    .filter((part) => !/^v\d/.test(part))
    .pop();
  return name === 'consensus' ? 'baseapp' : (name ?? module);
}

/** No timer runs longer: a machine that slept, or whose clock was set, is noticed within a minute (decision 15). */
const longestWait = 60_000;

/**
 * Looks at something when its period has ended, and again at growing distances (`nextCheck`) until another end is set,
 * or none. Nothing is asked while it is paused; what was missed meanwhile is asked at once afterwards.
 */
export class EndCheck implements Disposable {
  readonly #clock: Clock;
  readonly #look: () => Promise<void>;
  #end: number | undefined;
  #lookedAt: number | undefined;
  #paused = false;
  #looking = false;
  #disposed = false;
  #timer: Disposable | undefined;

  /** `look` never rejects. */
  constructor(clock: Clock, look: () => Promise<void>) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Milliseconds since 1970, or undefined where nothing is to come. The same end again changes nothing. */
  set(end: number | undefined): void {
    if (end === this.#end) return;
    this.#end = end;
    this.#lookedAt = undefined;
    this.#plan();
  }

  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.#plan();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
  }

  #plan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#end === undefined || this.#paused || this.#looking || this.#disposed) return;
    const left = nextCheck(this.#end, this.#lookedAt) - this.#clock.now();
    if (left <= 0) void this.#check();
    else this.#timer = this.#clock.after(Math.min(left, longestWait), () => this.#plan());
  }

  async #check(): Promise<void> {
    this.#looking = true;
    this.#lookedAt = this.#clock.now();
    await this.#look();
    this.#looking = false;
    this.#plan();
  }
}

/** What a page needs beside the proposal; all of it optional on nodes, undefined where the source does not tell it. */
export interface ProposalInputs {
  readonly liveTally: Tally | undefined;
  readonly params: GovParams;
  readonly bonded: bigint | undefined;
  readonly bondDenom: string | undefined;
  /** As `loadCurrentParams` gives them. */
  readonly currentParams: ReadonlyMap<string, string>;
  /** The source's own clock, where it was asked. */
  readonly now: Date | undefined;
}

/**
 * Asks the node for the inputs that this proposal needs: the running count and the stake only while it is voted on,
 * present parameters only where it changes them, the time only of a state file. What fails is unknown; rejects only when
 * `signal` fires.
 */
export async function loadInputs(
  node: ChainNode,
  proposal: Proposal,
  sourceKind: Source['kind'],
  signal: AbortSignal,
): Promise<ProposalInputs> {
  const unlessUnknown = <T>(asked: Promise<T>) => asked.catch(() => undefined);
  const voting = proposal.status === 'voting';
  const voted = proposal.status !== 'deposit';
  const govParams = unlessUnknown(node.govParams(signal));
  const isState = sourceKind !== 'http';
  const [tally, params, bonded, bondDenom, currentParams, page] = await Promise.all([
    voting ? unlessUnknown(node.tally(proposal.id, signal)) : undefined,
    govParams,
    voting ? unlessUnknown(node.bondedTokens(signal)) : undefined,
    voted ? unlessUnknown(node.param('staking', 'BondDenom', signal)) : undefined,
    govParams.then((gov) => loadCurrentParams(node, proposal, { gov, isState }, signal)),
    sourceKind === 'file' ? unlessUnknown(node.proposals({}, { limit: 1 }, signal)) : undefined,
  ]);
  signal.throwIfAborted();
  return {
    liveTally: tally && {
      yes: BigInt(tally.yes),
      abstain: BigInt(tally.abstain),
      no: BigInt(tally.no),
      noWithVeto: BigInt(tally.no_with_veto),
    },
    params: toGovParams(params),
    bonded: bonded === undefined ? undefined : BigInt(bonded),
    bondDenom: bondDenom === undefined ? undefined : denomOf(bondDenom),
    currentParams,
    now: page?.info.date,
  };
}

/** The value of staking's `BondDenom` is a JSON text. */
function denomOf(value: string): string | undefined {
  return /^"([^"\\]+)"$/.exec(value)?.[1];
}
