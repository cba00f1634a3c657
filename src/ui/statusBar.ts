import * as vscode from 'vscode';
import type { Session, SessionState } from '../session/session.ts';
import { presentId, type Source } from '../session/source.ts';
import { causeText } from '../words/errorWords.ts';
import { stateTimeText } from '../words/time.ts';
import { heightText } from '../words/values.ts';
import type { ActiveSession } from './activeSession.ts';
import { StatusItem } from './editorTexts.ts';
import { language } from './settings.ts';

/** Shows the active source, its state, and the height of an endpoint in the status bar. A click changes them. */
export function showInStatusBar(active: ActiveSession): vscode.Disposable {
  const name = vscode.l10n.t('Chain endpoint');
  const item = new StatusItem('chainInspector.endpoint', name, 0);
  const height = new StatusItem('chainInspector.height', vscode.l10n.t('Block height'), -0.5);
  const draw = ({ source, state, stateTime }: Session): void => {
    const { icon, text } = stateText(state);
    const address = presentId(source) || vscode.l10n.t('Sample data, works offline');
    const time = stateTime ? [stateTimeText(stateTime, language(), 'hover')] : [];
    item.show({
      icon,
      text: source.kind === 'http' ? source.setting.name : source.name,
      tooltip: [text, address, ...time, vscode.l10n.t('Select to switch')],
      isWarning: state.kind === 'failed',
      accessibleText: `${name}: ${source.name}, ${text}`,
      command: 'chainInspector.switchEndpoint',
    });
  };
  const following = active.follow((session) => {
    draw(session);
    drawHeight(height, session.source);
    return [session.onDidChangeState(() => draw(session))];
  });
  return vscode.Disposable.from(following, item, height);
}

function drawHeight(item: StatusItem, source: Source): void {
  if (source.kind !== 'http') return void item.hide();
  const { at } = source;
  const text = at ? heightText(at, language()) : vscode.l10n.t('latest');
  const action = at
    ? vscode.l10n.t('Select to show the latest block')
    : vscode.l10n.t('Select to show an earlier block');
  const command = `chainInspector.${at ? 'showLatest' : 'showAtHeight'}`;
  const accessibleText = vscode.l10n.t('Block height: {0}', text);
  item.show({ icon: 'history', text, tooltip: [text, action], accessibleText, command });
}

function stateText(state: SessionState): { icon: string; text: string } {
  switch (state.kind) {
    case 'idle':
      return { icon: 'link', text: vscode.l10n.t('Not connected yet') };
    case 'loading':
      return { icon: 'loading~spin', text: vscode.l10n.t('Connecting…') };
    case 'ready':
      return { icon: 'link', text: vscode.l10n.t('Connected') };
    case 'failed':
      return { icon: 'warning', text: causeText(state.error, vscode.l10n.t) };
    default:
      return state satisfies never;
  }
}
