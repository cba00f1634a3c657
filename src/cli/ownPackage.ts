import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMember } from '../chain/fields.ts';

/**
 * The folder of the package. It is above `dist/` in bundles, which have no `import.meta`, and otherwise above `src/`.
 */
export const packageFolder: string = import.meta.dirname ? join(import.meta.dirname, '../..') : join(__dirname, '..');

/** Gives the version of this package. */
export async function packageVersion(): Promise<string> {
  return String(readMember(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')), 'version'));
}
