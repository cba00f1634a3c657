import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file was not written; a file that was there before is unchanged. `code` is the system's (`ENOSPC`). */
export class WriteError extends Error {
  readonly path: string;
  readonly code: string;

  constructor(path: string, code: string, options: ErrorOptions) {
    super(`${path} was not written: ${reasonOf(code)}`, options);
    this.name = 'WriteError';
    this.path = path;
    this.code = code;
  }
}

/**
 * Writes a text atomically: as UTF-8 to a temporary file beside the target, which is flushed and renamed after the last
 * part, and removed when anything fails. A symbolic link is followed.
 *
 * @throws WriteError when the disk refuses; what `parts` throws (a cancel, a failed read) as it is.
 */
export async function writeWhole(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const temporary = join(dirname(target), `.${basename(target).slice(0, 60)}.${randomUUID().slice(0, 8)}.part`);
  try {
    await fill(path, temporary, parts);
    await onDisk(path, () => rename(temporary, target));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function fill(path: string, temporary: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const file = await onDisk(path, () => open(temporary, 'wx'));
  try {
    for await (const part of parts) await onDisk(path, () => file.appendFile(part, 'utf8'));
    await onDisk(path, () => file.sync());
  } finally {
    await file.close().catch(() => undefined);
  }
}

async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new WriteError(path, code, { cause: error });
  }
}

/** One sentence for the error codes of the file system. */
function reasonOf(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Free some space, or choose another disk';
    case 'EFBIG':
      return 'the file would be too large for the disk. Choose another one';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'the folder cannot be written to. Choose another one';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'the folder does not exist. Choose another one';
    case 'EISDIR':
      return 'there is a folder of that name. Choose another name';
    default:
      return `the disk refused (${code})`;
  }
}
