import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { editors } from '../support/editorServer.ts';
import { projectFolder, startFolder } from '../support/folders.ts';
import { runProcess } from '../support/processes.ts';
import { measureStarts, type Start, type Times } from './editorStarts.ts';
import { median, type Row } from './row.ts';

const versions = ['oldest', 'newest'] as const;
/** The figures that decide between the two forms: at most 5 ms more for each. */
const figures = {
  activation: 'load and activate with the window',
  anyRow: 'icon click to any row',
  data: 'icon click to first rows',
} as const satisfies Partial<Record<keyof Times, string>>;

/**
 * The extension as one ES module with the bundler's own code splitting, beside the bundles that users get (the baseline): what
 * activation loads, and what starts and first rows take in both editors, by turns in one run.
 */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const folder = startFolder('modules');
  try {
    const bundles = join(folder.path, 'bundles');
    for (const name of [
      'package.json',
      'package.nls.json',
      'package.nls.zh-cn.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'docs',
      'media',
      'dist',
      '.vscodeignore',
    ])
      cpSync(join(projectFolder, name), join(bundles, name), { recursive: true });
    const modules = join(folder.path, 'modules');
    cpSync(bundles, modules, { recursive: true });
    const loaded = await buildModules(modules);
    const rows: Row[] = [
      {
        name: 'code loaded at activation',
        unit: 'kB',
        value: loaded.bytes / 1000,
        baseline: bundleSize(bundles) / 1000,
      },
      { name: 'files loaded at activation', unit: '', value: loaded.files, baseline: 2 },
    ];
    if (isSmallest) return rows;
    const vsix = { bundles: await packed(bundles), modules: await packed(modules) };
    rows.push({
      name: 'packaged extension',
      unit: 'kB',
      value: statSync(vsix.modules).size / 1000,
      baseline: statSync(vsix.bundles).size / 1000,
    });
    for (const version of versions) rows.push(...(await compareStarts(vsix, version, folder.path)));
    return rows;
  } finally {
    folder.dispose();
  }
}

/** Starts both forms by turns, two starts each time, as the first and the second extension of a window take turns too. */
async function compareStarts(
  vsix: Readonly<Record<'bundles' | 'modules', string>>,
  version: (typeof versions)[number],
  folder: string,
): Promise<readonly Row[]> {
  const starts: Record<'bundles' | 'modules', Start[]> = { bundles: [], modules: [] };
  for (let round = 0; round < 5; round++)
    for (const form of round % 2 === 0 ? (['bundles', 'modules'] as const) : (['modules', 'bundles'] as const))
      starts[form].push(...(await measureStarts(vsix[form], join(folder, `trivial-${form}`), 2, version)));
  const of = (form: 'bundles' | 'modules', figure: keyof typeof figures) =>
    median(starts[form].map(({ own }) => own[figure]));
  const names = ['activation', 'anyRow', 'data'] as const;
  return names.map((figure) => ({
    name: `${figures[figure]}, VS Code ${editors[version].vscode}`,
    unit: 'ms',
    value: of('modules', figure),
    baseline: of('bundles', figure),
    target: { of: 'difference', atMost: 5 },
  }));
}

function bundleSize(folder: string): number {
  return ['extension', 'app'].reduce((sum, part) => sum + statSync(join(folder, `dist/${part}.cjs`)).size, 0);
}

async function packed(folder: string): Promise<string> {
  const file = join(folder, 'extension.vsix');
  await runProcess('vsce', ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', file], {
    cwd: folder,
  });
  return file;
}

/** Replaces the bundles of `folder` by modules. Gives what activation loads: the entry and `extension.ts` with what they import. */
async function buildModules(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const dist = join(folder, 'dist');
  for (const name of readdirSync(dist))
    if (/\.cjs$/.test(name) && name !== 'readerWorker.cjs') rmSync(join(dist, name));
  await runProcess(process.execPath, ['esbuild.mjs', '--production', '--modules', dist], { cwd: projectFolder });
  const { outputs } = z.object({ outputs: z.record(z.string(), output) }).parse(readJson(join(dist, 'metafile.json')));
  rmSync(join(dist, 'metafile.json'));
  const manifest = Object.assign({}, readJson(join(folder, 'package.json')), { main: './dist/extension.js' });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const loaded = new Set(Object.keys(outputs).filter((name) => entries.includes(outputs[name]?.entryPoint ?? '')));
  for (const name of loaded)
    for (const { path, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && !external) loaded.add(path);
  return { files: loaded.size, bytes: [...loaded].reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0) };
}

const entries = ['src/entry.ts', 'src/extension.ts'];

/** The entry of the metafile for a file that esbuild wrote. */
const output = z.object({
  bytes: z.number(),
  entryPoint: z.string().optional(),
  imports: z.array(z.object({ path: z.string(), kind: z.string(), external: z.boolean().optional() })),
});

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
