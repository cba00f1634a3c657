import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contentKind, readContent } from '../../../src/chain/content/content.ts';
import { runs } from '../../support/random.ts';
import { any, concat, field, varint } from './contentEncoder.ts';

const sample = { numRuns: runs(2_000, 300_000), seed: 20261121 };

const names = (
  'title description changes subspace key value subkey plan name height time info recipient amount denom address ' +
  'recipient_list params msg wasm_byte_code client_id subject_client_id substitute_client_id authority content amendment'
).split(' ');
const types = (
  'TextProposal ParameterChangeProposal MsgUpdateParams CommunityPoolSpendProposal CommunityPoolMultiSpendProposal ' +
  'SoftwareUpgradeProposal MsgCancelUpgrade ClientUpdateProposal MsgExecLegacyContent MsgProposeConstitutionAmendment MsgOdd'
).split(' ');

/** A JSON value whose texts are all different and can be found again. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, '', true),
    fc.bigInt(10n ** 12n, 10n ** 15n).map(String),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { minKeys: 1, maxKeys: 5 }),
  ),
}));
const fields = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

/** A protobuf message in canonical form: field numbers that grow, each with a value of some wire type. */
const { message } = fc.letrec<{ message: Uint8Array }>((tie) => ({
  message: fc
    .array(
      fc.tuple(
        fc.integer({ min: 1, max: 5_000 }),
        fc.oneof(
          { maxDepth: 3 },
          fc.bigInt(0n, 2n ** 64n - 1n),
          fc.string({ maxLength: 60 }),
          fc.uint8Array({ maxLength: 40 }),
          fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => ({ fixed: bytes })),
          fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => ({ fixed: bytes })),
          tie('message'),
        ),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => {
      let number = 0;
      return concat(
        ...parts.map(([step, part]) => {
          number += step;
          if (typeof part !== 'object' || part instanceof Uint8Array) return field(number, part);
          return concat(varint(number * 8 + (part.fixed.length === 4 ? 5 : 1)), part.fixed);
        }),
      );
    }),
}));

describe('content of any shape', () => {
  it('is read without a fault, and all of it is in its kind', () => {
    const property = fc.property(fc.constantFrom(...types), fields, (type, rest) => {
      const raw = { '@type': `/cosmwasm.wasm.v1.${type}`, ...rest };
      const content = readContent(raw);
      const shown = JSON.stringify(
        [content.title, content.description, contentKind(content), content.wrapper],
        (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one),
      );
      for (const text of JSON.stringify(raw).match(/\d{13,}/g) ?? []) assert.ok(shown.includes(text), text);
    });
    fc.assert(property, sample);
  });

  it('is read whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (raw) => void contentKind(readContent(raw))),
      sample,
    );
  });
});

describe('protobuf content', () => {
  const change = field(3, field(1, 'staking'), field(2, 'MaxValidators'), field(3, '200'));
  const whole = concat(field(1, 'Title'), field(2, 'A longer description'), change);
  const typeUrls = [
    '/cosmos.params.v1beta1.ParameterChangeProposal',
    '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
    '/ibc.core.client.v1.ClientUpdateProposal',
    '/acme.v1.Odd',
    '/a.MsgX',
  ];

  it('never throws on changed or cut bytes', () => {
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 });
    const property = fc.property(fc.constantFrom(...typeUrls), changes, fc.nat(whole.length), (type, hits, length) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, byte] of hits) bytes[at] = byte;
      const content = readContent(any(type, bytes.subarray(0, length)));
      contentKind(content);
      assert.ok(JSON.stringify(content.fields).length >= 2);
    });
    fc.assert(property, sample);
  });

  it('of an unknown type can be written again from what is shown: nothing is dropped', () => {
    const property = fc.property(message, (bytes) => {
      const content = readContent(any('/acme.v1.MsgRandom', bytes));
      assert.equal(content.fault, undefined);
      assert.deepEqual(Buffer.from(written(content.fields)).toString('hex'), Buffer.from(bytes).toString('hex'));
    });
    fc.assert(property, sample);
  });
});

/** Writes a message back from its fields by number. */
function written(shown: unknown): Uint8Array {
  assert.ok(typeof shown === 'object' && shown !== null);
  const entries = Object.entries(shown).flatMap(([key, one]): [string, unknown][] =>
    Array.isArray(one) ? one.map((each): [string, unknown] => [key, each]) : [[key, one]],
  );
  const parts = entries.map(([key, one]) => {
    const [, number = '', reading] = /^#(\d+) (\w+)$/.exec(key) ?? [];
    const at = Number(number);
    if (reading === 'varint') return field(at, BigInt(String(one)));
    if (reading === 'bytes') return field(at, Uint8Array.from(Buffer.from(String(one), 'base64')));
    if (reading === 'text') return field(at, String(one));
    if (reading === 'message') return field(at, written(one));
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(String(one)));
    return reading === 'fixed32' ? concat(varint(at * 8 + 5), bytes.subarray(0, 4)) : concat(varint(at * 8 + 1), bytes);
  });
  return concat(...parts);
}
