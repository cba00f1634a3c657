import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import type { ReadingFile } from '../../openSource.ts';
import { plain } from '../../words/plain.ts';
import type { CommandContext } from './command.ts';
import type { CommandTable } from './commandTable.ts';

const prefix = 'chainInspector.';

/** Commands that rows and other parts of the extension run; the manifest does not list them. */
const internal = [
  '_dropStateFiles',
  '_loadMore',
  '_openComparedProposal',
  '_openDenom',
  '_openProposal',
  '_openWatched',
  '_showWatchNews',
] as const;

/** Registers the commands of the manifest and the internal ones. Their code is loaded when the first one runs. */
export class Commands implements vscode.Disposable {
  readonly #context: CommandContext;
  readonly #registered: vscode.Disposable;
  #table: Promise<CommandTable> | undefined;

  constructor(context: CommandContext, manifest: unknown) {
    this.#context = context;
    const ids = [...readContributed(manifest), ...internal.map((id) => `${prefix}${id}`)];
    const run = (id: string) => (first: unknown, second: unknown) => this.#run(id.slice(prefix.length), first, second);
    this.#registered = vscode.Disposable.from(...ids.map((id) => vscode.commands.registerCommand(id, run(id))));
  }

  async showReading(file: ReadingFile, reload: () => Promise<void> | undefined): Promise<void> {
    const { report } = this.#context;
    const failure = vscode.l10n.t('Could not read {0}', plain(file.name));
    await report.run(failure, async () => (await this.load()).showReading(file, report, reload));
  }

  load(): Promise<CommandTable> {
    this.#table ??= import('./commandTable.ts').then(({ CommandTable }) => new CommandTable(this.#context));
    return this.#table;
  }

  dispose(): void {
    this.#registered.dispose();
    void this.#table?.then((table) => table.dispose());
  }

  async #run(id: string, first: unknown, second: unknown): Promise<void> {
    const { report, panels } = this.#context;
    const inPanel = panels.titleCommand(id, first);
    if (inPanel) return panels.run(inPanel);
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
