import assert from 'node:assert/strict';
import { withValues } from '../../../src/api/decode/govParams.ts';
import { compareRows, differenceTable, govParamRows, type SideEntry } from '../../../src/reads/compare/compare.ts';
import { overReading } from '../growth.ts';

type Rows = readonly SideEntry[];

const amounts = (values: Readonly<Record<string, bigint>>): Rows =>
  Object.entries(values).map(([denom, amount]) => [denom, { value: `${amount}` }]);

const supply = (left: Rows, right: Rows) =>
  compareRows('supply', left, right).map(
    ({ change, key, left: before, right: after }) => `${change} ${key} ${before?.value ?? '-'} ${after?.value ?? '-'}`,
  );

describe('rows that differ', () => {
  it('are added, gone or changed, to the last unit', () => {
    const huge = 10n ** 40n;
    const found = supply(
      amounts({ c: 7n, a: 1n, b: huge, same: 5n }),
      amounts({ b: huge + 1n, c: 6n, d: 2n, same: 5n }),
    );
    assert.deepEqual(found, ['added d - 2', 'gone a 1 -', `changed b ${huge} ${huge + 1n}`, 'changed c 7 6']);
  });

  it('need no order, and are none where both sides are empty', () => {
    const left = amounts({ z: 1n, m: 2n, __proto__x: 4n, '': 3n });
    assert.deepEqual(supply(left, left.toReversed()), []);
    assert.deepEqual(supply([], []), []);
    assert.equal(supply(left, []).length, 4);
  });

  it('are found quickly among 100,000 and 100,000', () => {
    const side = (shift: number): Rows =>
      Array.from({ length: 100_000 }, (_, n) => [
        `ibc/${(n + shift).toString(16).toUpperCase().padStart(64, '0')}`,
        { value: `${10n ** 24n + BigInt(n + shift * (n % 2))}` },
      ]);
    const [left, right] = [side(0), side(1000)];
    assert.equal(compareRows('supply', left, right).length, 51_500);
    const times = overReading(() => compareRows('supply', left, right));
    assert.ok(times < 15, `took ${times.toFixed(1)} times as long as to look at a mebibyte`);
  });

  it('of proposals are newest first', () => {
    const proposals = (rows: Readonly<Record<string, string>>): Rows =>
      Object.entries(rows).map(([id, value]) => [id, { value, title: `Title ${id}` }]);
    const found = compareRows(
      'proposals',
      proposals({ 1: 'PASSED', 2: 'VOTING', 3: 'VOTING', 9: 'VOTING' }),
      proposals({ 2: 'VOTING', 3: 'REJECTED', 9: 'PASSED', 10: 'DEPOSIT', 11: 'DEPOSIT' }),
    );
    assert.deepEqual(
      found.map(({ key, change }) => `${key} ${change}`),
      ['11 added', '10 added', '1 gone', '9 changed', '3 changed'],
    );
  });

  it('of proposals differ by status or title, and a missing title is no difference', () => {
    const value = 'PASSED';
    const left: Rows = [
      ['1', { value, title: 'One' }],
      ['2', { value, title: 'Two' }],
      ['3', { value, title: 'Three' }],
    ];
    const right: Rows = [
      ['1', { value, title: 'Another' }],
      ['2', { value }],
      ['3', { value: 'unreadable' }],
    ];
    assert.deepEqual(
      compareRows('proposals', left, right).map(({ key, change }) => `${key} ${change}`),
      ['3 changed', '1 changed'],
    );
  });

  it('are lines of a file with every digit, and empty where a side has none', () => {
    const [gone] = compareRows('supply', amounts({ uoak: 2n ** 128n }), []);
    assert.ok(gone);
    const coins = differenceTable('supply');
    assert.deepEqual(coins.cells(gone), ['uoak', 'gone', '340282366920938463463374607431768211456', '']);
    assert.deepEqual(coins.json(gone), {
      denom: 'uoak',
      change: 'gone',
      left: '340282366920938463463374607431768211456',
      right: null,
    });
    const [added] = compareRows('proposals', [], [['7', { value: 'PROPOSAL_STATUS_PASSED' }]]);
    assert.ok(added);
    assert.deepEqual(differenceTable('proposals').json(added), {
      proposal_id: '7',
      change: 'added',
      left_status: null,
      right_status: 'PROPOSAL_STATUS_PASSED',
      left_title: null,
      right_title: null,
    });
    for (const section of ['supply', 'proposals', 'params'] as const) {
      const { columns, cells } = differenceTable(section);
      assert.equal(columns.length, cells(added).length);
    }
  });
});

describe('gov parameters', () => {
  const v1 = {
    quorum: '0.334000000000000000',
    threshold: '0.500000000000000000',
    veto_threshold: '0.334000000000000000',
    min_deposit: [
      { denom: 'uosmo', amount: '5' },
      { denom: 'uatom', amount: '10000000' },
    ],
    max_deposit_period: '1209600s',
    voting_period: '172800s',
  };
  const v1beta1 = {
    tally: { quorum: 'MC4zMzQwMDAwMDAwMDAwMDAwMDA=', threshold: '0.5', veto_threshold: '334000000000000000' },
    deposit: { min_deposit: [...v1.min_deposit].reverse(), max_deposit_period: '1209600s' },
    voting: { voting_period: '172800000000000' },
  };

  const values = (v1: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(govParamRows(withValues({ v1 })).map(([name, { value }]) => [name, value]));

  it('are the same texts in every form', () => {
    assert.deepEqual(values(v1), {
      quorum: '0.334',
      threshold: '0.5',
      veto_threshold: '0.334',
      min_deposit: '10000000uatom,5uosmo',
      max_deposit_period: '1209600s',
      voting_period: '172800s',
    });
    assert.deepEqual(compareRows('params', govParamRows(withValues({ v1 })), govParamRows(withValues(v1beta1))), []);
  });

  it('that differ are told with both values; unknown ones, too, and none that says null', () => {
    const changed = {
      ...v1,
      quorum: '0.400000000000000001',
      voting_period: null,
      min_deposit_ratio: '0.010000',
      proposal_cancel_dest: '',
      x: {},
    };
    assert.deepEqual(
      compareRows('params', govParamRows(withValues({ v1 })), govParamRows(withValues({ v1: changed }))).map(
        ({ key, left, right }) => `${key} ${left?.value ?? '-'} ${right?.value ?? '-'}`,
      ),
      [
        'min_deposit_ratio - 0.01',
        'proposal_cancel_dest - ""',
        'x - {}',
        'voting_period 172800s -',
        'quorum 0.334 0.400000000000000001',
      ],
    );
  });

  it('are none where the source states none', () => {
    assert.equal(govParamRows(undefined).length, 0);
    assert.equal(govParamRows(withValues({ tally: { quorum: '0', threshold: '0', veto_threshold: '0' } })).length, 0);
  });
});
