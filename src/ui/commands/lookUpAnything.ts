import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import { groupOf, type ProposalRow } from '../../chain/proposal.ts';
import { loadPresets } from '../../session/registry.ts';
import { chainOfPage, type LookUp, type Query, readQuery, searchAll, toMatcher } from '../../session/search.ts';
import type { Session } from '../../session/session.ts';
import { createPick, type LivePick, type PickItem } from '../ask.ts';
import { plain } from '../plain.ts';
import { reasonText } from '../report.ts';
import { groupName, proposalLabel } from '../words.ts';
import type { CommandContext } from './commandContext.ts';
import { showCoin } from './lookUp.ts';
import { recentLookUps, rememberLookUp } from './recentList.ts';

/** Recent look-ups that are offered. */
const mostRecent = 10;

/**
 * Opens whatever is typed or pasted: a proposal by its id or the address of its page, the supply of a denom, or what holds a
 * text among the loaded rows and, when asked for, on all pages. Loads no tree. `typed` is what the box begins with.
 */
export async function lookUp(context: CommandContext, typed: string): Promise<void> {
  const hold = context.sessions.hold(context.active.session.source);
  const pick = new LookUpPick(context, hold.session, typed);
  try {
    const goal = await pick.choice;
    pick.dispose();
    if (!goal || goal.kind === 'text') return;
    await rememberLookUp(context.globalState, goal);
    if (goal.kind === 'denom') await showCoin(context.active, goal.denom);
    else await context.panels.show({ sourceId: goal.sourceId, id: BigInt(goal.id) });
  } finally {
    pick.dispose();
    await hold.release();
  }
}

/** The box of Look Up…: what the text means and what is loaded, at each key; the rest of the chain on request. */
class LookUpPick {
  readonly choice: Promise<LookUp | undefined>;
  readonly #context: CommandContext;
  readonly #session: Session;
  readonly #pick: LivePick<LookUpItem>;
  readonly #set: ReturnType<typeof createPick<LookUpItem>>['set'];
  readonly #listeners: vscode.Disposable[];
  readonly #resolve: (choice: LookUp | undefined) => void;
  #search: AbortController | undefined;
  /** The item that the user moved to, to be kept while more are found; the editor itself puts the first one forward. */
  #chosen: LookUpItem | undefined;
  #itemsAreNew = true;

