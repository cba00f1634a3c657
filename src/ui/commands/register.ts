import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import type { ProposalPanels } from '../panel/panels.ts';
import type { Report } from '../report.ts';
import type { CommandTable } from './commandTable.ts';

const prefix = 'chainInspector.';

/** Commands that rows and other parts of the extension run; the manifest does not list them. */
const internal = [
  '_dropStateFiles',
  '_loadMore',
  '_openComparedProposal',
  '_openRow',
  '_openWatched',
  '_planUpgradeAt',
  '_showWatchNews',
] as const;

/** Registers the commands of the manifest and the internal ones. Their code is loaded when the first one runs. */
export class Commands implements vscode.Disposable {
  readonly #open: () => Promise<CommandTable>;
  readonly #registered: vscode.Disposable;
  #table: Promise<CommandTable> | undefined;

  /** `open` makes the table of the commands that `manifest` lists. */
  constructor(manifest: unknown, panels: ProposalPanels, report: Report, open: () => Promise<CommandTable>) {
    this.#open = open;
    const run = async (id: string, first: unknown, second: unknown): Promise<void> => {
      if (await panels.runInTitle(id, first)) return;
      await report.run(vscode.l10n.t('Chain Inspector'), async () => {
        const command = (await this.load()).commands.get(id);
        if (command) await report.run(command.failure, () => command.run(first, second));
      });
    };
    const ids = [...readContributed(manifest), ...internal.map((id) => `${prefix}${id}`)];
    this.#registered = vscode.Disposable.from(
      ...ids.map((id) =>
        vscode.commands.registerCommand(id, (first: unknown, second: unknown) =>
          run(id.slice(prefix.length), first, second),
        ),
      ),
    );
  }

  load(): Promise<CommandTable> {
    this.#table ??= this.#open();
    return this.#table;
  }

  dispose(): void {
    this.#registered.dispose();
    void this.#table?.then((table) => table.dispose());
  }
}

function readContributed(manifest: unknown): string[] {
  const entries = member(member(manifest, 'contributes'), 'commands');
  return Array.isArray(entries) ? entries.map((entry: unknown) => `${member(entry, 'command')}`) : [];
}
