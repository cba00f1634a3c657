import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bech32 } from '@scure/base';
import { HttpError } from '../../../src/api/errors.ts';
import { addVoter, readVoters, removeVoter, toVoter, type Voter } from '../../../src/watch/voters.ts';
import { addTargets, keyOf } from '../../../src/watch/watchList.ts';
import { type Simulation, startSimulation } from './simulation.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const begin = Date.UTC(2026, 5, 1, 9);
const url = 'https://a.test';

/** An address whose bytes are all the same. */
function address(byte: number, prefix = 'cosmos'): string {
  return bech32.encode(prefix, bech32.toWords(new Uint8Array(20).fill(byte)));
}

function voter(byte: number): Voter {
  const made = toVoter(address(byte));
  assert.ok('address' in made);
  return made;
}

describe('a voter', () => {
  it('is an account, or the account with the bytes of an operator address', () => {
    for (const text of [address(7), ` ${address(7, 'cosmosvaloper')} `, address(7).toUpperCase()]) {
      const made = toVoter(text, ' Ops ');
      assert.ok('address' in made);
      assert.deepEqual([made.address, made.prefix, made.name, made.text], [address(7), 'cosmos', 'Ops', text.trim()]);
    }
  });

  it('is none with a wrong character, or with the address of a key', () => {
    assert.deepEqual(toVoter(address(7).replace(/.$/, 'q')), { kind: 'checksum' });
    const fault = { kind: 'prefix', found: 'cosmosvalcons', expected: 'cosmos', role: true };
    assert.deepEqual(toVoter(address(7, 'cosmosvalcons')), fault);
    assert.deepEqual(toVoter('cosmos1'), { kind: 'length' });
  });

  it('is added to and removed from the setting, which keeps what it cannot read', () => {
    const other = { note: 'mine' };
    const once = addVoter([other], voter(1));
    const twice = addVoter(addVoter(once, voter(2)), { ...voter(1), name: 'Ops' });
    assert.deepEqual(twice, [other, { address: address(2) }, { address: address(1), name: 'Ops' }]);
    assert.deepEqual(
      readVoters(twice).map(({ name }) => name),
      [undefined, 'Ops'],
    );
    assert.deepEqual(removeVoter(twice, address(2)), [other, { address: address(1), name: 'Ops' }]);
    assert.deepEqual(readVoters([{ address: address(1) }, { address: address(1, 'cosmosvaloper') }]).length, 1);
    assert.deepEqual(readVoters('x'), []);
  });
});

