import * as vscode from 'vscode';
import type { SessionHold } from '../../session/sessions.ts';
import type { ProposalDetails, ProposalKey } from './proposalDetails.ts';
import { registryChain } from './registryChain.ts';
import { type PanelWatch, StoreDetails } from './storeDetails.ts';

/** What a panel needs of the rest. */
export interface PanelContext {
  /** Opens a source for as long as a panel needs it. */
  readonly hold: (sourceId: string) => SessionHold;
  readonly watch: PanelWatch;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** Shows what went wrong with an action; never rejects. */
  readonly run: (title: string, work: () => Promise<void> | void) => Promise<void>;
  /** The read-only document with the JSON of a proposal. */
  readonly jsonUri: (key: ProposalKey) => vscode.Uri;
}

/** Opens a proposal of a source for as long as the details live. */
export function openDetails(context: PanelContext, key: ProposalKey): ProposalDetails {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath;
  return new StoreDetails(context.hold(key.sourceId), key, {
    registryChain: (chainId) => registryChain(dist, chainId, key.id),
    watch: context.watch,
  });
}
