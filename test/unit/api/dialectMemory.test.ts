import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { DialectMemory, type StoredTraits } from '../../../src/api/rest/dialect.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const start = Date.UTC(2026, 0, 1);

describe('the known traits of a node', () => {
  let told: StoredTraits[];
  const open = (remembered?: unknown, named?: string) =>
    new DialectMemory(remembered, (traits) => told.push(structuredClone(traits)), named);
  /** As they are stored at this time. */
  const stored = (traits: Readonly<Record<string, unknown>>, foundAt = start): StoredTraits =>
    Object.fromEntries(Object.entries(traits).map(([name, value]) => [name, { value, foundAt }]));

  beforeEach(() => {
    told = [];
    mock.timers.enable({ apis: ['Date'], now: start });
  });
  afterEach(() => mock.timers.reset());

  it('are told with their times when they are new, and not when they are found again', () => {
    const memory = open();
    memory.remember({ segment: 'cosmos', reverse: true });
    assert.deepEqual(told, [stored({ segment: 'cosmos', reverse: true })]);
    mock.timers.tick(minute);
    memory.remember({ segment: 'cosmos' });
    assert.equal(told.length, 1);
    memory.remember({ segment: 'chain' });
    assert.deepEqual(told[1]?.segment, { value: 'chain', foundAt: start + minute });
    assert.deepEqual([memory.traits.segment, memory.traits.reverse], ['chain', true]);
  });

  it('are forgotten one by one, which is told if they were known', () => {
    const memory = open();
    memory.remember({ supplyOf: undefined });
    assert.equal(told.length, 0);
    memory.remember({ supplyOf: 'path', gov: 'v1' });
    memory.remember({ supplyOf: undefined });
    assert.deepEqual([memory.traits.supplyOf, memory.traits.gov, told[1]], [undefined, 'v1', stored({ gov: 'v1' })]);
  });

  it('have a time for each member of a list', () => {
    const memory = open();
    memory.remember({ unsupported: ['tally'] });
    mock.timers.tick(4 * day);
    memory.remember({ unsupported: ['params'] });
    memory.rememberFailing('voting');
    memory.rememberFailing(undefined);
    memory.rememberFailingId(7n, 'why');
    memory.rememberFailingId(8n, undefined);
    const { unsupported, failing, failingIds } = memory.traits;
    assert.deepEqual(
      [unsupported, failing],
      [
        ['tally', 'params'],
        ['voting', ''],
      ],
    );
    assert.deepEqual(JSON.parse(JSON.stringify(failingIds)), [{ id: '7', reason: 'why' }, { id: '8' }]);
    mock.timers.tick(3 * day);
    assert.deepEqual(memory.traits.unsupported, ['params']);
  });

  it('hold for a week, by themselves, and are found anew after that', () => {
    const memory = open();
    memory.remember({ segment: 'cosmos' });
    mock.timers.tick(6 * day);
    memory.remember({ segment: 'cosmos', height: true });
    mock.timers.tick(day - 1);
    assert.equal(memory.traits.segment, 'cosmos');
    mock.timers.tick(1);
    assert.deepEqual([memory.traits.segment, memory.traits.height], [undefined, true]);
    memory.remember({ segment: 'cosmos' });
    assert.equal(memory.traits.segment, 'cosmos');
    assert.equal(told.length, 3);
  });

  it('are told anew where they are found after a week in which nobody asked', () => {
    const memory = open();
    memory.remember({ segment: 'cosmos' });
    mock.timers.tick(7 * day);
    memory.remember({ segment: 'cosmos' });
    assert.deepEqual(told[1], stored({ segment: 'cosmos' }, start + 7 * day));
  });

  it('are taken up from an earlier run while they are younger than a week', () => {
    const traits = { segment: 'chain', 'unsupported tally': 'tally', 'failing ': '', sdkVersion: 'v0.50.9' };
    const memory = open(stored(traits, start - 7 * day + 1));
    assert.deepEqual(memory.traits, {
      segment: 'chain',
      sdkVersion: 'v0.50.9',
      unsupported: ['tally'],
      failing: [''],
      failingIds: [],
    });
    assert.deepEqual(memory.version, { minor: 50, patch: 9 });
    mock.timers.tick(1);
    assert.equal(memory.traits.sdkVersion, undefined);
    assert.equal(told.length, 0);
  });

  it('are none where the clock was set back by a week', () => {
    assert.equal(open(stored({ segment: 'chain' }, start + 7 * day)).traits.segment, undefined);
    assert.equal(open(stored({ segment: 'chain' }, start + 7 * day - 1)).traits.segment, 'chain');
  });

  const bad: readonly unknown[] = [
    'x',
    null,
    { segment: 'chain' },
    { segment: { value: 'chain' } },
    { segment: { value: 'chain', foundAt: 'now' } },
    ...['abc', 'x1', '1x', '', '1'.repeat(21)].map((id) => stored({ segment: 'chain', [`failingIds ${id}`]: { id } })),
    ...Object.entries({ segment: 7, gov: 'v2', supplyOf: 'x', reverse: 'yes', power: 'x', sdkVersion: 5 }).map(
      ([name, value]) => stored({ chainId: 'c', [name]: value }),
    ),
    stored({ segment: 'chain', 'unsupported x': 7 }),
  ];
  it('are none where one of those of an earlier run cannot be read', () => {
    for (const remembered of bad) {
      const { segment, chainId, unsupported, failing, failingIds } = open(remembered).traits;
      const found = { segment, chainId, unsupported, failing, failingIds };
      const none = { segment: undefined, chainId: undefined, unsupported: [], failing: [], failingIds: [] };
      assert.deepEqual(found, none, JSON.stringify(remembered));
    }
  });

  it('do not name a missing gov module in the next run, which an upgrade may bring', () => {
    const memory = open();
    memory.remember({ gov: 'none', segment: 'cosmos' });
    assert.equal(memory.traits.gov, 'none');
    const next = open(told[0]);
    assert.deepEqual([next.traits.gov, next.traits.segment], [undefined, 'cosmos']);
    assert.equal(open(stored({ gov: 'v1' })).traits.gov, 'v1');
  });

  it('that a proxy may have stated hold for five minutes before others, and are not told', () => {
    const memory = open();
    memory.remember({ gov: 'v1' });
    assert.equal(memory.traits.gov, 'v1');
    memory.suppose({ gov: 'v1beta1', unsupported: ['tally'] });
    assert.deepEqual([memory.traits.gov, memory.traits.unsupported], ['v1beta1', ['tally']]);
    mock.timers.tick(5 * minute - 1);
    assert.equal(memory.traits.gov, 'v1beta1');
    mock.timers.tick(1);
    assert.deepEqual([memory.traits.gov, memory.traits.unsupported, told.length], ['v1', [], 1]);
  });

  it('that a proxy may have stated give way to what the node states', () => {
    const memory = open();
    memory.remember({ gov: 'v1' });
    memory.suppose({ gov: 'v1beta1' });
    assert.equal(memory.traits.gov, 'v1beta1');
    memory.remember({ gov: 'v1' });
    assert.equal(memory.traits.gov, 'v1');
  });

  it('below a segment go with it', () => {
    const memory = open();
    memory.remember({ segment: 'chain', govSegment: 'x', gov: 'v1', unsupported: ['tally'], supplyOf: 'path' });
    memory.suppose({ unsupported: ['a\nb'], failing: ['voting'] });
    memory.forgetSegment();
    assert.deepEqual(told.at(-1), stored({ supplyOf: 'path' }));
    const { segment, govSegment, gov, unsupported, supplyOf, failing } = memory.traits;
    assert.deepEqual([segment, govSegment, gov, unsupported], [undefined, undefined, undefined, []]);
    assert.deepEqual([supplyOf, failing], ['path', ['voting']]);
  });

  it('are all forgotten where another chain answers, and the stored ones stay until something is found', () => {
    const memory = open();
    memory.remember({ segment: 'chain', reverse: true });
    memory.suppose({ gov: 'v1' });
    Object.assign(memory, { isVersionAsked: true, isSegmentCertain: true });
    assert.equal(memory.traits.gov, 'v1');
    memory.forget();
    const { segment, reverse, gov } = memory.traits;
    assert.deepEqual([segment, reverse, gov, told.length], [undefined, undefined, undefined, 1]);
    assert.deepEqual([memory.isVersionAsked, memory.isSegmentCertain], [false, false]);
    memory.remember({ segment: 'cosmos' });
    assert.deepEqual(told[1], stored({ segment: 'cosmos' }));
  });

  it('have the segment that the user names, always', () => {
    const memory = open(stored({ segment: 'chain' }), 'cosmos');
    assert.deepEqual([memory.traits.segment, memory.isSegmentCertain], ['cosmos', true]);
    memory.remember({ segment: 'chain' });
    memory.forget();
    assert.deepEqual([memory.traits.segment, memory.isSegmentCertain], ['cosmos', true]);
    assert.deepEqual([open().isSegmentCertain, open().isVersionAsked], [false, false]);
  });
});
