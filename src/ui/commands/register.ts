import * as vscode from 'vscode';
import { readMember } from '../../chain/fields.ts';
import type { LazyPanels } from '../panel/lazyPanels.ts';
import type { Report } from '../report.ts';
import type { CommandTable } from './commandTable.ts';

const prefix = 'chainInspector.';

/** Commands that rows and other parts of the extension run. The manifest does not list them. */
const internal = [
  '_askFromCode',
  '_dropStateFiles',
  '_loadMore',
  '_openAtByte',
  '_openComparedProposal',
  '_openFromCode',
  '_openRow',
  '_openWatched',
  '_planUpgradeAt',
  '_showSampleChain',
  '_showWatchNews',
] as const;

/**
 * Registers all commands, those of the manifest and internal ones. Their code is loaded when the first command runs.
 */
export class Commands implements vscode.Disposable {
  readonly #open: () => Promise<CommandTable>;
  readonly #registered: vscode.Disposable;
  #table: Promise<CommandTable> | undefined;

  /** `open` creates the table of commands. `manifest` lists their ids. */
  constructor(manifest: unknown, panels: LazyPanels, report: Report, open: () => Promise<CommandTable>) {
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
  const entries = readMember(readMember(manifest, 'contributes'), 'commands');
  return Array.isArray(entries) ? entries.map((entry: unknown) => `${readMember(entry, 'command')}`) : [];
}
