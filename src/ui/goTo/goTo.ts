import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isHttpError } from '../../api/errors.ts';
import { groupDigits } from '../../chain/coin.ts';
import { isRunning } from '../../chain/gov/proposal.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AnyList, ListName } from '../../lists/lists.ts';
import { type Crawl, readQuery, Searches, type SearchQuery, toMatcher } from '../../reads/search.ts';
import { maxAges } from '../../session/kept.ts';
import { withRecent } from '../../session/memory.ts';
import { chainOfPage } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { Destination } from '../../session/stored.ts';
import { causeText } from '../../words/errorWords.ts';
import { listText } from '../../words/language.ts';
import { proposalTiming } from '../../words/proposalWords.ts';
import { type PickItem, pickTyped, type ShowItems, underHeading } from '../ask.ts';
import type { RowDoors } from '../lists/listScreen.ts';
import { listScreens } from '../lists/listScreens.ts';
import { language } from '../settings.ts';
import type { Storage } from '../storage.ts';

const recentKey = 'recentLookUps';
const maxRecentShown = 10;
/** The number of votes that end soonest. They are offered before anything is typed. */
const maxEnding = 5;
const maxItems = 500;
const maxOfSymbol = 4;
/** The shortest text that all pages are searched for. */
const leastSearched = 3;
/** The time after the last key press before a source is asked. In milliseconds. */
const typingPause = 250;

/**
 * An accepted item opens its `goal`, and `others` if it stands for several rows. An item without a goal is information.
 */
type GoToItem = PickItem & { readonly goal?: Destination; readonly others?: readonly Destination[] };
type Found = Readonly<Record<'denoms' | 'rows' | 'notes', readonly GoToItem[]>>;
type Show = ShowItems<GoToItem>;

/** A box that asks for a row. */
interface RowBox {
  readonly session: Session;
  readonly title: string;
  /** Offered while nothing is typed. */
  readonly recent: readonly GoToItem[];
  readonly typed: string;
  /** The lists whose rows are offered. Several rows may be typed. If absent, one row of any list is asked for. */
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

