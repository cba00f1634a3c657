import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toDenomUnit } from '../../../src/api/decode/coinRows.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalId, readProposalRow, readRows } from '../../../src/api/decode/readReply.ts';
import { coinSchema, denomMetadataSchema } from '../../../src/api/replySchemas.ts';
import type { GovForm } from '../../../src/chain/gov/proposal.ts';
import { versions } from '../../node/build.ts';
import { readRecording } from '../../node/recording.ts';

const runs = { numRuns: process.env.TEST_FULL ? 100_000 : 2000, seed: 20261121 };

type Fields = Readonly<Record<string, unknown>>;

/** The rows of these lists as real nodes sent them. */
function recordedRows(path: RegExp, list: string): Fields[] {
  return versions.flatMap((version) =>
    readRecording(version).answers.flatMap(({ path: asked, status, body }) => {
      const rows: unknown = status === 200 && path.test(asked) ? Object(body)[list] : undefined;
      return Array.isArray(rows) ? rows : [];
    }),
  );
}

const proposals = {
  v1beta1: recordedRows(/^\/cosmos\/gov\/v1beta1\/proposals\?pagination.limit=200$/, 'proposals'),
  v1: recordedRows(/^\/cosmos\/gov\/v1\/proposals\?pagination.limit=200$/, 'proposals'),
};
const coins = recordedRows(/\/supply\?pagination.limit=200$/, 'supply');
const metadata = recordedRows(/\/denoms_metadata\?pagination.limit=200$/, 'metadatas');

/** Every place in a JSON value, as the names and indices that lead to it. */
function placesOf(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...inner.flatMap(([name, item]) => placesOf(item).map((place) => [name, ...place]))];
}

function put(value: unknown, [name, ...rest]: readonly (string | number)[], item: unknown): unknown {
  if (name === undefined) return item;
  const inner = Object(value);
  if (Array.isArray(value)) return value.map((old: unknown, at) => (at === name ? put(old, rest, item) : old));
  return Object.fromEntries(
    Object.entries(inner).map(([key, old]) => [key, key === name ? put(old, rest, item) : old]),
  );
}

const strange = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 1.5, -1, 1e300, '', '12.5', '-3', '1e9', '\ud800', '__proto__', [], {}, 'x'),
  fc.constant<unknown>(JSON.parse('{"__proto__":null}')),
  fc.constantFrom<unknown>('9'.repeat(100), '9'.repeat(101), '9'.repeat(20), '9'.repeat(21)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A row and the same row with one place changed. */
const mutated = (rows: readonly Fields[]) =>
  fc
    .constantFrom(...rows)
    .chain((row) =>
      fc.record({ row: fc.constant(row), place: fc.constantFrom(...placesOf(row).slice(1)), item: strange }),
    );

describe('rows of which one place is changed', () => {
  for (const form of ['v1beta1', 'v1'] as const satisfies readonly GovForm[]) {
    it(`keep everything else in ${form}: never a lost row, never a wrong digit, never an exception`, () => {
      assert.ok(proposals[form].length > 20);
      const property = fc.property(mutated(proposals[form]), ({ row, place, item }) => {
        const [field] = place;
        const before = readProposalRow(form, row);
        const changed = put(row, place, item);
        assert.ok(before.form === form);
        if (typeof readProposalId(form, changed) === 'string') {
          assert.ok(field === undefined || field === 'id' || field === 'proposal_id');
          return;
        }
        const after = readProposalRow(form, changed);
        const shown = toProposalRow(after);
        if (after.form === 'unreadable') {
          assert.equal(field, 'status');
          assert.equal(after.id, before.id);
          return;
        }
        assert.ok(after.form === form && shown.kind === 'proposal');
        // A field is as it came, or faulty and absent.
        const fields: Fields = after.proposal;
        for (const [name, value] of Object.entries(Object(changed))) {
          const isFaulty = after.faults.some((fault) => fault.field === name);
          if (isFaulty) assert.equal(name, field);
          else assert.deepEqual(JSON.stringify(fields[name]), JSON.stringify(value));
        }
        assert.ok(after.faults.length <= 1);
        assert.deepEqual(after.raw, changed);
        for (const [at, coin] of shown.totalDeposit.entries()) {
          assert.equal(Object(changed).total_deposit[at].amount.replace(/^0+(?=\d)/, ''), String(coin.amount));
        }
      });
      fc.assert(property, runs);
    });
  }

  it('are coins and metadata, or are named as faulty', () => {
    const property = fc.property(mutated(coins), mutated(metadata), (coin, meta) => {
      const [good] = coins;
      const changed = put(coin.row, coin.place, coin.item);
      const { rows, faults } = readRows([good, changed, good], coinSchema, 'denom');
      assert.equal(rows.length + faults.length, 3);
      if (faults.length === 0) assert.deepEqual(rows[1], changed);
      else assert.deepEqual(rows, [good, good]);
      const [firstMeta] = metadata;
      const read = readRows([firstMeta, put(meta.row, meta.place, meta.item), firstMeta], denomMetadataSchema, 'base');
      assert.equal(read.rows.length + read.faults.length, 3);
      for (const one of read.rows) toDenomUnit(one);
    });
    fc.assert(property, runs);
  });
});
