import * as vscode from 'vscode';
import type { WatchedEntry } from '../../session/watch/mergeEntries.ts';
import type { Watch } from '../../session/watch/watch.ts';
import type { WatchEvent } from '../../session/watch/watchEvent.ts';
import { StatusItem } from '../labels.ts';
import { showInfo } from '../report.ts';
import { eventWords, mergedWords } from './eventWords.ts';
import { askMute } from './muteChoice.ts';
import type { WatchContext } from './watchContext.ts';
import { noticeLevel } from './watchSettings.ts';
import { unitOf } from './watchTree.ts';

/** Says what happened: one notification at a time, and the rest in the status bar until somebody looks. */
export class WatchNews implements vscode.Disposable {
  readonly #context: WatchContext;
  readonly #item = new StatusItem('chainInspector.watchNews', {
    name: vscode.l10n.t('Chain watch list'),
    command: 'chainInspector.showWatchNews',
    priority: -1,
  });

  constructor(context: WatchContext) {
    this.#context = context;
  }

  /** Shows events as one notification; resolves when it is closed. */
  async show(watch: Watch, events: readonly WatchEvent[]): Promise<void> {
    const known = events.flatMap((event) => {
      const entry = watch.entries.find(({ key }) => key === event.key);
      return entry ? [{ event, entry }] : [];
    });
    if (known.length === 0) return;
    const sentences = known.map(({ event, entry }) => this.#words(event, entry));
    const show = vscode.l10n.t('Show');
    const mute = vscode.l10n.t('Mute…');
    const choice = await showInfo(mergedWords(sentences), show, mute);
    const entries = [...new Map(known.map(({ entry }) => [entry.key, entry])).values()];
    if (choice === show) await this.#show(entries);
    if (choice === mute) {
      const time = await askMute();
      if (time !== undefined) await watch.mute(new Set(entries.map(({ key }) => key)), time);
    }
  }

  /** The number of events that wait, in the status bar. */
  draw(watch: Watch): void {
    const waiting = noticeLevel() === 'none' ? [] : watch.pending;
    if (waiting.length === 0) {
      this.#item.hide();
      return;
    }
    const sentences = waiting.flatMap((event) => {
      const entry = watch.entries.find(({ key }) => key === event.key);
      return entry ? [this.#words(event, entry)] : [];
    });
    this.#item.show({
      icon: 'bell-dot',
      text: `${waiting.length}`,
      tooltip: [...sentences.slice(0, 10), vscode.l10n.t('Select to show the Watch List')],
      spoken: sentences.join('. '),
    });
  }

  dispose(): void {
    this.#item.dispose();
  }

  #words(event: WatchEvent, { target }: WatchedEntry): string {
    return eventWords(event, target, unitOf(this.#context, target));
  }

  async #show(entries: readonly WatchedEntry[]): Promise<void> {
    const [only] = entries;
    if (entries.length === 1 && only?.target.kind === 'proposal') {
      await this.#context.openProposal(only.target.sourceId, only.target.id);
    } else await vscode.commands.executeCommand('chainInspector.watch.focus');
  }
}
