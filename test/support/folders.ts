import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The top folder of the project. */
export const projectFolder = join(import.meta.dirname, '../..');

/** The state file of the sample chain. */
export const sampleFile = join(import.meta.dirname, '../../media/sampleChain.json');

/** Makes a new temporary folder. `dispose` removes it, and so does the end of this process. */
export function startFolder(purpose: string): { readonly path: string; dispose(): void } {
  const path = mkdtempSync(join(tmpdir(), `chain-inspector-${purpose}-`));
  const dispose = () => {
    process.off('exit', dispose);
    // Ending processes may still write, so removal is tried several times.
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  process.once('exit', dispose);
  return { path, dispose };
}
