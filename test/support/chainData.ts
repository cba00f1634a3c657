import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const root = process.env.CHAIN_DATA_DIR ?? join(import.meta.dirname, '../../../shared/data');

/** Recorded chain data, which lives beside the project and not in it; `undefined` (and a word on why) where it is absent. */
export function chainData():
  | { path(name: string): string; list(folder: string): string[]; text(name: string): string }
  | undefined {
  if (!existsSync(root)) {
    console.log('skipped: tests over recorded chain data; CHAIN_DATA_DIR names a folder of it');
    return undefined;
  }
  return {
    path: (name) => join(root, name),
    list: (folder) => readdirSync(join(root, folder)).sort(),
    text: (name) => {
      const bytes = readFileSync(join(root, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    },
  };
}
