import { existsSync, globSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './projectFolder.ts';
import { runProcess } from './startProcess.ts';

/** Builds `dist/` anew. Throws with esbuild's words. */
export async function build({ production }: { readonly production: boolean }): Promise<void> {
  // A build of the other kind leaves files behind that this one does not make.
  if (production) await rm(join(projectFolder, 'dist'), { recursive: true, force: true });
  const args = ['esbuild.mjs', ...(production ? ['--production'] : [])];
  await runProcess(process.execPath, args, { cwd: projectFolder });
}

/** Builds when there is no `dist/`, or one that is older than a source of it. */
export async function buildIfStale(): Promise<void> {
  const built = join(projectFolder, 'dist/main.cjs');
  if (existsSync(built) && statSync(built).mtimeMs >= newestSource()) return;
  await build({ production: false });
}

function newestSource(): number {
  const files = globSync(['src/**/*', 'media/**/*', 'esbuild.mjs', 'package-lock.json'], { cwd: projectFolder });
  return Math.max(...files.map((file) => statSync(join(projectFolder, file)).mtimeMs));
}
