import assert from 'node:assert/strict';
import { lockedOf, readVesting } from '../../../src/service/holders/vesting.ts';
import { runs } from '../../support/random.ts';
import { growth, slowness } from '../growth.ts';
import { bytesKept, coins, growingNames, growingState, many, readWhole, vestingOf } from './growingStates.ts';
import { scanText } from './scanText.ts';
import { serveText } from './serveText.ts';
import { depositorAddress, smallState, voterAddress } from './smallState.ts';

type Rows = readonly object[];

const voting = (id: number) => ({ id: `${id}`, status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages: [] });
const vote = (id: number, options: Rows) => ({ proposal_id: `${id}`, voter: 'a', options });
const yes = { option: 'VOTE_OPTION_YES', weight: '1.0' };
const validator = (at: number) => ({
  operator_address: `v${at}`,
  tokens: '100',
  delegator_shares: '100.0',
  status: 'BOND_STATUS_BONDED',
});
const delegation = (at: number) => ({ delegator_address: 'a', validator_address: `v${at}`, shares: '1.0' });

function stateOf(gov: object, staking: object): string {
  return JSON.stringify({ app_state: { gov, staking: { exported: true, ...staking } } });
}

/** The state, read whole, and how long that took, in milliseconds of this process. */
async function read(text: string) {
  const start = process.cpuUsage();
  const served = await serveText(text);
  await served.service.ready;
  const { user, system } = process.cpuUsage(start);
  return { ...served, notices: served.service.notices, cpu: (user + system) / 1000 };
}

/** The time that the same rows take if no proposal is in voting, so that nothing is counted. */
async function baseline(text: string): Promise<number> {
  const { cpu, stop } = await read(text.replaceAll('VOTING_PERIOD', 'PASSED'));
  await stop();
  return (3 * cpu + 300) * slowness;
}

describe('products of two lists in a state', () => {
  it('are no options × delegations: a vote has at most 16', async () => {
    const options = many(6000, () => ({ option: 'VOTE_OPTION_YES', weight: '0.0001' }));
    const gov = { proposals: [voting(1)], votes: [vote(1, options)] };
    const text = stateOf(gov, { validators: [validator(0)], delegations: many(4000, () => delegation(0)) });
    const { ask, notices, cpu, stop } = await read(text);
    assert.match(notices.join('\n'), /More than 16 options \(.*gov\.votes\[0\]/);
    // A vote that is not counted makes the count unknown, never zero.
    assert.equal((await ask('gov/v1/proposals/1/tally')).status, 501);
    const limit = await baseline(text);
    assert.ok(cpu < limit, `${cpu} ms, at most ${limit} ms`);
    await stop();
  });

  it('are no votes × delegations beyond what can be counted, which is said', async () => {
    const gov = { proposals: many(3000, (at) => voting(at + 1)), votes: many(3000, (at) => vote(at + 1, [yes])) };
    const text = stateOf(gov, {
      validators: many(10, validator),
      delegations: many(5000, (at) => delegation(at % 10)),
    });
    const { ask, notices, cpu, stop } = await read(text);
    assert.match(notices.join('\n'), /Running tallies are not calculated: there are too many delegations \(15000000\)/);
    assert.equal((await ask('gov/v1/proposals/1/tally')).status, 501);
    assert.equal(Object(await ask('gov/v1/proposals')).status, 200);
    const limit = await baseline(text);
    assert.ok(cpu < limit, `${cpu} ms, at most ${limit} ms`);
    await stop();
  });

  it('are no votes × validators', async () => {
    const gov = { proposals: many(6000, (at) => voting(at + 1)), votes: many(6000, (at) => vote(at + 1, [yes])) };
    const text = stateOf(gov, { validators: many(6000, validator), delegations: [delegation(7)] });
    const { ask, cpu, stop } = await read(text);
    assert.equal(Object((await ask('gov/v1/proposals/3000/tally')).body).tally.yes_count, '1');
    const limit = await baseline(text);
    assert.ok(cpu < limit, `${cpu} ms, at most ${limit} ms`);
    await stop();
  });

  it('are no address of megabytes in each coin', async () => {
    const long = 'a'.repeat(1024);
    const coins = many(3, (at) => ({ denom: `u${at}`, amount: '1' }));
    const deposits = [{ proposal_id: '1', depositor: long, amount: coins }];
    const votes = [{ proposal_id: '1', voter: long, options: [yes] }];
    const { notices, stop } = await read(stateOf({ proposals: [voting(1)], deposits, votes }, {}));
    assert.match(notices.join('\n'), /Longer than 1023 characters \(.*gov\.deposits\[0\]\.depositor/);
    assert.match(notices.join('\n'), /Longer than 1023 characters \(.*gov\.votes\[0\]\.voter/);
    await stop();
  });
});

describe('a state with much of one thing', () => {
  const most = runs(1 << 12, 1 << 14);
  /** With fewer rows, the memory of the reader itself is too large a part. */
  const mostKept = 2 * most;
  for (const name of growingNames) {
    it(`is read in time that grows with it: ${name}`, () => {
      const texts = new Map<number, Buffer>();
      const bytesOf = (size: number) => {
        const known = texts.get(size) ?? growingState(name, size);
        texts.set(size, known);
        return known;
      };
      for (let size = 16; size <= most; size *= 2) bytesOf(size);
      const factor = growth((size) => readWhole(bytesOf(size)), most);
      assert.ok(factor < 3, `${factor} times as long as eight parts`);
    });

    it(`is kept in memory that grows with it: ${name}`, async () => {
      const [part = 0, whole = 0] = await bytesKept(name, [mostKept / 8, mostKept]);
      assert.ok(whole < 8 * 2 * part, `${part} bytes, eight times as much ${whole} bytes`);
    });
  }

  it('is worked out without all periods of a vesting account for each denom', () => {
    const work = (size: number) => {
      const { base_vesting_account, ...own } = vestingOf(1, size, {
        start_time: '1',
        vesting_periods: many(size, () => ({ length: '1' })),
      });
      const vesting = readVesting('PeriodicVestingAccount', { ...base_vesting_account, ...own });
      for (const { denom } of coins(size)) assert.equal(vesting && lockedOf(vesting, denom, 9n, new Date()), 5n);
    };
    const factor = growth(work, 1 << 16);
    assert.ok(factor < 3, `${factor} times as long as eight parts`);
  });
});

describe('a number that is not exact', () => {
  it('costs its value alone, in the place of every text and number of a state', () => {
    const { app_state, ...header } = smallState();
    const base_account = { address: voterAddress };
    const coins = [{ denom: 'ustake', amount: '7' }];
    const base_vesting_account = { base_account, original_vesting: coins, delegated_vesting: coins, end_time: '1' };
    const accounts = [
      { '@type': '/cosmos.auth.v1beta1.BaseAccount', address: depositorAddress },
      { '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount', base_vesting_account, start_time: '1' },
      { '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account, name: 'gov' },
    ];
    const text = JSON.stringify({ ...header, app_state: { auth: { accounts }, ...app_state } });
    const values = [...text.matchAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|\d+)/g)];
    assert.ok(values.length > 100);
    for (const { 0: value, index } of values)
      for (const number of ['1e3', '12345678901234567890', '-0.5']) {
        const changed = `${text.slice(0, index)}${number}${text.slice(index + value.length)}`;
        assert.doesNotThrow(() => scanText(changed), `${number} in place of ${value} at ${index}`);
      }
  });
});