  constructor(context: CommandContext, session: Session, typed: string) {
    this.#context = context;
    this.#session = session;
    const { promise, resolve } = Promise.withResolvers<LookUp | undefined>();
    this.choice = promise;
    this.#resolve = resolve;
    const { pick, set } = createPick<LookUpItem>();
    this.#pick = pick;
    this.#set = set;
    set({ placeHolder: vscode.l10n.t('42, #42, a denom, the address of a proposal’s page, or text') });
    pick.value = typed;
    this.#listeners = [
      pick.onDidChangeValue(() => this.#draw()),
      pick.onDidChangeActive(([item]) => this.#follow(item)),
      pick.onDidAccept(() => this.#accept(pick.activeItems[0])),
      pick.onDidTriggerButton(() => this.#search?.abort()),
      pick.onDidHide(() => resolve(undefined)),
    ];
    this.#draw();
    pick.show();
  }

  /** Ends a search and takes the box away; may be called twice. */
  dispose(): void {
    this.#search?.abort();
    for (const listener of this.#listeners) listener.dispose();
    this.#pick.dispose();
  }

  /** Takes a search back, and shows what the text means. */
  #draw(): void {
    this.#search?.abort();
    this.#search = undefined;
    this.#pick.busy = false;
    this.#pick.ignoreFocusOut = false;
    this.#pick.buttons = [];
    const typed = this.#pick.value.trim();
    const items = typed === '' ? this.#recentItems() : queryItems(this.#session, readQuery(typed));
    this.#set({ title: vscode.l10n.t('Look up in {0}', plain(this.#session.source.name)), items });
    if (/^https?:/i.test(typed)) void this.#warnOfChain(typed, items);
  }

  #accept(item: LookUpItem | undefined): void {
    if (item?.search) void this.#searchAll();
    else if (item?.goal?.kind === 'text') {
      this.#pick.value = item.goal.text;
      this.#draw();
    } else if (item?.goal) this.#resolve(item.goal);
  }

  #recentItems(): LookUpItem[] {
    const recent = recentLookUps(this.#context.globalState, this.#session.source.id).slice(0, mostRecent);
    const { proposals } = this.#session;
    const toItem = (entry: LookUp) =>
      recentItem(entry, entry.kind === 'proposal' ? proposals.known(BigInt(entry.id)) : undefined);
    return recent.length > 0 ? [separator(vscode.l10n.t('Recent')), ...recent.map(toItem)] : [];
  }

  /** Shows what is found while the pages come in; the button, another text or Escape ends it. */
  async #searchAll(): Promise<void> {
    const text = this.#pick.value.trim();
    const pick = this.#pick;
    const search = new AbortController();
    this.#search = search;
    this.#chosen = undefined;
    this.#itemsAreNew = true;
    const { source, supply } = this.#session;
    const found: LookUpItem[] = [];
    let count = 0;
    const stop = { iconPath: new vscode.ThemeIcon('stop-circle'), tooltip: vscode.l10n.t('Stop searching') };
    pick.busy = true;
    pick.ignoreFocusOut = true;
    pick.buttons = [stop];
    this.#set({ items: [wordsItem('loading~spin', vscode.l10n.t('Searching…'))] });
    const tell = (words: string, proposals: number, denoms: number) =>
      this.#set({
        title: vscode.l10n.t('{0}: {1} found in {2} proposals and {3} denoms', words, count, proposals, denoms),
      });
    await rememberLookUp(this.#context.globalState, { kind: 'text', sourceId: source.id, text });
    try {
      const end = await searchAll(this.#session, text, search.signal, (step) => {
        if (this.#search !== search) return;
        const items = [
          ...step.foundProposals.map((row) => proposalItem(source.id, row)),
          ...step.foundCoins.map((coin) => coinItem(source.id, coin, supply.unit(coin.denom)?.symbol)),
        ];
        count += items.length;
        found.push(...items.slice(0, mostShown - found.length));
        tell(vscode.l10n.t('Searching'), step.proposals, step.denoms);
        if (items.length > 0) this.#showFound(found);
      });
      if (this.#search !== search) return;
      const words = search.signal.aborted
        ? vscode.l10n.t('Stopped')
        : end.failures.length > 0
          ? vscode.l10n.t('Searched in part')
          : vscode.l10n.t('Searched all');
      tell(words, end.proposals, end.denoms);
      const failed = end.failures.map((error) =>
        wordsItem('error', vscode.l10n.t('Not all could be read'), reasonText(error)),
      );
      const nothing = search.signal.aborted
        ? vscode.l10n.t('Nothing found so far')
        : vscode.l10n.t('Nothing holds “{0}”', plain(text));
      const none = count === 0 ? [wordsItem('circle-slash', nothing)] : [];
      this.#showFound([...failed, ...none, ...found]);
    } catch (error) {
      if (this.#search === search) this.#set({ items: [wordsItem('error', reasonText(error))] });
    } finally {
      if (this.#search === search) {
        pick.busy = false;
        pick.buttons = [];
      }
    }
  }

  /** New items would take the place of the user in the list away. */
  #showFound(items: readonly LookUpItem[]): void {
    const goal = this.#chosen?.goal;
    this.#itemsAreNew = true;
    this.#pick.keepScrollPosition = goal !== undefined;
    this.#set({ items });
    const again = goal && this.#pick.items.find((item) => item.goal === goal);
    if (again) this.#pick.activeItems = [again];
  }

  /** The first change after new items is the editor's own. */
  #follow(item: LookUpItem | undefined): void {
    if (!this.#itemsAreNew) this.#chosen = item;
    this.#itemsAreNew = false;
  }

  /** A page of another chain's explorer has the id of another chain's proposal. */
  async #warnOfChain(address: string, items: readonly LookUpItem[]): Promise<void> {
    const presets = await loadPresets(this.#context.distPath).catch(() => undefined);
    const chain = presets && chainOfPage(presets.chains, address);
    const [first, ...others] = items;
    if (!chain || !first?.goal || this.#pick.value.trim() !== address) return;
    const asked = plain(this.#session.source.name);
    const detail = vscode.l10n.t('The page is of {0}; {1} is asked', plain(chain.name), asked);
    this.#set({ items: [{ ...first, detail }, ...others] });
  }
}

/** A line of Look Up…. `goal` is what accepting it opens; `search` reads all pages; without either it only says something. */
export interface LookUpItem extends PickItem {
  readonly goal?: LookUp;
  readonly search?: true;
}

/** A proposal that was found. */
export function proposalItem(sourceId: string, row: ProposalRow): LookUpItem {
  const label = proposalLabel(row);
  return {
    icon: 'note',
    label: plain(label),
    description: groupName(groupOf(row)),
    alwaysShow: true,
    goal: { kind: 'proposal', sourceId, id: `${row.id}`, title: label },
  };
}

/** A denom that was found; `symbol` where somebody states one. */
export function coinItem(sourceId: string, coin: Coin, symbol: string | undefined): LookUpItem {
  return {
    icon: 'circle-outline',
    label: plain(coin.denom),
    description: [...(symbol ? [plain(symbol)] : []), groupDigits(coin.amount)].join(' · '),
    alwaysShow: true,
    goal: { kind: 'denom', sourceId, denom: coin.denom },
  };
}

/** Something that was looked up before; `known` is what has been learned of a proposal since. */
export function recentItem(entry: LookUp, known?: ProposalRow): LookUpItem {
  const base = { icon: 'history', alwaysShow: true, goal: entry };
  switch (entry.kind) {
    case 'proposal':
      return { ...base, label: plain(known ? proposalLabel(known) : entry.title || `#${entry.id}`) };
    case 'denom':
      return { ...base, label: plain(entry.denom), description: vscode.l10n.t('supply') };
    case 'text':
      return { ...base, label: `“${plain(entry.text)}”`, description: vscode.l10n.t('text') };
    default:
      return entry satisfies never;
  }
}

export function separator(label: string): LookUpItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** A line that only says something. */
export function wordsItem(icon: string, label: string, detail?: string): LookUpItem {
  return { icon, label, alwaysShow: true, ...(detail ? { detail: plain(detail) } : {}) };
}

/** Rows of a search that a pick shows well. */
export const mostShown = 500;

/** What a typed text may mean, what of the loaded rows holds it, and the way to all pages; asks nothing of the chain. */
export function queryItems(session: Session, query: Query): LookUpItem[] {
  if (query.isAddress && query.id === undefined) {
    return [wordsItem('error', vscode.l10n.t('This address names no proposal'))];
  }
  const direct = directItems(session, query);
  if (query.isAddress) return direct;
  const found = loadedItems(session, query);
  // A word is more often part of a title than a denom, unless it looks like one.
  const denomFirst = /[/\d]/.test(query.text) || query.id !== undefined;
  const rest = found.length > 0 ? [separator(vscode.l10n.t('Loaded rows')), ...found] : [];
  const search = searchItem(session, query);
  return denomFirst ? [...direct, ...rest, separator(''), search] : [...rest, separator(''), ...direct, search];
}

function directItems({ proposals, source }: Session, { id, denom }: Query): LookUpItem[] {
  const sourceId = source.id;
  if (id !== undefined) {
    const known = proposals.known(id);
    if (known) return [proposalItem(sourceId, known)];
    const goal = { kind: 'proposal', sourceId, id: `${id}`, title: '' } as const;
    return [{ icon: 'note', label: vscode.l10n.t('Proposal #{0}', `${id}`), alwaysShow: true, goal }];
  }
  if (denom === undefined) return [];
  const label = vscode.l10n.t('Supply of {0}', plain(denom));
  return [{ icon: 'circle-outline', label, alwaysShow: true, goal: { kind: 'denom', sourceId, denom } }];
}

function loadedItems({ proposals, supply, source }: Session, { text, id }: Query): LookUpItem[] {
  const matcher = toMatcher(text);
  const rows = [...proposals.all()].filter((row) => row.id !== id && matcher.proposal(row));
  const coins = supply.pager.rows.filter((coin) => matcher.coin(coin, (denom) => supply.unit(denom)));
  return [
    ...rows.sort((a, b) => (a.id < b.id ? 1 : -1)).map((row) => proposalItem(source.id, row)),
    ...coins.map((coin) => coinItem(source.id, coin, supply.unit(coin.denom)?.symbol)),
  ].slice(0, mostShown);
}

function searchItem({ proposals, supply }: Session, { text }: Query): LookUpItem {
  const detail = vscode.l10n.t(
    '{0} proposals and {1} denoms are loaded and were searched',
    [...proposals.all()].length,
    supply.pager.rows.length,
  );
  const label = vscode.l10n.t('Search all pages for “{0}”', plain(text));
  return { icon: 'search', label, detail, alwaysShow: true, search: true };
}
