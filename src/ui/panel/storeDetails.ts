import * as vscode from 'vscode';
import { type Disposable, Emitter } from '../../chain/emitter.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { type PhishingSigns, phishingSigns } from '../../chain/text.ts';
import { findNeighbour, knownNeighbour } from '../../session/neighbour.ts';
import { loadPresets, proposalUrl } from '../../session/registry.ts';
import type { SessionHold } from '../../session/session.ts';
import { systemClock } from '../../session/watch/clock.ts';
import { errorText } from '../report.ts';
import { clockOf } from '../words.ts';
import type { DetailsState, ProposalDetails, ProposalKey, Side } from './proposalFacts.ts';
import { ProposalReader } from './proposalReader.ts';

/** The watch list as a panel needs it. `isWatched` is undefined until the list is loaded. */
export interface PanelWatch {
  readonly isWatched: (key: ProposalKey) => boolean | undefined;
  readonly toggle: (key: ProposalKey) => Promise<void>;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** What the rest knows about the chain behind a source. */
export interface DetailsContext {
  /** What the registry says of a chain beside it. */
  readonly registryChain: (chainId: string) => Promise<RegistryChain | undefined>;
  readonly watch: PanelWatch;
}

/** A proposal looked at through the stores of its source: what the tree knows is shown at once, the rest is asked. */
export class StoreDetails implements ProposalDetails {
  readonly #hold: SessionHold;
  readonly #key: ProposalKey;
  readonly #context: DetailsContext;
  readonly #reader: ProposalReader;
  readonly #changed = new Emitter<void>();
  readonly #listeners: Disposable[];
  readonly #ends = new Set<Side>();
  #suspected: { readonly row: ProposalRow; readonly signs: PhishingSigns | undefined } | undefined;
  #explorerUrl: string | undefined;
  #registryDenom: string | undefined;

  constructor(hold: SessionHold, key: ProposalKey, context: DetailsContext) {
    this.#hold = hold;
    this.#key = key;
    this.#context = context;
    this.#reader = new ProposalReader(hold.session, key.id, systemClock);
    const tell = () => this.#changed.fire();
    this.#listeners = [this.#reader.onDidChange(tell), context.watch.onDidChange(tell)];
    void this.#reader.start().then(() => this.#findChain());
  }

  readonly onDidChange = this.#changed.on;

  get state(): DetailsState {
    const { row, failure, inputs, readAt } = this.#reader;
    if (row === undefined) {
      return failure === undefined ? { kind: 'loading' } : { kind: 'failed', reason: errorText(failure) };
    }
    const { source, supply } = this.#hold.session;
    const staleReason =
      failure === undefined
        ? undefined
        : vscode.l10n.t('As of {0}. The last refresh failed: {1}', clockOf(readAt), errorText(failure));
    return {
      kind: 'loaded',
      facts: {
        row,
        phishing: this.#phishing(row),
        sourceName: source.name,
        chainId: this.#reader.node?.dialect.chainId,
        height: this.#reader.height,
        readAt,
        staleReason,
        now: inputs?.now ?? new Date(),
        clockRuns: source.kind !== 'file',
        unitOf: (denom) => supply.unit(denom),
        bondDenom: inputs?.bondDenom ?? this.#registryDenom,
        isRegistryDenom: inputs?.bondDenom === undefined,
        liveTally: inputs?.liveTally,
        params: inputs?.params,
        bonded: inputs?.bonded,
        inputsReadAt: this.#reader.inputsReadAt,
        currentParam: (subspace, key) => inputs?.currentParams.get(`${subspace}/${key}`),
      },
    };
  }

  get address(): string | undefined {
    const isRemote = this.#hold.session.source.kind === 'http';
    return isRemote ? this.#reader.node?.urlOf({ proposal: this.#key.id }) : undefined;
  }

  get explorerUrl(): string | undefined {
    return this.#explorerUrl;
  }

  get watch() {
    const [list, key] = [this.#context.watch, this.#key];
    return { on: list.isWatched(key) === true, toggle: () => list.toggle(key) };
  }

  async refresh(): Promise<void> {
    await this.#reader.refresh();
  }

  setVisible(visible: boolean): void {
    this.#reader.setVisible(visible);
  }

  mayHave(side: Side): boolean {
    return !this.#ends.has(side) && (side === 'next' || this.#key.id > 1n);
  }

  async neighbour(side: Side): Promise<bigint | undefined> {
    const { proposals } = this.#hold.session;
    const { id } = this.#key;
    const asked = await findNeighbour(await this.#hold.session.node(), id, side, this.#reader.signal);
    const found = asked ?? knownNeighbour(proposals.all(), id, side);
    if (found === undefined) this.#ends.add(side);
    if (found === undefined) this.#changed.fire();
    return found;
  }

  dispose(): void {
    this.#reader.dispose();
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

  /** By the id that the settings or the node tell: the page in an explorer, and the denom where the node does not say it. */
  async #findChain(): Promise<void> {
    const { source } = this.#hold.session;
    const chainId = (source.kind === 'http' ? source.setting.chain : undefined) ?? this.#reader.node?.dialect.chainId;
    if (source.kind !== 'http' || chainId === undefined) return;
    const chain = await this.#context.registryChain(chainId).catch(() => undefined);
    if (chain === undefined || this.#reader.signal.aborted) return;
    this.#registryDenom = chain.stakingDenom;
    this.#explorerUrl = chain.proposalPage;
    this.#changed.fire();
  }
}

/** What the registry adds to a proposal of a public chain. */
export interface RegistryChain {
  /** The denom that votes are counted in; undefined where the registry names several, or none. */
  readonly stakingDenom: string | undefined;
  /** The page of the proposal in an explorer of the chain. */
  readonly proposalPage: string | undefined;
}

/** Looks a chain up by its id; undefined where the registry does not know it. `dir` holds the presets. */
export async function registryChain(dir: string, chainId: string, id: bigint): Promise<RegistryChain | undefined> {
  const { chains } = await loadPresets(dir);
  const chain = chains.find((known) => known.chainId === chainId);
  if (!chain) return undefined;
  const [token, ...others] = chain.stakingTokens;
  return { stakingDenom: others.length === 0 ? token?.denom : undefined, proposalPage: proposalUrl(chain, id) };
}
