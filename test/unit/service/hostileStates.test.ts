import assert from 'node:assert/strict';
import { slowness } from '../../support/growth.ts';
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
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

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

/** What reading the same rows takes where nothing is in voting, so that nothing is counted. */
async function baseline(text: string): Promise<number> {
  const { cpu, stop } = await read(text.replaceAll('VOTING_PERIOD', 'PASSED'));
  await stop();
  return (3 * cpu + 300) * slowness;
}

describe('products of two lists in a state', function () {
  this.timeout(120_000);

  it('are no options × delegations: a vote has at most 16', async () => {
    const options = many(9000, () => ({ option: 'VOTE_OPTION_YES', weight: '0.0001' }));
    const gov = { proposals: [voting(1)], votes: [vote(1, options)] };
    const text = stateOf(gov, { validators: [validator(0)], delegations: many(5000, () => delegation(0)) });
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
    assert.match(notices.join('\n'), /running votes are not counted: 15000000 delegations/);
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
