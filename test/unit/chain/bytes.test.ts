import assert from 'node:assert/strict';
import { fromBrokenUtf8, fromUtf8 } from '../../../src/chain/bytes.ts';

describe('the text of bytes', () => {
  it('is read as it is, with a byte order mark', () => {
    assert.equal(fromUtf8(Buffer.from('\u{feff}Zürich 🌉')), '\u{feff}Zürich 🌉');
  });

  it('is undefined where the bytes are not UTF-8, such as half a character', () => {
    const half = Buffer.from('🌉').subarray(0, 2);
    assert.equal(fromUtf8(half), undefined);
    assert.equal(fromBrokenUtf8(half), '\u{fffd}');
  });
});
