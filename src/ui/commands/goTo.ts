import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isHttpError } from '../../api/errors.ts';
import type { ChainNode } from '../../api/node.ts';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import { groupOf, type ProposalRow } from '../../chain/proposal.ts';
import { withRecent } from '../../session/memory.ts';
import { chainOfPage } from '../../session/registry.ts';
import { Crawl, type Query, readQuery, textsOf, toMatcher } from '../../session/search.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { Destination } from '../../session/stored.ts';
import { causeText } from '../../words/errorWords.ts';
import { plain } from '../../words/plain.ts';
import { groupName, proposalLabel } from '../../words/proposalWords.ts';
import { type PickItem, pickTyped, section } from '../ask.ts';
import { openDenom } from '../denomDocument.ts';
import type { Documents } from '../documents.ts';
import type { ProposalPanels } from '../panel/panels.ts';

interface GoToContext {
  readonly documents: Documents;
  readonly panels: ProposalPanels;
  /** Not synced: recent destinations. */
  readonly globalState: vscode.Memento;
  /** Folder of the bundle: presets are there. */
  readonly distPath: string;
  readonly session: Session;
  readonly crawls: Crawls;
}

/** One crawl for each chain that is open: it ends with the node, as when a file is read again. */
export type Crawls = WeakMap<ChainNode, Crawl<GoToItem>>;

const recentKey = 'recentLookUps';
const mostRecent = 10;
const mostShown = 500;
const mostOfSymbol = 4;
/** Characters from which on all pages are searched. */
const leastSearched = 3;
/** Milliseconds after the last key before something is asked. */
const typingPause = 250;

/** `goal` is what accepting the item opens; an item without one is information. */
type GoToItem = PickItem & { readonly goal?: Destination };
type Found = Readonly<Record<'denoms' | 'rows' | 'notes', readonly GoToItem[]>>;
type Show = (items: readonly GoToItem[]) => void;

/** Asks for an id, a denom or a text that all pages are searched for, and opens the item; `typed` is the initial text. */
export async function goTo(context: GoToContext, typed: string): Promise<void> {
  const { globalState, session, documents, panels } = context;
  const { destinationKey, readDestinations } = await import('../../session/stored.ts');
  const read = () => readDestinations(globalState.get(recentKey));
  const recent = read().filter(({ sourceId }) => sourceId === presentId(session.source));
  const recentItems = recent.slice(0, mostRecent).map((entry) => recentItem(session, entry));
  const taken = await pickTyped<GoToItem>({
    title: vscode.l10n.t('Go to proposal or denom of {0}', plain(session.source.name)),
    placeHolder: vscode.l10n.t('42, a denom or symbol, the address of a proposal’s page, or text'),
    value: typed,
    find: (text) => (text === '' ? section(vscode.l10n.t('Recent'), recentItems) : itemsOf(session, readQuery(text))),
    search: (text, signal, show) => search(context, text, signal, show).catch(() => undefined),
    isChoice: ({ goal }) => goal !== undefined,
  });
  const goal = taken?.item.goal;
  if (!goal) return;
  await globalState.update(recentKey, withRecent(read(), goal, destinationKey));
  if (goal.kind === 'denom') await openDenom(session, documents, goal.denom);
  else await panels.show({ sourceId: session.source.id, id: BigInt(goal.id) });
}

async function search(context: GoToContext, text: string, signal: AbortSignal, show: Show): Promise<void> {
  const { session } = context;
  const query = readQuery(text);
  if (query.isAddress) return warnOfOtherChain(context, text, show);
  if (query.id !== undefined || text.length < leastSearched) return;
  let found: Found = { denoms: [], rows: [], notes: [] };
  const add = (more: Partial<Found>) => {
    found = { ...found, ...more };
    show(itemsOf(session, query, found));
  };
  await setTimeout(typingPause, undefined, { signal });
  const all = Promise.all([
    askDenoms(session, query, signal).then((denoms) => add({ denoms })),
    crawlAll(context, text, signal, (rows, notes) => add({ rows: [...found.rows, ...rows], notes })),
  ]);
  await all.catch((error: unknown) => add({ notes: [failedItem(error)] }));
}

/** The id in the address of a page is of the chain that the page shows, which may be another one. */
async function warnOfOtherChain({ session, distPath }: GoToContext, address: string, show: Show): Promise<void> {
  const { loadPresets } = await import('../../session/stored.ts');
  const chain = chainOfPage((await loadPresets(distPath)).chains, address);
  if (!chain) return;
  const detail = vscode.l10n.t('The page is of {0}; {1} is asked', plain(chain.name), plain(session.source.name));
  show(itemsOf(session, readQuery(address)).map((item) => ({ ...item, detail })));
}

async function askDenoms(session: Session, { denom, text }: Query, signal: AbortSignal): Promise<readonly GoToItem[]> {
  if (denom === undefined) return [];
  const { supply } = session;
  const offer = async (name: string): Promise<readonly GoToItem[]> => {
    try {
      const coin = await supply.load(name, signal);
      return coin.amount > 0n ? [named(coinItem(session, coin), text)] : [];
    } catch (error) {
      // A node that cannot be asked may have it; one that refuses the name does not.
      if (isHttpError(error) && (error.status === 400 || error.status === 404)) return [];
      return [named({ ...denomItem(session, name), description: causeText(error, vscode.l10n.t) }, text)];
    }
  };
  const ofSymbol = async () => {
    await supply.loadUnits().catch(() => undefined);
    return Promise.all(supply.denomsOf(text).slice(0, mostOfSymbol).map(offer));
  };
  const [exact, others] = await Promise.all([offer(denom), ofSymbol()]);
  return [...exact, ...others.flat()];
}

