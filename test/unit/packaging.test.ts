import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { billOfMaterials, bundledPackages } from '../../packaging/bundled.ts';
import { releaseFaults } from '../../packaging/pack.ts';
import { registryRelease } from '../../src/registry/buildPresets.ts';
import { projectFolder } from '../support/folders.ts';

const dist = join(projectFolder, 'dist');

/** The packages that stand in the bundles, by the comments that esbuild writes where it does not minify. */
function packagesByComments(): readonly string[] {
  const names = globSync('*.{cjs,js}', { cwd: dist }).flatMap((file) =>
    [
      ...readFileSync(join(dist, file), 'utf8').matchAll(
        /^\s*\/[/*] (?:\S*\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm,
      ),
    ].map(([, name]) => name),
  );
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

const bomForm = z.object({ components: z.array(z.object({ group: z.string().optional(), name: z.string() })) });

describe('what is packed', () => {
  it('has a bill of materials with each package that stands in a bundle, and no other', () => {
    const bom = bomForm.parse(JSON.parse(readFileSync(join(dist, 'bom/chain-inspector.cdx.json'), 'utf8')));
    const names = bom.components.map(({ group, name }) => (group ? `${group}/${name}` : name));
    assert.ok(names.includes('undici') && names.includes('@scure/base'));
    assert.deepEqual(names, packagesByComments());
  });

  it('has the licence of each of these packages, and names the release of the chain data', () => {
    const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of packagesByComments())
      assert.match(notices, new RegExp(`^Licence of (.*, )?${name}(, .*)?\\n-+\\n\\n.*\\S`, 'm'));
    assert.ok(notices.includes(`npm package chain-registry ${registryRelease.version} of ${registryRelease.date}`));
    assert.match(notices, /CC-BY-4\.0/);
  });

  it('states the time that it is given, and is the same each time', () => {
    const packages = bundledPackages(projectFolder, [
      {
        inputs: {},
        outputs: {
          a: { bytes: 1, imports: [], exports: [], inputs: { 'node_modules/zod/index.js': { bytesInOutput: 1 } } },
        },
      },
    ]);
    const bom = billOfMaterials(projectFolder, packages, 1_700_000_000);
    assert.equal(billOfMaterials(projectFolder, packages, 1_700_000_000), bom);
    assert.match(bom, /"timestamp": "2023-11-14T22:13:20.000Z"/);
    assert.match(bom, /"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"/);
  });
});

describe('a release', () => {
  const manifest = { version: '1.2.3', repository: 'r', bugs: 'b', homepage: 'h', qna: 'q' };
  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3]\n\n- A\n';

  it('may be made where nothing is missing', () => {
    assert.deepEqual(releaseFaults(manifest, changelog, 'v1.2.3'), []);
  });

  it('is refused without the addresses of the repository, while private, and under another version', () => {
    const faults = releaseFaults({ version: '1.2.3', private: true }, changelog, 'v1.2.4');
    assert.deepEqual(
      faults.map((fault) => /"(\w+)"|The tag/.exec(fault)?.slice(0, 1)[0]),
      ['"repository"', '"bugs"', '"homepage"', '"qna"', '"private"', 'The tag'],
    );
  });

  it('is refused where the changelog has no section of it, or lines that belong to none', () => {
    assert.match(releaseFaults(manifest, '## [Unreleased]\n', 'v1.2.3').join(), /no section \[1\.2\.3\]/);
    const open = changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n- B\n');
    assert.match(releaseFaults(manifest, open, 'v1.2.3').join(), /lines under \[Unreleased\]/);
  });
});
