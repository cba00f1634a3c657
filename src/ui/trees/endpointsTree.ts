import * as vscode from 'vscode';
import type { Session } from '../../session/session.ts';
import { causeText } from '../../words/errorWords.ts';
import { setViewTexts } from '../labels.ts';
import type { EndpointNode, EndpointsContext } from './rowDetails.ts';
import { stateFileDrop } from './rows.ts';

/** Shows the sources to switch between: the sample chain, the endpoints of the settings, and what is shown. */
export function showEndpoints(context: EndpointsContext): vscode.Disposable {
  const { active, settings } = context;
  const changed = new vscode.EventEmitter<undefined>();
  const view = vscode.window.createTreeView<EndpointNode>('chainInspector.endpoints', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => (node ? [] : settings.sources.map(({ id }) => ({ kind: 'endpoint', sourceId: id }))),
      getTreeItem: async ({ sourceId }) => (await import('./rowDetails.ts')).endpointItem(context, sourceId),
    },
    dragAndDropController: stateFileDrop,
  });
  const drawBadge = (): void => {
    view.badge = badgeOf(active.session);
  };
  const draw = (): void => {
    const note = vscode.l10n.t('You see made-up state, to look around offline.');
    setViewTexts(view, { description: '', message: active.session.source.kind === 'sample' ? [note] : [] });
    drawBadge();
    changed.fire(undefined);
  };
  const following = active.follow((session) => {
    draw();
    return [session.onDidChangeState(draw), session.proposals.onDidChange(drawBadge)];
  });
  const listener = settings.onDidChange((event) => event.affectsConfiguration('chainInspector.endpoints') && draw());
  return vscode.Disposable.from(view, changed, following, listener);
}

function badgeOf({ state, pagers }: Session): vscode.ViewBadge | undefined {
  if (state.kind !== 'failed' || pagers.some(({ started }) => started)) return undefined;
  return { value: 1, tooltip: causeText(state.error, vscode.l10n.t) };
}
