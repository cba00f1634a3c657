import assert from 'node:assert/strict';
import { readContent } from '../../../src/chain/content/content.ts';
import {
  contentTypes,
  enums,
  type Field,
  fieldsOf,
  nestedFields,
  nestedTypes,
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
      const fields = content.carrier ? { ...content.carrier.fields, content: content.fields } : content.fields;
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
