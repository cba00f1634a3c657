// The packages in the bundles, as esbuild lists them. The licence notices and the bill of materials come from this
// list.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { z } from 'zod';

/** A package with code in a bundle. */
export interface BundledPackage {
  /** The name with its scope: `@scure/base`. */
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as the package states it. */
  readonly license: string;
  /** The whole text of the licence. */
  readonly text: string;
  /**
   * The SHA-512 of the package in the registry, in hexadecimal digits. Undefined if the lock file does not state it.
   */
  readonly sha512: string | undefined;
  /** The names of its dependencies. */
  readonly needs: readonly string[];
}

const manifestForm = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
const lockForm = z.object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) });

/**
 * The packages whose files are in the outputs of these builds, by name. `root` is the folder of relative paths. Throws
 * if a package has no licence text, since it may not be shipped then.
 */
export function bundledPackages(root: string, metafiles: readonly Metafile[]): readonly BundledPackage[] {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.keys(output.inputs)),
  );
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const lock = lockForm.parse(readJson(join(root, 'package-lock.json')));
  const packages = [...folders].map((folder) => {
    const {
      name,
      version,
      license,
      dependencies = {},
    } = manifestForm.parse(readJson(join(root, folder, 'package.json')));
    const [, integrity] =
      /^sha512-(.+)$/.exec(lock.packages[folder.slice(folder.indexOf('node_modules/'))]?.integrity ?? '') ?? [];
    const sha512 = integrity && Buffer.from(integrity, 'base64').toString('hex');
    return {
      name,
      version,
      license,
      sha512,
      text: licenceText(join(root, folder), name),
      needs: Object.keys(dependencies),
    };
  });
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The licence in the package, otherwise the one in `packaging/licences`. */
function licenceText(folder: string, name: string): string {
  const own = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const kept = join(import.meta.dirname, 'licences', `${name.replace('/', '+')}.txt`);
  if (own === undefined && !existsSync(kept))
    throw new Error(`${name} ships no licence. Put its text into packaging/licences/${name.replace('/', '+')}.txt.`);
  return readFileSync(own === undefined ? kept : join(folder, own), 'utf8').trim();
}

/** Writes `THIRD-PARTY-NOTICES.txt` for the data and for `packages` into the folder. */
export function writeNotices(folder: string, packages: readonly BundledPackage[]): void {
  const byText = Map.groupBy(packages, ({ text }) => text.replaceAll('\r\n', '\n'));
  const heading = (text: string) => `${text}\n${'-'.repeat(text.length)}\n`;
  const list = packages.map(({ name, version, license }) => `${name} ${version}  ${license}\n`);
  const texts = [...byText].map(
    ([text, of]) => `${heading(`Licence of ${of.map(({ name }) => name).join(', ')}`)}\n${text}\n`,
  );
  const head = readFileSync(join(import.meta.dirname, 'notices.txt'), 'utf8');
  const all = [head, `${heading('2. Libraries')}\n${list.join('')}`, ...texts];
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), all.join('\n\n'));
}

/**
 * The bill of materials (CycloneDX 1.6, JSON) for `packages` in the project in `root`. Equal packages and equal `epoch`
 * give equal bytes. `epoch` is its time in seconds since 1970. Without it no time is stated.
 */
export function billOfMaterials(root: string, packages: readonly BundledPackage[], epoch?: number): string {
  const own = manifestForm.parse(readJson(join(root, 'package.json')));
  const refOf = ({ name, version }: { readonly name: string; readonly version: string }) =>
    `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const refs = (names: readonly string[]) => packages.filter(({ name }) => names.includes(name)).map(refOf);
  const component = (
    type: 'application' | 'library',
    of: { readonly name: string; readonly version: string; readonly license: string },
  ) => {
    const [, group, name = of.name] = /^(@[^/]+)\/(.+)$/.exec(of.name) ?? [];
    const licence = /\s/.test(of.license)
      ? { expression: of.license.replace(/^\((.*)\)$/, '$1') }
      : { license: { id: of.license } };
    return {
      type,
      'bom-ref': refOf(of),
      ...(group && { group }),
      name,
      version: of.version,
      licenses: [licence],
      purl: refOf(of),
    };
  };
  const content = {
    metadata: {
      ...(epoch !== undefined && { timestamp: new Date(epoch * 1000).toISOString() }),
      lifecycles: [{ phase: 'build' }],
      component: component('application', own),
    },
    components: packages.map((of) => ({
      ...component('library', of),
      ...(of.sha512 && { hashes: [{ alg: 'SHA-512', content: of.sha512 }] }),
    })),
    dependencies: [
      { ref: refOf(own), dependsOn: refs(Object.keys(own.devDependencies ?? {})) },
      ...packages.map((of) => ({ ref: refOf(of), dependsOn: refs(of.needs) })),
    ],
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const serial = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${serial.join('-')}`, version: 1 };
  return `${JSON.stringify({ ...head, ...content }, null, 1)}\n`;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
