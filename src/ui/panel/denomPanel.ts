import * as vscode from 'vscode';
import { isHttpError, messageOf } from '../../api/errors.ts';
import type { Holder } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import { placeOf } from '../../page/blocks.ts';
import { type DenomFacts, type NamedHolder, toDenomView } from '../../page/denomView.ts';
import { type DenomAction, denomActions, type ShowDenom } from '../../page/pageMessages.ts';
import { splitTable, tableText } from '../../session/export.ts';
import { maxAges } from '../../session/kept.ts';
import { validatorsByAccount } from '../../session/proposalReads.ts';
import { chainIdOf } from '../../session/registry.ts';
import type { AcquiredSession, Session } from '../../session/session.ts';
import { pastId, presentId } from '../../session/source.ts';
import type { WatchTarget } from '../../watch/list.ts';
import { denomLabel } from '../../words/values.ts';
import { curlCommands } from '../curlCommands.ts';
import { pickHeight } from '../endpoints/pickHeight.ts';
import { exportSplit } from '../exportFile.ts';
import { setTabTitle } from '../labels.ts';
import { flash } from '../report.ts';
import { PagePanel, pageWords } from './pagePanel.ts';
import type { DenomCommand } from './panelCommands.ts';
import type { PanelHost } from './panelHost.ts';

/** Which denom of which source; a source's id is the normalised value of `chainInspector.baseUrl`. */
export interface DenomKey {
  readonly sourceId: string;
  readonly denom: string;
}

/** What has been read of the denom so far. */
type ReadFacts = Pick<
  DenomFacts,
  'coin' | 'split' | 'progress' | 'holders' | 'readAt' | 'failure' | 'isReading' | 'chainId'
>;

const nothing: ReadFacts = {
  coin: undefined,
  split: undefined,
  progress: undefined,
  holders: undefined,
  readAt: undefined,
  failure: undefined,
  isReading: true,
  chainId: undefined,
};

/** The webview panel with a denom in it. */
export class DenomPanel extends PagePanel<DenomAction> {
  readonly #host: PanelHost;
  #key: DenomKey;
  #acquired: AcquiredSession;
  #facts = nothing;
  #listeners: readonly { dispose(): void }[] = [];
  #abort = new AbortController();
  #stop = new AbortController();

  constructor(panel: vscode.WebviewPanel, key: DenomKey, host: PanelHost) {
    super(panel, host.storage.extensionUri, host.report, denomActions);
    this.#host = host;
    this.#key = key;
    this.#acquired = this.#open(key);
    panel.iconPath = vscode.Uri.joinPath(host.storage.extensionUri, 'media', 'status', 'denom.svg');
    panel.onDidChangeViewState(() => this.name());
    const watching = host.watchList.onDidChange(() => this.showSoon());
    panel.onDidDispose(() => {
      watching.dispose();
      this.#close(this.#acquired);
    });
    this.show();
  }

