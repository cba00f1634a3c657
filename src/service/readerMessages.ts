import type { PartName, State } from './state.ts';

/** What the reader's thread is told. */
export interface ReaderTask {
  readonly path: string;
  readonly cacheDir?: string | undefined;
  readonly rebase?: Date | undefined;
  readonly chunkSize?: number | undefined;
}

/** What the reader's thread says. */
export type ReaderMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly size: number }
  | { readonly type: 'parts'; readonly parts: Partial<State> }
  | { readonly type: 'fault'; readonly part: PartName; readonly message: string }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string };
