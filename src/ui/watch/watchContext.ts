import type * as vscode from 'vscode';
import type { Sessions } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { Report } from '../report.ts';
import type { Settings } from '../settings.ts';
import type { ProposalsNode } from '../trees/proposalsTree.ts';
import type { SupplyNode } from '../trees/supplyTree.ts';

/** What the Watch List works with. */
export interface WatchContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly report: Report;
  readonly globalState: vscode.Memento & { setKeysForSync(keys: readonly string[]): void };
  /** Shared by all windows of the user. */
  readonly globalStorageUri: vscode.Uri;
  readonly openProposal: (sourceId: string, id: bigint) => Promise<void>;
  /** What is selected in the other views, for commands that were not called on a row. */
  readonly selection: { proposals(): readonly ProposalsNode[]; supply(): readonly SupplyNode[] };
}
