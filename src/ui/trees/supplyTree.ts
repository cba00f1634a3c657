import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import type { Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setTooltip, treeItem } from '../labels.ts';
import { plain } from '../plain.ts';
import { amountText, amountWithRaw, denomLabel, originText } from '../words.ts';
import { FirstLoads, type ViewEvents } from './firstLoads.ts';
import { Redraws } from './redraws.ts';
import {
  childrenOf,
  type MoreNode,
  moreItem,
  type NoticeNode,
  noticeItem,
  stateFileDrop,
  supplyOwner,
} from './rows.ts';

/** A row of the Supply view. */
export type SupplyNode = { readonly kind: 'coin'; readonly coin: Coin } | MoreNode | NoticeNode;

/** Milliseconds in which rows are sent to the editor, which the extension host does by timer. */
const leaveTime = 20;

/** The total supply by denom, exact amounts, a page at a time. */
export class SupplyTree implements vscode.TreeDataProvider<SupplyNode>, vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #redraws = new Redraws<SupplyNode>();
  readonly #loads = new FirstLoads();
  readonly #listeners: vscode.Disposable[];

  constructor(active: ActiveSession) {
    this.#active = active;
    const following = active.follow(({ supply }) => {
      this.#loads.clear();
      this.redraw();
      return [supply.onDidChange(() => this.redraw())];
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
    this.#listeners.push(view);
    return view;
  }

  readonly onDidChangeTreeData = this.#redraws.event;

  async getChildren(node?: SupplyNode): Promise<SupplyNode[]> {
    if (node) return [];
    const { session } = this.#active;
    const { supply } = session;
    await this.#redraws.during(this.#loads.start(supplyOwner, supply.pager));
    // After a switch the rows of the other session are asked for next.
    if (session !== this.#active.session) return [];
    this.#redraws.settle();
    if (supply.pager.started) void this.#loadUnits(session);
    const toNode = (coin: Coin): SupplyNode => ({ kind: 'coin', coin });
    return [...this.#filterNotice(), ...childrenOf(supply.pager, supplyOwner, toNode, supply.shown)];
  }

  getTreeItem(node: SupplyNode): vscode.TreeItem {
    const { source, supply } = this.#active.session;
    switch (node.kind) {
      case 'coin':
        return this.#coinItem(source.id, node.coin);
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
    this.#listeners.push(
      ...this.#loads.follow(
        view,
        () => undefined,
        () => this.redraw(),
      ),
    );
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  /** After the first rows were sent, so that they do not wait; amounts are redrawn when units are known. */
  async #loadUnits({ supply }: Session): Promise<void> {
    await setTimeout(leaveTime);
    await supply.loadUnits().catch(() => undefined);
  }

  /** For a filter that no loaded row matches. */
  #filterNotice(): NoticeNode[] {
    const { pager, shown, view } = this.#active.session.supply;
    if (pager.rows.length === 0 || shown.length > 0) return [];
    const text = vscode.l10n.t('No loaded denom contains “{0}”', plain(view.text));
    const detail = vscode.l10n.t('{0} are loaded. Go to Proposal or Denom… searches all of them.', pager.rows.length);
    return [{ kind: 'notice', owner: 'filter', notice: 'empty', text, detail }];
  }

  #coinItem(sourceId: string, coin: Coin): vscode.TreeItem {
    const { supply } = this.#active.session;
    const origin = originText(supply.origin(coin.denom));
    const amount = [amountWithRaw(coin, supply.unit(coin.denom)), origin].filter(Boolean).join(' · ');
    return treeItem({
      id: `${sourceId}/coin/${coin.denom}`,
      label: denomLabel(coin.denom),
      description: amount,
      spoken: `${plain(coin.denom)}, ${amount}`,
      context: 'coin',
    });
  }

  #tooltip(coin: Coin): string[] {
    const { supply } = this.#active.session;
    const unit = supply.unit(coin.denom);
    const origin = originText(supply.origin(coin.denom));
    const lines = [
      coin.denom,
      ...(origin ? [origin] : []),
      vscode.l10n.t('{0} base units', groupDigits(coin.amount)),
      coin.amount.toString(),
    ];
    if (unit) lines.push(unitText(coin, unit.exponent, amountText(coin, unit), unit.source));
    return lines;
  }
}

function unitText(coin: Coin, exponent: number, amount: string, source: 'chain' | 'registry'): string {
  return source === 'chain'
    ? vscode.l10n.t('{0} (exponent {1}, metadata of the chain)', amount, exponent)
    : vscode.l10n.t('{0} (exponent {1} of {2}, from the chain registry)', amount, exponent, coin.denom);
}
