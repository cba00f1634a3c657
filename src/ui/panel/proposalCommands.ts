import * as vscode from 'vscode';
import type { ProposalKey } from '../../page/proposalFacts.ts';
import { explorerPage } from '../../session/registry.ts';
import type { ActiveSession } from '../activeSession.ts';
import { type Command, commandsOf } from '../commands/command.ts';
import { loadedRows, readRowKeys } from '../commands/commandArguments.ts';
import { proposalUri } from '../documents.ts';
import type { LazyPanels } from './lazyPanels.ts';
import { panelCommands } from './panelCommands.ts';

/** The commands of a proposal: of a row, or of the focused panel. */
export function proposalCommands(active: ActiveSession, panels: LazyPanels, distPath: string): readonly Command[] {
  const inPanel = async (command: (typeof panelCommands)[number]): Promise<void> => (await panels.load()).run(command);
  const proposalOf = (row: unknown): ProposalKey | undefined => {
    const [loaded] = loadedRows(active.session, readRowKeys(row) ?? []);
    const { id: sourceId } = active.session.source;
    return loaded?.kind === 'proposal' ? { sourceId, id: BigInt(loaded.key) } : undefined;
  };
  return [
    ...panelCommands.flatMap((id) =>
      commandsOf(vscode.l10n.t('Could not update the page'), { [id]: () => inPanel(id) }),
    ),
    ...commandsOf(vscode.l10n.t('Could not open'), {
      openToSide: async (row) => {
        const key = proposalOf(row);
        if (key) await (await panels.load()).showBeside(key);
      },
      openProposalJson: async (row) => {
        const key = proposalOf(row);
        if (!key) return inPanel('openProposalJson');
        await vscode.commands.executeCommand('vscode.open', proposalUri(key.sourceId, key.id));
      },
      openInExplorer: async (row) => {
        const key = proposalOf(row);
        if (!key) return inPanel('openInExplorer');
        const page = await explorerPage(active.session, distPath, key.id);
        if (page !== undefined) await vscode.env.openExternal(vscode.Uri.parse(page, true));
      },
    }),
  ];
}
