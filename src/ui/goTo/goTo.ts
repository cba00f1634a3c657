import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isHttpError } from '../../api/errors.ts';
import { groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import { maxAges } from '../../session/kept.ts';
import { type AnyList, lists } from '../../session/lists.ts';
import { withRecent } from '../../session/memory.ts';
import { chainOfPage } from '../../session/registry.ts';
import { type Crawl, type Query, readQuery, Searches, toMatcher } from '../../session/search.ts';
import { type ListName, listNames, type Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { Destination } from '../../session/stored.ts';
import { causeText } from '../../words/errorWords.ts';
import { type PickItem, pickTyped, section } from '../ask.ts';
import { type ListView, listViews, type RowDoors } from '../listViews.ts';
import type { Storage } from '../storage.ts';

const recentKey = 'recentLookUps';
const maxRecent = 10;
const maxShown = 500;
const maxOfSymbol = 4;
/** Characters from which on all pages are searched. */
const leastSearched = 3;
/** Milliseconds after the last key before something is asked. */
const typingPause = 250;

/** `goal` is what accepting the item opens, with `others` where it stands for several; an item without one is information. */
type GoToItem = PickItem & { readonly goal?: Destination; readonly others?: readonly Destination[] };
type Found = Readonly<Record<'denoms' | 'rows' | 'notes', readonly GoToItem[]>>;
type Show = (items: readonly GoToItem[], title?: string) => void;

/** A box that asks for a row. */
interface RowBox {
  readonly session: Session;
  readonly title: string;
  /** Offered as long as nothing is typed. */
  readonly recent: readonly GoToItem[];
  readonly typed: string;
  /** Whose rows are offered, and said to be missing; several may be typed. Absent for all, of which one is asked for. */
  readonly lists?: readonly ListName[];
}

/** The boxes that ask for a row of a session. */
export class GoTo {
  readonly #doors: RowDoors;
  readonly #storage: Storage;
  readonly #searches = new Searches(rowItem);

  constructor(doors: RowDoors, storage: Storage) {
    this.#doors = doors;
    this.#storage = storage;
  }

  /** Asks for a row and opens it; `typed` is the initial text. */
  async open(session: Session, typed: string): Promise<void> {
    const { destinationKey, readDestinations } = await import('../../session/stored.ts');
    const read = (): readonly Destination[] => readDestinations(this.#storage.globalState.get(recentKey));
    const entries = read().filter(({ sourceId }) => sourceId === presentId(session.source));
    const recentItems = entries.slice(0, maxRecent).flatMap((entry) => recentItem(session, entry));
    const title = vscode.l10n.t('Go to proposal or denom of {0}', escapeForUi(session.source.name));
    const recent = section(vscode.l10n.t('Recent'), recentItems);
    const [goal] = await this.#ask({ session, title, recent, typed });
    if (!goal) return;
    await this.#storage.globalState.update(recentKey, withRecent(read(), goal, destinationKey));
    await viewOf(goal)?.open(session, goal.key, this.#doors);
  }

  /** Asks for what is to be watched: proposals and denoms that the chain has; none when the user leaves. */
  askToWatch(session: Session): Promise<readonly Destination[]> {
    const title = vscode.l10n.t('Watch on {0}', escapeForUi(session.source.name));
    return this.#ask({ session, title, recent: [], typed: '', lists: ['proposals', 'supply'] });
  }

  /** Asks for an id, a denom or a text that all pages are searched for; none when the user leaves. */
  async #ask(box: RowBox): Promise<readonly Destination[]> {
    const { session, title, recent, typed, lists: wanted = listNames } = box;
    const opened = new Date();
    const isWanted = ({ goal }: GoToItem): boolean => !goal || wanted.some((name) => name === goal.list);
    const several = (text: string): readonly GoToItem[] | undefined =>
      box.lists &&
      severalItems(
        session,
        text.split(',').map((part) => part.trim()),
      );
    const taken = await pickTyped<GoToItem>({
      title,
      placeHolder: box.lists
        ? vscode.l10n.t('42, a denom or symbol, the address of a proposal’s page, or text; several with commas')
        : vscode.l10n.t('42, a denom or symbol, the address of a proposal’s page, or text'),
      value: typed,
      find: (text) => (text === '' ? recent : (several(text) ?? itemsOf(session, readQuery(text)).filter(isWanted))),
      search: async (text, signal, show) => {
        if (several(text)) return;
        const showWanted: Show = (items, searching) => show(items.filter(isWanted), searching);
        await this.#search({ ...box, opened }, text, signal, showWanted).catch(() => undefined);
      },
      isChoice: ({ goal }) => goal !== undefined,
    });
    const { goal, others = [] } = taken?.item ?? {};
    return goal ? [goal, ...others] : [];
  }

  /** `opened`: when the box was. Each box asks for what is newer once. */
  async #search(
    { session, lists: wanted, opened }: RowBox & { readonly opened: Date },
    text: string,
    signal: AbortSignal,
    show: Show,
  ): Promise<void> {
    const query = readQuery(text);
    if (query.isAddress) return warnOfOtherChain(session, this.#storage.distPath, text, show);
    if (query.id !== undefined || text.length < leastSearched) return;
    let found: Found = { denoms: [], rows: [], notes: [] };
    const names = listNames.map((name) => listViews[name].texts().rows).join(', ');
    let title: string | undefined = vscode.l10n.t('Searching {0} of {1}…', names, escapeForUi(session.source.name));
    const add = (more: Partial<Found>): void => {
      found = { ...found, ...more };
      show(itemsOf(session, query, found), title);
    };
    add({});
    await setTimeout(typingPause, undefined, { signal });
    const all = Promise.all([
      askDenoms(session, query, signal).then((denoms) =>
        add({ denoms: denoms.length === 0 && wanted ? [missingDenom(session, query)] : denoms }),
      ),
      this.#searches
        .crawl(session, opened)
        .then((crawl) =>
          crawlAll({ crawl, opened }, text, signal, (rows, notes) => add({ rows: [...found.rows, ...rows], notes })),
        ),
    ]);
    const last = await all.then(
      () => ({}),
      (error: unknown) => ({ notes: [failedItem(error)] }),
    );
    title = undefined;
    add(last);
  }
}

/** One item for all entries, or one for each that is not known; undefined where there are no several. */
function severalItems(session: Session, typed: readonly string[]): readonly GoToItem[] | undefined {
  const parts = typed.filter((part) => part !== '');
  if (parts.length < 2) return undefined;
  const found = parts.map((part) => exactItems(session, readQuery(part))[0]?.goal);
  const [goal, ...others] = found.filter((known) => known !== undefined);
  const unknown = parts.filter((_, at) => found[at] === undefined);
  if (!goal || unknown.length > 0)
    return unknown.map((part) => {
      const label = vscode.l10n.t('{0} is no proposal and no loaded denom: add it by itself', escapeForUi(part));
      return { icon: 'error', label };
    });
  const label = vscode.l10n.t('{0} entries', parts.length);
  return [{ icon: 'list-unordered', label, description: parts.join(', '), goal, others }];
}

/** The id in the address of a page is of the chain that the page shows, which may be another one. */
async function warnOfOtherChain(session: Session, distPath: string, address: string, show: Show): Promise<void> {
  const { loadPresets } = await import('../../session/stored.ts');
  const chain = chainOfPage((await loadPresets(distPath)).chains, address);
  if (!chain) return;
  const detail = vscode.l10n.t(
    'The page is of {0}; {1} is asked',
    escapeForUi(chain.name),
    escapeForUi(session.source.name),
  );
  show(itemsOf(session, readQuery(address)).map((item) => ({ ...item, detail })));
}

async function askDenoms(session: Session, { denom, text }: Query, signal: AbortSignal): Promise<readonly GoToItem[]> {
  if (denom === undefined) return [];
  const { supply } = session.stores;
  const offer = async (name: string): Promise<readonly GoToItem[]> => {
    try {
      const coin = await supply.load(name, signal);
      return coin.amount > 0n ? [named(rowItem(session, lists.supply, coin), text)] : [];
    } catch (error) {
      // A node that cannot be asked may have it; one that refuses the name does not.
      if (isHttpError(error) && (error.status === 400 || error.status === 404)) return [];
      return [named({ ...keyItem(session, 'supply', name), description: causeText(error, vscode.l10n.t) }, text)];
    }
  };
  const ofSymbol = async (): Promise<(readonly GoToItem[])[]> => {
    await supply.loadUnits({ maxAge: maxAges.screen });
    return Promise.all(supply.denomsOf(text).slice(0, maxOfSymbol).map(offer));
  };
  const [exact, others] = await Promise.all([offer(denom), ofSymbol()]);
  return [...exact, ...others.flat()];
}

/** Reads on where an earlier search stopped; calls `onPage` with the rows that were read since and hold the text. */
async function crawlAll(
  { crawl, opened }: { readonly crawl: Crawl<GoToItem>; readonly opened: Date },
  text: string,
  signal: AbortSignal,
  onPage: (rows: readonly GoToItem[], notes: readonly GoToItem[]) => void,
): Promise<void> {
  let searched = 0;
  const show = (): void => {
    const rows = crawl.find(text, searched);
    searched = crawl.size;
    const counts = [...crawl.counts]
      .map(([name, count]) => `${listViews[name].texts().rows}: ${groupDigits(count)}`)
      .join(', ');
    const label = crawl.isDone
      ? vscode.l10n.t('All were searched ({0})', counts)
      : vscode.l10n.t('Searching… ({0})', counts);
    onPage(rows, [...crawl.failures.map(failedItem), { icon: crawl.isDone ? 'check-all' : 'loading~spin', label }]);
  };
  if (signal.aborted) return;
  show();
  await crawl.read(signal, show, opened);
  show();
}

function itemsOf(session: Session, query: Query, found?: Found): readonly GoToItem[] {
  const { isAddress, id } = query;
  if (isAddress && id === undefined) return [{ icon: 'error', label: vscode.l10n.t('This address names no proposal') }];
  const shown = new Map<string, GoToItem>();
  const loaded = isAddress ? [] : loadedItems(session, query);
  for (const item of [...exactItems(session, query), ...(found?.denoms ?? []), ...loaded, ...(found?.rows ?? [])]) {
    const key = item.goal ? `${item.goal.list} ${item.goal.key}` : item.label;
    if (!shown.has(key) && shown.size < maxShown) shown.set(key, item);
  }
  return [...shown.values(), ...(found?.notes ?? [])];
}

function exactItems(session: Session, { id, denom, text }: Query): GoToItem[] {
  const { proposals, supply } = session.stores;
  if (id !== undefined) {
    const known = proposals.known(id);
    return [named(known ? rowItem(session, lists.proposals, known) : keyItem(session, 'proposals', `${id}`), text)];
  }
  const symbol = text.toLowerCase();
  return supply.pager.rows
    .filter((coin) => coin.denom === denom || supply.unit(coin.denom)?.symbol.toLowerCase() === symbol)
    .map((coin) => named(rowItem(session, lists.supply, coin), text));
}

/**
 * The item with the typed text as its label. The editor sorts items by where their labels hold the text: those that begin with it
 * come first, the shortest of all, so that none comes before this one.
 */
function named(item: GoToItem, typed: string): GoToItem {
  if (typed === '') return item;
  const { label, description = '' } = item;
  return { ...item, label: typed, description: [escapeForUi(label), description].filter(Boolean).join(' · ') };
}

function loadedItems(session: Session, { text, id }: Query): GoToItem[] {
  const { stores } = session;
  const has = toMatcher(text);
  return Object.values(lists).flatMap((list) => {
    const rows = list.known(stores).filter((row) => list.keyOf(row) !== `${id}` && list.texts(stores, row).some(has));
    return rows.map((row) => rowItem(session, list, row));
  });
}

/** An item that opens a row that is known. */
function rowItem(session: Session, list: AnyList, row: unknown): GoToItem {
  const item = listViews[list.name].item(session, row);
  const goal = { list: list.name, sourceId: presentId(session.source), key: list.keyOf(row), title: item.label };
  return { ...item, goal };
}

/** One that opens what is not known yet. */
function keyItem({ source }: Session, list: ListName, key: string): GoToItem {
  const goal = { list, sourceId: presentId(source), key, title: '' };
  return { icon: list === 'proposals' ? 'note' : 'circle-outline', label: listViews[list].label(key), goal };
}

function viewOf({ list }: Destination): ListView<unknown> | undefined {
  const name = listNames.find((known) => known === list);
  return name && listViews[name];
}

function recentItem(session: Session, goal: Destination): readonly GoToItem[] {
  const view = viewOf(goal);
  const name = listNames.find((known) => known === goal.list);
  if (!view || !name) return [];
  const known = lists[name].finder(session.stores)(goal.key);
  const label = known === undefined ? goal.title || view.label(goal.key) : view.item(session, known).label;
  return [{ icon: 'history', label, goal }];
}

function missingDenom({ source }: Session, { denom, text }: Query): GoToItem {
  return {
    icon: 'error',
    label: vscode.l10n.t('{0} has no denom {1}', escapeForUi(source.name), escapeForUi(denom ?? text)),
  };
}

function failedItem(error: unknown): GoToItem {
  return { icon: 'error', label: vscode.l10n.t('Not all could be read'), detail: causeText(error, vscode.l10n.t) };
}
