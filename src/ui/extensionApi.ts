import type * as vscode from 'vscode';
import type { Sessions } from '../session/session.ts';
import type { ActiveSession } from './activeSession.ts';
import type { ExportChoice } from './commands/command.ts';
import type { Commands } from './commands/register.ts';
import type { LazyPanels } from './panel/lazyPanels.ts';
import type { RequestLog } from './report.ts';
import type { ProposalsTree } from './trees/proposalsTree.ts';
import type { SupplyTree } from './trees/supplyTree.ts';
import type { LazyWatchList } from './watch/lazyWatchList.ts';

/** What `activate` returns: the living objects, for the tests that run in the extension host. Not a public API. */
export interface ExtensionApi {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly requests: RequestLog;
  readonly proposalsTree: ProposalsTree;
  readonly supplyTree: SupplyTree;
  readonly panels: LazyPanels;
  readonly watchList: LazyWatchList;
  readonly commands: Commands;
  /** Exports a view to a file without a question, as the command does once the user has chosen the file. */
  readonly exportTo: (view: 'proposals' | 'supply', choice: ExportChoice, file: vscode.Uri) => Promise<void>;
}
