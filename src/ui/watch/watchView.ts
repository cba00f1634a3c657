import * as vscode from 'vscode';
import { messageOf } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AcquiredSession } from '../../session/session.ts';
import { isUnvoted, snapshotEnd } from '../../watch/snapshot.ts';
import { migrateOldList, type WatchEvent } from '../../watch/storedState.ts';
import { Watch } from '../../watch/watch.ts';
import { WatchList } from '../../watch/watchList.ts';
import { plural, sentencesText } from '../../words/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import { StatusItem, setViewTexts } from '../editorTexts.ts';
import { roundTrip } from '../redraws.ts';
import { showInfo } from '../report.ts';
import { watchInterval, watchNotifications } from '../settings.ts';
import type { Storage } from '../storage.ts';
import { redrawEveryMinute } from '../timeLeft.ts';
import { MyVoters } from './myVoters.ts';
import { WatchCommands } from './watchCommands.ts';
import type { WatchScreen } from './watchScreen.ts';
import { readSetting, writeSetting } from './watchSetting.ts';
import { isPolled, WatchSources } from './watchSources.ts';
import { eventWords, WatchTree } from './watchTree.ts';

const day = 24 * 3_600_000;
const maxNotifications = 3;
const maxListed = 10;

/** The watch list of this window. Entry of a lazily loaded part. */
export class WatchView {
  readonly list: WatchList;
  readonly watch: Watch;
  readonly tree: WatchTree;
  readonly commands: WatchCommands;
  readonly #sources: WatchSources;
  readonly #storage: Storage;
  readonly #screen: WatchScreen;
  readonly #voters: MyVoters;
  readonly #news = new StatusItem('chainInspector.watchNews', vscode.l10n.t('Chain Watch List'), -1);
  readonly #disposables: { dispose(): unknown }[];
  #migration: { readonly message: string; readonly isFailure: boolean } | undefined;

