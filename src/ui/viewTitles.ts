import * as vscode from 'vscode';
import type { AnyPager } from '../chain/pager.ts';
import { statusGroups } from '../chain/proposal.ts';
import type { Session } from '../session/session.ts';
import type { ActiveSession } from './activeSession.ts';
import { setViewTexts } from './labels.ts';
import { plain } from './plain.ts';
import { filterText, supplyText } from './words.ts';

type View = Pick<vscode.TreeView<unknown>, 'description' | 'message'>;

/** Says beside the titles of the views what is shown: the source, the height that was read, what a file says of itself. */
export class ViewTitles implements vscode.Disposable {
  readonly #proposals: View;
  readonly #supply: View;
  readonly #listener: vscode.Disposable;
  #subscriptions: { dispose(): void }[] = [];

  constructor(active: ActiveSession, proposals: View, supply: View) {
    this.#proposals = proposals;
    this.#supply = supply;
    this.#listener = active.onDidChange((session) => this.#show(session));
    this.#show(active.session);
  }

  dispose(): void {
    this.#listener.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #show(session: Session): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    const draw = () => this.#draw(session);
    this.#subscriptions = [session.proposals.onDidChange(draw), session.supply.onDidChange(draw)];
    draw();
  }

  #draw(session: Session): void {
    const { source, proposals, supply } = session;
    const lists = statusGroups.map((group) => proposals.pager(group));
    const list = lists.find(({ height }) => height !== undefined);
    const { view, shown, pager } = supply;
    // What is left out comes first: of a long description the beginning is seen.
    const name = plain(source.name);
    setViewTexts(this.#proposals, { description: joined(filterText(proposals.filter), title(name, list)) });
    setViewTexts(this.#supply, {
      description: joined(supplyText(view, shown.length, pager.rows.length), title(name, pager)),
      message: session.notices,
    });
  }
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** The height of the first page; later ones may be of later heights where the node could not keep it. */
function title(name: string, list: Pick<AnyPager, 'height' | 'heightDropped'> | undefined): string {
  if (list?.height === undefined || list.height === 0n) return name;
  return list.heightDropped === undefined
    ? vscode.l10n.t('{0}, height {1}', name, list.height.toString())
    : vscode.l10n.t('{0}, from height {1} on', name, list.height.toString());
}
