import assert from 'node:assert/strict';
import { findWrongBases } from '../../../src/code/assetList.ts';
import { ibcDenomOf } from '../../../src/code/trace.ts';

const trace = (path: string): object => ({ type: 'ibc', counterparty: { base_denom: 'uatom' }, chain: { path } });
const listOf = (...assets: readonly object[]): string => JSON.stringify({ chain_name: 'osmosis', assets }, null, 2);
const atom = ibcDenomOf('transfer/channel-0/uatom');
const juno = ibcDenomOf('transfer/channel-42/ujuno');

describe('an asset list', () => {
  it('has no finding where each base is the hash of its trace', () => {
    const text = listOf({ base: 'uosmo' }, { base: atom, traces: [trace('transfer/channel-0/uatom')] });
    assert.deepEqual(findWrongBases(text), []);
  });

  it('has a finding at a base whose trace hashes to another denom', () => {
    const text = listOf({ base: juno, traces: [trace('transfer/channel-0/uatom')] });
    const start = text.indexOf(`"${juno}"`);
    const end = start + juno.length + 2;
    assert.deepEqual(findWrongBases(text), [{ start, end, base: juno, path: 'transfer/channel-0/uatom', denom: atom }]);
  });

  it('is judged by its last trace, which is the one onto its chain', () => {
    const long = 'transfer/channel-42/transfer/channel-0/uatom';
    const text = listOf({ base: ibcDenomOf(long), traces: [trace('transfer/channel-0/uatom'), trace(long), {}] });
    assert.deepEqual(findWrongBases(text), []);
  });

  it('has a finding at a base in lower case, which no chain has', () => {
    const text = listOf({ base: atom.toLowerCase(), traces: [trace('transfer/channel-0/uatom')] });
    assert.equal(findWrongBases(text).length, 1);
  });

  it('says nothing of what has no path, of broken JSON and of other files', () => {
    const odd = [
      '',
      '[]',
      '{"assets":5}',
      '{"assets":[5,null,{"base":7}]}',
      listOf({ base: atom }, { base: atom, traces: 3 }),
    ];
    for (const text of odd) assert.deepEqual(findWrongBases(text), [], text);
    assert.deepEqual(findWrongBases('{"assets":[{"base":"ibc/'), []);
  });
});
