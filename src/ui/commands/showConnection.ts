import * as vscode from 'vscode';
import { reportText, testConnection } from '../../session/testConnection.ts';
import { withProgress } from '../ask.ts';
import { plain } from '../plain.ts';
import type { CommandContext } from './commandContext.ts';

/** Asks the endpoint shown everything once, and opens what was found as text for a bug report. */
export async function showConnection({ active, credentials, documents, extension }: CommandContext): Promise<void> {
  const { session } = active;
  const { source } = session;
  const title = vscode.l10n.t('Testing the connection to {0}', plain(source.name));
  const text = await withProgress(title, async (signal) => {
    const node = await session.node();
    const header = source.kind === 'http' ? (await credentials.get(source.id))?.name : undefined;
    const report = await testConnection(node, signal);
    return reportText(report, { source, node, header, notices: session.notices, extension });
  });
  await documents.show('connection.txt', text);
}
