import type * as vscode from 'vscode';
import type { KeyValueStore, LastAnswers, SourceMemory } from '../session/memory.ts';

/** Where credential headers are kept, and nowhere else; each is bound to one origin: a changed setting never sends one elsewhere. */
export type Credentials = vscode.SecretStorage;

/** Everything that the extension keeps between runs beside the settings, and the places of its own files. */
export interface Storage {
  /** Not synced. */
  readonly globalState: KeyValueStore;
  readonly workspaceState: KeyValueStore;
  readonly credentials: Credentials;
  /** How the node behind an endpoint is asked (`StoredFacts` of `api/dialect.ts`). */
  readonly dialects: SourceMemory;
  /** How each endpoint answered last. */
  readonly answers: LastAnswers;
  /** A folder that all windows of the user share. */
  readonly globalStorageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  /** Folder of the bundle: presets and denoms are there. */
  readonly distPath: string;
}
