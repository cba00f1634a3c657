import assert from 'node:assert/strict';
import { type OutsideLink, outsideLinkText, readOutsideLink } from '../../../src/code/outsideLink.ts';

describe('a link from outside the editor', () => {
  it('is read as it is written', () => {
    const links: readonly OutsideLink[] = [
      { chain: 'cosmoshub-4', kind: 'proposal', id: 705n },
      { chain: 'osmosis-1', kind: 'denom', denom: 'factory/osmo1abc/a.b:c-d_e' },
    ];
    for (const link of links) {
      const text = outsideLinkText('vscode-insiders', link);
      assert.match(text ?? '', /^vscode-insiders:\/\/chain-inspector\.chain-inspector\?chain=/);
      assert.deepEqual(readOutsideLink(text?.split('?')[1] ?? ''), link);
    }
  });

  it('is not written of what it would not be read from', () => {
    assert.equal(outsideLinkText('vscode', { chain: 'a', kind: 'denom', denom: '](command:x)' }), undefined);
    assert.equal(outsideLinkText('vscode', { chain: 'a b', kind: 'proposal', id: 1n }), undefined);
  });

  const odd = [
    ...['', 'chain=a', 'proposal=1', 'chain=a&proposal=0', 'chain=a&proposal=-1', 'chain=a&proposal=1e3'],
    ...['chain=a&proposal=18446744073709551616', 'chain=a&proposal=1&denom=uatom', 'chain=a&chain=b&proposal=1'],
    ...['chain=a&proposal=1&url=https://evil.example', 'chain=a%20b&proposal=1', 'chain=..%2F&denom=uatom'],
    ...[
      'chain=a&denom=%E2%80%AEuatom',
      'chain=a&denom=u%D0%B0tom',
      'chain=a&denom=](command:x)',
      'chain=a&denom=$(bug)',
    ],
    `chain=a&denom=${'a'.repeat(1_000_000)}`,
  ];
  for (const query of odd) it(`is none: ${query.slice(0, 50)}`, () => assert.equal(readOutsideLink(query), undefined));
});
