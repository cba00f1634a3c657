// Packs a build: the extension as a VSIX, the command line as an npm tarball, the bill of materials, and their
// checksums.
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { startFolder } from '../test/support/folders.ts';
import { runProcess } from '../test/support/processes.ts';

/** Fields that a published package must have. docs/releasing.md has their values. */
const publicFields = ['repository', 'bugs', 'homepage', 'qna'] as const;

/** Fields of the manifest for the npm package. The others are for the editor. */
const commandFields = [
  ...['name', 'version', 'description', 'license', 'private', 'type', 'bin', 'engines', 'keywords', 'author'],
  ...['repository', 'bugs', 'homepage', 'mcpName'],
];

/** The files that make the package a plugin for agents. */
const pluginFiles = ['plugin.json', 'mcp.json', 'server.json', 'skills'];

const manifestForm = z.looseObject({ name: z.string(), version: z.string(), engines: z.object({ node: z.string() }) });
type Manifest = z.infer<typeof manifestForm>;

/** The manifest of the project in `root`. */
export function readManifest(root: string): Manifest {
  return manifestForm.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
}

/**
 * Packs the built project in `root` into the folder `to`, and removes other packages there. Equal sources give equal
 * bytes, whatever the time, the time zone, the modes of files and the folder are. `epoch` is the time in the packages,
 * in seconds since 1970. Resolves with the names of the files.
 */
export async function pack(root: string, to: string, epoch: string): Promise<readonly string[]> {
  const { name, version } = readManifest(root);
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(to)) if (file.startsWith(`${name}-`) || file === 'SHA256SUMS') rmSync(join(to, file));
  const stages = startFolder('pack');
  try {
    const base = `${name}-${version}`;
    await packExtension(root, join(stages.path, 'extension'), join(to, `${base}.vsix`), epoch);
    await packCommand(root, join(stages.path, 'command'), to);
    copyFileSync(join(root, 'dist/bom', `${name}.cdx.json`), join(to, `${base}.cdx.json`));
    const files = [`${base}.cdx.json`, `${base}.tgz`, `${base}.vsix`];
    const sums = files.map((file) => `${sha256(join(to, file))}  ${file}\n`);
    writeFileSync(join(to, 'SHA256SUMS'), sums.join(''));
    return [...files, 'SHA256SUMS'];
  } finally {
    stages.dispose();
  }
}

/** The time in the packages, in seconds since 1970: `SOURCE_DATE_EPOCH`, otherwise the time of the last commit. */
export async function sourceEpoch(root: string): Promise<string> {
  const { SOURCE_DATE_EPOCH } = process.env;
  return SOURCE_DATE_EPOCH || (await runProcess('git', ['log', '-1', '--format=%ct'], { cwd: root })).trim();
}

async function packExtension(root: string, stage: string, file: string, epoch: string): Promise<void> {
  const listed = await runProcess('vsce', ['ls', '--no-dependencies'], { cwd: root });
  copyPlain(
    root,
    stage,
    listed.split('\n').filter((line) => line !== ''),
  );
  // vsce orders files by the locale, and writes local times into the zip.
  const env = { ...process.env, SOURCE_DATE_EPOCH: epoch, TZ: 'UTC', LC_ALL: 'C' };
  const options = ['--no-dependencies', '--no-rewrite-relative-links', '--allow-missing-repository'];
  await runProcess('vsce', ['package', ...options, '--out', file], { cwd: stage, env });
}

const packedForm = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }));

async function packCommand(root: string, stage: string, to: string): Promise<void> {
  const listed = await runProcess('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], { cwd: root });
  const [packed] = packedForm.parse(JSON.parse(listed));
  const manifest = readManifest(root);
  // npm adds the file that `main` names, which is the entry of the extension.
  const files = packed?.files.map(({ path }) => path).filter((path) => path !== 'dist/extension.cjs') ?? [];
  copyPlain(root, stage, files);
  const own = Object.fromEntries(Object.entries(manifest).filter(([field]) => commandFields.includes(field)));
  const fields = { ...own, engines: { node: manifest.engines.node }, files: ['dist', 'docs', 'media', ...pluginFiles] };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`);
  rmSync(join(stage, '.npmignore'), { force: true });
  await runProcess('npm', ['pack', '--ignore-scripts', '--pack-destination', to], { cwd: stage });
}

/** Copies files with fixed modes. Those of a checkout depend on the umask. */
function copyPlain(from: string, to: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file));
    chmodSync(join(to, file), 0o644);
  }
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** The faults that keep manifest and changelog from being released as `tag` (`v0.3.0`). Empty if there are none. */
export function releaseFaults(
  manifest: Readonly<Record<string, unknown>>,
  changelog: string,
  tag: string,
): readonly string[] {
  const version = String(manifest.version);
  return [
    ...publicFields
      .filter((field) => manifest[field] === undefined)
      .map((field) => `package.json has no "${field}": it needs the address of the repository.`),
    ...(manifest.private ? ['package.json is "private": npm publishes it when that is gone.'] : []),
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, and package.json has the version ${version}.`]),
    ...(changelog.includes(`\n## [${version}]`) ? [] : [`CHANGELOG.md has no section [${version}].`]),
    ...(/^## \[Unreleased\]\s+(?!## )\S/m.test(changelog) ? ['CHANGELOG.md has lines under [Unreleased].'] : []),
  ];
}
