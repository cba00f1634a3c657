import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './folders.ts';
import { runProcess } from './processes.ts';

/** Builds `dist/` anew. Throws with esbuild's words. */
export async function build({ production }: { readonly production: boolean }): Promise<void> {
  // A build of the other kind leaves files behind that this one does not make.
  if (production) await rm(join(projectFolder, 'dist'), { recursive: true, force: true });
  const args = ['esbuild.mjs', ...(production ? ['--production'] : [])];
  await runProcess(process.execPath, args, { cwd: projectFolder });
}
