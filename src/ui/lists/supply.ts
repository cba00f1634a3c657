import * as vscode from 'vscode';
import { type Coin, type DenomUnit, groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { Lists } from '../../lists/lists.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { isMade, isNamed, type Supply, type SupplyOrder, supplyOrders } from '../../lists/supply.ts';
import { maxAges } from '../../session/kept.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import { causeText } from '../../words/errorWords.ts';
import { listText } from '../../words/language.ts';
import {
  amountText,
  amountWithRaw,
  type ClassShare,
  classShares,
  denomLabel,
  originText,
  percentText,
  rowAmount,
  supplyText,
} from '../../words/values.ts';
import type { PickItem } from '../ask.ts';
import { setTooltip, treeItem, watchedMark } from '../editorTexts.ts';
import { filterByText, type OrderedTexts, sortRows } from './commands/filterAndSort.ts';
import type { ListScreen } from './listScreen.ts';
import { ListTree, readingRowDelay, type TreeParts, within } from './listTree.ts';
import {
  childrenOf,
  isInTrouble,
  longSilence,
  type MoreNode,
  maxTreeRows,
  type NoticeNode,
  newNotice,
  nothingFound,
  unreachedNotice,
} from './rows.ts';

/** The owner of the list's rows. */
const supplyOwner = 'supply';

/** The owner of the rows under the staking denom. */
const stakingOwner = 'staking';

/** A denom in the Supply view. */
interface CoinNode {
  readonly kind: 'coin';
  readonly key: string;
  readonly coin: Coin;
}

function coinNode(coin: Coin): CoinNode {
  return { kind: 'coin', key: coin.denom, coin };
}

/** A class of the staking denom's coins, in a row under it. */
interface ClassNode {
  readonly kind: 'class';
  readonly coin: Coin;
  readonly share: ClassShare;
}

/** A row of the Supply view. `others` is the group of denoms whose names anyone can choose. */
type SupplyNode =
  | CoinNode
  | { readonly kind: 'others'; readonly coins: readonly Coin[] }
  | ClassNode
  | MoreNode
  | NoticeNode;

/** The total supply: the staking denom, then known denoms by amount, then all others. */
export class SupplyTree extends ListTree<SupplyNode> {
  /** The list whose rows were shown in their order. */
  #sorted: AnyPager | undefined;
  /** The list whose symbols are known. */
  #named: AnyPager | undefined;
  /** The rows under the staking denom. They are read again for another coin, as after a refresh. */
  #split: { readonly coin: Coin; readonly rows: readonly SupplyNode[] } | undefined;

  constructor(parts: TreeParts) {
    super(parts);
    this.followSession(
      ({ lists }) => lists.supply.pager,
      (session) => {
        const { supply } = session.lists;
        const forget = (): void => {
          this.#sorted = this.#named = this.#split = undefined;
        };
        forget();
        // The rows keep their places until all are read, and are sorted then.
        const redraw = (): unknown => this.isReadingOn(supplyOwner) || this.redraw();
        return [session.onDidForget(forget), supply.onDidChange(redraw)];
      },
    );
  }

  get filterWords(): string {
    return filterWords(this.active.session.lists);
  }

  getTreeItem(node: SupplyNode): vscode.TreeItem {
    const { session } = this.active;
    if (node.kind === 'more' || node.kind === 'notice') return this.itemAbout(node, session.lists.supply.pager);
    if (node.kind === 'class') return classItem(session, node);
    if (node.kind === 'others') return othersItem(session, node.coins, this.isExpanded(node.kind));
    const isWatched = this.#isWatched(node.coin);
    return coinItem(session, node.coin, { isWatched, isOpen: this.isExpanded(stakingOwner) });
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SupplyNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'coin') return item;
    const { supply } = this.active.session.lists;
    await supply.loadOrigin(node.coin.denom, { maxAge: maxAges.screen });
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
    // Not awaited, since pending rows delay every redraw.
    if (node?.kind === 'coin' && node.coin !== this.#split?.coin) void this.#readSplit(node.coin);
    if (node) return;
    const { supply } = this.active.session.lists;
    await this.load(supplyOwner, supply.pager, maxTreeRows, () => this.#readUnits(supply));
    if (supply.pager.started) await within(this.#readUnits(supply), readingRowDelay);
  }

  protected rowsUnder(node: SupplyNode | undefined): SupplyNode[] {
    if (node?.kind === 'others') return node.coins.map(coinNode);
    if (node?.kind === 'coin') return [...(this.#split?.rows ?? [])];
    if (node) return node.kind === 'notice' ? [...(node.ways ?? [])] : [];
    const { supply } = this.active.session.lists;
    const unreached = unreachedNotice(this.active.session, supply.pager);
    if (unreached) return [unreached];
    if (!this.#isSorted(supply)) return [newNotice(supplyOwner, 'loading', vscode.l10n.t('Loading…'))];
    return [...this.#nothingFound(supply), ...this.#rows(supply)];
  }

  #nothingFound(supply: Supply): NoticeNode[] {
    const { pager, arrangement } = supply;
    const count = groupDigits(pager.rows.length);
    const detail = vscode.l10n.t('{0} loaded. Use Go to Proposal or Denom… to search all of them.', count);
    const text = vscode.l10n.t('No denom matches "{0}"', escapeForUi(arrangement.text));
    return nothingFound(supply, text, pager.hasMore ? detail : undefined);
  }

  /**
   * Whether all rows have their places, so that symbols are known and no rows are missing. From then on the rows stay
   * on the screen.
   */
  #isSorted({ pager }: Supply): boolean {
    const isReady = this.#named === pager && !this.isShortOf(supplyOwner, maxTreeRows);
    if (pager.started ? isReady : isInTrouble(pager)) this.#sorted = pager;
    return this.#sorted === pager;
  }

  /** Reads the units of a session. The rows wait for them as for any answer. */
  async #readUnits(supply: Supply): Promise<void> {
    if (this.#named === supply.pager) return;
    await within(supply.loadUnits({ maxAge: maxAges.screen }), longSilence);
    // A session that is no longer shown must not be kept.
    if (this.#named === supply.pager || supply !== this.active.session.lists.supply) return;
    this.#named = supply.pager;
    this.redraw();
  }

  #isStaking({ denom }: Coin): boolean {
    return denom === this.active.session.lists.supply.staking?.denom;
  }

  /** Reads the split of the staking denom. Never rejects, since a failure becomes a row. */
  async #readSplit(coin: Coin): Promise<void> {
    const { session } = this.active;
    const isFresh = this.#split !== undefined;
    const show = (rows: readonly SupplyNode[]): void => {
      this.#split = { coin, rows };
    };
    show([newNotice(stakingOwner, 'loading', vscode.l10n.t('Loading…'))]);
    const rows = await readClasses(session, coin, isFresh);
    if (this.#split?.coin !== coin || session !== this.active.session) return;
    show(rows);
    this.redraw();
  }

  #rows(supply: Supply): SupplyNode[] {
    const { pager, staking, arrangement } = supply;
    const shown = supply.shown.slice(0, maxTreeRows);
    const listed = shown.filter(({ denom }) => denom !== staking?.denom);
    const others = listed.filter(({ denom }) => !isNamed(denom, supply.unit(denom)));
    const isAnyKnown = staking !== undefined || others.length < listed.length;
    if (arrangement.text !== '' || arrangement.order !== 'value' || !isAnyKnown)
      return childrenOf(pager, supplyOwner, shown.map(coinNode));
    const named = listed.slice(0, listed.length - others.length);
    const nodes: SupplyNode[] = [...(staking ? [staking] : []), ...named].map(coinNode);
    if (others.length > 0) nodes.push({ kind: 'others', coins: others });
    return childrenOf(pager, supplyOwner, nodes);
  }
}

/** The lines of the tooltip of a denom. */
function coinTooltip(supply: Supply, coin: Coin, isWatched: boolean): string[] {
  const { denom, amount } = coin;
  const unit = supply.unit(denom);
  const facts = [
    originText(supply.origin(denom), vscode.l10n.t),
    denom === supply.staking?.denom ? vscode.l10n.t('Staked') : '',
    isWatched ? vscode.l10n.t('Watched') : '',
  ];
  return [
    denom,
    ...facts.filter(Boolean),
    ...(unit ? [unitText(coin, unit)] : []),
    vscode.l10n.t('{0} base units', groupDigits(amount)),
  ];
}

function unitText(coin: Coin, unit: DenomUnit): string {
  const amount = amountText(coin, unit);
  return unit.source === 'chain'
    ? vscode.l10n.t('{0} (exponent {1}, from chain metadata)', amount, unit.exponent)
    : vscode.l10n.t('{0} (exponent {1} of {2}, from the chain registry)', amount, unit.exponent, coin.denom);
}

/** The command that opens the page of a denom. */
function openDenom(coin: Coin): vscode.Command {
  const title = vscode.l10n.t('Open Denom');
  return { command: 'chainInspector._openRow', title, arguments: [coinNode(coin)] };
}

/** The item of a denom. `isOpen`: whether the classes of the staking denom are expanded. */
function coinItem(
  { source, lists: { supply } }: Session,
  coin: Coin,
  { isWatched, isOpen }: { readonly isWatched: boolean; readonly isOpen: boolean | undefined },
): vscode.TreeItem {
  const { denom, amount } = coin;
  const unit = supply.unit(denom);
  const isStaking = denom === supply.staking?.denom;
  const staked = isStaking ? vscode.l10n.t('staked') : '';
  const origin = originText(supply.origin(denom), vscode.l10n.t);
  const named = isNamed(denom, unit) ? unit : undefined;
  return treeItem({
    id: `${source.id}/coin/${denom}`,
    label: named?.symbol ?? denomLabel(denom),
    description: `${isWatched ? watchedMark : ''}${rowAmount(amount, named?.exponent ?? 0)}`,
    accessibleText: listText([escapeForUi(denom), amountWithRaw(coin, unit), origin, staked], vscode.l10n.t),
    icon: isStaking ? 'star-full' : undefined,
    context: isWatched ? 'coin.watched' : 'coin',
    state: isStaking ? openState(isOpen) : vscode.TreeItemCollapsibleState.None,
    isWatched,
    command: openDenom(coin),
  });
}

function openState(isOpen: boolean | undefined): vscode.TreeItemCollapsibleState {
  return isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}

/** The item of the group of denoms whose names anyone can choose. */
function othersItem({ source, lists }: Session, coins: readonly Coin[], isOpen: boolean | undefined): vscode.TreeItem {
  const { pager } = lists.supply;
  const count = groupDigits(coins.length);
  return treeItem({
    id: `${source.id}/others`,
    label: coins.every(({ denom }) => isMade(denom))
      ? vscode.l10n.t('Factory, IBC, ERC-20')
      : vscode.l10n.t('Other Denoms'),
    description: pager.hasMore ? vscode.l10n.t('{0} of the first {1}', count, groupDigits(pager.rows.length)) : count,
    context: 'others',
    state: openState(isOpen),
  });
}

/** The rows under the staking denom. Never rejects, since a failure becomes a row. */
async function readClasses(
  session: Session,
  coin: Coin,
  isFresh: boolean,
): Promise<readonly (ClassNode | NoticeNode)[]> {
  try {
    const { readSplit } = await import('../../reads/readSplit.ts');
    const split = await readSplit(session, coin.denom, { maxAge: isFresh ? 0 : maxAges.screen });
    return classShares(split, vscode.l10n.t).map((share) => ({ kind: 'class', coin, share }));
  } catch (error) {
    return [newNotice(stakingOwner, 'info', causeText(error, vscode.l10n.t))];
  }
}

/** The item of a class of the staking denom. It opens the page of the denom. */
function classItem({ source, lists }: Session, { coin, share }: ClassNode): vscode.TreeItem {
  const { label, amount, points } = share;
  const exponent = lists.supply.unit(coin.denom)?.exponent ?? 0;
  const parts = [rowAmount(amount, exponent), ...(amount > 0n ? [percentText(points, amount)] : [])];
  const id = `${source.id}/class/${label}`;
  return treeItem({ id, label, description: parts.join(' · '), command: openDenom(coin) });
}

/** The words and commands of Supply. */
export const supplyScreen: ListScreen<Coin> = {
  icon: 'circle-outline',
  texts: () => ({
    title: vscode.l10n.t('Supply'),
    name: vscode.l10n.t('supply'),
    rows: vscode.l10n.t('denoms'),
    loaded: vscode.l10n.t('Loaded supply'),
    selected: vscode.l10n.t('Selected rows in Supply'),
  }),
  filterWords,
  item({ lists }, { denom, amount }): Pick<PickItem, 'label' | 'description'> {
    const symbol = lists.supply.unit(denom)?.symbol;
    const description = [...(symbol ? [symbol] : []), groupDigits(amount)].join(' · ');
    return { label: this.label(denom), description };
  },
  label: (key) => vscode.l10n.t('Supply of {0}', escapeForUi(key)),
  async open({ source }, denom, { panels, fromRow }): Promise<void> {
    await (await panels.load()).showDenom({ sourceId: source.id, denom }, fromRow);
  },
  link: (denom) => ({ kind: 'denom', denom }),
  copies: { copyDenom: 'denom', copyAmount: 'amount' },
  filter: ({ lists }, given) => filterByText(lists.supply, orderedTexts(), given),
  clear: ({ lists }) => lists.supply.clearArrangement(),
  sort: ({ lists }, given) => sortRows(lists.supply, orderedTexts(), given),
};

function filterWords({ supply: { arrangement, shown, pager } }: Lists): string {
  return supplyText(arrangement, shown.length, pager.rows.length, vscode.l10n.t);
}

function orderedTexts(): OrderedTexts<SupplyOrder> {
  const { t } = vscode.l10n;
  const names = {
    value: t('Known denoms first'),
    denom: t('By denom'),
    amount: t('By amount in base units'),
    symbol: t('By symbol'),
  };
  const details = {
    value: t('Known denoms by amount, then all others'),
    denom: t('In chain order'),
    amount: t('Largest first'),
    symbol: t('A–Z, denoms without a symbol last'),
  };
  return {
    reading: t('Loading the full supply'),
    filter: t('Filter supply by part of a denom or symbol'),
    sort: t('Sort supply'),
    orders: supplyOrders.map((order) => ({ order, label: names[order], detail: details[order] })),
  };
}
