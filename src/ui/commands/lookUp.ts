import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import { groupOf, type ProposalRow } from '../../chain/proposal.ts';
import { chainOfPage } from '../../session/registry.ts';
import { type Query, readQuery, searchAll, toMatcher } from '../../session/search.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { LookUp } from '../../session/stored.ts';
import { createPick, type LivePick, type PickItem, withProgress } from '../ask.ts';
import { plain } from '../plain.ts';
import { reasonText, showInfo } from '../report.ts';
import { amountText, groupName, originText, proposalLabel } from '../words.ts';

/** What Look Up… works on. */
export interface LookUpContext {
  readonly session: Session;
  readonly globalState: vscode.Memento;
  readonly openProposal: (id: bigint) => Promise<void>;
  /** Folder of the bundle, where the presets are. */
  readonly distPath: string;
}

/**
 * Opens what is typed or pasted: a proposal by its id or the address of its page, the supply of a denom, or a match of a
 * text in the loaded rows and, on request, on all pages. `typed` is the initial text.
 */
export async function lookUp(context: LookUpContext, typed: string): Promise<void> {
  const { readLookUps } = await import('../../session/stored.ts');
  const sourceId = presentId(context.session.source);
  const recent = readLookUps(context.globalState.get(recentKey)).filter((entry) => entry.sourceId === sourceId);
  const box = new LookUpBox(context, typed, recent);
  const goal = await box.choice.finally(() => box.dispose());
  if (!goal || goal.kind === 'text') return;
  await remember(context.globalState, goal);
  if (goal.kind === 'denom') await showCoin(context.session, goal.denom);
  else await context.openProposal(BigInt(goal.id));
}

/** Shows the supply of a denom, with buttons to copy the amount and the denom. */
async function showCoin({ supply, source }: Session, denom: string): Promise<void> {
  const name = plain(denom);
  const title = vscode.l10n.t('Asking for the supply of {0}', name);
  const coin = await withProgress(title, (signal) => supply.load(denom, signal));
  const [origin] = await Promise.all([
    supply.loadOrigin(denom).catch(() => undefined),
    supply.loadUnits().catch(() => undefined),
  ]);
  const unit = supply.unit(denom);
  const amount = plain(amountText(coin, unit));
  const shown = origin ? vscode.l10n.t('{0} ({1})', name, plain(originText(origin))) : name;
  const text =
    coin.amount === 0n
      ? vscode.l10n.t('{0} holds no {1}', plain(source.name), shown)
      : unit
        ? vscode.l10n.t('{0}: {1} ({2} base units)', shown, amount, `${coin.amount}`)
        : vscode.l10n.t('{0}: {1}', shown, amount);
  const [copyAmount, copyDenom] = [vscode.l10n.t('Copy Amount'), vscode.l10n.t('Copy Denom')];
  const choice = await showInfo(text, copyAmount, copyDenom);
  if (choice === copyAmount) await vscode.env.clipboard.writeText(`${coin.amount}`);
  if (choice === copyDenom) await vscode.env.clipboard.writeText(denom);
}

const recentKey = 'recentLookUps';
/** Recent look-ups that are offered. */
const mostRecent = 10;
/** Matches that are shown. */
const mostShown = 500;

async function remember(state: vscode.Memento, entry: LookUp): Promise<void> {
  const { lookUpKey, readLookUps, withRecent } = await import('../../session/stored.ts');
  await state.update(recentKey, withRecent(readLookUps(state.get(recentKey)), entry, lookUpKey));
}

/** `goal` is what accepting the item opens; `search` reads all pages; an item without either is information. */
interface LookUpItem extends PickItem {
  readonly goal?: LookUp;
  readonly search?: true;
}

/** The box of Look Up…: interpretations of the text and loaded matches at each key; all pages on request. */
class LookUpBox {
  readonly choice: Promise<LookUp | undefined>;
  readonly #context: LookUpContext;
  readonly #recent: readonly LookUp[];
  readonly #pick: LivePick<LookUpItem>;
  readonly #set: ReturnType<typeof createPick<LookUpItem>>['set'];
  readonly #listeners: vscode.Disposable[];
  readonly #resolve: (choice: LookUp | undefined) => void;
  #search: AbortController | undefined;
  /** The item that the user moved to, kept while matches are added; the editor itself activates the first one. */
  #chosen: LookUpItem | undefined;
  #itemsAreNew = true;