  /** Asks for a row and opens it. `typed` is the initial text. */
  async open(session: Session, typed: string): Promise<void> {
    const { destinationKey, readDestinations } = await import('../../session/stored.ts');
    const read = (): readonly Destination[] => readDestinations(this.#storage.globalState.get(recentKey));
    const title = vscode.l10n.t('Go to proposal or denom on {0}', escapeForUi(session.source.name));
    const [goal] = await this.#ask({ session, title, recent: emptyItems(session, read()), typed });
    if (!goal) return;
    await this.#storage.globalState.update(recentKey, withRecent(read(), goal, destinationKey));
    const list = listNamed(session, goal.list);
    if (list) await listScreens[list.name].open(session, goal.key, this.#doors);
  }

  /** Asks for proposals and denoms to watch. Empty if the user cancels. */
  async askToWatch(session: Session): Promise<readonly Destination[]> {
    const { readDestinations } = await import('../../session/stored.ts');
    const title = vscode.l10n.t('Watch on {0}', escapeForUi(session.source.name));
    const known = readDestinations(this.#storage.globalState.get(recentKey));
    const lists = ['proposals', 'supply'] as const;
    const recent = emptyItems(
      session,
      known.filter(({ list }) => lists.some((name) => name === list)),
    );
    return this.#ask({ session, title, recent, typed: '', lists });
  }

  /** Asks for an id, a denom, or a text that all pages are searched for. Empty if the user cancels. */
  async #ask(box: RowBox): Promise<readonly Destination[]> {
    const { session, title, recent, typed, lists: wanted } = box;
    const opened = new Date();
    const isWanted = ({ goal }: GoToItem): boolean => !goal || !wanted || wanted.some((name) => name === goal.list);
    const several = (text: string): readonly GoToItem[] | undefined =>
      box.lists &&
      severalItems(
        session,
        text.split(',').map((part) => part.trim()),
      );
    const taken = await pickTyped<GoToItem>({
      title,
      placeHolder: box.lists
        ? vscode.l10n.t('Proposal IDs, denoms, symbols, links or text, separated by commas')
        : vscode.l10n.t('Proposal ID, denom, symbol, text or link to a proposal'),
      value: typed,
      find: (text) => (text === '' ? recent : (several(text) ?? goToItems(session, readQuery(text)).filter(isWanted))),
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

  /** `opened` is the time at which the box opened. Each box asks once for newer rows. */
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
    const names = listText(
      Object.values<AnyList>(session.lists).map(({ name }) => listScreens[name].texts().rows),
      vscode.l10n.t,
    );
    let title: string | undefined = vscode.l10n.t('Searching {1} for {0}…', names, escapeForUi(session.source.name));
    const add = (more: Partial<Found>): void => {
      found = { ...found, ...more };
      show(goToItems(session, query, found), title);
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

/** One item for all typed entries, or one item for each unknown entry. Undefined for fewer than two entries. */
function severalItems(session: Session, typed: readonly string[]): readonly GoToItem[] | undefined {
  const parts = typed.filter((part) => part !== '');
  if (parts.length < 2) return undefined;
  const found = parts.map((part) => exactItems(session, readQuery(part))[0]?.goal);
  const [goal, ...others] = found.filter((known) => known !== undefined);
  const unknown = parts.filter((_, at) => found[at] === undefined);
  if (!goal || unknown.length > 0)
    return unknown.map((part) => {
      const label = vscode.l10n.t('{0} is not a proposal or a loaded denom. Add it separately.', escapeForUi(part));
      return { icon: 'error', label };
    });
  const label = vscode.l10n.t('{0} entries', parts.length);
  return [{ icon: 'list-unordered', label, description: listText(parts, vscode.l10n.t), goal, others }];
}

/** Warns of a proposal's page whose chain may be another one than the shown chain. */
async function warnOfOtherChain(session: Session, distPath: string, address: string, show: Show): Promise<void> {
  const { loadPresets } = await import('../../session/stored.ts');
  const chain = chainOfPage((await loadPresets(distPath)).chains, address);
  if (!chain) return;
  const detail = vscode.l10n.t(
    'The link is for {0}, but {1} is shown.',
    escapeForUi(chain.name),
    escapeForUi(session.source.name),
  );
  show(goToItems(session, readQuery(address)).map((item) => ({ ...item, detail })));
}

async function askDenoms(
  session: Session,
  { denom, text }: SearchQuery,
  signal: AbortSignal,
): Promise<readonly GoToItem[]> {
  if (denom === undefined) return [];
  const { supply } = session.lists;
  const offer = async (name: string): Promise<readonly GoToItem[]> => {
    try {
      const coin = await supply.load(name, signal);
      return coin.amount > 0n ? [named(rowItem(session, supply, coin), text)] : [];
    } catch (error) {
      // A node without an answer may have the denom. A node that refuses the name does not.
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

/** Continues an earlier search. Calls `onPage` with further rows that contain the text. */
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
    const counts = listText(
      [...crawl.counts].map(([name, count]) =>
        vscode.l10n.t('{0}: {1}', listScreens[name].texts().rows, groupDigits(count)),
      ),
      vscode.l10n.t,
    );
    const label = crawl.isDone
      ? vscode.l10n.t('Searched all ({0})', counts)
      : vscode.l10n.t('Searching… ({0})', counts);
    onPage(rows, [...crawl.failures.map(failedItem), { icon: crawl.isDone ? 'check-all' : 'loading~spin', label }]);
  };
  if (signal.aborted) return;
  show();
  await crawl.read(signal, show, opened);
  show();
}

function goToItems(session: Session, query: SearchQuery, found?: Found): readonly GoToItem[] {
  const { isAddress, id } = query;
  if (isAddress && id === undefined)
    return [{ icon: 'error', label: vscode.l10n.t('This link does not point to a proposal') }];
  const shown = new Map<string, GoToItem>();
  const loaded = isAddress ? [] : loadedItems(session, query);
  for (const item of [...exactItems(session, query), ...(found?.denoms ?? []), ...loaded, ...(found?.rows ?? [])]) {
    const key = item.goal ? `${item.goal.list} ${item.goal.key}` : item.label;
    if (!shown.has(key) && shown.size < maxItems) shown.set(key, item);
  }
  return [...namedFirst([...shown.values()], query.text), ...(found?.notes ?? [])];
}

/** How VS Code compares labels: `1` before `12`. */
const labelOrder = new Intl.Collator('en', { numeric: true });

/**
 * Items whose label holds the text, denoms last and by their names, then all others. VS Code lists items so, and scrolls
 * to the one that is first here.
 */
function namedFirst(items: readonly GoToItem[], text: string): readonly GoToItem[] {
  const has = toMatcher(text);
  const isDenom = ({ goal, label }: GoToItem): boolean => goal?.list === 'supply' && label !== text;
  const named = items.filter(({ label }) => has(label));
  const denoms = named.filter(isDenom).sort((a, b) => labelOrder.compare(a.label, b.label));
  return [...named.filter((item) => !isDenom(item)), ...denoms, ...items.filter(({ label }) => !has(label))];
}

function exactItems(session: Session, { id, denom, text }: SearchQuery): GoToItem[] {
  const { proposals, supply } = session.lists;
  if (id !== undefined) {
    const known = proposals.find(id);
    return [named(known ? rowItem(session, proposals, known) : keyItem(session, 'proposals', `${id}`), text)];
  }
  const symbol = text.toLowerCase();
  return supply.pager.rows
    .filter((coin) => coin.denom === denom || supply.unit(coin.denom)?.symbol.toLowerCase() === symbol)
    .map((coin) => named(rowItem(session, supply, coin), text));
}

/**
 * An item with the typed text as its label. VS Code ranks items by the place of the text in their labels, so this item
 * stays first.
 */
function named(item: GoToItem, typed: string): GoToItem {
  if (typed === '') return item;
  const { label, description = '' } = item;
  return { ...item, label: typed, description: [escapeForUi(label), description].filter(Boolean).join(' · ') };
}

function loadedItems(session: Session, { text, id }: SearchQuery): GoToItem[] {
  const has = toMatcher(text);
  return Object.values<AnyList>(session.lists).flatMap((list) => {
    const rows = list.loaded.filter((row) => list.keyOf(row) !== `${id}` && list.texts(row).some(has));
    return rows.map((row) => rowItem(session, list, row));
  });
}

/** An item that opens a known row. */
function rowItem(session: Session, list: AnyList, row: unknown): GoToItem {
  const screen = listScreens[list.name];
  const item = screen.item(session, row);
  const goal = { list: list.name, sourceId: presentId(session.source), key: list.keyOf(row), title: item.label };
  return { icon: screen.icon, ...item, goal };
}

/** An item that opens a row that is not loaded. */
function keyItem({ source }: Session, list: ListName, key: string): GoToItem {
  const goal = { list, sourceId: presentId(source), key, title: '' };
  const { icon } = listScreens[list];
  return { icon, label: listScreens[list].label(key), goal };
}

function listNamed({ lists }: Session, wanted: string): AnyList | undefined {
  return Object.values<AnyList>(lists).find(({ name }) => name === wanted);
}

/** The items before anything is typed: rows that were opened before, and the loaded votes that end soonest. */
function emptyItems(session: Session, entries: readonly Destination[]): readonly GoToItem[] {
  const { proposals } = session.lists;
  const own = entries.filter(({ sourceId }) => sourceId === presentId(session.source)).slice(0, maxRecentShown);
  const now = session.stillTime ?? new Date();
  const isListed = (key: string): boolean => own.some((entry) => entry.list === proposals.name && entry.key === key);
  const ending = proposals.rows('voting').filter((row) => {
    return row.kind === 'proposal' && isRunning(row, now) && !isListed(`${row.id}`);
  });
  return [
    ...underHeading(
      vscode.l10n.t('Recent'),
      own.flatMap((entry) => recentItem(session, entry)),
    ),
    ...underHeading(
      vscode.l10n.t('Voting ends soon'),
      ending.slice(0, maxEnding).map((row) => {
        return { ...rowItem(session, proposals, row), description: proposalTiming(row, now, language(), 'short') };
      }),
    ),
  ];
}

function recentItem(session: Session, goal: Destination): readonly GoToItem[] {
  const list = listNamed(session, goal.list);
  if (!list) return [];
  const screen = listScreens[list.name];
  const row = list.finder()(goal.key);
  const label = row === undefined ? goal.title || screen.label(goal.key) : screen.item(session, row).label;
  return [{ icon: 'history', label, goal }];
}

function missingDenom({ source }: Session, { denom, text }: SearchQuery): GoToItem {
  return {
    icon: 'error',
    label: vscode.l10n.t('{0} has no denom {1}', escapeForUi(source.name), escapeForUi(denom ?? text)),
  };
}

function failedItem(error: unknown): GoToItem {
  return {
    icon: 'error',
    label: vscode.l10n.t('Some results could not be loaded'),
    detail: causeText(error, vscode.l10n.t),
  };
}
