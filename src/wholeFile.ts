import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file was not written. A former file is unchanged. `code` is that of the system (`ENOSPC`). */
export class WriteError extends Error {
  readonly code: string;

  constructor(path: string, code: string, options: ErrorOptions) {
    super(`${path} was not written: ${systemReasons.get(code) ?? `the disk reported an error (${code})`}`, options);
    this.name = 'WriteError';
    this.code = code;
  }
}

/** The suffix of temporary files. A process that is killed while writing leaves one. */
export const temporarySuffix = '.part';

type Parts = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Writes bytes, or text as UTF-8, atomically: a flushed temporary file is renamed. Rejects with `WriteError`, or with
 * the error of `parts`.
 */
export async function writeWhole(path: string, parts: Parts): Promise<void> {
  const onDisk = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
      throw new WriteError(path, code, { cause });
    });
  const target = await realpath(path).catch(() => path);
  const temporary = join(
    dirname(target),
    `.${basename(target).slice(0, 60)}.${crypto.randomUUID().slice(0, 8)}${temporarySuffix}`,
  );
  try {
    const file = await onDisk(open(temporary, 'wx'));
    try {
      for await (const part of parts) await onDisk(file.appendFile(part, 'utf8'));
      await onDisk(file.sync());
    } finally {
      await file.close().catch(() => undefined);
    }
    await onDisk(rename(temporary, target));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

const systemReasons: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full. Free some space, or choose another disk'],
  ['EDQUOT', 'the disk is full. Free some space, or choose another disk'],
  ['EFBIG', 'the file would be too large for the disk. Choose another one'],
  ['EACCES', 'the folder cannot be written to. Choose another one'],
  ['EPERM', 'the folder cannot be written to. Choose another one'],
  ['EROFS', 'the folder cannot be written to. Choose another one'],
  ['ENOENT', 'the folder does not exist. Choose another one'],
  ['ENOTDIR', 'the folder does not exist. Choose another one'],
  ['EISDIR', 'a folder with that name already exists. Choose another name'],
]);
