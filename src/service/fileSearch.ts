import type { StakingSink } from './modules/staking.ts';
import { FileChangedError } from './serviceErrors.ts';
import type { StateReader } from './state.ts';
import { type FileStamp, isSameStamp, maxTables, scanFile } from './stateFile.ts';

/** A search in a file that was read before. */
export interface FileSearch {
  readonly path: string;
  /** The stamp of the file that was read. */
  readonly stamp: FileStamp;
  /** The memory of the thread, as in `ServiceOptions`. */
  readonly maxHeap?: number | undefined;
}

/** Reads a whole file again. Rejects with `FileChangedError` if it is no longer the one that was read. */
export async function scanAgain({ path, stamp, maxHeap }: FileSearch, staking: StakingSink): Promise<StateReader> {
  const events = { onFault: (): void => undefined, staking };
  const { stamp: now, reader } = await scanFile(path, events, { maxTables: maxTables(maxHeap) });
  if (!isSameStamp(now, stamp)) throw new FileChangedError(path);
  return reader;
}
