import { createReadStream } from 'node:fs';
import { glob, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { maxDraftLength } from '../../draft/draftKind.ts';

/** The operand for standard input. */
export const stdinName = '-';

/** A file to check. */
export interface GivenFile {
  readonly file: string;
  /** True if the user named the file itself, so that it was not found in a folder or by a pattern. */
  readonly isNamed: boolean;
}

/** An operand that leads to no file, and the reason. */
export interface Missing {
  readonly file: string;
  readonly reason: string;
}

/**
 * Finds the files that the operands name, each once. An operand is a file, a folder, a pattern, or `-`. A folder stands
 * for all `.json` below it, except in `node_modules` and hidden folders. Symbolic links are not followed. An existing
 * name is never read as a pattern.
 */
export async function findFiles(
  operands: readonly string[],
): Promise<{ readonly files: readonly GivenFile[]; readonly missing: readonly Missing[] }> {
  const files = new Map<string, GivenFile>();
  const missing: Missing[] = [];
  const add = (file: string, isNamed: boolean): void => {
    const key = file === stdinName ? file : resolve(file);
    files.set(key, { file, isNamed: isNamed || files.get(key)?.isNamed === true });
  };
  for (const operand of operands) {
    const kind = operand === stdinName ? 'file' : await kindOf(operand);
    if (kind === 'file') add(operand, true);
    else {
      const found = kind === 'folder' ? await filesBelow(operand) : await filesLike(operand);
      for (const file of found) add(file, false);
      const isPattern = kind === undefined && /[*?[{]/.test(operand);
      if (kind === undefined && !isPattern) add(operand, true);
      else if (found.length === 0)
        missing.push({
          file: operand,
          reason: isPattern ? `No files match ${operand}.` : `There are no .json files in ${operand}.`,
        });
    }
  }
  return { files: [...files.values()], missing };
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  return found.isDirectory() ? 'folder' : 'file';
}

async function filesLike(pattern: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern)) if ((await kindOf(file)) === 'file') found.push(file);
  return found.sort();
}

/** Lists the files below a folder. Rejects if a folder cannot be read. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      for (const file of await filesBelow(path)) found.push(file);
    else if (entry.isFile() && entry.name.endsWith('.json')) found.push(path);
  }
  return found;
}

/**
 * The limit in bytes. UTF-8 takes at most three bytes for a UTF-16 unit, so a text of so many bytes is longer than a
 * draft may be.
 */
const maxBytes = 3 * (maxDraftLength + 1);

/**
 * Reads the text of a file or of stdin, including a byte order mark. Reads only as much as shows that a text is too
 * long.
 */
export async function readDraftFile(file: string): Promise<string> {
  const bytes =
    file === stdinName ? await startOf(process.stdin) : await buffer(createReadStream(file, { end: maxBytes - 1 }));
  return bytes.toString('utf8');
}

async function startOf(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    length += bytes.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
