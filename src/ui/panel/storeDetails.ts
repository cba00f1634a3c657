import * as vscode from 'vscode';
import type { ChainNode } from '../../api/node.ts';
import { type Disposable, Emitter } from '../../chain/emitter.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { type PhishingSigns, phishingSigns } from '../../chain/text/phishingSigns.ts';
import type { SessionHold } from '../../session/sessions.ts';
import type { Source } from '../../session/source.ts';
import { errorText } from '../report.ts';
import { clockOf } from '../words.ts';
import { findNeighbour, knownNeighbour } from './neighbour.ts';
import type { DetailsState, ProposalDetails, ProposalKey, Side } from './proposalDetails.ts';
import { loadInputs, type ProposalInputs } from './proposalInputs.ts';

/** The watch list as a panel needs it. `isWatched` is undefined until the list is loaded. */
export interface PanelWatch {
  readonly isWatched: (key: ProposalKey) => boolean | undefined;
  readonly toggle: (key: ProposalKey) => Promise<void>;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** A proposal looked at through the stores of its source: what the tree knows is shown at once, the rest is asked. */
export class StoreDetails implements ProposalDetails {
  readonly #hold: SessionHold;
  readonly #id: bigint;
  readonly #key: ProposalKey;
  readonly #watch: PanelWatch;
  readonly #proposalPage: (source: Source, id: bigint) => Promise<string | undefined>;
  readonly #changed = new Emitter<void>();
  readonly #abort = new AbortController();
  readonly #listeners: Disposable[];
  #row: ProposalRow | undefined;
  #readAt = new Date();
  #failure: string | undefined;
  #node: ChainNode | undefined;
  #inputs: ProposalInputs | undefined;
  #inputsReadAt: Date | undefined;
  #suspected: { readonly row: ProposalRow; readonly signs: PhishingSigns | undefined } | undefined;
  readonly #ends = new Set<Side>();

  #explorerUrl: string | undefined;

  constructor(
    hold: SessionHold,
    key: ProposalKey,
    proposalPage: (source: Source, id: bigint) => Promise<string | undefined>,
    watch: PanelWatch,
  ) {
    this.#key = key;
    this.#watch = watch;
    this.#proposalPage = proposalPage;
    this.#hold = hold;
    this.#id = key.id;
    const { proposals, supply } = hold.session;
    this.#row = proposals.known(key.id);
    this.#listeners = [
      proposals.onDidChange(({ id }) => this.#learn(id)),
      supply.onDidChange(() => this.#changed.fire()),
      watch.onDidChange(() => this.#changed.fire()),
    ];
    void this.#start();
    void this.#findPage();
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
        phishing: this.#phishing(this.#row),
        sourceName: source.name,
        chainId: this.#node?.dialect.chainId,
        height: undefined,
        readAt: this.#readAt,
        staleReason,
        now: this.#inputs?.now ?? new Date(),
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

  get explorerUrl(): string | undefined {
    return this.#explorerUrl;
  }

  get watch() {
    const [list, key] = [this.#watch, this.#key];
    return { on: list.isWatched(key) === true, toggle: () => list.toggle(key) };
  }

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

  mayHave(side: Side): boolean {
    return !this.#ends.has(side) && (side === 'next' || this.#id > 1n);
  }

  async neighbour(side: Side): Promise<bigint | undefined> {
    const { proposals } = this.#hold.session;
    const id = await findNeighbour(await this.#hold.session.node(), this.#id, side, this.#abort.signal);
    const found = id ?? knownNeighbour(proposals.all(), this.#id, side);
    if (found === undefined) this.#ends.add(side);
    if (found === undefined) this.#changed.fire();
    return found;
  }

  dispose(): void {
    this.#abort.abort();
    for (const listener of this.#listeners) listener.dispose();
    this.#changed.dispose();
    void this.#hold.release();
  }

  /** Looked for once for each row: it takes a while in a long text. */
  #phishing(row: ProposalRow): PhishingSigns | undefined {
    if (this.#suspected?.row !== row) {
      const text = row.kind === 'proposal' ? `${row.title ?? ''}\n${row.description ?? ''}` : '';
      this.#suspected = { row, signs: phishingSigns(text) };
    }
    return this.#suspected.signs;
  }

  /** Optional: without it there is no button. */
  async #findPage(): Promise<void> {
    const url = await this.#proposalPage(this.#hold.session.source, this.#id).catch(() => undefined);
    if (url === undefined || this.#abort.signal.aborted) return;
    this.#explorerUrl = url;
    this.#changed.fire();
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
    this.#inputs = await loadInputs(node, this.#row, this.#hold.session.source.kind, signal);
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
