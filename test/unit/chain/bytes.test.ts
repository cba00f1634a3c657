import assert from 'node:assert/strict';
import { fromBase64, fromBrokenUtf8, fromUtf8, toBase64 } from '../../../src/chain/bytes.ts';

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

describe('the bytes of base64', () => {
  const read = (text: string) => {
    const { bytes, rest } = fromBase64(text);
    return [[...bytes], rest];
  };

  it('are the same in both alphabets, with padding or without, and with white space', () => {
    for (const text of ['+/8=', '-_8=', '-_8', ' +/\n8 =\t']) assert.deepEqual(read(text), [[251, 255], ''], text);
    assert.deepEqual(read(''), [[], '']);
    for (const [text, bytes] of [
      ['QQ==', [65]],
      ['QUI=', [65, 66]],
      ['QUJD', [65, 66, 67]],
    ] as const)
      assert.deepEqual(read(text), [bytes, ''], text);
  });

  it('end where the text is no base64, and the rest is told', () => {
    for (const [text, bytes, rest] of [
      ['QUJD!QUJD', [65, 66, 67], '!QUJD'],
      ['!QUJD', [], '!QUJD'],
      ['QUJD QQ===', [65, 66, 67, 65], '==='],
      ['QQ=x', [65], '=x'],
      ['QQ= =x y', [65], '==xy'],
    ] as const)
      assert.deepEqual(read(text), [bytes, rest], text);
  });

  it('end before a character that is alone, since that holds 6 bits', () => {
    assert.deepEqual(read('Q'), [[], 'Q']);
    assert.deepEqual(read('QUJDQ'), [[65, 66, 67], 'Q']);
    assert.deepEqual(read('QUJDQ==='), [[65, 66, 67], 'Q===']);
  });

  it('are written with padding, from any part of a buffer', () => {
    assert.equal(toBase64(Uint8Array.of(9, 251, 255, 9).subarray(1, 3)), '+/8=');
  });
});
