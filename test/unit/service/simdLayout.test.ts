import assert from 'node:assert/strict';
import { accountFields, memoryPages, places, records } from '../../../src/service/scan/simdLayout.ts';

describe('the layout of the WebAssembly memory', () => {
  it('has parts in order, within the memory', () => {
    const starts = Object.values(places);
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => a - b),
    );
    assert.ok(places.input < memoryPages * 65_536);
  });

  it('has records whose members have 4 bytes, and 8 for each digit of a sum', () => {
    const sizes = Object.entries(records).map(([record, members]) => {
      const offsets = Object.values(members);
      const gaps = offsets.slice(1).map((at, index) => at - (offsets[index] ?? 0));
      return [record, [...new Set(gaps)]];
    });
    const { size } = records.field;
    assert.deepEqual(Object.fromEntries(sizes), {
      row: [4],
      name: [4, 64],
      field: [4],
      account: [accountFields.length * size, 4],
    });
  });
});
