import * as vscode from 'vscode';
import type { SessionHold } from '../../session/session.ts';
import { presentId, toSource } from '../../session/source.ts';
import { entryKey, sourceIdOf, WatchList } from '../../watch/list.ts';
import type { WatchEvent } from '../../watch/storedState.ts';
import { takeOver } from '../../watch/takeover.ts';
import { type NotificationLevel, Watch } from '../../watch/watch.ts';
import { StatusItem, setViewTexts } from '../labels.ts';
import { plain } from '../plain.ts';
import { errorText, showInfo } from '../report.ts';
import { TimeLeft } from '../trees/timeLeft.ts';
import { plural } from '../values.ts';
import { MyVoters } from './myVoters.ts';
import { WatchCommands } from './watchCommands.ts';
import { type FoundSource, readSetting, type WatchContext, type WatchNode, type WatchParts } from './watchContext.ts';
import { WatchTree } from './watchTree.ts';
import { eventWords, voteWords } from './watchWords.ts';

/** Entry of the lazily loaded part: reads the list and what was known last, and starts polling where the window has the focus. */
export async function openWatchView(context: WatchContext, view: vscode.TreeView<WatchNode>): Promise<WatchView> {
  const opened = new WatchView(context, view);
  await opened.start();
  return opened;
}

/** The watch list of this window. */
export class WatchView {
  readonly list: WatchList;
  readonly watch: Watch;
  readonly tree: WatchTree;
  readonly commands: WatchCommands;
  readonly #context: WatchContext;
  readonly #view: vscode.TreeView<WatchNode>;
  readonly #folder: string;
  readonly #news: WatchNews;
  readonly #voters: MyVoters;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: { dispose(): unknown }[];
  readonly #folded = new Set<string>();
  #takeover: { readonly taken: number } | { readonly error: unknown } | undefined;