  constructor(context: LookUpContext, typed: string, recent: readonly LookUp[]) {
    this.#context = context;
    this.#recent = recent.slice(0, mostRecent);
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

  /** Ends a search and closes the box. */
  dispose(): void {
    this.#search?.abort();
    for (const listener of this.#listeners) listener.dispose();
    this.#pick.dispose();
  }

  /** Ends a search, and shows what the text may mean. */
  #draw(): void {
    this.#search?.abort();
    this.#search = undefined;
    this.#pick.busy = false;
    this.#pick.ignoreFocusOut = false;
    this.#pick.buttons = [];
    const { session } = this.#context;
    const typed = this.#pick.value.trim();
    const items = typed === '' ? this.#recentItems() : queryItems(session, readQuery(typed));
    this.#set({ title: vscode.l10n.t('Look up in {0}', plain(session.source.name)), items });
    if (/^https?:/i.test(typed)) void this.#warnOfOtherChain(typed, items);
  }

  #accept(item: LookUpItem | undefined): void {
    if (item?.search) void this.#searchAll();
    else if (item?.goal?.kind === 'text') {
      this.#pick.value = item.goal.text;
      this.#draw();
    } else if (item?.goal) this.#resolve(item.goal);
  }

  #recentItems(): LookUpItem[] {
    if (this.#recent.length === 0) return [];
    const items = this.#recent.map((entry) => recentItem(this.#context.session, entry));
    return [separator(vscode.l10n.t('Recent')), ...items];
  }

