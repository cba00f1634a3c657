import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import type { CommandParts, CommandTable } from './commandTable.ts';

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
  readonly #parts: CommandParts;
  readonly #registered: vscode.Disposable;
  #table: Promise<CommandTable> | undefined;

  constructor(parts: CommandParts) {
    this.#parts = parts;
    const ids = [...readContributed(parts.extension.packageJSON), ...internal.map((id) => `${prefix}${id}`)];
    const run =
      (id: string) =>
      (first: unknown, second: unknown): Promise<void> =>
        this.#run(id.slice(prefix.length), first, second);
    this.#registered = vscode.Disposable.from(...ids.map((id) => vscode.commands.registerCommand(id, run(id))));
  }

  load(): Promise<CommandTable> {
    this.#table ??= import('./commandTable.ts').then(({ CommandTable }) => new CommandTable(this.#parts));
    return this.#table;
  }

  dispose(): void {
    this.#registered.dispose();
    void this.#table?.then((table) => table.dispose());
  }

  async #run(id: string, first: unknown, second: unknown): Promise<void> {
    const { panels, report } = this.#parts;
    if (await panels.runInTitle(id, first)) return;
    await report.run(vscode.l10n.t('Chain Inspector'), async () => {
      const command = (await this.load()).commands.get(id);
      if (command) await report.run(command.failure, () => command.run(first, second));
    });
  }
}

function readContributed(manifest: unknown): string[] {
  const entries = member(member(manifest, 'contributes'), 'commands');
  return Array.isArray(entries) ? entries.map((entry: unknown) => `${member(entry, 'command')}`) : [];
}
