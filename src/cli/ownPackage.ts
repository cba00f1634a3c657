import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMember } from '../chain/fields.ts';

/**
 * The folder of the package. It is above `dist/` in bundles, which have no `import.meta`, and otherwise above `src/`.
 */
export const packageFolder: string = import.meta.dirname ? join(import.meta.dirname, '../..') : join(__dirname, '..');

/** Gives the version of this package. It is read at once, since a start would wait for a thread three times. */
export function packageVersion(): string {
  return String(readMember(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')), 'version'));
}
