import * as vscode from 'vscode';
import { statusGroups } from '../chain/proposalStore.ts';
import type { Session } from '../session/session.ts';
import type { ActiveSession } from './activeSession.ts';
import { filterText, supplyText } from './commands/filterWords.ts';

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
    const heights = statusGroups.map((group) => proposals.pager(group).height);
    const height = heights.find((known) => known !== undefined);
    const { view, shown, pager } = supply;
    // What is left out comes first: of a long description the beginning is seen.
    this.#proposals.description = joined(filterText(proposals.filter), title(source.name, height));
    this.#supply.description = joined(
      supplyText(view, shown.length, pager.rows.length),
      title(source.name, pager.height),
    );
    this.#supply.message = session.notices.join('\n') || undefined;
  }
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

function title(name: string, height: bigint | undefined): string {
  return height === undefined || height === 0n ? name : vscode.l10n.t('{0}, height {1}', name, height.toString());
}
