import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../support/editorServer.ts';
import { runProcess } from '../support/processes.ts';

/**
 * Installs published packages once into the cache folder of the tests, for comparison only, so that they are no
 * dependencies of the project. Resolves with their folder; undefined, and a word on it, where they cannot be had.
 */
export async function installForBench(packages: readonly string[]): Promise<string | undefined> {
  const folder = join(cacheFolder(), `bench-${packages.join('-').replaceAll(/[@/]/g, '_')}`);
  if (existsSync(folder)) return folder;
  console.error(`Installing ${packages.join(', ')} (once, into ${cacheFolder()})…`);
  await mkdir(cacheFolder(), { recursive: true });
  const aside = await mkdtemp(`${folder}.part-`);
  try {
    await writeFile(join(aside, 'package.json'), '{ "private": true }\n');
    await runProcess('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: aside });
    await rename(aside, folder);
    return folder;
  } catch (error) {
    console.error(
      `skipped: ${packages.join(', ')} could not be installed (${error instanceof Error ? error.message : error})`,
    );
    return undefined;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