/** Reads on where an earlier search stopped; calls `onPage` with the rows that were read since and hold the text. */
async function crawlAll(
  { session, crawls }: GoToContext,
  text: string,
  signal: AbortSignal,
  onPage: (rows: readonly GoToItem[], notes: readonly GoToItem[]) => void,
): Promise<void> {
  const node = await session.node();
  const toItems = {
    proposal: (row: ProposalRow) => proposalItem(session, row),
    coin: (coin: Coin) => coinItem(session, coin),
  };
  const crawl = crawls.get(node) ?? new Crawl<GoToItem>(session, node, toItems);
  crawls.set(node, crawl);
  let searched = 0;
  const show = () => {
    const rows = crawl.find(text, searched);
    searched = crawl.size;
    const { proposals, denoms } = crawl.counts;
    const label = crawl.isDone
      ? vscode.l10n.t('All were searched (proposals: {0}, denoms: {1})', proposals, denoms)
      : vscode.l10n.t('Searching… (proposals: {0}, denoms: {1})', proposals, denoms);
    onPage(rows, [...crawl.failures.map(failedItem), { icon: crawl.isDone ? 'check-all' : 'loading~spin', label }]);
  };
  if (signal.aborted) return;
  show();
  await crawl.read(signal, show);
  show();
}

function itemsOf(session: Session, query: Query, found?: Found): readonly GoToItem[] {
  const { isAddress, id } = query;
  if (isAddress && id === undefined) return [{ icon: 'error', label: vscode.l10n.t('This address names no proposal') }];
  const shown = new Map<string, GoToItem>();
  const loaded = isAddress ? [] : loadedItems(session, query);
  for (const item of [...exactItems(session, query), ...(found?.denoms ?? []), ...loaded, ...(found?.rows ?? [])]) {
    const key = item.goal?.kind === 'proposal' ? `#${item.goal.id}` : (item.goal?.denom ?? item.label);
    if (!shown.has(key) && shown.size < mostShown) shown.set(key, item);
  }
  return [...shown.values(), ...(found?.notes ?? [])];
}

function exactItems(session: Session, { id, denom, text }: Query): GoToItem[] {
  const { proposals, supply } = session;
  if (id !== undefined) {
    const known = proposals.known(id);
    const unknown = {
      icon: 'note',
      label: vscode.l10n.t('Proposal #{0}', `${id}`),
      goal: proposalGoal(session, id, ''),
    };
    return [named(known ? proposalItem(session, known) : unknown, text)];
  }
  const symbol = text.toLowerCase();
  return supply.pager.rows
    .filter((coin) => coin.denom === denom || supply.unit(coin.denom)?.symbol.toLowerCase() === symbol)
    .map((coin) => named(coinItem(session, coin), text));
}

/**
 * The item with the typed text as its label. The editor sorts items by where their labels hold the text: those that begin with it
 * come first, the shortest of all, so that none comes before this one.
 */
function named(item: GoToItem, typed: string): GoToItem {
  if (typed === '') return item;
  const { label, description = '' } = item;
  return { ...item, label: typed, description: [plain(label), description].filter(Boolean).join(' · ') };
}

function loadedItems(session: Session, { text, id }: Query): GoToItem[] {
  const { proposals, supply } = session;
  const has = toMatcher(text);
  const rows = [...proposals.all()].filter((row) => row.id !== id && textsOf(row).some(has));
  const coins = supply.pager.rows.filter(({ denom }) => [denom, supply.unit(denom)?.symbol ?? ''].some(has));
  return [
    ...rows.sort((a, b) => (a.id < b.id ? 1 : -1)).map((row) => proposalItem(session, row)),
    ...coins.map((coin) => coinItem(session, coin)),
  ];
}

function proposalGoal({ source }: Session, id: bigint, title: string): Destination {
  return { kind: 'proposal', sourceId: presentId(source), id: `${id}`, title };
}

function proposalItem(session: Session, row: ProposalRow): GoToItem {
  const label = proposalLabel(row, vscode.l10n.t);
  return {
    icon: 'note',
    label,
    description: groupName(groupOf(row), vscode.l10n.t),
    goal: proposalGoal(session, row.id, label),
  };
}

function coinItem(session: Session, { denom, amount }: Coin): GoToItem {
  const symbol = session.supply.unit(denom)?.symbol;
  return { ...denomItem(session, denom), description: [...(symbol ? [symbol] : []), groupDigits(amount)].join(' · ') };
}

function denomItem({ source }: Session, denom: string): GoToItem {
  const label = vscode.l10n.t('Supply of {0}', plain(denom));
  return { icon: 'circle-outline', label, goal: { kind: 'denom', sourceId: presentId(source), denom } };
}

function recentItem(session: Session, goal: Destination): GoToItem {
  if (goal.kind === 'denom') return { ...denomItem(session, goal.denom), icon: 'history' };
  const known = session.proposals.known(BigInt(goal.id));
  return { icon: 'history', label: known ? proposalLabel(known, vscode.l10n.t) : goal.title || `#${goal.id}`, goal };
}

function failedItem(error: unknown): GoToItem {
  return { icon: 'error', label: vscode.l10n.t('Not all could be read'), detail: causeText(error, vscode.l10n.t) };
}
