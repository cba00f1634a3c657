import * as vscode from 'vscode';
import { type Coin, type DenomUnit, groupDigits } from '../../chain/coin.ts';
import type { AnyPager } from '../../chain/pager.ts';
import { isMade, isNamed, type SupplyStore } from '../../chain/supplyStore.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import { causeText } from '../../words/errorWords.ts';
import { type ClassShare, classShares, originText } from '../../words/listWords.ts';
import { amountWithRaw, denomLabel, percentText, rowAmount } from '../../words/values.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setTooltip, treeItem } from '../labels.ts';
import { ListTree, patience, within } from './listTree.ts';
import {
  childrenOf,
  isInTrouble,
  longSilence,
  type MoreNode,
  markUri,
  maxRows,
  moreItem,
  type NoticeNode,
  newNotice,
  supplyOwner,
  unreachedNotice,
  type Watched,
} from './rows.ts';

/** A row of the Supply view. `others`: the denoms whose names anyone can choose. */
export type SupplyNode =
  | { readonly kind: 'coin'; readonly coin: Coin }
  | { readonly kind: 'others'; readonly coins: readonly Coin[] }
  | { readonly kind: 'class'; readonly coin: Coin; readonly share: ClassShare }
  | MoreNode
  | NoticeNode;

type ClassNode = Extract<SupplyNode, { readonly kind: 'class' }>;

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
      ({ supply }) => supply.pager,
      ({ supply }) => {
        this.#sorted = this.#named = this.#split = undefined;
        // The rows stay where they are until all are read: they are sorted then.
        return [supply.onDidChange(() => this.isReadingOn(supplyOwner) || this.redraw())];
      },
    );
  }

  getTreeItem(node: SupplyNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    const { source, supply } = this.active.session;
    if (node.kind === 'coin') return this.#coinItem(source.id, node.coin);
    if (node.kind === 'others') return this.#othersItem(source.id, node.coins);
    if (node.kind === 'class') return classItem(source.id, node, supply.unit(node.coin.denom));
    return node.kind === 'more' ? moreItem(source.id, node, supply.pager) : this.noticeItem(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SupplyNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'coin') return item;
    const { supply } = this.active.session;
    await supply.loadOrigin(node.coin.denom).catch(() => undefined);
    const { coinTooltip } = await import('./rowDetails.ts');
    setTooltip(item, coinTooltip(supply, node.coin));
    return item;
  }

  protected ownerOf(node: SupplyNode): string | undefined {
    if (node.kind === 'coin') return this.#isStaking(node.coin) ? stakingOwner : undefined;
    return node.kind === 'others' ? node.kind : undefined;
  }

  protected async loadUnder(node: SupplyNode | undefined): Promise<void> {
    // Not awaited: rows that are being made hold back every redraw.
    if (node?.kind === 'coin' && node.coin !== this.#split?.coin) void this.#readSplit(node.coin);
    if (node) return;
    const { supply } = this.active.session;
    await this.load(supplyOwner, supply.pager, maxRows, () => this.#readUnits(supply));
    if (supply.pager.started) await within(this.#readUnits(supply), patience);
  }

  protected rowsUnder(node: SupplyNode | undefined): SupplyNode[] {
    if (node?.kind === 'others') return node.coins.map(coinNode);
    if (node?.kind === 'coin') return [...(this.#split?.rows ?? [])];
    if (node) return node.kind === 'notice' ? [...(node.ways ?? [])] : [];
    const { supply } = this.active.session;
    const unreached = unreachedNotice(this.active.session, supply.pager);
    if (unreached) return [unreached];
    if (supply.pager.started) void this.#readUnits(supply);
    if (!this.#isSorted(supply)) return [newNotice(supplyOwner, 'loading', vscode.l10n.t('Loading…'))];
    return [...this.#filterNotice(), ...this.#rows(supply)];
  }

  /** Whether rows have their places: which have a symbol is known, and no more are to come. Once it is, they stay on the screen. */
  #isSorted({ pager }: SupplyStore): boolean {
    const isReady = this.#named === pager && !this.isShortOf(supplyOwner, maxRows);
    if (pager.started ? isReady : isInTrouble(pager)) this.#sorted = pager;
    return this.#sorted === pager;
  }

  /** Reads the units of a session; its rows wait for them as long as for any answer. */
  async #readUnits(supply: SupplyStore): Promise<void> {
    await within(supply.loadUnits(), longSilence);
    if (this.#named === supply.pager) return;
    this.#named = supply.pager;
    this.redraw();
  }

  #isStaking({ denom }: Coin): boolean {
    return denom === this.active.session.supply.staking?.denom;
  }

  /** Never rejects: a failure is a row. */
  async #readSplit(coin: Coin): Promise<void> {
    const { session } = this.active;
    const isFresh = this.#split !== undefined;
    const show = (rows: readonly SupplyNode[]): void => {
      this.#split = { coin, rows };
    };
    show([newNotice(stakingOwner, 'loading', vscode.l10n.t('Loading…'))]);
    const rows = await readClasses(session, coin, isFresh).catch((error: unknown) => {
      return [newNotice(stakingOwner, 'info', causeText(error, vscode.l10n.t))];
    });
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

  #filterNotice(): NoticeNode[] {
    const { pager, shown, view } = this.active.session.supply;
    if (pager.rows.length === 0 || shown.length > 0) return [];
    const text = vscode.l10n.t('No denom contains “{0}”', escapeForUi(view.text));
    const detail = vscode.l10n.t('{0} are loaded. Go to Proposal or Denom… searches all of them.', pager.rows.length);
    return [newNotice('filter', 'empty', text, pager.hasMore ? detail : undefined)];
  }

  #othersItem(sourceId: string, coins: readonly Coin[]): vscode.TreeItem {
    const { pager } = this.active.session.supply;
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
      state: this.isExpanded('others') ? Expanded : Collapsed,
    });
  }

  #coinItem(sourceId: string, coin: Coin): vscode.TreeItem {
    const { supply, source } = this.active.session;
    const { denom, amount } = coin;
    const unit = supply.unit(denom);
    const isStaking = this.#isStaking(coin);
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const open = this.isExpanded(stakingOwner) ? Expanded : Collapsed;
    const origin = originText(supply.origin(denom), vscode.l10n.t);
    const named = isNamed(denom, unit) ? unit : undefined;
    const label = named?.symbol ?? denomLabel(denom);
    const watched = this.watched.isWatched({ kind: 'denom', sourceId: presentId(source), denom });
    return treeItem({
      id: `${sourceId}/coin/${denom}`,
      label,
      description: rowAmount(amount, named?.exponent ?? 0),
      accessibleText: [
        escapeForUi(denom),
        amountWithRaw(coin, unit),
        origin,
        ...(isStaking ? [vscode.l10n.t('staked')] : []),
      ]
        .filter(Boolean)
        .join(', '),
      icon: isStaking ? 'star-full' : undefined,
      context: watched ? 'coin.watched' : 'coin',
      state: isStaking ? open : None,
      resourceUri: markUri({ watched }),
      command: {
        command: 'chainInspector._openRow',
        title: vscode.l10n.t('Open Denom'),
        arguments: [coinNode(coin)],
      },
    });
  }
}

function coinNode(coin: Coin): SupplyNode {
  return { kind: 'coin', coin };
}

/** The owner of the rows under the staking denom. */
const stakingOwner = 'staking';

async function readClasses(session: Session, coin: Coin, isFresh: boolean): Promise<readonly SupplyNode[]> {
  const { readSplit } = await import('../../session/readSplit.ts');
  const split = await readSplit(await session.node(), coin.denom, { isFresh });
  return classShares(split, vscode.l10n.t).map((share) => ({ kind: 'class', coin, share }));
}

/** A class of the staking denom; it opens the page of the denom. */
function classItem(sourceId: string, { coin, share }: ClassNode, unit: DenomUnit | undefined): vscode.TreeItem {
  const { label, amount, points } = share;
  const parts = [rowAmount(amount, unit?.exponent ?? 0), ...(amount > 0n ? [percentText(points)] : [])];
  return treeItem({
    id: `${sourceId}/class/${label}`,
    label,
    description: parts.join(' · '),
    command: {
      command: 'chainInspector._openRow',
      title: vscode.l10n.t('Open Denom'),
      arguments: [coinNode(coin)],
    },
  });
}
