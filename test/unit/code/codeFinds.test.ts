import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeFind, findInCode, findInTerminal } from '../../../src/code/codeFinds.ts';
import { ibcDenomOf } from '../../../src/code/trace.ts';
import { toBech32 } from '../../fixtures/addresses.ts';
import { projectFolder } from '../../support/folders.ts';

const denom = ibcDenomOf('transfer/channel-141/uosmo');
const knowledge = {
  prefixes: new Set(['cosmos', 'osmo']),
  hasDenom: (name: string): boolean => ['uatom', 'stake', 'factory/osmo1abc/x'].includes(name),
};

const find = (line: string, column = 0): CodeFind | undefined => findInCode(line, column, knowledge);

/** The kinds that a person sees who moves along a line. */
function kindsIn(line: string): string[] {
  const kinds = Array.from({ length: line.length }, (_, column) => find(line, column)?.kind);
  return [...new Set(kinds)].filter((kind) => kind !== undefined);
}

describe('what stands in code', () => {
  it('is found with its place', () => {
    assert.deepEqual(find(`  "denom": "${denom}",`, 20), {
      kind: 'ibc',
      denom,
      digits: denom.slice(4),
      start: 12,
      end: 12 + denom.length,
    });
  });

  const lines: readonly (readonly [line: string, kinds: readonly string[]])[] = [
    [`denom: ${denom}`, ['ibc']],
    [`5${denom},12uatom`, ['ibc', 'denom']],
    ['`transfer/channel-141/uosmo`', ['trace']],
    ['"uatom" and uatom', ['denom']],
    ['const stake = 1; // stake', []],
    ['x := "factory/osmo1abc/x"', ['denom']],
    ['https://www.mintscan.io/cosmos/proposals/705', ['link']],
    [`ibc/${'a'.repeat(64)} ibc/${'A'.repeat(63)} ibc/${'A'.repeat(65)}`, []],
    [`x${denom} ${denom}/y ${denom}\u0430`, []],
    [`\u202e${denom} \u200b${denom}`, []],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', []],
    ['transfer/channel-1/u\u0430tom', []],
  ];
  for (const [line, kinds] of lines)
    it(`is ${kinds.join(' and ') || 'nothing'} in ${JSON.stringify(line).slice(0, 60)}`, () =>
      assert.deepEqual(kindsIn(line), kinds));

  it('is an address with its role, also where its checksum does not hold', () => {
    const bytes = new Uint8Array(20).fill(7);
    const own = toBech32('cosmos', bytes);
    const wrong = own.slice(0, -1) + (own.endsWith('q') ? 'p' : 'q');
    const found = [own, toBech32('cosmosvaloper', bytes), wrong].map((text) => find(text));
    assert.deepEqual(
      found.map((one) => one?.kind === 'address' && [one.address.role, one.address.fault]),
      [
        ['', undefined],
        ['valoper', undefined],
        ['', 'checksum'],
      ],
    );
  });

  it('is looked for in 5 ms for 10,000 lines', () => {
    const text = readFileSync(join(projectFolder, 'package.json'), 'utf8');
    const some = [...text.split('\n'), `    "denom": "${denom}",`];
    const all = Array.from({ length: 10_000 }, (_, at) => some[at % some.length] ?? '');
    const times = Array.from({ length: 100 }, () => {
      const start = performance.now();
      for (const line of all) find(line, 18);
      return performance.now() - start;
    });
    console.log(`      10,000 lines in ${Math.min(...times).toFixed(1)} ms`);
    assert.ok(Math.min(...times) <= 5);
  });

  it('is nothing in a megabyte that looks like a denom, and takes no time', () => {
    const texts = [`ibc/${'A'.repeat(1_000_000)}`, `transfer/channel-1/${'channel-1/'.repeat(100_000)}`];
    // A busy machine may stop any one of them.
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      for (const text of texts)
        for (const column of [0, 10, 500_000, text.length - 1]) assert.equal(find(text, column), undefined);
      return performance.now() - start;
    });
    assert.ok(Math.min(...times) < 50, `${times} ms`);
  });
});

describe('what stands in a terminal', () => {
  const factory = `factory/${toBech32('osmo', new Uint8Array(20).fill(7))}/coin`;
  const operator = toBech32('cosmosvaloper', new Uint8Array(20).fill(7));
  const textsIn = (line: string): string[] =>
    findInTerminal(line, knowledge.prefixes).map(({ start, end }) => line.slice(start, end));

  it('is each denom and operator, as a node prints them', () => {
    assert.deepEqual(textsIn(`  denom: ${denom}`), [denom]);
    assert.deepEqual(textsIn(`{"supply":[{"denom":"${denom}","amount":"1"},{"denom":"${factory}","amount":"2"}]}`), [
      denom,
      factory,
    ]);
    assert.deepEqual(textsIn(`12${denom},5${factory} ${operator}`), [denom, factory, operator]);
  });

  it('is no account, no wrong checksum and no file', () => {
    for (const line of [operator.slice(0, -1), 'factory/osmo1abc/x', 'src/factory/ibc/a.ts', `../${denom}`])
      assert.deepEqual(textsIn(line), [], line);
    assert.deepEqual(textsIn(`ibc/${'A'.repeat(1_000_000)}`), []);
  });
});