  /** Shows matches while pages are read; the button, another text or Escape ends it. */
  async #searchAll(): Promise<void> {
    const { session, globalState } = this.#context;
    const text = this.#pick.value.trim();
    const search = new AbortController();
    const { signal } = search;
    this.#search = search;
    this.#chosen = undefined;
    this.#itemsAreNew = true;
    this.#pick.busy = true;
    this.#pick.ignoreFocusOut = true;
    this.#pick.buttons = [{ iconPath: new vscode.ThemeIcon('stop-circle'), tooltip: vscode.l10n.t('Stop searching') }];
    this.#set({ items: [infoItem('loading~spin', vscode.l10n.t('Searching…'))] });
    const found: LookUpItem[] = [];
    let count = 0;
    const setTitle = (words: string, { proposals, denoms }: { proposals: number; denoms: number }) =>
      this.#set({
        title: vscode.l10n.t('{0}: {1} found (proposals: {2}, denoms: {3})', words, count, proposals, denoms),
      });
    await remember(globalState, { kind: 'text', sourceId: presentId(session.source), text });
    try {
      const end = await searchAll(session, text, signal, (step) => {
        if (this.#search !== search) return;
        const items = [
          ...step.foundProposals.map((row) => proposalItem(session, row)),
          ...step.foundCoins.map((coin) => coinItem(session, coin)),
        ];
        count += items.length;
        found.push(...items.slice(0, mostShown - found.length));
        setTitle(vscode.l10n.t('Searching'), step);
        if (items.length > 0) this.#showFound(found);
      });
      if (this.#search !== search) return;
      setTitle(
        signal.aborted
          ? vscode.l10n.t('Stopped')
          : end.failures.length > 0
            ? vscode.l10n.t('Searched in part')
            : vscode.l10n.t('Searched all'),
        end,
      );
      const failed = end.failures.map((error) =>
        infoItem('error', vscode.l10n.t('Not all could be read'), reasonText(error)),
      );
      const nothing = signal.aborted
        ? vscode.l10n.t('Nothing found so far')
        : vscode.l10n.t('No match for “{0}”', plain(text));
      this.#showFound([...failed, ...(count === 0 ? [infoItem('circle-slash', nothing)] : []), ...found]);
    } catch (error) {
      if (this.#search === search) this.#set({ items: [infoItem('error', reasonText(error))] });
    } finally {
      if (this.#search === search) {
        this.#pick.busy = false;
        this.#pick.buttons = [];
      }
    }
  }

  /** Keeps the active item and the scroll position. */
  #showFound(items: readonly LookUpItem[]): void {
    const goal = this.#chosen?.goal;
    this.#itemsAreNew = true;
    this.#pick.keepScrollPosition = goal !== undefined;
    this.#set({ items });
    const again = goal && this.#pick.items.find((item) => item.goal === goal);
    if (again) this.#pick.activeItems = [again];
  }

  /** The first change after new items is made by the editor, not by the user. */
  #follow(item: LookUpItem | undefined): void {
    if (!this.#itemsAreNew) this.#chosen = item;
    this.#itemsAreNew = false;
  }

  /** The id in the address of a page is of the chain that the page shows, which may be another one. */
  async #warnOfOtherChain(address: string, items: readonly LookUpItem[]): Promise<void> {
    const { loadPresets } = await import('../../session/stored.ts');
    const presets = await loadPresets(this.#context.distPath).catch(() => undefined);
    const chain = presets && chainOfPage(presets.chains, address);
    const [first, ...others] = items;
    if (!chain || !first?.goal || this.#pick.value.trim() !== address) return;
    const shown = plain(this.#context.session.source.name);
    const detail = vscode.l10n.t('The page is of {0}; {1} is asked', plain(chain.name), shown);
    this.#set({ items: [{ ...first, detail }, ...others] });
  }
}

/** What a text may mean, loaded matches, and the search of all pages; sends no request. */
function queryItems(session: Session, query: Query): LookUpItem[] {
  if (query.isAddress && query.id === undefined)
    return [infoItem('error', vscode.l10n.t('This address names no proposal'))];
  const direct = directItems(session, query);
  if (query.isAddress) return direct;
  const found = loadedItems(session, query);
  const matches = found.length > 0 ? [separator(vscode.l10n.t('Loaded rows')), ...found] : [];
  // A word is more often part of a title than a denom, unless it looks like one.
  const denomFirst = /[/\d]/.test(query.text) || query.id !== undefined;
  const search = searchItem(session, query);
  return denomFirst ? [...direct, ...matches, separator(''), search] : [...matches, separator(''), ...direct, search];
}

function directItems(session: Session, { id, denom }: Query): LookUpItem[] {
  const sourceId = presentId(session.source);
  if (id !== undefined) {
    const known = session.proposals.known(id);
    if (known) return [proposalItem(session, known)];
    const goal = { kind: 'proposal', sourceId, id: `${id}`, title: '' } as const;
    return [{ icon: 'note', label: vscode.l10n.t('Proposal #{0}', `${id}`), alwaysShow: true, goal }];
  }
  if (denom === undefined) return [];
  const label = vscode.l10n.t('Supply of {0}', plain(denom));
  return [{ icon: 'circle-outline', label, alwaysShow: true, goal: { kind: 'denom', sourceId, denom } }];
}

function loadedItems(session: Session, { text, id }: Query): LookUpItem[] {
  const { proposals, supply } = session;
  const matcher = toMatcher(text);
  const rows = [...proposals.all()].filter((row) => row.id !== id && matcher.proposal(row));
  const coins = supply.pager.rows.filter((coin) => matcher.coin(coin, (denom) => supply.unit(denom)));
  return [
    ...rows.sort((a, b) => (a.id < b.id ? 1 : -1)).map((row) => proposalItem(session, row)),
    ...coins.map((coin) => coinItem(session, coin)),
  ].slice(0, mostShown);
}

function searchItem({ proposals, supply }: Session, { text }: Query): LookUpItem {
  const detail = vscode.l10n.t(
    'The loaded rows were searched (proposals: {0}, denoms: {1})',
    [...proposals.all()].length,
    supply.pager.rows.length,
  );
  const label = vscode.l10n.t('Search all pages for “{0}”', plain(text));
  return { icon: 'search', label, detail, alwaysShow: true, search: true };
}

function proposalItem({ source }: Session, row: ProposalRow): LookUpItem {
  const label = proposalLabel(row);
  const goal = { kind: 'proposal', sourceId: presentId(source), id: `${row.id}`, title: label } as const;
  return { icon: 'note', label: plain(label), description: groupName(groupOf(row)), alwaysShow: true, goal };
}

function coinItem({ source, supply }: Session, { denom, amount }: Coin): LookUpItem {
  const symbol = supply.unit(denom)?.symbol;
  const description = [...(symbol ? [symbol] : []), groupDigits(amount)].join(' · ');
  const goal = { kind: 'denom', sourceId: presentId(source), denom } as const;
  return { icon: 'circle-outline', label: plain(denom), description, alwaysShow: true, goal };
}

function recentItem({ proposals }: Session, entry: LookUp): LookUpItem {
  const base = { icon: 'history', alwaysShow: true, goal: entry };
  switch (entry.kind) {
    case 'proposal': {
      const known = proposals.known(BigInt(entry.id));
      return { ...base, label: plain(known ? proposalLabel(known) : entry.title || `#${entry.id}`) };
    }
    case 'denom':
      return { ...base, label: plain(entry.denom), description: vscode.l10n.t('supply') };
    case 'text':
      return { ...base, label: `“${plain(entry.text)}”`, description: vscode.l10n.t('text') };
    default:
      return entry satisfies never;
  }
}

function separator(label: string): LookUpItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function infoItem(icon: string, label: string, detail?: string): LookUpItem {
  return { icon, label, alwaysShow: true, ...(detail ? { detail: plain(detail) } : {}) };
}
