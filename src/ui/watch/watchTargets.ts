import * as vscode from 'vscode';
import { readId } from '../../session/search.ts';
import type { Watch } from '../../session/watch/watch.ts';
import { entryKey, type WatchTarget } from '../../session/watch/watchEntry.ts';
import { askText, pickMany } from '../ask.ts';
import { type RowKey, readRows, rowsInStores } from '../commands/command.ts';
import { plain } from '../plain.ts';
import { entryLabel } from './entryWords.ts';
import type { WatchContext } from './watchContext.ts';
import type { WatchNode } from './watchNode.ts';
import { sourceOf } from './watchSources.ts';

/** What a command of the Watch List is about: the rows that it was called on, those selected, or what is asked for. */
export class WatchTargets {
  readonly #context: WatchContext;
  readonly #watch: Watch;
  readonly #selected: () => readonly WatchNode[];

  constructor(context: WatchContext, watch: Watch, selected: () => readonly WatchNode[]) {
    this.#context = context;
    this.#watch = watch;
    this.#selected = selected;
  }

  /** What is to be watched: rows of the other views; where none was given, those selected, else what is asked for. */
  async toWatch(rows: readonly RowKey[] | undefined): Promise<readonly WatchTarget[]> {
    const { proposals, supply } = this.#context.selection;
    const targets = this.ofRows(rows ?? readRows(undefined, [...proposals(), ...supply()]) ?? []);
    return rows || targets.length > 0 ? targets : this.ask();
  }

  /** The proposals and denoms among rows of the other views. */
  ofRows(rows: readonly RowKey[]): readonly WatchTarget[] {
    const { session } = this.#context.active;
    const sourceId = session.source.id;
    return rowsInStores(session, rows).flatMap((row): WatchTarget[] => {
      if (row.kind === 'proposal') return [{ kind: 'proposal', sourceId, id: row.id }];
      return row.kind === 'coin' ? [{ kind: 'denom', sourceId, denom: row.denom }] : [];
    });
  }

  /** By id, without opening it: of the source that is shown. */
  async ask(): Promise<readonly WatchTarget[]> {
    const { source } = this.#context.active.session;
    const sourceId = source.id;
    const text = await askText({
      title: vscode.l10n.t('Watch on {0}', plain(source.name)),
      prompt: vscode.l10n.t('Proposal IDs or denoms, separated by commas'),
      placeHolder: '42, uatom',
      fault: (value) => (value.trim() === '' ? vscode.l10n.t('A proposal ID or a denom') : undefined),
    });
    const words = (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
    return words.map((word) => {
      const id = readId(word);
      return id === undefined ? { kind: 'denom', sourceId, denom: word } : { kind: 'proposal', sourceId, id };
    });
  }

  /** Entries of the rows that a command was called on; where none was given, of those selected, else of those picked. */
  async keys(given: readonly RowKey[] | undefined): Promise<ReadonlySet<string>> {
    const rows = given ?? readRows(undefined, this.#selected()) ?? [];
    const listed = this.#watch.entries.filter(({ key, target }) =>
      rows.some((row) =>
        row.kind === 'watchEntry' ? row.key === key : row.kind === 'watchSource' && row.sourceId === target.sourceId,
      ),
    );
    const keys = [...listed.map(({ key }) => key), ...this.ofRows(rows).map(entryKey)];
    return new Set(given || keys.length > 0 ? keys : await this.#pick());
  }

  async #pick(): Promise<readonly string[]> {
    const items = this.#watch.entries.map(({ key, target }) => {
      const reading = this.#watch.reading(key);
      const label = entryLabel(target, reading?.kind === 'proposal' ? reading.title : undefined);
      return { label, description: sourceOf(this.#context, target.sourceId).name, key };
    });
    if (items.length === 0) throw new Error(vscode.l10n.t('Nothing is watched yet'));
    const picked = await pickMany(items, { title: vscode.l10n.t('Watch List') });
    return (picked ?? []).map(({ key }) => key);
  }

  /** The source that a row of the list stands for; without one, the source that is shown. Undefined for a row of none. */
  sourceId(rows: readonly RowKey[] | undefined): string | undefined {
    if (rows === undefined) return this.#context.active.session.source.id;
    const [row] = rows;
    const { entries, everything } = this.#watch;
    if (row?.kind === 'watchEntry') return entries.find(({ key }) => key === row.key)?.target.sourceId;
    if (row?.kind !== 'watchSource') return undefined;
    return [...entries.map(({ target }) => target.sourceId), ...everything].find((id) => id === row.sourceId);
  }
}
