import * as vscode from 'vscode';
import type { Coin } from '../../chain/coin.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { isNamed, type SupplyStore } from '../../lists/supplyStore.ts';
import { maxAges } from '../../session/kept.ts';
import { presentId } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setTooltip } from '../labels.ts';
import type { Watched } from '../watch/watchScreen.ts';
import { ListTree, patience, rowDetails, within } from './listTree.ts';
import {
  type ClassNode,
  type CoinNode,
  childrenOf,
  isInTrouble,
  longSilence,
  type MoreNode,
  maxRows,
  type NoticeNode,
  newNotice,
  nothingFound,
  stakingOwner,
  supplyOwner,
  unreachedNotice,
} from './rows.ts';

/** A row of the Supply view. `others`: the denoms whose names anyone can choose. */
export type SupplyNode =
  | CoinNode
  | { readonly kind: 'others'; readonly coins: readonly Coin[] }
  | ClassNode
  | MoreNode
  | NoticeNode;

/** The total supply: the staking denom first, then known denoms by amount, then all others. */
export class SupplyTree extends ListTree<SupplyNode> {
  /** The list whose rows have been shown in their order. */
  #sorted: AnyPager | undefined;
  /** The list of which it is known which denoms have a symbol. */
  #named: AnyPager | undefined;
  /** Under the staking denom; another coin, as after a refresh, is read anew. */
  #split: { readonly coin: Coin; readonly rows: readonly SupplyNode[] } | undefined;

  constructor(active: ActiveSession, watched: Watched) {
    super({ id: 'chainInspector.supply', showCollapseAll: false }, active, watched);
    this.followSession(
      ({ stores }) => stores.supply.pager,
      ({ stores: { supply } }) => {
        this.#sorted = this.#named = this.#split = undefined;
        // The rows stay where they are until all are read: they are sorted then.
        return [supply.onDidChange(() => this.isReadingOn(supplyOwner) || this.redraw())];
      },
    );
  }

  async getTreeItem(node: SupplyNode): Promise<vscode.TreeItem> {
    const { session } = this.active;
    if (node.kind === 'more' || node.kind === 'notice') return this.itemAbout(node, session.stores.supply.pager);
    const { classItem, coinItem, othersItem } = await rowDetails();
    if (node.kind === 'class') return classItem(session, node);
    if (node.kind === 'others') return othersItem(session, node.coins, this.isExpanded(node.kind));
    const isWatched = this.#isWatched(node.coin);
    return coinItem(session, node.coin, { isWatched, isOpen: this.isExpanded(stakingOwner) });
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SupplyNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'coin') return item;
    const { supply } = this.active.session.stores;
    await supply.loadOrigin(node.coin.denom, { maxAge: maxAges.screen });
    const { coinTooltip } = await rowDetails();
    setTooltip(item, coinTooltip(supply, node.coin, this.#isWatched(node.coin)));
    return item;
  }

  #isWatched({ denom }: Coin): boolean {
    return this.watched.isWatched({ kind: 'denom', sourceId: presentId(this.active.session.source), denom });
  }

  protected ownerOf(node: SupplyNode): string | undefined {
    if (node.kind === 'coin') return this.#isStaking(node.coin) ? stakingOwner : undefined;
    return node.kind === 'others' ? node.kind : undefined;
  }

  protected async loadUnder(node: SupplyNode | undefined): Promise<void> {
    // Not awaited: rows that are being made hold back every redraw.
    if (node?.kind === 'coin' && node.coin !== this.#split?.coin) void this.#readSplit(node.coin);
    if (node) return;
    const { supply } = this.active.session.stores;
    await this.load(supplyOwner, supply.pager, maxRows, () => this.#readUnits(supply));
    if (supply.pager.started) await within(this.#readUnits(supply), patience);
  }

  protected rowsUnder(node: SupplyNode | undefined): SupplyNode[] {
    if (node?.kind === 'others') return node.coins.map(coinNode);
    if (node?.kind === 'coin') return [...(this.#split?.rows ?? [])];
    if (node) return node.kind === 'notice' ? [...(node.ways ?? [])] : [];
    const { supply } = this.active.session.stores;
    const unreached = unreachedNotice(this.active.session, supply.pager);
    if (unreached) return [unreached];
    if (!this.#isSorted(supply)) return [newNotice(supplyOwner, 'loading', vscode.l10n.t('Loading…'))];
    return [...nothingFound(supplyOwner, supply), ...this.#rows(supply)];
  }

  /** Whether rows have their places: which have a symbol is known, and no more are to come. Once it is, they stay on the screen. */
  #isSorted({ pager }: SupplyStore): boolean {
    const isReady = this.#named === pager && !this.isShortOf(supplyOwner, maxRows);
    if (pager.started ? isReady : isInTrouble(pager)) this.#sorted = pager;
    return this.#sorted === pager;
  }

  /** Reads the units of a session; its rows wait for them as long as for any answer. */
  async #readUnits(supply: SupplyStore): Promise<void> {
    if (this.#named === supply.pager) return;
    await within(supply.loadUnits({ maxAge: maxAges.screen }), longSilence);
    // A session that was left meanwhile would be held.
    if (this.#named === supply.pager || supply !== this.active.session.stores.supply) return;
    this.#named = supply.pager;
    this.redraw();
  }

  #isStaking({ denom }: Coin): boolean {
    return denom === this.active.session.stores.supply.staking?.denom;
  }

  /** Never rejects: a failure is a row. */
  async #readSplit(coin: Coin): Promise<void> {
    const { session } = this.active;
    const isFresh = this.#split !== undefined;
    const show = (rows: readonly SupplyNode[]): void => {
      this.#split = { coin, rows };
    };
    show([newNotice(stakingOwner, 'loading', vscode.l10n.t('Loading…'))]);
    const { readClasses } = await rowDetails();
    const rows = await readClasses(session, coin, isFresh);
    if (this.#split?.coin !== coin || session !== this.active.session) return;
    show(rows);
    this.redraw();
  }

  #rows(supply: SupplyStore): SupplyNode[] {
    const { pager, staking, view } = supply;
    const shown = supply.shown.slice(0, maxRows);
    const listed = shown.filter(({ denom }) => denom !== staking?.denom);
    const others = listed.filter(({ denom }) => !isNamed(denom, supply.unit(denom)));
    const isAnyKnown = staking !== undefined || others.length < listed.length;
    if (view.text !== '' || view.order !== 'value' || !isAnyKnown)
      return childrenOf(pager, supplyOwner, shown.map(coinNode));
    const named = listed.slice(0, listed.length - others.length);
    const nodes = [...(staking ? [staking] : []), ...named].map(coinNode);
    if (others.length > 0) nodes.push({ kind: 'others', coins: others });
    return childrenOf(pager, supplyOwner, nodes);
  }
}

function coinNode(coin: Coin): SupplyNode {
  return { kind: 'coin', coin };
}
