import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isHttpError } from '../../api/errors.ts';
import type { ChainNode } from '../../api/open.ts';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import { groupOf, type ProposalRow } from '../../chain/proposal.ts';
import { withRecent } from '../../session/memory.ts';
import { chainOfPage } from '../../session/registry.ts';
import { Crawl, type Query, readQuery, textsOf, toMatcher } from '../../session/search.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { Destination } from '../../session/stored.ts';
import { answerOf, createPick, type PickItem, section } from '../ask.ts';
import { plain } from '../plain.ts';
import { reasonText } from '../report.ts';
import { groupName, proposalLabel } from '../words.ts';
import type { CommandContext } from './command.ts';
import { openDenom } from './denom.ts';

export interface GoToContext extends Pick<CommandContext, 'documents' | 'globalState' | 'distPath' | 'panels'> {
  readonly session: Session;
  readonly crawls: Crawls;
}

/** One crawl for each chain that is open: it ends with the node, as when a file is read again. */
export type Crawls = WeakMap<ChainNode, Crawl<GoToItem>>;

/**
 * Opens what is typed or pasted: a proposal by its id or the address of its page, a denom by its name or symbol, or a match
 * of a text in the loaded rows and, from three characters on, in all pages. `typed` is the initial text.
 */
export async function goTo(context: GoToContext, typed: string): Promise<void> {
  const { globalState, session } = context;
  const { destinationKey, readDestinations } = await import('../../session/stored.ts');
  const read = () => readDestinations(globalState.get(recentKey));
  const recent = read().filter(({ sourceId }) => sourceId === presentId(session.source));
  const goal = await new GoToBox(context, recent.slice(0, mostRecent)).ask(typed);
  if (!goal) return;
  await globalState.update(recentKey, withRecent(read(), goal, destinationKey));
  if (goal.kind === 'denom') await openDenom(session, context.documents, goal.denom);
  else await context.panels.show({ sourceId: session.source.id, id: BigInt(goal.id) });
}

const recentKey = 'recentLookUps';
/** Recent destinations that are offered. */
const mostRecent = 10;
/** Matches that are shown. */
const mostShown = 500;
/** Denoms of one symbol that are asked for. */
const mostOfSymbol = 4;
/** Characters from which on all pages are searched. */
const leastSearched = 3;
/** Milliseconds after the last key before something is asked. */
const typingPause = 250;

/** `goal` is what accepting the item opens; an item without one is information. */
interface GoToItem extends PickItem {
  readonly goal?: Destination;
}

/** The box: what the text may mean and loaded matches at each key, then what is asked and read of the chain. */
class GoToBox {
  readonly #context: GoToContext;
  readonly #recent: readonly Destination[];
  readonly #box = createPick<GoToItem>();
  #query = readQuery('');
  #search = new AbortController();
  /** What asking and reading has found for the text so far. */
  #found = noneFound();
  /** Enter was pressed before there was anything to open: the first denom that is found is. */
  #isAccepted = false;
  #open: (goal: Destination) => void = () => undefined;
  /** The item that the user moved to, kept while matches are added; the editor itself activates the first one. */
  #chosen: GoToItem | undefined;
  #itemsAreNew = true;

