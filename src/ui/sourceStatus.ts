import * as vscode from 'vscode';
import { groupDigits } from '../chain/coin.ts';
import type { AnyPager } from '../chain/pager.ts';
import { escapeForUi } from '../chain/text.ts';
import { type ListName, listNames, type Session, type SessionState, type Stores } from '../session/session.ts';
import { presentId, type Source } from '../session/source.ts';
import { causeText } from '../words/errorWords.ts';
import { filterText } from '../words/proposalWords.ts';
import { heightText, matchesText, supplyText } from '../words/values.ts';
import type { ActiveSession } from './activeSession.ts';
import type { PickItem } from './ask.ts';
import { StatusItem, setViewTexts } from './labels.ts';
import { language, type Settings } from './settings.ts';

type View = Pick<vscode.TreeView<unknown>, 'description' | 'message'>;

/** Shows the active source with its state, and the height of an endpoint, in the status bar; a click changes them. */
export function showInStatusBar(active: ActiveSession): vscode.Disposable {
  const name = vscode.l10n.t('Chain endpoint');
  const item = new StatusItem('chainInspector.endpoint', name, 0);
  const height = new StatusItem('chainInspector.height', vscode.l10n.t('Block height'), -0.5);
  const draw = ({ source, state }: Session): void => {
    const { icon, text } = stateText(state);
    const address = presentId(source) || vscode.l10n.t('Made-up state, works offline');
    item.show({
      icon,
      text: source.kind === 'http' ? source.setting.name : source.name,
      tooltip: [text, address, vscode.l10n.t('Select to switch')],
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
  const action = at ? vscode.l10n.t('Select to show the latest') : vscode.l10n.t('Select to show a block height');
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
      return { icon: 'link', text: vscode.l10n.t('Answering') };
    case 'failed':
      return { icon: 'warning', text: causeText(state.error, vscode.l10n.t) };
    default:
      return state satisfies never;
  }
}

/** What the filter and the order of each view are, in a few words; "" where there are none. */
export const viewTexts: Readonly<Record<ListName, (stores: Stores) => string>> = {
  proposals: ({ proposals }) => filterText(proposals.filter, vscode.l10n.t),
  supply: ({ supply: { view, shown, pager } }) => supplyText(view, shown.length, pager.rows.length, vscode.l10n.t),
  validators: ({ validators: { view, shown, pager } }) =>
    view.text && matchesText(view.text, shown.length, pager.rows.length, vscode.l10n.t),
};

/** Shows filters, source and height beside the titles of the views, and the notices of a state file above the supply. */
export function showInTitles(
  active: ActiveSession,
  trees: Readonly<Record<ListName, { readonly view: View }>>,
): vscode.Disposable {
  return active.follow((session) => {
    const { stores, source } = session;
    const past =
      source.kind === 'http' && source.at ? [vscode.l10n.t('At {0}', heightText(source.at, language()))] : [];
    const draw = (list: ListName): void => {
      const pager = stores[list].pagers.find(({ height }) => height !== undefined);
      // Only the beginning of a long description is visible: the filter comes first.
      const texts = [viewTexts[list](stores), sourceText(source, pager)];
      const message = list === 'supply' ? [...past, ...noticeLines(session.notices)] : past;
      setViewTexts(trees[list].view, { description: texts.filter(Boolean).join(' · '), message });
    };
    return listNames.map((list) => {
      draw(list);
      return stores[list].onDidChange(() => draw(list));
    });
  });
}

/** More than two would leave no space for the rows. */
function noticeLines(notices: readonly string[]): readonly string[] {
  const [first, ...others] = notices;
  if (first === undefined || others.length < 2) return notices;
  return [first, vscode.l10n.t('{0} more notices: Test Connection lists them.', others.length)];
}

/** With the height of the first page; later ones may be of later heights where the node could not keep it. */
function sourceText(source: Source, list: Pick<AnyPager, 'height' | 'heightDropped'> | undefined): string {
  const name = escapeForUi(source.name);
  if (!list?.height || (source.kind === 'http' && source.at)) return name;
  return list.heightDropped === undefined
    ? vscode.l10n.t('{0}, height {1}', name, groupDigits(list.height))
    : vscode.l10n.t('{0}, from height {1} on', name, groupDigits(list.height));
}

/** The source that is shown, then the sample chain and the endpoints, the last used first. */
export function sourcesByUse(active: ActiveSession, settings: Settings): readonly Source[] {
  const used = [settings.source(settings.baseUrl).id, ...active.lastUsed];
  const rank = ({ id }: Source): number => (used.includes(id) ? used.indexOf(id) : used.length);
  return settings.sources.toSorted((a, b) => rank(a) - rank(b));
}

/** A row for a source, marked where it is shown. */
export function sourceItem(source: Source, settings: Settings): PickItem {
  return {
    icon: source.id === settings.source(settings.baseUrl).id ? 'check' : undefined,
    label: source.name,
    description: source.id || vscode.l10n.t('Made-up state, works offline'),
  };
}
