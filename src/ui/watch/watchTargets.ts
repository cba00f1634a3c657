import * as vscode from 'vscode';
import { readId } from '../../session/find/readQuery.ts';
import type { Watch } from '../../session/watch/watch.ts';
import { entryKey, type WatchTarget } from '../../session/watch/watchEntry.ts';
import { isNode } from '../commands/treeNode.ts';
import { plain } from '../plain.ts';
import { entryLabel } from './entryWords.ts';
import type { WatchContext } from './watchContext.ts';
import { isWatchNode, type WatchNode } from './watchNode.ts';
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

  /** What is to be watched: rows of the other views; without any, what is asked for. */
  async toWatch(node: unknown, nodes: unknown): Promise<readonly WatchTarget[]> {
    const { proposals, supply } = this.#context.selection;
    const given = rowsOf(node, nodes);
    const targets = this.ofRows(given.length > 0 ? given : [...proposals(), ...supply()]);
    return targets.length > 0 ? targets : this.ask();
  }

  /** The proposals and denoms among rows of the other views. */
  ofRows(rows: readonly unknown[]): readonly WatchTarget[] {
    const sourceId = this.#context.active.session.source.id;
    return rows.flatMap((row): WatchTarget[] => {
      if (isNode(row, 'proposal')) return [{ kind: 'proposal', sourceId, id: row.id }];
      return isNode(row, 'coin') ? [{ kind: 'denom', sourceId, denom: row.coin.denom }] : [];
    });
  }

  /** By id, without opening it: of the source that is shown. */
  async ask(): Promise<readonly WatchTarget[]> {
    const { source } = this.#context.active.session;
    const sourceId = source.id;
    const text = await vscode.window.showInputBox({
      title: vscode.l10n.t('Watch on {0}', source.name),
      prompt: vscode.l10n.t('Proposal IDs or denoms, separated by commas'),
      placeHolder: '42, uatom',
      validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A proposal ID or a denom') : undefined),
    });
    const words = (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
    return words.map((word) => {
      const id = readId(word);
      return id === undefined ? { kind: 'denom', sourceId, denom: word } : { kind: 'proposal', sourceId, id };
    });
  }

  /** Entries of the rows that a command was called on, or of those selected here, else of those that are picked. */
  async keys(node: unknown, nodes: unknown): Promise<ReadonlySet<string>> {
    const given = rowsOf(node, nodes);
    const rows = given.length > 0 ? given : this.#selected();
    const keys = rows.filter(isWatchNode).flatMap((row) => (row.kind === 'watchEntry' ? [row.key] : this.#under(row)));
    const all = [...keys, ...this.ofRows(rows).map(entryKey)];
    return new Set(all.length > 0 ? all : await this.#pick());
  }

  #under({ sourceId }: { readonly sourceId: string }): readonly string[] {
    return this.#watch.entries.filter(({ target }) => target.sourceId === sourceId).map(({ key }) => key);
  }

  async #pick(): Promise<readonly string[]> {
    const items = this.#watch.entries.map(({ key, target }) => {
      const reading = this.#watch.reading(key);
      const label = entryLabel(target, reading?.kind === 'proposal' ? reading.title : undefined);
      return { label: plain(label), description: plain(sourceOf(this.#context, target.sourceId).name), key };
    });
    if (items.length === 0) throw new Error(vscode.l10n.t('Nothing is watched yet'));
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Watch List'), canPickMany: true });
    return (picked ?? []).map(({ key }) => key);
  }

  /** The source that a row stands for, else the one that is shown. */
  sourceId(node: unknown): string {
    if (isWatchNode(node)) return node.kind === 'watchSource' ? node.sourceId : node.target.sourceId;
    return this.#context.active.session.source.id;
  }
}

function rowsOf(node: unknown, nodes: unknown): readonly unknown[] {
  if (Array.isArray(nodes) && nodes.length > 0) return nodes;
  return node === undefined || node === null ? [] : [node];
}
