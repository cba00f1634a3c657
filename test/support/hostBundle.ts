import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { projectFolder } from './folders.ts';

/** In a bundle, `import.meta` would be empty: the source's own place is written in. */
const ownPlace: Plugin = {
  name: 'own-place',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

/**
 * Bundles `test/host/**\/*.test.ts` (or only `some` of them) and their runner for the extension host, which loads CommonJS. Gives the folder and
 * the runner's path. Throws when there is no test file.
 */
export async function bundleHostTests(
  some: readonly string[] = [],
): Promise<{ readonly folder: string; readonly runner: string }> {
  const files = some.length > 0 ? some : globSync('test/host/**/*.test.ts', { cwd: projectFolder });
  if (files.length === 0) throw new Error('No host tests were found (test/host/**/*.test.ts).');
  // Inside the project, so that the bundles find the packages that stay outside of them.
  const folder = join(projectFolder, '.cache/host-tests');
  await rm(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: projectFolder,
    entryPoints: ['test/support/hostTests.ts', ...files],
    outbase: 'test',
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    logLevel: 'warning',
    external: ['vscode', 'mocha'],
    plugins: [ownPlace],
  });
  return { folder: join(folder, 'host'), runner: join(folder, 'support/hostTests.cjs') };
}
