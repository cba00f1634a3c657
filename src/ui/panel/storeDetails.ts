import * as vscode from 'vscode';
import type { ChainNode } from '../../api/node.ts';
import { type Disposable, Emitter } from '../../chain/emitter.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import type { SessionHold } from '../../session/sessions.ts';
import { errorText } from '../report.ts';
import { clockOf } from '../words.ts';
import type { DetailsState, ProposalDetails, ProposalKey } from './proposalDetails.ts';
import { loadInputs, type ProposalInputs } from './proposalInputs.ts';

/** A proposal looked at through the stores of its source: what the tree knows is shown at once, the rest is asked. */
export class StoreDetails implements ProposalDetails {
  readonly #hold: SessionHold;
  readonly #id: bigint;
  readonly #changed = new Emitter<void>();
  readonly #abort = new AbortController();
  readonly #listeners: Disposable[];
  #row: ProposalRow | undefined;
  #readAt = new Date();
  #failure: string | undefined;
  #node: ChainNode | undefined;
  #chainId: string | undefined;
  #inputs: ProposalInputs | undefined;
  #inputsReadAt: Date | undefined;

  constructor(hold: SessionHold, key: ProposalKey) {
    this.#hold = hold;
    this.#id = key.id;
    const { proposals, supply } = hold.session;
    this.#row = proposals.known(key.id);
    this.#listeners = [
      proposals.onDidChange(({ id }) => this.#learn(id)),
      supply.onDidChange(() => this.#changed.fire()),
    ];
    void this.#start();
  }

  readonly onDidChange = this.#changed.on;

  get state(): DetailsState {
    if (this.#row === undefined) {
      return this.#failure === undefined ? { kind: 'loading' } : { kind: 'failed', reason: this.#failure };
    }
    const { source, supply } = this.#hold.session;
    const staleReason =
      this.#failure && vscode.l10n.t('As of {0}. The last refresh failed: {1}', clockOf(this.#readAt), this.#failure);
    return {
      kind: 'loaded',
      facts: {
        row: this.#row,
        sourceName: source.name,
        chainId: this.#chainId,
        height: undefined,
        readAt: this.#readAt,
        staleReason,
        now: new Date(),
        clockRuns: source.kind !== 'file',
        unitOf: (denom) => supply.unit(denom),
        bondDenom: this.#inputs?.bondDenom,
        liveTally: this.#inputs?.liveTally,
        params: this.#inputs?.params,
        bonded: this.#inputs?.bonded,
        inputsReadAt: this.#inputsReadAt,
        currentParam: (subspace, key) => this.#inputs?.currentParams.get(`${subspace}/${key}`),
      },
    };
  }

  get address(): string | undefined {
    return this.#node?.urlOf({ proposal: this.#id });
  }

  readonly explorerUrl = undefined;
  readonly watch = undefined;

  async refresh(): Promise<void> {
    try {
      this.#row = await this.#hold.session.proposals.load(this.#id, this.#abort.signal);
      this.#readAt = new Date();
      this.#failure = undefined;
      await this.#askMore();
    } catch (error) {
      this.#failure = errorText(error);
    }
    if (!this.#abort.signal.aborted) this.#changed.fire();
  }

  setVisible(): void {}

  neighbour(side: 'previous' | 'next'): bigint | undefined {
    let nearest: bigint | undefined;
    for (const { id } of this.#hold.session.proposals.all()) {
      const onSide = side === 'previous' ? id < this.#id : id > this.#id;
      if (!onSide) continue;
      if (nearest === undefined || (side === 'previous' ? id > nearest : id < nearest)) nearest = id;
    }
    return nearest ?? (side === 'previous' && this.#id > 1n ? this.#id - 1n : undefined);
  }

  dispose(): void {
    this.#abort.abort();
    for (const listener of this.#listeners) listener.dispose();
    this.#changed.dispose();
    void this.#hold.release();
  }

  async #start(): Promise<void> {
    try {
      this.#node = await this.#hold.session.node();
      if (this.#row === undefined) return await this.refresh();
      await this.#askMore();
      this.#changed.fire();
    } catch (error) {
      this.#failure = errorText(error);
      this.#changed.fire();
    }
  }

  /** What a page about this proposal needs beside it; all of it optional. */
  async #askMore(): Promise<void> {
    const { signal } = this.#abort;
    const node = this.#node ?? (await this.#hold.session.node());
    void this.#hold.session.supply.loadUnits().catch(() => undefined);
    if (this.#row?.kind !== 'proposal') return;
    this.#inputs = await loadInputs(node, this.#row, signal);
    this.#inputsReadAt = new Date();
  }

  #learn(id: bigint | undefined): void {
    if (id !== this.#id) return;
    const before = this.#row;
    this.#row = this.#hold.session.proposals.known(this.#id);
    this.#readAt = new Date();
    this.#changed.fire();
    const moved = before?.kind === 'proposal' && this.#row?.kind === 'proposal' && before.status !== this.#row.status;
    if (moved) void this.#askAgain();
  }

  /** In another phase other things matter. */
  async #askAgain(): Promise<void> {
    try {
      await this.#askMore();
      this.#changed.fire();
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#failure = errorText(error);
    }
  }
}
