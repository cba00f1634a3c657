import * as vscode from 'vscode';
import type { Readable } from '../../../api/node.ts';
import type { Session } from '../../../session/session.ts';
import { presentId } from '../../../session/source.ts';
import { servedInProcess, toCurl } from '../../../words/curl.ts';
import { getCredential } from '../../endpoints/credentials.ts';
import { showInfo } from '../../report.ts';
import type { Credentials } from '../../storage.ts';

/**
 * The requests for rows of a source as cURL commands. Empty, with a message, if the source is not read over the
 * network.
 */
export async function curlCommands(
  session: Session,
  resources: readonly Readable[],
  credentials: Credentials,
): Promise<string[]> {
  const { source } = session;
  if (source.kind !== 'http') {
    void showInfo(servedInProcess(vscode.l10n.t));
    return [];
  }
  const node = await session.node();
  const header = (await getCredential(credentials, presentId(source)))?.name;
  return resources.map((resource) => toCurl(node.urlOf(resource), source.at?.height, header));
}
