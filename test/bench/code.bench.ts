import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findInCode } from '../../src/code/codeFinds.ts';
import { loadIbcTable } from '../../src/code/ibcTable.ts';
import { loadPresets } from '../../src/session/stored.ts';
import { chainData } from '../fixtures/chainData.ts';
import { projectFolder } from '../support/folders.ts';
import type { Row } from './row.ts';

const dist = join(projectFolder, 'dist');

/** How many things are found in all files of node_modules, and how many denoms of recorded supplies the table names. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const { chains } = await loadPresets(dist);
  const prefixes = new Set(chains.flatMap(({ bech32Prefix }) => bech32Prefix ?? []));
  const folder = isSmallest ? 'node_modules/zod' : 'node_modules';
  const found = new Map<string, Set<string>>();
  const counts = { files: 0, lines: 0, large: 0 };
  for (const file of globSync(`${folder}/**/*.{json,jsonc,yaml,yml,md,ts,js,mjs,cjs,go}`, { cwd: projectFolder })) {
    const path = join(projectFolder, file);
    const { size } = statSync(path);
    if (size > 1_000_000) counts.large += 1;
    if (size > 1_000_000 || !statSync(path).isFile()) continue;
    counts.files += 1;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      counts.lines += 1;
      for (const { index } of line.matchAll(/[\w/:.\-#?=&%+~@]{4,}/g)) {
        // A link is one of a proposal where the registry says so; `chainOfPage` decides, not this.
        const thing = findInCode(line, index, { prefixes, hasDenom: () => false });
        if (thing === undefined || thing.kind === 'link') continue;
        const texts = found.get(thing.kind) ?? new Set();
        found.set(
          thing.kind,
          texts.add(`${file.replace(/^node_modules\//, '').split('/')[0]} ${line.slice(thing.start, thing.end)}`),
        );
      }
    }
  }
  const outside = [...found].map(
    ([kind, texts]) => [kind, [...texts].filter((text) => !/^(chain-registry|@cosmjs) /.test(text))] as const,
  );
  console.log(counts, Object.fromEntries([...found].map(([kind, texts]) => [kind, texts.size])), outside);
  const wrong = outside.reduce((sum, [, texts]) => sum + texts.length, 0);
  const rows: Row[] = [
    {
      name: 'things found in node_modules, but for two packages about Cosmos',
      value: wrong,
      unit: '',
      target: { of: 'value', atMost: 0 },
    },
  ];
  const share = await namedShare();
  return share === undefined
    ? rows
    : [...rows, { name: 'ibc denoms of recorded supplies that the table names, percent', value: share, unit: '' }];
}

/** Percent; undefined where no recordings are at hand. */
async function namedShare(): Promise<number | undefined> {
  const data = chainData();
  if (!data) return undefined;
  const table = await loadIbcTable(dist);
  const texts = data
    .list('responses')
    .filter((name) => name.includes('supply'))
    .map((name) => data.text(`responses/${name}`));
  const denoms = new Set(texts.join().match(/ibc\/[\dA-F]{64}/g));
  let named = 0;
  for (const denom of denoms) if (await table.find(denom.slice(4))) named += 1;
  console.log(`${named} of ${denoms.size} denoms are named`);
  return (100 * named) / denoms.size;
}
