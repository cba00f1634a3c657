import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readContent } from '../../../src/chain/content/content.ts';
import { exactJson, formatJson } from '../../../src/chain/json.ts';
import { growth } from '../growth.ts';
import { any, field } from './contentEncoder.ts';

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

describe('JSON texts', () => {
  it('are laid out with every digit and every key', () => {
    assert.equal(
      formatJson('{"a":1.50,"a":{},"b":[],"c":[1,"x\\u0041"]}'),
      '{\n  "a": 1.50,\n  "a": {},\n  "b": [],\n  "c": [\n    1,\n    "xA"\n  ]\n}',
    );
    for (const text of ['', 'x', '{"a":}', '[1,]', '\u00a01']) assert.equal(formatJson(text), undefined);
  });

  it('are laid out as JavaScript does, where a value of it holds them', () => {
    const property = fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      assert.equal(formatJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
      assert.deepEqual(exactJson(JSON.stringify(value)), value);
    });
    fc.assert(property, { numRuns: 2_000, seed: 20261121 });
  });

  it('are exact only where no digit and no key is lost', () => {
    assert.deepEqual(exactJson('{"a":[1,"x",null]}'), { a: [1, 'x', null] });
    for (const text of ['{"a":1.50}', '12345678901234567890', '{"a":1,"a":2}', '1e400']) {
      assert.equal(exactJson(text), undefined, text);
    }
  });

  it('are left as they are where laying them out would make them huge', () => {
    assert.ok(formatJson(nested(200)));
    assert.equal(formatJson(nested(201)), undefined);
    assert.equal(formatJson(nested(8_000)), undefined);
    assert.equal(exactJson(nested(8_000)), undefined);
    assert.equal(formatJson(`${'['.repeat(190)}${'1,'.repeat(50_000)}1${']'.repeat(190)}`), undefined);
    assert.equal(formatJson(`"${'x'.repeat(128 * 1024)}"`), undefined);
  });

  it('take time that grows with their length, not with its square', () => {
    const message = (depth: number) => field(4, `{"msg":${nested(depth)}}`);
    const read = (depth: number) => void readContent(any('/cosmwasm.wasm.v1.SudoContractProposal', message(depth)));
    const factor = growth(read, 1 << 15);
    assert.ok(factor < 3, `${factor} times as long as eight parts`);
  });
});
