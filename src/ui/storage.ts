import type * as vscode from 'vscode';
import type { KeyValueStore, LastAnswers, SourceMemory } from '../session/memory.ts';

/**
 * The only storage of API key headers. Each is bound to one origin, so that a changed setting never sends it elsewhere.
 */
export type Credentials = vscode.SecretStorage;

/** The storage of the extension beside the settings, and the places of its own files. */
export interface Storage {
  /** Not synced. */
  readonly globalState: KeyValueStore;
  readonly workspaceState: KeyValueStore;
  readonly credentials: Credentials;
  /** The traits of the node of each endpoint (`StoredTraits` of `api/rest/dialect.ts`). */
  readonly dialects: SourceMemory;
  /** The last answer of each endpoint. */
  readonly answers: LastAnswers;
  /** A folder that all windows of the user share. */
  readonly globalStorageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  /** The folder of the bundle, which has presets and denoms. */
  readonly distPath: string;
}
