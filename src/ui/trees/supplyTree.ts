import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import { isMade, isNamed } from '../../chain/supplyStore.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setTooltip, treeItem } from '../labels.ts';
import { plain } from '../plain.ts';
import { shortAmount } from '../values.ts';
import { amountText, amountWithRaw, denomLabel, originText } from '../words.ts';
import { FirstLoads, sendTime, type ViewEvents } from './firstLoads.ts';
import { Redraws } from './redraws.ts';
import {
  childrenOf,
  type MoreNode,
  markUri,
  moreItem,
  mostRows,
  type NoticeNode,
  noticeItem,
  stateFileDrop,
  supplyOwner,
  type Watched,
} from './rows.ts';

/** A row of the Supply view. `others`: the denoms whose names anyone can choose. */
export type SupplyNode =
  | { readonly kind: 'coin'; readonly coin: Coin }
  | { readonly kind: 'others'; readonly coins: readonly Coin[] }
  | MoreNode
  | NoticeNode;

/** The total supply: the staking denom first, then known denoms by amount, then all others. */
export class SupplyTree implements vscode.TreeDataProvider<SupplyNode>, vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #watched: Watched;
  readonly #redraws = new Redraws<SupplyNode>();
  readonly #loads = new FirstLoads();
  readonly #listeners: vscode.Disposable[];
  #showsOthers = false;

  constructor(active: ActiveSession, watched: Watched) {
    this.#active = active;
    this.#watched = watched;
    const following = active.follow((session) => {
      const { supply } = session;
      this.#loads.clear();
      this.redraw();
      return [
        // The rows stay where they are until all are read: they are sorted then.
        supply.onDidChange(() => this.#loads.isReadingOn(supplyOwner) || this.redraw()),
        session.onDidChangeState(({ kind }) => kind === 'ready' && void this.#loads.retry(supply.pager)),
      ];
    });
    this.#listeners = [following, this.#redraws];
  }

  /** Creates the view. */
  createView(): vscode.TreeView<SupplyNode> {
    const view = vscode.window.createTreeView<SupplyNode>('chainInspector.supply', {
      treeDataProvider: this,
      dragAndDropController: stateFileDrop,
      canSelectMany: true,
    });
    this.follow(view);
    const setOthers = (node: SupplyNode, isShown: boolean) => {
      if (node.kind === 'others') this.#showsOthers = isShown;
    };
    this.#listeners.push(
      view,
      view.onDidExpandElement(({ element }) => setOthers(element, true)),
      view.onDidCollapseElement(({ element }) => setOthers(element, false)),
      this.#watched.onDidChange(() => this.redraw()),
    );
    return view;
  }

  readonly onDidChangeTreeData = this.#redraws.event;

  async getChildren(node?: SupplyNode): Promise<SupplyNode[]> {
    if (node) return node.kind === 'others' ? node.coins.map(coinNode) : [];
    const { session } = this.#active;
    const { supply } = session;
    await this.#redraws.during(this.#loads.start(supplyOwner, supply.pager, mostRows));
    // After a switch the rows of the other session are asked for next.
    if (session !== this.#active.session) return [];
    this.#redraws.settle();
    if (supply.pager.started) void this.#loadUnits(session);
    return [...this.#filterNotice(), ...this.#rows(session)];
  }

  getTreeItem(node: SupplyNode): vscode.TreeItem {
    const { source, supply } = this.#active.session;
    switch (node.kind) {
      case 'coin':
        return this.#coinItem(source.id, node.coin);
      case 'others':
        return this.#othersItem(source.id, node.coins);
      case 'more':
        return moreItem(source.id, node, supply.pager);
      case 'notice':
        return noticeItem(source.id, node);
      default:
        return node satisfies never;
    }
  }

  /** Makes the tooltip when it is shown; only then is it asked where an `ibc/…` denom comes from. */
  async resolveTreeItem(item: vscode.TreeItem, node: SupplyNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'coin') return item;
    await this.#active.session.supply.loadOrigin(node.coin.denom).catch(() => undefined);
    setTooltip(item, this.#tooltip(node.coin));
    return item;
  }

  redraw(): void {
    this.#redraws.fire();
  }

  /** Stops automatic reading while the view is hidden. */
  follow(view: ViewEvents<SupplyNode>): void {
    const ownerOf = () => undefined;
    this.#listeners.push(...this.#loads.follow(view, ownerOf, () => this.redraw()));
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  /** After the first rows were sent, so that they do not wait; amounts are redrawn when units are known. */
  async #loadUnits({ supply }: Session): Promise<void> {
    await setTimeout(sendTime);
    await supply.loadUnits().catch(() => undefined);
  }

  #rows({ supply }: Session): SupplyNode[] {
    const { pager, staking, view } = supply;
    const shown = supply.shown.slice(0, mostRows);
    if (view.text !== '' || view.order !== 'value') return childrenOf(pager, supplyOwner, coinNode, shown);
    const listed = shown.filter(({ denom }) => denom !== staking?.denom);
    const others = listed.filter(({ denom }) => !isNamed(denom, supply.unit(denom)));
    // Where no denom is known, all are alike.
    if (staking === undefined && others.length === listed.length)
      return childrenOf(pager, supplyOwner, coinNode, shown);
    const named = listed.slice(0, listed.length - others.length);
    const nodes = [...(staking ? [staking] : []), ...named].map(coinNode);
    if (others.length > 0) nodes.push({ kind: 'others', coins: others });
    return childrenOf(pager, supplyOwner, (node) => node, nodes);
  }

  /** For a filter that no row matches. */
  #filterNotice(): NoticeNode[] {
    const { pager, shown, view } = this.#active.session.supply;
    if (pager.rows.length === 0 || shown.length > 0) return [];
    const text = vscode.l10n.t('No denom contains “{0}”', plain(view.text));
    const detail = vscode.l10n.t('{0} are loaded. Go to Proposal or Denom… searches all of them.', pager.rows.length);
    return [{ kind: 'notice', owner: 'filter', notice: 'empty', text, ...(pager.hasMore ? { detail } : {}) }];
  }

  #othersItem(sourceId: string, coins: readonly Coin[]): vscode.TreeItem {
    const { pager } = this.#active.session.supply;
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const count = groupDigits(BigInt(coins.length));
    return treeItem({
      id: `${sourceId}/others`,
      label: coins.every(({ denom }) => isMade(denom))
        ? vscode.l10n.t('Factory, IBC, ERC-20')
        : vscode.l10n.t('Other Denoms'),
      description: pager.hasMore
        ? vscode.l10n.t('{0} of the first {1}', count, groupDigits(BigInt(pager.rows.length)))
        : count,
      context: 'others',
      state: this.#showsOthers ? Expanded : Collapsed,
    });
  }

  #coinItem(sourceId: string, coin: Coin): vscode.TreeItem {
    const { supply, source } = this.#active.session;
    const { denom, amount } = coin;
    const unit = supply.unit(denom);
    const isStaking = denom === supply.staking?.denom;
    const origin = originText(supply.origin(denom));
    const label = isNamed(denom, unit) ? unit.symbol : denomLabel(denom);
    const watched = this.#watched.isWatched({ kind: 'denom', sourceId: presentId(source), denom }) === true;
    return treeItem({
      id: `${sourceId}/coin/${denom}`,
      label,
      description: [shortAmount(amount, unit?.exponent ?? 0), origin].filter(Boolean).join(' · '),
      spoken: [plain(denom), amountWithRaw(coin, unit), origin, ...(isStaking ? [vscode.l10n.t('staked')] : [])]
        .filter(Boolean)
        .join(', '),
      icon: isStaking ? 'star-full' : undefined,
      context: watched ? 'coin.watched' : 'coin',
      resourceUri: markUri({ watched }),
      command: {
        command: 'chainInspector._openDenom',
        title: vscode.l10n.t('Open Denom'),
        arguments: [coinNode(coin)],
      },
    });
  }

  #tooltip(coin: Coin): string[] {
    const { supply } = this.#active.session;
    const unit = supply.unit(coin.denom);
    const amounts = [vscode.l10n.t('{0} base units', groupDigits(coin.amount)), coin.amount.toString()];
    if (unit) amounts.unshift(unitText(coin, unit.exponent, amountText(coin, unit), unit.source));
    const facts = [
      originText(supply.origin(coin.denom)),
      coin.denom === supply.staking?.denom ? vscode.l10n.t('Staked') : '',
    ];
    return [coin.denom, ...facts.filter(Boolean), ...amounts];
  }
}

function coinNode(coin: Coin): SupplyNode {
  return { kind: 'coin', coin };
}

function unitText(coin: Coin, exponent: number, amount: string, source: 'chain' | 'registry'): string {
  return source === 'chain'
    ? vscode.l10n.t('{0} (exponent {1}, metadata of the chain)', amount, exponent)
    : vscode.l10n.t('{0} (exponent {1} of {2}, from the chain registry)', amount, exponent, coin.denom);
}
