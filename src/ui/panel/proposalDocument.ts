import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import type { ProposalRow } from '../../chain/gov/proposal.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';

/**
 * The text of the read-only document of a proposal: its JSON as the chain wrote it, indented. Rejects for a source that
 * the user did not choose.
 */
export async function proposalText({ sessions, settings }: ActiveSession, uri: vscode.Uri): Promise<string> {
  if (uri.path.startsWith('/comparison-')) return vscode.l10n.t('This comparison is closed. Compare again to see it.');
  const id = /^\/proposal-(\d+)\.json$/.exec(uri.path)?.[1];
  if (id === undefined) throw new Error(vscode.l10n.t('{0} is not a proposal', escapeForUi(uri.toString())));
  const source = settings.source(uri.query);
  // The URI may come from a link in any file.
  const isChosen = settings.sources.some((chosen) => chosen.id === presentId(source));
  if (!isChosen && sessions.find(source) === undefined)
    throw new InputError(vscode.l10n.t('{0} is not one of your endpoints. Add it first.', escapeForUi(source.name)));
  const load = async ({ lists: { proposals } }: Session): Promise<ProposalRow> =>
    proposals.find(BigInt(id)) ?? proposals.load(BigInt(id));
  const row = await sessions.use(source, load);
  return `${JSON.stringify(row.kind === 'proposal' ? row.raw : { id, unreadable: row.reason }, undefined, 2)}\n`;
}
