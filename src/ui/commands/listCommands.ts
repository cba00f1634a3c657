import * as vscode from 'vscode';
import { InputError, member } from '../../api/errors.ts';
import { addressFault } from '../../chain/address.ts';
import { groupDigits } from '../../chain/coin.ts';
import { isFiltering, type ListFilter, readSavedFilter, statusGroups } from '../../chain/proposal.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { type SupplyOrder, supplyOrders, wholeSupply } from '../../lists/supplyStore.ts';
import { allValidators, type ValidatorOrder, validatorOrders } from '../../lists/validatorStore.ts';
import { type AnyList, listOfOwner } from '../../session/lists.ts';
import { type KeyValueStore, keptChainId, type SourceMemory, withRecent } from '../../session/memory.ts';
import { accountPrefix } from '../../session/registry.ts';
import type { ListName, Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import { addressFaultText } from '../../words/errorWords.ts';
import { groupName } from '../../words/proposalWords.ts';
import { loadedText, orderName } from '../../words/values.ts';
import { askLive, type PickItem, pickMany, pickOne, pickTyped, section, withProgress } from '../ask.ts';
import type { FilterMemory } from '../lists/filterMemory.ts';
import { showInfo } from '../report.ts';
import { maxRows } from '../trees/rows.ts';
import { ownerOf, type RowKey, readText } from './commandArguments.ts';

/** What the commands of a list do; each takes what a key binding gives, and asks for it otherwise. */
export interface ListCommands {
  /** Commands that copy one exact value of each row: its name in the list. */
  readonly copies: Readonly<Record<string, string>>;
  filter(session: Session, given: unknown): Promise<void>;
  clear(session: Session): Promise<void> | void;
  sort?(session: Session, given: unknown): Promise<void>;
}

/** The commands of each list. */
export function listCommands(parts: FilterParts): Readonly<Record<ListName, ListCommands>> {
  return {
    proposals: {
      copies: { copyProposalId: 'id' },
      filter: (session, given) => filterProposals(session, given, parts),
      clear: (session) => parts.filters.set(session, {}),
    },
    supply: {
      copies: { copyDenom: 'denom', copyAmount: 'amount' },
      filter: ({ stores }, given) => filterByText(stores.supply, supplyTexts(), given),
      clear: ({ stores }) => stores.supply.setView(wholeSupply),
      sort: ({ stores }, given) => sortRows(stores.supply, supplyTexts(), given),
    },
    validators: {
      copies: { copyOperatorAddress: 'operator' },
      filter: ({ stores }, given) => filterByText(stores.validators, validatorTexts(), given),
      clear: ({ stores }) => stores.validators.setView(allValidators),
      sort: ({ stores }, given) => sortRows(stores.validators, validatorTexts(), given),
    },
  };
}

/** The paged list that a row stands for or belongs to. */
export function pagerOf({ stores }: Session, row: RowKey | undefined): AnyPager | undefined {
  const owner = row ? ownerOf(row) : '';
  return listOfOwner(owner)?.pager(stores, owner);
}

/** Reads a list again as far as it was read before. Rejects with the first failure, after all have ended. */
export async function refreshList(session: Session, list: AnyList): Promise<void> {
  const { stores } = session;
  const read = stores[list.name].pagers.filter(({ started, error }) => started || error !== undefined);
  await session.checkChain();
  const results = await Promise.allSettled(read.map((pager) => (pager.started ? pager.refresh() : pager.loadMore())));
  // After the rows: the staking denom is taken from them where they have it.
  if (read.length > 0) await list.renew(stores);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Reads the next page, or the list again where it was complete. A failure is shown by a row with Retry, so it is not thrown. */
export async function readFurther(pager: AnyPager | undefined): Promise<void> {
  const isComplete = pager?.started && !pager.hasMore;
  await (isComplete ? pager.refresh() : pager?.loadMore())?.catch(() => undefined);
}

/** Reads a list further, and again all others that were not read: what mends one of them mends others. */
export async function retry({ pagers }: Session, pager: AnyPager | undefined): Promise<void> {
  const others = pagers.filter((one) => one !== pager && (one.state === 'failed' || one.silence > 0));
  // Requests are shared: all are given up before any is sent again.
  for (const one of [pager, ...others]) if (one?.silence) one.stop();
  await Promise.all([pager, ...others].map(readFurther));
}

/** Reads a list to its end, with progress and Cancel; the rows read before a cancel stay. */
export async function loadAll(pager: AnyPager | undefined): Promise<void> {
  if (!pager) return;
  await readOn(pager, vscode.l10n.t('Loading all'), maxRows);
  const { paused, hasMore, rows, heightDropped } = pager;
  const notes: string[] = [];
  if (paused)
    notes.push(
      vscode.l10n.t('Stopped: the last 20 pages had no new row. The last row of the list goes on from there.'),
    );
  else if (hasMore && rows.length >= maxRows)
    notes.push(
      vscode.l10n.t(
        'Stopped at {0} rows, which is as many as a tree shows well. Export has all of them.',
        groupDigits(rows.length),
      ),
    );
  // The chain goes on while a long list is read: rows of several heights may not add up (docs/nodes.md#heights).
  if (heightDropped !== undefined)
    notes.push(vscode.l10n.t('The rows may be of several heights: {0}.', escapeForUi(heightDropped)));
  if (notes.length > 0) void showInfo(notes.join(' '));
}

function readOn(pager: AnyPager, title: string, limit: number): Promise<void> {
  return withProgress(title, async (signal, show) => {
    const onProgress = (rows: number): void => show(loadedText(rows, pager.total, true, vscode.l10n.t));
    await pager.loadAll({ signal, limit, onProgress });
  });
}

/** What a filter of proposals needs. */
interface FilterParts {
  readonly dialects: SourceMemory;
  readonly filters: FilterMemory;
  /** Not synced: recent addresses. */
  readonly globalState: KeyValueStore;
  /** Folder of the bundle: presets are there. */
  readonly distPath: string;
}

/** Asks for one part of the filter, or takes one whole. Throws `InputError` for an address not of this chain. */
async function filterProposals(session: Session, given: unknown, parts: FilterParts): Promise<void> {
  const prefix = await accountPrefixOf(session, parts);
  const isGiven = ['statuses', 'voter', 'depositor'].some((part) => member(given, part) !== undefined);
  const filter = isGiven
    ? readSavedFilter(given)
    : await askFilter(parts.globalState, session.stores.proposals.filter, prefix);
  if (!filter) return;
  for (const address of isGiven ? [filter.voter, filter.depositor] : []) {
    const fault = address ? addressFault(address, prefix) : undefined;
    if (fault) throw new InputError(`${escapeForUi(address ?? '')}: ${addressFaultText(fault, vscode.l10n.t)}`);
  }
  await parts.filters.set(session, filter);
}

type FilterItem = PickItem & { readonly ask: () => Promise<ListFilter | undefined> };

async function askFilter(
  globalState: KeyValueStore,
  filter: ListFilter,
  prefix: string | undefined,
): Promise<ListFilter | undefined> {
  const addressItem = (part: 'voter' | 'depositor', icon: string, label: string, title: string): FilterItem => ({
    icon,
    label,
    description: filter[part] ?? vscode.l10n.t('any'),
    ask: async (): Promise<ListFilter | undefined> => {
      const address = await askAddress(title, globalState, filter[part], prefix);
      return address === undefined ? undefined : { ...filter, [part]: address };
    },
  });
  const items: FilterItem[] = [
    {
      icon: 'list-selection',
      label: vscode.l10n.t('Status'),
      description: filter.statuses?.map((group) => groupName(group, vscode.l10n.t)).join(', ') ?? vscode.l10n.t('all'),
      ask: () => askStatuses(filter),
    },
    addressItem('voter', 'person', vscode.l10n.t('Voter'), vscode.l10n.t('Voted on by')),
    addressItem('depositor', 'credit-card', vscode.l10n.t('Depositor'), vscode.l10n.t('Deposited on by')),
  ];
  if (isFiltering(filter))
    items.push({ icon: 'clear-all', label: vscode.l10n.t('Clear Filter'), ask: async () => ({}) });
  const title = vscode.l10n.t('Filter proposals');
  const placeHolder = vscode.l10n.t('What to filter by, in addition to the current filter');
  return (await pickOne(items, { title, placeHolder }))?.ask();
}

/** No group means all. */
async function askStatuses(filter: ListFilter): Promise<ListFilter | undefined> {
  const items = statusGroups.map((group) => ({
    label: groupName(group, vscode.l10n.t),
    group,
    picked: filter.statuses?.includes(group) ?? true,
  }));
  const chosen = await pickMany(items, { title: vscode.l10n.t('Show proposals in') });
  return chosen && { ...filter, statuses: chosen.map(({ group }) => group) };
}

async function accountPrefixOf(
  { source, stores }: Session,
  { dialects, distPath }: FilterParts,
): Promise<string | undefined> {
  const { loadPresets } = await import('../../session/stored.ts');
  const stated = keptChainId(dialects, presentId(source));
  return accountPrefix(await loadPresets(distPath), source, { stated, proposals: stores.proposals.all() });
}

/** `address`: "" takes the address out of the filter; absent where the item cannot be chosen. */
type AddressItem = PickItem & { readonly address?: string };

/** Asks for an account address, checked at each key, or a recent one. "" for any address; undefined when the user leaves. */
async function askAddress(
  title: string,
  state: KeyValueStore,
  current?: string,
  prefix?: string,
): Promise<string | undefined> {
  const { readTexts } = await import('../../session/stored.ts');
  const recent = readTexts(state.get('recentAddresses'));
  const find = (text: string): AddressItem[] => {
    const typed = text.toLowerCase();
    const fault = addressFault(text, prefix);
    const typedItem = fault
      ? { icon: 'error', label: addressFaultText(fault, vscode.l10n.t) }
      : { icon: 'check', label: typed, address: typed };
    const offered = recent.filter((address) => address !== typed && address.includes(typed));
    const usable = offered.filter((address) => !addressFault(address, prefix));
    return [
      ...(typed === '' ? [] : [typedItem]),
      ...(current ? [{ icon: 'circle-slash', label: vscode.l10n.t('Any address'), address: '' }] : []),
      ...section(
        vscode.l10n.t('Recent'),
        usable.map((address) => ({ icon: address === current ? 'check' : undefined, label: address, address })),
      ),
    ];
  };
  const placeHolder = prefix ? vscode.l10n.t('Account address: {0}1…', prefix) : vscode.l10n.t('Account address');
  const isChoice = ({ address }: AddressItem): boolean => address !== undefined;
  const address = (await pickTyped({ title, placeHolder, find, isChoice }))?.item.address;
  if (address) await state.update('recentAddresses', withRecent(recent, address));
  return address;
}

/** A list that a text filters and that has orders, and its words. */
interface OrderedStore<Order> {
  readonly pager: AnyPager;
  readonly view: { readonly text: string; readonly order: Order };
  setView(view: { readonly text: string; readonly order: Order }): void;
}

interface OrderedTexts<Order> {
  readonly reading: string;
  readonly filter: string;
  readonly sort: string;
  readonly orders: readonly { readonly order: Order; readonly label: string; readonly detail: string }[];
}

function supplyTexts(): OrderedTexts<SupplyOrder> {
  const { t } = vscode.l10n;
  const details = {
    value: t('Denoms of the registry or with metadata by their amounts, then all others'),
    denom: t('As the chain lists them'),
    amount: t('The largest number of base units first'),
    symbol: t('By the alphabet, denoms without a symbol last'),
  };
  return {
    reading: t('Reading the whole supply'),
    filter: t('Filter supply by part of a denom or symbol'),
    sort: t('Sort supply'),
    orders: supplyOrders.map((order) => ({ order, label: orderName(order, t), detail: details[order] })),
  };
}

function validatorTexts(): OrderedTexts<ValidatorOrder> {
  const { t } = vscode.l10n;
  const names = { power: t('by power'), moniker: t('by moniker'), commission: t('by commission') };
  const details = {
    power: t('Bonded ones first, the greatest power first'),
    moniker: t('By the alphabet'),
    commission: t('The lowest first'),
  };
  return {
    reading: t('Reading all validators'),
    filter: t('Filter validators by part of a moniker or an address'),
    sort: t('Sort validators'),
    orders: validatorOrders.map((order) => ({ order, label: names[order], detail: details[order] })),
  };
}

async function readWhole(pager: AnyPager, title: string): Promise<void> {
  if (!pager.hasMore) return;
  await readOn(pager, title, Number.POSITIVE_INFINITY).catch(() => undefined);
}

/** Filters a list while the user types; Escape restores the view. A key binding may give the text. */
async function filterByText<Order>(
  store: OrderedStore<Order>,
  texts: OrderedTexts<Order>,
  given: unknown,
): Promise<void> {
  const { view } = store;
  let reading: Promise<void> | undefined;
  const show = (text: string): void => {
    reading ??= readWhole(store.pager, texts.reading);
    store.setView({ ...store.view, text: text.trim() });
  };
  const text = readText(given);
  if (text !== undefined) show(text);
  else if (!(await askLive(texts.filter, view.text, show))) store.setView(view);
  await reading;
}

/** Asks for the order of a list. A key binding may name it: `"amount"`. */
async function sortRows<Order>(store: OrderedStore<Order>, texts: OrderedTexts<Order>, given: unknown): Promise<void> {
  const items = texts.orders.map((item) => ({ ...item, icon: item.order === store.view.order ? 'check' : undefined }));
  const named = items.find(({ order }) => order === readText(given));
  const chosen = named ?? (await pickOne(items, { title: texts.sort }));
  if (!chosen) return;
  await readWhole(store.pager, texts.reading);
  store.setView({ ...store.view, order: chosen.order });
}
