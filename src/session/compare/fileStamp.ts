import { stat } from 'node:fs/promises';
import type { Source } from '../source.ts';

/** Size and modification time of a state file, by which a change is noticed; undefined for other sources and without a file. */
export async function fileStamp(source: Source): Promise<string | undefined> {
  if (source.kind !== 'file') return undefined;
  const found = await stat(source.path).catch(() => undefined);
  return found && `${found.size} ${found.mtimeMs}`;
}
