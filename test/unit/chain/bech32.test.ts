import { strict as assert } from 'node:assert';
import { randomBytes, randomInt } from 'node:crypto';
import { bech32 } from '@scure/base';
import { readBech32 } from '../../../src/chain/address.ts';
import { toBech32 } from '../../fixtures/addresses.ts';

describe('bech32', () => {
  it('reads addresses of 1 to 255 bytes, in lower and in upper case', () => {
    for (const length of [1, 20, 32, 64, 255]) {
      const text = toBech32('cosmos', randomBytes(length));
      assert.deepEqual(readBech32(text), { prefix: 'cosmos', length });
      assert.deepEqual(readBech32(text.toUpperCase()), { prefix: 'cosmos', length });
    }
  });

  it('agrees with the vectors of BIP 173', () => {
    assert.deepEqual(readBech32('abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw'), { prefix: 'abcdef', length: 20 });
    assert.deepEqual(readBech32('split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w'), {
      prefix: 'split',
      length: 30,
    });
    const faults = [
      ['pzry9x0s0muk', 'separator'],
      ['1pzry9x0s0muk', 'separator'],
      ['x1b4n0q5v', 'character'],
      ['li1dgmt3', 'length'],
      ['de1lg7wt\xff', 'character'],
      ['A1G7SGD8', 'checksum'],
      ['10a06t8', 'length'],
      ['A12UEL5L', 'bytes'],
      ['a12UEL5L', 'mixedCase'],
      [' 1nwldj5', 'character'],
    ] as const;
    for (const [text, kind] of faults) {
      const read = readBech32(text);
      assert.equal('kind' in read ? read.kind : 'none', kind, text);
    }
  });

  it('says which character cannot stand there', () => {
    for (const [text, at] of [
      ['cosmos1aaaabaaaaaaaa', 11],
      ['cosmos1baaaaaaaaaaaa', 7],
      ['cosmos\u00e91aaaaaaaaaaa', 6],
      [' cosmos1aaaaaaaaaaa', 0],
    ] as const)
      assert.deepEqual(readBech32(text), { kind: 'character', at }, text);
  });

  it('reads up to 1023 characters', () => {
    const bytes = new Uint8Array(255);
    const prefixOf = (length: number) => 'a'.repeat(length - toBech32('a', bytes).length + 1);
    const text = toBech32(prefixOf(1023), bytes);
    assert.equal(text.length, 1023);
    assert.deepEqual(readBech32(text), { prefix: prefixOf(1023), length: 255 });
    assert.deepEqual(readBech32(`a${text}`), { kind: 'length' });
  });

  it('is refused where its checksum is right, but its data are no bytes', () => {
    assert.deepEqual(readBech32(bech32.encode('cosmos', [1])), { kind: 'bytes' });
    assert.deepEqual(readBech32(bech32.encode('cosmos', [])), { kind: 'bytes' });
  });

  it('never takes an address with one or two characters mistyped', () => {
    const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
    for (let run = 0; run < 500; run++) {
      const good = toBech32('sample', randomBytes(20));
      const wrong = [...good];
      for (let typo = 0; typo <= run % 2; typo++) {
        const at = randomInt(7, good.length);
        wrong[at] = letters.charAt((letters.indexOf(wrong[at] ?? '') + 1 + randomInt(30)) % 32);
      }
      const text = wrong.join('');
      assert.equal('kind' in readBech32(text), text !== good, text);
    }
  });
});
