import assert from 'node:assert/strict';
import { readContent } from '../../../src/chain/content/content.ts';
import {
  contentTypes,
  enums,
  type Field,
  fieldsOf,
  nestedFields,
  nestedTypes,
  toDec,
  toDuration,
  toNumeric,
  toTimestamp,
} from '../../../src/chain/content/messageFields.ts';
import { any, concat, field, varint } from './contentEncoder.ts';

const typeNames = Object.entries(contentTypes).flatMap(([name, types]) =>
  Object.keys(types).map((type) => `${name}.${type}`),
);
const nestedNames = Object.keys(nestedTypes);

describe('content field tables', () => {
  it('know every type that they name', () => {
    const scalars = ['string', 'bytes', 'json', 'dec', 'time', 'dur', 'any', 'u64', 'i64', 'u32', 'bool'];
    const known = new Set([...scalars, ...nestedNames, ...Object.keys(enums)]);
    assert.equal(new Set([...typeNames, ...nestedNames]).size, typeNames.length + nestedNames.length);
    const shapes = [...typeNames.map(fieldsOf), ...nestedNames.map(nestedFields)];
    for (const shape of shapes) {
      assert.ok(shape);
      for (const one of shape) assert.ok(known.has(one.type), one.type);
      const numbers = shape.map((one) => one.number);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
      );
      assert.equal(new Set(shape.map((one) => one.name)).size, shape.length);
    }
  });

  it('start contents with title and description, messages not', () => {
    for (const name of typeNames) {
      const names = fieldsOf(name)
        ?.slice(0, 2)
        .map((one) => `${one.number} ${one.name}`);
      if (name.includes('.Msg')) assert.ok(!names?.includes('1 title'));
      else assert.deepEqual(names, ['1 title', '2 description']);
    }
  });

  it('name every field of every type, filled to the last one', () => {
    for (const name of typeNames) {
      if (name.endsWith('(header)')) continue;
      const shape = fieldsOf(name) ?? [];
      const content = readContent(any(`/${name}`, ...shape.map((one) => filled(one, 2))));
      assert.deepEqual([content.unknownFields, content.fault], [0, undefined], name);
      const fields = content.wrapper ? { ...content.wrapper.fields, content: content.fields } : content.fields;
      assert.deepEqual(Object.keys(fields).toSorted(), shape.map((one) => one.name).toSorted(), name);
    }
  });
});

/** A field with something in it, nested ones too. */
function filled({ number, type, repeated }: Field, depth: number): Uint8Array {
  const shape = nestedFields(type);
  if (shape) return field(number, depth > 0 ? concat(...shape.map((one) => filled(one, depth - 1))) : new Uint8Array());
  if (['u64', 'i64', 'u32', 'bool'].includes(type) || type in enums) {
    return repeated ? field(number, concat(varint(1), varint(2))) : field(number, 1);
  }
  if (type === 'time' || type === 'dur') return field(number, field(1, 1700000000));
  if (type === 'any') return field(number, field(1, '/cosmos.gov.v1beta1.TextProposal'), field(2, field(1, 'T')));
  return field(number, { json: '{"a":1}', dec: '1' }[type] ?? 'text');
}

describe('scalars of protobuf', () => {
  it('are times of the years 1 to 9999, with as many digits as are needed', () => {
    assert.equal(toTimestamp(0n, 0), '1970-01-01T00:00:00Z');
    assert.equal(toTimestamp(0n, 500_000_000), '1970-01-01T00:00:00.500Z');
    assert.equal(toTimestamp(0n, 1_500), '1970-01-01T00:00:00.000001500Z');
    assert.equal(toTimestamp(-62_135_596_800n, 0), '0001-01-01T00:00:00Z');
    assert.equal(toTimestamp(253_402_300_799n, 999_999_999), '9999-12-31T23:59:59.999999999Z');
    const outside: readonly (readonly [bigint, number])[] = [
      [-62_135_596_801n, 0],
      [253_402_300_800n, 0],
      [0n, -1],
      [0n, 1_000_000_000],
    ];
    for (const [seconds, nanos] of outside) assert.equal(toTimestamp(seconds, nanos), undefined);
  });

  it('are durations whose parts have one sign', () => {
    assert.equal(toDuration(172_800n, 0), '172800s');
    assert.equal(toDuration(0n, 500_000_000), '0.500s');
    assert.equal(toDuration(-1n, -500_000), '-1.000500s');
    assert.equal(toDuration(0n, -1), '-0.000000001s');
    assert.equal(toDuration(-5n, 0), '-5s');
    assert.equal(toDuration(1n, 999_999_999), '1.999999999s');
    const outside: readonly (readonly [bigint, number])[] = [
      [1n, -1],
      [-1n, 1],
      [0n, 1_000_000_000],
      [0n, -1_000_000_000],
    ];
    for (const [seconds, nanos] of outside) assert.equal(toDuration(seconds, nanos), undefined);
  });

  it('are decimals and numbers as REST shows them', () => {
    assert.equal(toDec('-334000000000000000'), '-0.334000000000000000');
    assert.equal(toDec('12000000000000000000'), '12.000000000000000000');
    for (const text of ['0.5', 'x5', '5x', '']) assert.equal(toDec(text), text);
    assert.equal(toNumeric('u32', 2n ** 32n + 5n), 5);
    assert.equal(toNumeric('i64', 2n ** 64n - 1n), '-1');
    assert.equal(toNumeric('AccessType', 1n), 'ACCESS_TYPE_NOBODY');
    assert.equal(toNumeric('AccessType', 99n), 99);
  });
});
