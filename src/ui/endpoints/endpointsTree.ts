import * as vscode from 'vscode';
import type { Session } from '../../session/session.ts';
import { causeText } from '../../words/errorWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { Storage } from '../storage.ts';
import { redrawEveryMinute } from '../timeLeft.ts';
import type { EndpointNode } from './endpointRows.ts';
import { stateFileDrop } from './stateFileDrop.ts';

/** The Endpoints view. It lists the sample chain, the endpoints of the settings, and the shown source. */
export class EndpointsTree implements vscode.TreeDataProvider<EndpointNode>, vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #storage: Storage;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<EndpointNode>;
  readonly #listeners: readonly { dispose(): void }[];
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(active: ActiveSession, storage: Storage) {
    this.#active = active;
    this.#storage = storage;
    const options = { treeDataProvider: this, dragAndDropController: stateFileDrop };
    this.#view = vscode.window.createTreeView<EndpointNode>('chainInspector.endpoints', options);
    const drawBadge = (): void => {
      this.#view.badge = badgeOf(active.session);
    };
    const draw = (): void => {
      drawBadge();
      this.#changed.fire(undefined);
    };
    this.#listeners = [
      active.follow((session) => {
        draw();
        return [session.onDidChangeState(draw), session.lists.proposals.onDidChange(drawBadge)];
      }),
      active.settings.onDidChange((event) => event.affectsConfiguration('chainInspector.endpoints') && draw()),
      storage.answers.onDidChange(draw),
      redrawEveryMinute(this.#view, draw),
    ];
  }

  getChildren(node?: EndpointNode): EndpointNode[] {
    return node ? [] : this.#active.settings.sources.map(({ id }) => ({ kind: 'endpoint', sourceId: id }));
  }

  async getTreeItem({ sourceId }: EndpointNode): Promise<vscode.TreeItem> {
    return (await import('./endpointRows.ts')).endpointItem(this.#active, this.#storage, sourceId);
  }

  dispose(): void {
    for (const listener of [...this.#listeners, this.#view, this.#changed]) listener.dispose();
  }
}

function badgeOf({ state, pagers }: Session): vscode.ViewBadge | undefined {
  if (state.kind !== 'failed' || pagers.some(({ started }) => started)) return undefined;
  return { value: 1, tooltip: causeText(state.error, vscode.l10n.t) };
}