  constructor(context: GoToContext, recent: readonly Destination[]) {
    this.#context = context;
    this.#recent = recent;
    this.#box.set({
      title: vscode.l10n.t('Go to proposal or denom of {0}', plain(context.session.source.name)),
      placeHolder: vscode.l10n.t('42, a denom or symbol, the address of a proposal’s page, or text'),
    });
  }

  /** Resolves with what was chosen; undefined when the user leaves, which stops reading. */
  async ask(typed: string): Promise<Destination | undefined> {
    const { pick } = this.#box;
    pick.value = typed;
    this.#start();
    const answer = answerOf<Destination>(pick, (resolve) => {
      this.#open = resolve;
      return [
        pick.onDidChangeValue(() => this.#start()),
        pick.onDidChangeActive(([item]) => {
          // The first change after new items is made by the editor, not by the user.
          if (!this.#itemsAreNew) this.#chosen = item;
          this.#itemsAreNew = false;
        }),
        pick.onDidAccept(() => {
          const goal = pick.activeItems[0]?.goal;
          if (goal) resolve(goal);
          else this.#isAccepted = true;
        }),
        pick.onDidTriggerButton(() => this.#pressButton()),
      ];
    });
    return answer.finally(() => this.#search.abort());
  }

  /** The text is another one: what was found for the last one goes. */
  #start(): void {
    this.#search.abort();
    this.#search = new AbortController();
    this.#isAccepted = false;
    this.#chosen = undefined;
    this.#query = readQuery(this.#box.pick.value);
    this.#found = noneFound();
    const { text, id, isAddress } = this.#query;
    const isSearched = id === undefined && !isAddress && text.length >= leastSearched;
    this.#setBusy(isSearched);
    this.#draw();
    if (isSearched) void this.#searchAll(this.#query, this.#search.signal);
    if (isAddress) void this.#warnOfOtherChain();
  }

  /** Stop while pages are read; afterwards, read all of them again. */
  async #pressButton(): Promise<void> {
    this.#search.abort();
    if (this.#box.pick.busy) {
      this.#found.notes = [{ icon: 'circle-slash', label: vscode.l10n.t('Stopped') }];
      this.#setBusy(false);
      this.#draw();
    } else {
      this.#context.crawls.delete(await this.#context.session.node());
      this.#start();
    }
  }

  #setBusy(busy: boolean): void {
    const { pick } = this.#box;
    pick.busy = busy;
    const tooltip = busy ? vscode.l10n.t('Stop searching') : vscode.l10n.t('Read all pages again');
    const iconPath = new vscode.ThemeIcon(busy ? 'stop-circle' : 'refresh');
    pick.buttons = busy || this.#found.notes.length > 0 ? [{ iconPath, tooltip }] : [];
  }

  async #searchAll(query: Query, signal: AbortSignal): Promise<void> {
    try {
      await setTimeout(typingPause, undefined, { signal });
      await Promise.all([this.#askDenoms(query, signal), this.#crawl(query.text, signal)]);
    } catch (error) {
      if (signal.aborted) return;
      this.#found.notes = [failedItem(error)];
      this.#draw();
    }
    if (!signal.aborted) this.#setBusy(false);
  }

  /** Offers the denom of this name and those of this symbol, where the chain has them. */
  async #askDenoms({ denom, text }: Query, signal: AbortSignal): Promise<void> {
    if (denom === undefined) return;
    const { session } = this.#context;
    const { supply } = session;
    const offer = async (name: string): Promise<readonly GoToItem[]> => {
      try {
        const coin = await supply.load(name, signal);
        return coin.amount > 0n ? [coinItem(session, coin)] : [];
      } catch (error) {
        // A node that cannot be asked may have it; one that refuses the name does not.
        const isRefused = isHttpError(error) && (error.status === 400 || error.status === 404);
        if (signal.aborted || isRefused) return [];
        return [{ ...denomItem(session, name), description: reasonText(error) }];
      }
    };
    const ofSymbol = async () => {
      await supply.loadUnits().catch(() => undefined);
      return Promise.all(supply.denomsOf(text).slice(0, mostOfSymbol).map(offer));
    };
    const [exact, others] = await Promise.all([offer(denom), ofSymbol()]);
    if (signal.aborted) return;
    this.#found.denoms = [...exact, ...others.flat()];
    this.#draw();
    const [goal] = this.#box.pick.items.flatMap((item) => item.goal ?? []);
    if (this.#isAccepted && goal) this.#open(goal);
  }

  /** Reads on where an earlier search stopped, and shows what holds the text. */
  async #crawl(text: string, signal: AbortSignal): Promise<void> {
    const { session, crawls } = this.#context;
    const node = await session.node();
    const toItems = {
      proposal: (row: ProposalRow) => proposalItem(session, row),
      coin: (coin: Coin) => coinItem(session, coin),
    };
    const crawl = crawls.get(node) ?? new Crawl<GoToItem>(session, node, toItems);
    crawls.set(node, crawl);
    let searched = 0;
    const show = () => {
      this.#found.rows.push(...crawl.find(text, searched));
      searched = crawl.size;
      const { proposals, denoms } = crawl.counts;
      const label = crawl.isDone
        ? vscode.l10n.t('All were searched (proposals: {0}, denoms: {1})', proposals, denoms)
        : vscode.l10n.t('Searching… (proposals: {0}, denoms: {1})', proposals, denoms);
      this.#found.notes = [
        ...crawl.failures.map(failedItem),
        { icon: crawl.isDone ? 'check-all' : 'loading~spin', label },
      ];
      this.#draw();
    };
    if (signal.aborted) return;
    show();
    await crawl.read(signal, show);
    if (!signal.aborted) show();
  }

  /** Keeps the active item and the scroll position where the user has moved. */
  #draw(): void {
    const { pick, set } = this.#box;
    const goal = this.#chosen?.goal;
    this.#itemsAreNew = true;
    pick.keepScrollPosition = goal !== undefined;
    set({ items: this.#items() });
    const again = goal && pick.items.find((item) => item.goal && keyOf(item.goal) === keyOf(goal));
    if (again) pick.activeItems = [again];
  }

  #items(): readonly GoToItem[] {
    const { session } = this.#context;
    const { denoms, rows, notes } = this.#found;
    const { isAddress, id, text } = this.#query;
    if (isAddress && id === undefined)
      return [{ icon: 'error', label: vscode.l10n.t('This address names no proposal') }];
    if (!isAddress && text === '')
      return section(
        vscode.l10n.t('Recent'),
        this.#recent.map((entry) => recentItem(session, entry)),
      );
    const exact = [...exactItems(session, this.#query), ...denoms];
    const loaded = isAddress ? [] : loadedItems(session, this.#query);
    const shown = new Map<string, GoToItem>();
    for (const item of [...exact, ...loaded, ...rows]) {
      const key = item.goal ? keyOf(item.goal) : item.label;
      if (!shown.has(key) && shown.size < mostShown) shown.set(key, item);
    }
    return [...shown.values(), ...notes];
  }

  /** The id in the address of a page is of the chain that the page shows, which may be another one. */
  async #warnOfOtherChain(): Promise<void> {
    const { session, distPath } = this.#context;
    const query = this.#query;
    const address = this.#box.pick.value;
    const { loadPresets } = await import('../../session/stored.ts');
    const presets = await loadPresets(distPath).catch(() => undefined);
    const chain = presets && chainOfPage(presets.chains, address.trim());
    if (!chain || this.#query !== query) return;
    const detail = vscode.l10n.t('The page is of {0}; {1} is asked', plain(chain.name), plain(session.source.name));
    this.#box.set({ items: exactItems(session, query).map((item) => ({ ...item, detail })) });
  }
}

function noneFound(): { denoms: readonly GoToItem[]; rows: GoToItem[]; notes: readonly GoToItem[] } {
  return { denoms: [], rows: [], notes: [] };
}

function keyOf(goal: Destination): string {
  return goal.kind === 'proposal' ? `#${goal.id}` : goal.denom;
}

/** The proposal of this id, loaded denoms of this name or symbol; sends no request. */
function exactItems(session: Session, { id, denom, text }: Query): GoToItem[] {
  const { proposals, supply } = session;
  if (id !== undefined) {
    const known = proposals.known(id);
    if (known) return [proposalItem(session, known)];
    return [{ icon: 'note', label: vscode.l10n.t('Proposal #{0}', `${id}`), goal: proposalGoal(session, id, '') }];
  }
  const symbol = text.toLowerCase();
  return supply.pager.rows
    .filter((coin) => coin.denom === denom || supply.unit(coin.denom)?.symbol.toLowerCase() === symbol)
    .map((coin) => coinItem(session, coin));
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
  const label = proposalLabel(row);
  return { icon: 'note', label, description: groupName(groupOf(row)), goal: proposalGoal(session, row.id, label) };
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
  return { icon: 'history', label: known ? proposalLabel(known) : goal.title || `#${goal.id}`, goal };
}

function failedItem(error: unknown): GoToItem {
  return { icon: 'error', label: vscode.l10n.t('Not all could be read'), detail: reasonText(error) };
}
