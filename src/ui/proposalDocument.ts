import * as vscode from 'vscode';
import { InputError } from '../api/errors.ts';
import type { ProposalRow } from '../chain/proposal.ts';
import { escapeForUi } from '../chain/text.ts';
import type { Session } from '../session/session.ts';
import { presentId } from '../session/source.ts';
import type { ActiveSession } from './activeSession.ts';

/** The text of the read-only document of a proposal: as it came, indented. Rejects where the source is none that the user has chosen. */
export async function proposalText({ sessions, settings }: ActiveSession, uri: vscode.Uri): Promise<string> {
  if (uri.path.startsWith('/comparison-')) return vscode.l10n.t('This comparison was closed. Compare again to see it.');
  const id = /^\/proposal-(\d+)\.json$/.exec(uri.path)?.[1];
  if (id === undefined) throw new Error(vscode.l10n.t('{0} names no proposal', escapeForUi(uri.toString())));
  const source = settings.source(uri.query);
  // The address may come from a link in any file.
  const isChosen = settings.sources.some((chosen) => chosen.id === presentId(source));
  if (!isChosen && sessions.find(source) === undefined)
    throw new InputError(vscode.l10n.t('{0} is not one of your endpoints: add it first', escapeForUi(source.name)));
  const load = async ({ stores: { proposals } }: Session): Promise<ProposalRow> =>
    proposals.known(BigInt(id)) ?? proposals.load(BigInt(id));
  const row = await sessions.use(source, load);
  return `${JSON.stringify(row.kind === 'proposal' ? row.raw : { id, unreadable: row.reason }, undefined, 2)}\n`;
}
