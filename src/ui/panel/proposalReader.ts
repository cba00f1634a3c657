import type { ChainNode } from '../../api/node.ts';
import { type Disposable, Emitter } from '../../chain/emitter.ts';
import type { Proposal, ProposalRow } from '../../chain/proposal.ts';
import type { Session } from '../../session/session.ts';
import type { Clock } from '../../session/watch/clock.ts';
import { EndCheck } from './endCheck.ts';
import { loadInputs, type ProposalInputs } from './proposalInputs.ts';

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