  /** Shows another denom, or the same one at another height. */
  navigate(key: DenomKey): void {
    if (key.sourceId === this.#key.sourceId && key.denom === this.#key.denom) return;
    const before = this.#acquired;
    for (const listener of this.#listeners) listener.dispose();
    this.#abort.abort();
    this.#key = key;
    this.#acquired = this.#open(key);
    // Only now: a source without another user would be closed and opened again.
    void before.release();
    this.show();
  }

  async run(command: DenomCommand | DenomAction): Promise<void> {
    const failure = vscode.l10n.t('Could not do this for {0}', escapeForUi(this.#key.denom));
    await this.#host.report.run(failure, () => this.#do(command));
  }

  get #session(): Session {
    return this.#acquired.session;
  }

  get #isPast(): boolean {
    const { source } = this.#session;
    return source.kind === 'http' && source.at !== undefined;
  }

  /** A panel at a height of the past watches the denom as it is now. */
  get #target(): WatchTarget {
    return { kind: 'denom', sourceId: presentId(this.#session.source), denom: this.#key.denom };
  }

  async #do(command: DenomCommand | DenomAction): Promise<void> {
    const { denom } = this.#key;
    const { source } = this.#session;
    const { split, coin } = this.#facts;
    const { clipboard } = vscode.env;
    switch (command) {
      case 'watch':
      case 'unwatch':
        if (this.#host.watchList.isWatched(this.#target) !== (command === 'watch'))
          await this.#host.watchList.toggle(this.#target);
        return;
      case 'refreshSupply':
        return this.#read(true);
      case 'continueSplit':
        return this.#read(false);
      case 'stopSplit':
        return this.#stop.abort();
      case 'copyDenom':
        return clipboard.writeText(denom);
      case 'copyAmount':
        return clipboard.writeText(String(split?.supply ?? coin?.amount ?? ''));
      case 'copyTsv':
      case 'copyJson': {
        if (!split) return flash(vscode.l10n.t('No row is loaded yet'));
        return clipboard.writeText(tableText(splitTable(denom), split.rows, command === 'copyJson' ? 'json' : 'tsv'));
      }
      case 'copyCurl': {
        const [curl] = await curlCommands(this.#session, [{ denom }], this.#host.storage.credentials);
        return curl === undefined ? undefined : clipboard.writeText(curl);
      }
      case 'exportSupply':
        return split ? exportSplit(this.#session, split) : flash(vscode.l10n.t('No row is loaded yet'));
      case 'showAtHeight': {
        const past = await pickHeight(this.#host.active, source);
        return past && this.navigate({ denom, sourceId: pastId(source, past) });
      }
      case 'showLatest':
        return this.navigate({ denom, sourceId: presentId(source) });
      default:
        command satisfies never;
    }
  }

  #open(key: DenomKey): AcquiredSession {
    const { sessions, settings } = this.#host.active;
    const acquired = sessions.acquire(settings.source(key.sourceId));
    const { supply } = acquired.session.stores;
    this.#abort = new AbortController();
    this.#facts = nothing;
    this.#listeners = [
      supply.onDidChange(() => this.showSoon()),
      acquired.session.onDidForget(() => {
        this.#facts = nothing;
        void this.#read(true);
      }),
    ];
    setImmediate(() => void this.#read(false));
    return acquired;
  }

  #close(acquired: AcquiredSession): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#abort.abort();
    void acquired.release();
  }

  #add(signal: AbortSignal, news: Partial<ReadFacts>): void {
    if (signal.aborted) return;
    this.#facts = { ...this.#facts, ...news };
    this.showSoon();
  }

  /** Never rejects: see `failure`. Of two at a time the later one counts. */
  async #read(isFresh: boolean): Promise<void> {
    const { denom } = this.#key;
    const { supply } = this.#session.stores;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#stop = new AbortController();
    const { signal } = this.#abort;
    const add = (news: Partial<ReadFacts>): void => this.#add(signal, news);
    add({ isReading: true, failure: undefined, progress: undefined });
    try {
      const known = isFresh ? undefined : supply.find(denom);
      add({ coin: known ?? (await supply.load(denom, signal)) });
      const maxAge = isFresh ? 0 : maxAges.screen;
      void supply.loadUnits({ maxAge });
      void supply.loadOrigin(denom, { maxAge });
      // With what a node was asked for by rows of the tree.
      const { readLargestHolders, readSplit } = await import('../../session/readSplit.ts');
      const node = await this.#session.node();
      void chainIdOf(node, signal).then((chainId) => add({ chainId }));
      const onProgress = (done: number, of: number): void => add({ progress: { done, of } });
      const options = { maxAge, signal, stop: this.#stop.signal, onProgress };
      const split = await readSplit(this.#session, denom, options).catch(unlessMissing);
      add({ split, readAt: new Date(), isReading: false });
      const holders = split?.origin === 'state' ? await readLargestHolders(node, denom, signal) : undefined;
      add({ holders });
      if (holders) add({ holders: await withMonikers(this.#session, holders, signal) });
    } catch (error) {
      add({ isReading: false, failure: messageOf(error) });
    }
  }

  protected name(): void {
    const { denom } = this.#key;
    const { source, stores } = this.#session;
    const place = placeOf({ ...this.#facts, sourceName: source.name, isPast: this.#isPast });
    setTabTitle(this.panel, `${stores.supply.unit(denom)?.symbol ?? denomLabel(denom)} · ${escapeForUi(place, 40)}`);
    this.setContexts({
      watched: this.#host.watchList.isWatched(this.#target),
      isPast: this.#isPast,
      isEndpoint: source.kind === 'http',
    });
  }

  protected message(): ShowDenom {
    const { denom } = this.#key;
    const { source, stores } = this.#session;
    const { supply } = stores;
    const facts: DenomFacts = {
      ...this.#facts,
      denom,
      sourceName: source.name,
      isPast: this.#isPast,
      unit: supply.unit(denom),
      metadata: supply.metadata(denom),
      origin: supply.origin(denom),
      isStaking: supply.staking?.denom === denom,
      height: supply.pager.height,
    };
    return { type: 'show', restore: this.#key, words: pageWords(), view: toDenomView(facts, vscode.l10n.t) };
  }
}

/** A state that has none of a denom has no split of it. */
function unlessMissing(error: unknown): undefined {
  if (!isHttpError(error) || error.status !== 404) throw error;
}

/** Names the operators of validators; a source without validators names none. */
async function withMonikers(
  { stores }: Session,
  holders: readonly Holder[],
  signal: AbortSignal,
): Promise<readonly NamedHolder[]> {
  const { pager } = stores.validators;
  await pager.loadAll({ signal, limit: Number.POSITIVE_INFINITY }).catch(() => undefined);
  const validators = validatorsByAccount(pager.rows);
  return holders.map((holder) => {
    const validator = validators.get(holder.address);
    return { ...holder, moniker: validator?.moniker || validator?.operator };
  });
}
