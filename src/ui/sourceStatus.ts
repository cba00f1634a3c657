import * as vscode from 'vscode';
import type { AnyPager } from '../chain/pager.ts';
import { statusGroups } from '../chain/proposal.ts';
import type { Session, SessionState } from '../session/session.ts';
import type { ActiveSession } from './activeSession.ts';
import { StatusItem, setViewTexts } from './labels.ts';
import { plain } from './plain.ts';
import { filterText, supplyText } from './words.ts';

type View = Pick<vscode.TreeView<unknown>, 'description' | 'message'>;

/** Shows the active source and its state in the status bar, where a click switches it. */
export function showInStatusBar(active: ActiveSession): vscode.Disposable {
  const name = vscode.l10n.t('Chain endpoint');
  const item = new StatusItem('chainInspector.endpoint', {
    name,
    command: 'chainInspector.switchEndpoint',
    priority: 0,
  });
  const draw = ({ source }: Session, state: SessionState) => {
    const { icon, text } = stateText(state);
    item.show({
      icon,
      text: source.name,
      tooltip: [source.id || vscode.l10n.t('Made-up state, works offline'), text, vscode.l10n.t('Select to switch')],
      spoken: `${name}: ${source.name}, ${text}`,
    });
  };
  const following = active.follow((session) => {
    draw(session, session.state);
    return [session.onDidChangeState((state) => draw(session, state))];
  });
  return vscode.Disposable.from(following, item);
}

function stateText(state: SessionState): { icon: string; text: string } {
  switch (state.kind) {
    case 'idle':
      return { icon: 'link', text: vscode.l10n.t('Not connected yet') };
    case 'loading':
      return { icon: 'loading~spin', text: vscode.l10n.t('Connecting…') };
    case 'ready':
      return { icon: 'link', text: vscode.l10n.t('Answering') };
    case 'failed':
      return { icon: 'warning', text: state.reason };
    default:
      return state satisfies never;
  }
}

/** Shows filters, source and height beside the titles of the views, and the notices of a state file above the supply. */
export function showInTitles(active: ActiveSession, proposalsView: View, supplyView: View): vscode.Disposable {
  return active.follow((session) => {
    const { proposals, supply, source } = session;
    const name = plain(source.name);
    const draw = () => {
      const { view, shown, pager } = supply;
      const lists = statusGroups.map((group) => proposals.pager(group));
      const list = lists.find(({ height }) => height !== undefined);
      // Only the beginning of a long description is visible: the filter comes first.
      setViewTexts(proposalsView, { description: joined(filterText(proposals.filter), sourceText(name, list)) });
      setViewTexts(supplyView, {
        description: joined(supplyText(view, shown.length, pager.rows.length), sourceText(name, pager)),
        message: session.notices,
      });
    };
    draw();
    return [proposals.onDidChange(draw), supply.onDidChange(draw)];
  });
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** With the height of the first page; later ones may be of later heights where the node could not keep it. */
function sourceText(name: string, list: Pick<AnyPager, 'height' | 'heightDropped'> | undefined): string {
  if (!list?.height) return name;
  return list.heightDropped === undefined
    ? vscode.l10n.t('{0}, height {1}', name, `${list.height}`)
    : vscode.l10n.t('{0}, from height {1} on', name, `${list.height}`);
}
