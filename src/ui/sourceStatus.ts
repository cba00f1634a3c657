import * as vscode from 'vscode';
import { groupDigits } from '../chain/coin.ts';
import { escapeForUi } from '../chain/text.ts';
import type { AnyPager } from '../lists/pager.ts';
import { type ListName, listNames, type Stores } from '../session/session.ts';
import type { Source } from '../session/source.ts';
import { filterText } from '../words/proposalWords.ts';
import { heightText, matchesText, supplyText } from '../words/values.ts';
import type { ActiveSession } from './activeSession.ts';
import { setViewTexts } from './labels.ts';
import { language } from './settings.ts';

type View = Pick<vscode.TreeView<unknown>, 'description' | 'message'>;

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