  constructor(active: ActiveSession, storage: Storage, screen: WatchScreen) {
    const { view, report } = screen;
    this.#storage = storage;
    this.#screen = screen;
    this.list = new WatchList(
      () => readSetting('watch'),
      (value) => writeSetting('watch', value),
    );
    const sources = new WatchSources(active, this.list);
    this.#sources = sources;
    this.watch = new Watch({
      list: this.list,
      statePath: vscode.Uri.joinPath(storage.globalStorageUri, 'watch', 'state.json').fsPath,
      reported: storage.globalState,
      acquire: (sourceId): AcquiredSession | undefined => {
        const found = sources.find(sourceId);
        return isPolled(found) ? active.sessions.acquire(found.source) : undefined;
      },
      interval: watchInterval,
      isVisible: (): boolean => view.visible,
      level: watchNotifications,
      show: (events): Promise<void> => this.#show(events),
      onError: (error): void => report.error(vscode.l10n.t('Watch List'), error),
    });
    const { list, watch } = this;
    this.tree = new WatchTree(watch, sources);
    this.#voters = new MyVoters(watch, sources, storage);
    this.commands = new WatchCommands(watch, list, sources, {
      ...screen,
      askVoters: (): Promise<void> => this.#voters.ask(),
    });
    this.#disposables = [
      this.watch.onDidChange(() => this.#draw()),
      vscode.window.onDidChangeWindowState(({ focused }) => this.watch.setFocused(focused)),
      redrawEveryMinute(view, () => this.#draw()),
      active.settings.onDidChange(() => this.#settingsChanged()),
      active.follow(({ source, lists }) => {
        this.watch.settingsChanged();
        this.#updateVoters();
        const onDidRead = (): void => {
          // The proposals show the prefix of a chain.
          this.#updateVoters();
          // A state file is not polled, so its rows show the facts of its session.
          if (source.kind === 'file') this.#draw();
        };
        return [lists.proposals.onDidChange(onDidRead)];
      }),
      this.#news,
      this.list,
    ];
  }

  /** Reads the list and its last state. Starts polling if the window has the focus. */
  async start(): Promise<void> {
    await this.#migrate();
    await this.watch.start();
    await this.#voters.update();
    this.watch.setFocused(vscode.window.state.focused);
    this.#draw();
  }

  async dispose(): Promise<void> {
    await this.watch.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /**
   * The number of votes that are due for the user's voters. Without voters, the number of entries that end within a
   * day.
   */
  get badge(): vscode.ViewBadge | undefined {
    const { watch } = this;
    const isVotes = this.#voters.voters.length > 0;
    const counted = watch.entries.filter(({ key, target }) => {
      const snapshot = watch.snapshot(key);
      if (snapshot?.kind !== 'proposal' || snapshot.status !== 'voting') return false;
      const left = (snapshot.votingEnd ?? 0) - watch.timeAt(target.sourceId);
      return left > 0 && (isVotes ? isUnvoted(snapshot) : left <= day);
    });
    const value = counted.length;
    if (value === 0) return undefined;
    const one = isVotes
      ? vscode.l10n.t('1 proposal awaiting your vote')
      : vscode.l10n.t('Voting on 1 proposal ends within a day');
    const many = isVotes
      ? vscode.l10n.t('{0} proposals awaiting your vote', value)
      : vscode.l10n.t('Voting on {0} proposals ends within a day', value);
    return { value, tooltip: plural(value, one, many) };
  }

  /** The texts above the rows of the view. */
  get messages(): readonly string[] {
    const { unread } = this.list;
    const one = vscode.l10n.t('1 entry is over the limit and not watched');
    const many = vscode.l10n.t('{0} entries are over the limit and not watched', unread);
    return [...(this.#migration ? [this.#migration.message] : []), ...(unread > 0 ? [plural(unread, one, many)] : [])];
  }

  /**
   * Turns an older version's list into entries of the setting. If they cannot be written, the next change tries again.
   */
  async #migrate(): Promise<void> {
    const { globalState, globalStorageUri } = this.#storage;
    try {
      const folder = vscode.Uri.joinPath(globalStorageUri, 'watch').fsPath;
      const taken = await migrateOldList(this.list, folder, globalState, Date.now());
      const one = vscode.l10n.t('The Watch List was moved to your settings (1 entry).');
      const message = plural(
        taken,
        one,
        vscode.l10n.t('The Watch List was moved to your settings ({0} entries).', taken),
      );
      this.#migration = taken > 0 ? { message, isFailure: false } : undefined;
    } catch (error) {
      const message = vscode.l10n.t('Could not move the Watch List to your settings: {0}', messageOf(error));
      this.#migration = { message, isFailure: true };
    }
  }

  #settingsChanged(): void {
    this.list.reload();
    this.watch.settingsChanged();
    this.#updateVoters();
    if (this.#migration?.isFailure) void this.#migrate().then(() => this.#draw());
  }

  #updateVoters(): void {
    void this.#screen.report.run(vscode.l10n.t('My Voting Accounts'), () => this.#voters.update());
  }

  #draw(): void {
    this.#screen.view.badge = this.badge;
    setViewTexts(this.#screen.view, { description: '', message: this.messages });
    const waiting = watchNotifications() === 'none' ? [] : this.#sentences(this.watch.pending);
    if (waiting.length === 0) this.#news.hide();
    else
      this.#news.show({
        icon: 'bell-dot',
        text: `${waiting.length}`,
        tooltip: [...waiting.slice(0, maxListed), vscode.l10n.t('Select to show the Watch List')],
        accessibleText: sentencesText(
          waiting.map((one) => vscode.l10n.t('{0}.', one)),
          vscode.l10n.t,
        ),
        command: 'chainInspector._showWatchNews',
      });
    this.#screen.redraw();
  }

  async #show(events: readonly WatchEvent[]): Promise<void> {
    const show = vscode.l10n.t('Show');
    const mute = vscode.l10n.t('Mute…');
    const sentences = this.#sentences(events);
    const shown = sentences.slice(0, maxNotifications).join(' · ');
    const more = sentences.length - maxNotifications;
    const text = more > 0 ? vscode.l10n.t('{0} · and {1} more', shown, more) : shown;
    const keys = events.map(({ key }) => key);
    void showInfo(text, show, mute).then((choice) => {
      const entries = this.watch.entries.filter(({ key }) => keys.includes(key));
      if (choice === show) return this.commands.show(entries);
      return choice === mute ? this.commands.mute(entries) : undefined;
    });
    await roundTrip();
  }

  /** The sentences of events. Each names its source, since every chain has the same ids. */
  #sentences(events: readonly WatchEvent[]): string[] {
    return events.flatMap((event) => {
      const entry = this.watch.entries.find(({ key }) => key === event.key);
      if (!entry) return [];
      const { target } = entry;
      const { source, unitOf } = this.#sources.find(target.sourceId);
      const now = this.watch.timeAt(target.sourceId);
      const context = { unit: unitOf(target), now, end: snapshotEnd(this.watch.snapshot(event.key)) };
      return `${escapeForUi(source.name)} ${eventWords(event, target, context)}`;
    });
  }
}