  constructor(context: WatchContext, view: vscode.TreeView<WatchNode>) {
    this.#context = context;
    this.#view = view;
    this.#folder = vscode.Uri.joinPath(context.globalStorageUri, 'watch').fsPath;
    this.list = new WatchList({
      user: () => readSetting().user,
      workspace: () => readSetting().workspace,
      write: async (value) =>
        vscode.workspace.getConfiguration('chainInspector').update('watch', value, vscode.ConfigurationTarget.Global),
    });
    this.watch = new Watch({
      list: this.list,
      statePath: vscode.Uri.joinPath(context.globalStorageUri, 'watch', 'state.json').fsPath,
      told: context.globalState,
      hold: (sourceId) => this.#hold(sourceId),
      interval,
      isVisible: (sourceId) => view.visible && !this.#folded.has(sourceId),
      level: notificationLevel,
      show: (events) => this.#news.show(events),
      onError: (error) => context.report.error(vscode.l10n.t('Watch List'), error),
    });
    const { list, watch } = this;
    const parts = { ...context, list, watch, find: (id: string) => this.#find(id), polled: () => this.#polled() };
    this.tree = new WatchTree(parts);
    this.#voters = new MyVoters(parts);
    this.commands = new WatchCommands(parts, this.#voters, () => view.selection);
    this.#news = new WatchNews(parts, this.commands);
    this.#disposables = [
      this.watch.onDidChange(() => this.#draw()),
      vscode.window.onDidChangeWindowState(({ focused }) => this.watch.setFocused(focused)),
      view.onDidCollapseElement(({ element }) => this.#fold(element, true)),
      view.onDidExpandElement(({ element }) => this.#fold(element, false)),
      new TimeLeft(view, () => this.#draw()),
      context.settings.onDidChange(() => this.#settingsChanged()),
      context.active.follow(({ proposals }) => {
        this.watch.settingsChanged();
        this.#updateVoters();
        // Proposals show the prefix of a chain.
        return [proposals.onDidChange(() => this.#updateVoters())];
      }),
      this.#news,
      this.list,
      this.#changed,
    ];
  }

  /** Fires when the tree is to be drawn again. */
  readonly onDidChange = this.#changed.event;

  async start(): Promise<void> {
    await this.#takeOver();
    await this.watch.start();
    await this.#voters.update();
    this.watch.setFocused(vscode.window.state.focused);
    this.#draw();
  }

  async dispose(): Promise<void> {
    await this.watch.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #hold(sourceId: string): SessionHold | undefined {
    const { source, unknown } = this.#find(sourceId);
    return unknown === undefined && source.kind !== 'file' ? this.#context.sessions.hold(source) : undefined;
  }

  #polled(): readonly FoundSource[] {
    const { active, settings } = this.#context;
    const configured = settings.endpoints.map(({ url }) => url);
    const urls = [presentId(active.session.source), ...configured, ...this.list.items.map(sourceIdOf)];
    const found = urls.map((url) => this.#find(url));
    const isPolled = ({ source, unknown }: FoundSource) => unknown === undefined && source.kind !== 'file';
    return [...new Map(found.filter(isPolled).map((one) => [one.source.id, one])).values()];
  }

  /** A synced list must not decide where requests go: sources that only it names are unknown. */
  #find(sourceId: string): FoundSource {
    const { active, sessions, settings } = this.#context;
    const toSourceOf = (id: string) => toSource(id, settings.endpoints, vscode.l10n.t('Sample chain'));
    const source = toSourceOf(sourceId);
    const isNamed =
      source.kind !== 'http' ||
      presentId(active.session.source) === source.id ||
      settings.endpoints.some(({ url }) => toSourceOf(url).id === source.id) ||
      this.list.items.some((item) => item.shared && sourceIdOf(item) === source.id);
    const unknown = isNamed ? undefined : vscode.l10n.t('Not an endpoint on this machine');
    const session = sessions.find(source);
    return {
      source,
      unknown: source.kind === 'invalid' ? source.reason : unknown,
      session,
      unitOf: (target) => (target.kind === 'denom' ? session?.supply.unit(target.denom) : undefined),
    };
  }

  /** An older version's list becomes entries of the setting; tried again at the next change while that cannot be written. */
  async #takeOver(): Promise<void> {
    try {
      const taken = await takeOver(this.list, this.#folder, this.#context.globalState, Date.now());
      this.#takeover = taken > 0 ? { taken } : undefined;
    } catch (error) {
      this.#takeover = { error };
    }
  }

  #settingsChanged(): void {
    this.list.reload();
    this.watch.settingsChanged();
    this.#updateVoters();
    if (this.#takeover && 'error' in this.#takeover) void this.#takeOver().then(() => this.#draw());
  }

  #draw(): void {
    this.#view.badge = this.badge;
    setViewTexts(this.#view, { description: '', message: this.#message() });
    this.#news.draw();
    this.#changed.fire();
  }

  /** Votes that are due where the user has voters, else what ends within a day. */
  get badge(): vscode.ViewBadge | undefined {
    const { due, ending } = this.tree.openVotes();
    const isVotes = this.#voters.voters.length > 0;
    const value = isVotes ? due : ending;
    if (value === 0) return undefined;
    const one = isVotes
      ? vscode.l10n.t('1 proposal in voting without your vote')
      : vscode.l10n.t('1 proposal in voting ends within a day');
    const many = isVotes
      ? vscode.l10n.t('{0} proposals in voting without your vote', value)
      : vscode.l10n.t('{0} proposals in voting end within a day', value);
    return { value, tooltip: plural(value, one, many) };
  }

  /** How the user's accounts voted on a proposal of a source, in words; empty where that is not known. */
  votesOn(sourceId: string, id: bigint): readonly string[] {
    const snapshot = this.watch.snapshot(entryKey({ kind: 'proposal', sourceId, id }));
    return snapshot?.kind === 'proposal' ? voteWords(snapshot, this.watch.voters(sourceId)) : [];
  }

  #updateVoters(): void {
    void this.#context.report.run(vscode.l10n.t('My Voters'), () => this.#voters.update());
  }

  #message(): readonly string[] {
    if (!this.#takeover) return [];
    return 'error' in this.#takeover
      ? [vscode.l10n.t('The watch list could not be moved to your settings: {0}', errorText(this.#takeover.error))]
      : [takenWords(this.#takeover.taken)];
  }

  #fold(node: WatchNode, folded: boolean): void {
    if (node.kind !== 'watchSource') return;
    if (folded) this.#folded.add(node.sourceId);
    else this.#folded.delete(node.sourceId);
  }
}

function takenWords(count: number): string {
  const one = vscode.l10n.t('The watch list is a setting now (1 entry).');
  return plural(count, one, vscode.l10n.t('The watch list is a setting now ({0} entries).', count));
}

function setting(key: string): unknown {
  return vscode.workspace.getConfiguration('chainInspector').get(key);
}

/** Milliseconds between polls; 0 for none but those at deadlines. */
function interval(): number {
  const minutes = setting('watchInterval');
  if (typeof minutes !== 'number' || !Number.isFinite(minutes) || minutes < 0) return 5 * 60_000;
  return minutes === 0 ? 0 : Math.round(Math.min(1440, Math.max(1, minutes)) * 60_000);
}

function notificationLevel(): NotificationLevel {
  const level = setting('watchNotifications');
  return level === 'none' || level === 'statusBar' ? level : 'all';
}

/** Events in a notification. */
const mostShown = 3;
/** Events in the tooltip of the status bar. */
const mostListed = 10;

/** Reports events: as notifications, and those that wait as a number in the status bar. */
class WatchNews implements vscode.Disposable {
  readonly #parts: WatchParts;
  readonly #commands: WatchCommands;
  readonly #item = new StatusItem('chainInspector.watchNews', vscode.l10n.t('Chain watch list'), -1);

  constructor(parts: WatchParts, commands: WatchCommands) {
    this.#parts = parts;
    this.#commands = commands;
  }

  /** Shows events as one notification; resolves when it is on the screen. */
  async show(events: readonly WatchEvent[]): Promise<void> {
    const show = vscode.l10n.t('Show');
    const mute = vscode.l10n.t('Mute…');
    const sentences = this.#sentences(events);
    const shown = sentences.slice(0, mostShown).join(' · ');
    const more = sentences.length - mostShown;
    const text = more > 0 ? vscode.l10n.t('{0} · and {1} more', shown, more) : shown;
    const keys = new Set(events.map(({ key }) => key));
    void showInfo(text, show, mute).then((choice) => {
      if (choice === show) return this.#commands.showEntries(keys);
      return choice === mute ? this.#commands.muteEntries(keys) : undefined;
    });
    // Messages reach the window in their order: once this one is answered, the notification is there.
    await vscode.commands.executeCommand('setContext', 'chainInspector.drawn', true);
  }

  draw(): void {
    const waiting = notificationLevel() === 'none' ? [] : this.#parts.watch.pending;
    if (waiting.length === 0) {
      this.#item.hide();
      return;
    }
    const sentences = this.#sentences(waiting);
    this.#item.show({
      icon: 'bell-dot',
      text: `${waiting.length}`,
      tooltip: [...sentences.slice(0, mostListed), vscode.l10n.t('Select to show the Watch List')],
      spoken: sentences.join('. '),
      command: 'chainInspector._showWatchNews',
    });
  }

  dispose(): void {
    this.#item.dispose();
  }

  /** Each names its source: ids are numbers that every chain has. */
  #sentences(events: readonly WatchEvent[]): string[] {
    const { watch, find } = this.#parts;
    return events.flatMap((event) => {
      const entry = watch.entries.find(({ key }) => key === event.key);
      if (!entry) return [];
      const { source, unitOf } = find(entry.target.sourceId);
      return `${plain(source.name)} ${eventWords(event, entry.target, unitOf(entry.target))}`;
    });
  }
}
