import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file was not written; nothing of it is left, and what stood there before still does. `code` is the system's word. */
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
 * Writes a text whole or not at all: as UTF-8 to a file beside the target, flushed and renamed when its last part is there.
 * When a part cannot be had or written, the file beside is removed and the target is as it was. A link is followed.
 *
 * @throws WriteError when the disk refuses; what `parts` throws (a cancel, a failed read) as it is.
 */
export async function writeWhole(path: string, parts: AsyncIterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const beside = join(dirname(target), `.${basename(target).slice(0, 60)}.${randomUUID().slice(0, 8)}.part`);
  try {
    await fill(path, beside, parts);
    await ofDisk(path, () => rename(beside, target));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function fill(path: string, beside: string, parts: AsyncIterable<string>): Promise<void> {
  const file = await ofDisk(path, () => open(beside, 'wx'));
  try {
    for await (const part of parts) await ofDisk(path, () => file.appendFile(part, 'utf8'));
    await ofDisk(path, () => file.sync());
  } finally {
    await file.close().catch(() => undefined);
  }
}

async function ofDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new WriteError(path, code, { cause: error });
  }
}

function reasonOf(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Free some space, or choose another disk';
    case 'EFBIG':
      return 'it would be larger than files may be there. Choose another disk';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'that place cannot be written to. Choose another folder';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'the folder is not there. Choose another one';
    case 'EISDIR':
      return 'there is a folder of that name. Choose another name';
    default:
      return `the disk refused (${code})`;
  }
}