describe('votes of the user while time goes by', () => {
  let folder: string;
  let world: Simulation['world'];
  let clock: Simulation['clock'];
  let chain: Simulation['chain'];
  let user: Simulation['user'];
  let end: Simulation['end'];

  beforeEach(() => {
    ({ folder, world, clock, chain, user, end } = startSimulation(begin, url));
  });
  afterEach(() => end());

  const start = async (voters: readonly Voter[], interval = 5 * minute) => {
    const window = user.open(clock, { interval });
    await window.watch.start();
    window.watch.setVoters(new Map(voters.length > 0 ? [[url, voters]] : []));
    user.focus(window);
    return window;
  };
  const pass = (time: number) => world.run(world.time + time, user.settle);
  const propose = (id: bigint, end: number, begun = begin - day) => {
    const times = { submitted: begun - day, depositEnd: begun + day, voteStart: begun, voteEnd: end };
    chain.courses.push({ id, ...times, result: 'passed' });
  };
  const castAt = (id: bigint, byte: number, from: number) =>
    chain.cast.push({ id, voter: address(byte), from, option: 'yes' });
  /** `3 voting`, `3 24 h`, with `!` where none of the user's accounts had voted. */
  const words = () =>
    user.told.map(({ event: { key, facts } }) => {
      const what = facts.kind === 'status' ? facts.to : facts.kind === 'ends' ? `${facts.hours} h` : facts.kind;
      return `${key.split(' ')[1]} ${what}${'unvoted' in facts && facts.unvoted ? '!' : ''}`;
    });
  type Window = Awaited<ReturnType<typeof start>>;
  const votesOf = ({ watch }: Window, id: bigint) => {
    const snapshot = watch.snapshot(keyOf({ kind: 'proposal', sourceId: url, id }));
    return snapshot?.kind === 'proposal' ? snapshot.votes : undefined;
  };

  it('are known within one poll, for what is in voting on the chain of the account', async () => {
    propose(1n, begin + 3 * day);
    const window = await start([voter(1), voter(2)]);
    await pass(minute);
    assert.deepEqual(votesOf(window, 1n), { [address(1)]: [], [address(2)]: [] });
    castAt(1n, 2, world.time);
    await pass(5 * minute);
    assert.deepEqual(votesOf(window, 1n), {
      [address(1)]: [],
      [address(2)]: [{ option: 'yes', weight: '1.000000000000000000' }],
    });
    assert.deepEqual(window.list.items, [], 'nothing is written to the list');
  });

  it('that are missing are told when voting begins and 24, 6 and 1 hours before its end', async () => {
    await start([voter(1)], 30 * minute).then(() => pass(minute));
    propose(1n, begin + 2 * day, begin + hour);
    await pass(2 * day);
    assert.deepEqual(words(), ['1 voting!', '1 24 h!', '1 6 h!', '1 1 h!']);
    const late = user.told
      .slice(1)
      .map(({ time, event: { facts } }) => (facts.kind === 'ends' ? time - (facts.end - facts.hours * hour) : 0));
    assert.ok(
      late.every((milliseconds) => milliseconds >= 0 && milliseconds < 10_000),
      `${late}`,
    );
  });

  it('are not told as missing after one of them was cast, even just before the deadline', async () => {
    propose(1n, begin + 2 * day);
    propose(2n, begin + 2 * day);
    await start([voter(1), voter(2)], 60 * minute);
    await pass(minute);
    castAt(1n, 2, begin + 12 * hour);
    // Between two polls and the deadline: the node is asked before anything is told.
    castAt(2n, 1, begin + 2 * day - 6 * hour - 5000);
    await pass(2 * day);
    assert.deepEqual(words(), ['2 24 h!']);
  });

  it('come with the other facts of a deadline in one event, and one notification for all proposals', async () => {
    for (const id of [1n, 2n]) propose(id, begin + 2 * day);
    const window = await start([voter(1)], 30 * minute);
    await window.list.edit(addTargets([{ kind: 'proposal', sourceId: url, id: 1n }]));
    const batches: number[] = [];
    await pass(minute);
    castAt(1n, 1, begin + day + hour);
    await pass(2 * day);
    for (const { time } of user.told) if (!batches.includes(time)) batches.push(time);
    // A vote that was cast leaves the deadline that the rules of the entry ask for.
    assert.deepEqual(words().sort(), ['1 1 h', '1 24 h!', '1 passed', '2 1 h!', '2 24 h!', '2 6 h!']);
    assert.equal(batches.length, 4, '24 h, 6 h, 1 h and the result');
  });

  it('are of no vote that begins where an entry of the list is removed', async () => {
    propose(1n, begin + 3 * day);
    const window = await start([voter(1)]);
    await window.list.edit(addTargets([{ kind: 'proposal', sourceId: url, id: 1n }]));
    await pass(6 * minute);
    await window.list.remove(window.list.items);
    await pass(6 * minute);
    assert.equal(window.watch.entries.length, 1, 'the vote of the account is still due');
    assert.deepEqual(words(), []);
  });

  it('that were cast while a notification waited take "not voted" out of it', async () => {
    propose(1n, begin + day + hour);
    user.level = 'statusBar';
    const window = await start([voter(1)]);
    await pass(2 * hour);
    assert.equal(window.watch.pending.length, 1);
    castAt(1n, 1, world.time);
    await pass(6 * minute);
    assert.equal(window.watch.pending.length, 0);
  });

  it('stay known while a node lags, and are due again when an expedited vote goes on as a regular one', async () => {
    propose(1n, begin + day);
    const window = await start([voter(1)]);
    castAt(1n, 1, begin);
    await pass(6 * minute);
    chain.cast.length = 0;
    await pass(6 * minute);
    assert.equal(votesOf(window, 1n)?.[address(1)]?.length, 1);
    const [course] = chain.courses;
    assert.ok(course);
    chain.courses[0] = { ...course, voteEnd: begin + 3 * day };
    await pass(6 * minute);
    assert.deepEqual(votesOf(window, 1n), { [address(1)]: [] });
  });

  it('leave the list when the vote has ended, and nothing is asked for once no account is left', async () => {
    propose(1n, begin + hour);
    const window = await start([voter(1)]);
    await pass(minute);
    assert.equal(window.watch.entries.length, 1);
    await pass(2 * hour);
    assert.equal(window.watch.entries.length, 0);
    window.watch.setVoters(new Map());
    await pass(minute);
    const before = chain.asked.length;
    await pass(hour);
    assert.equal(chain.asked.length, before);
  });

  it('that a node refuses to list leave the rest of the poll alone', async () => {
    propose(1n, begin + 3 * day);
    const window = await start([voter(1)]);
    const list = chain.proposals.bind(chain);
    chain.proposals = async (filter, page) => {
      if (filter.voter !== undefined) throw new HttpError(url, 500, 2, 'hrp does not match bech32 prefix');
      return list(filter, page);
    };
    await pass(6 * minute);
    assert.equal(votesOf(window, 1n), undefined);
    assert.equal(window.watch.outage(url), undefined);
  });

  it('of 3 accounts on 20 proposals cost 3 requests more each poll of a day, and one for each vote', async () => {
    for (let id = 1n; id <= 20n; id++) propose(id, begin + 4 * day);
    const count = async (voters: readonly Voter[]) => {
      const window = await start(voters);
      await window.list.edit(addTargets([{ kind: 'everything', sourceId: url }]));
      const before = chain.asked.length;
      await pass(8 * hour);
      await user.close(window);
      rmSync(join(folder, 'state.json'));
      return chain.asked.length - before;
    };
    const without = await count([]);
    for (let id = 1n; id <= 20n; id++) castAt(id, Number(id % 3n) + 1, world.time + Number(id) * 20 * minute);
    const with3 = await count([voter(1), voter(2), voter(3)]);
    const polls = (8 * hour) / (5 * minute);
    console.log(
      `        a day of 8 hours: ${without} requests without voters, ${with3} with 3 voters and 20 proposals in voting`,
    );
    assert.ok(without <= polls + 3, `${without}`);
    assert.ok(with3 <= 4 * (polls + 3) + 20, `${with3}`);
  });
});
