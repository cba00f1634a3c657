import * as vscode from 'vscode';
import type { ProposalDetails, ProposalKey } from './proposalDetails.ts';
import type { Action } from './protocol.ts';

/** The actions that take a proposal somewhere else: the clipboard, a document, a browser. */
export type HandOff = Extract<Action, `copy${string}` | `open${string}`>;

/** Does one of them; one that makes no sense yet does nothing. */
export async function handOff(
  action: HandOff,
  details: ProposalDetails,
  key: ProposalKey,
  jsonUri: (key: ProposalKey) => vscode.Uri,
): Promise<void> {
  const row = details.state.kind === 'loaded' ? details.state.facts.row : undefined;
  switch (action) {
    case 'copyId':
      await vscode.env.clipboard.writeText(key.id.toString());
      break;
    case 'copyJson':
      if (row?.kind === 'proposal') await vscode.env.clipboard.writeText(JSON.stringify(row.raw, null, 2));
      break;
    case 'copyCurl':
      if (details.address !== undefined) await vscode.env.clipboard.writeText(toCurl(details.address));
      break;
    case 'openJson':
      await vscode.commands.executeCommand('vscode.open', jsonUri(key));
      break;
    case 'openExplorer':
      if (details.explorerUrl !== undefined) await vscode.env.openExternal(vscode.Uri.parse(details.explorerUrl, true));
      break;
    default:
      action satisfies never;
  }
}

/** A shell command that asks what we asked; no secrets in it. */
function toCurl(address: string): string {
  return `curl -sS -H 'Accept: application/json' '${address.replaceAll("'", '%27')}'`;
}
