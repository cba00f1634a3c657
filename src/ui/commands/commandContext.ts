import type * as vscode from 'vscode';
import type { Dialects } from '../../session/dialects.ts';
import type { Sessions } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { LazyComparison } from '../compare/lazyComparison.ts';
import type { Documents } from '../documents.ts';
import type { Credentials } from '../network.ts';
import type { LazyPanels } from '../panel/lazyPanels.ts';
import type { Report } from '../report.ts';
import type { Settings } from '../settings.ts';
import type { Selection } from './copy.ts';
import type { FilterMemory } from './filterMemory.ts';

/** What commands work on. */
export interface CommandContext {
  readonly active: ActiveSession;
  readonly settings: Settings;
  readonly report: Report;
  readonly log: vscode.LogOutputChannel;
  readonly panels: LazyPanels;
  readonly selection: Selection;
  readonly credentials: Credentials;
  readonly dialects: Dialects;
  readonly documents: Documents;
  readonly comparison: LazyComparison;
  readonly sessions: Sessions;
  readonly filters: FilterMemory;
  /** The user's own, on this machine: recent look-ups and addresses. */
  readonly globalState: vscode.Memento;
  /** Folder of the bundle: presets and denoms lie there. */
  readonly distPath: string;
  /** Name and version, for reports. */
  readonly extension: string;
}
