import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InputError } from '../api/errors.ts';
import { shorten } from '../chain/text.ts';

/** A file, and the one beside it that was asked for. The latter is undefined if it does not exist. */
export interface FoundFile {
  readonly text: string;
  readonly beside: string | undefined;
}

/** The limit for a file in bytes. It is more than the longest draft has. */
const maxBytes = 8 * 1024 * 1024;

/** The files in some folders, and no others. Links that lead out of the folders are not followed. */
export class DraftFolders {
  readonly #folders: () => readonly string[];
  readonly #unsaved: (path: string) => string | undefined;

  /** `folders` gives whole paths. `unsaved` gives the edited text of a file, by its path without links. */
  constructor(folders: () => readonly string[], unsaved: (path: string) => string | undefined = () => undefined) {
    this.#folders = folders;
    this.#unsaved = unsaved;
  }

  /** Reads a file by its whole path, or by its path in one of the folders. Rejects with `InputError`. */
  async read(file: string, beside: string | undefined): Promise<FoundFile> {
    const given = this.#folders();
    const real = await Promise.all(given.map((folder) => realpath(folder).catch(() => undefined)));
    const folders = real.filter((folder) => folder !== undefined);
    if (folders.length === 0) throw new InputError('There is no folder to read files from');
    const places = isAbsolute(file) ? [file] : folders.map((folder) => resolve(folder, file));
    let isOutside = false;
    for (const place of places) {
      const path = await realpath(place).catch(() => undefined);
      if (path === undefined) isOutside ||= !isInside(place, [...folders, ...given]);
      else if (!isInside(path, folders)) isOutside = true;
      else {
        const next =
          beside === undefined ? undefined : await realpath(join(dirname(path), beside)).catch(() => undefined);
        const isReadable = next !== undefined && isInside(next, folders);
        return {
          text: await this.#textOf(path, file),
          beside: isReadable ? await this.#textOf(next, file) : undefined,
        };
      }
    }
    const where = given
      .slice(0, 5)
      .map((folder) => shorten(folder))
      .join(', ');
    throw new InputError(
      isOutside
        ? `${shorten(file)} is outside the folders that can be read: ${where}`
        : `There is no file ${shorten(file)} in ${where}`,
    );
  }

  async #textOf(path: string, name: string): Promise<string> {
    const unsaved = this.#unsaved(path);
    if (unsaved !== undefined) return unsaved;
    // Opening a pipe would wait for a writer.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
      throw new InputError(`${shorten(name)} cannot be read`, { cause });
    });
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new InputError(`${shorten(name)} is not a file`);
      if (stat.size > maxBytes) throw new InputError(`${shorten(name)} is larger than 8 MiB, so it is not a draft`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  }
}

function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = relative(folder, path);
    return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}
