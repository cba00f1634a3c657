import assert from 'node:assert/strict';
import { Client } from '../../../src/api/client.ts';
import { govForms, type Operation, type OperationShape, operations } from '../../../src/api/operations.ts';
import { replies } from '../../../src/api/replySchemas.ts';
import { DialectMemory } from '../../../src/api/rest/dialect.ts';
import { type Served, serveText } from './serveText.ts';
import { denoms, depositorAddress, smallState, voterAddress } from './smallState.ts';

/** Operations for data that a state file does not hold, or that no chain of ours has. */
const notServed: readonly string[] = [
  'tallyWithPower',
  'forkParams',
  'govQuorums',
  'mstakingPool',
  'totalPower',
  'block',
  'appliedPlan',
  'currentPlan',
  'balance',
  'channels',
  'escrowAddress',
  'clientStatus',
  'clientState',
  'clientConsensus',
  'implementations',
  'denomOwners',
  'denomOwnersByQuery',
  'account',
  'simulate',
];

const values: Readonly<Record<string, string>> = {
  denom: denoms[0] ?? '',
  proposalId: '1000',
  voter: voterAddress,
  depositor: depositorAddress,
  kind: 'voting',
  address: voterAddress,
  module: 'staking/v1beta1',
  hash: 'AB',
  height: 'latest',
  name: 'v1',
};

const queries: Readonly<Partial<Record<string, object>>> = {
  supplyByDenom: { denom: values.denom },
  supplySplit: { denom: values.denom },
  largestHolders: { denom: values.denom, limit: '3' },
  stake: { address: values.address },
  schedule: { denom: values.denom, at: '2027-01-01' },
  tallyDetails: { proposal: '1000' },
  param: { subspace: 'staking', key: 'BondDenom' },
};

const isOperation = (name: string): name is Operation => Object.hasOwn(operations, name);

describe('the contract', () => {
  const all: readonly (readonly [Operation, OperationShape])[] = Object.keys(operations)
    .filter(isOperation)
    .map((name) => [name, operations[name]]);
  let served: Served;
  let paths: readonly string[];
  before(async () => {
    const { app_state, ...rest } = smallState();
    const more = {
      bank: { ...app_state.bank, send_enabled: [] },
      gov: { ...app_state.gov, constitution: 'We' },
      staking: { ...app_state.staking, params: { bond_denom: 'uatom' } },
      distribution: { fee_pool: { community_pool: [] } },
      slashing: { signing_infos: [] },
      auth: { accounts: [{ '@type': '/cosmos.auth.v1beta1.BaseAccount', address: voterAddress }] },
    };
    served = await serveText({ ...rest, app_state: { ...app_state, ...more } });
    await served.service.ready;
    ({ paths } = Object(await served.get('')));
  });
  after(() => served.stop());

  it('has a reply for each operation', () => {
    assert.deepEqual(Object.keys(replies).sort(), Object.keys(operations).sort());
  });

  it('is served but for what no state file holds', async () => {
    const listed = all.flatMap(([name, { path, segment = 'chain' }]) =>
      notServed.includes(name)
        ? []
        : govForms.map((form) => `/${segment}/${path.replace('{form}', form).replace('*', '')}`),
    );
    assert.deepEqual([...paths].sort(), [...new Set(listed)].sort());
    // Outside of the contract: docs/nodes.md#supply-split.
    const own = [
      'tally_details',
      'genesis_validators',
      'schedule',
      'stake',
      'largest_holders',
      'supply_split',
      'module_params',
    ].map((name) => `/chain/inspector/v1/${name}`);
    assert.deepEqual(
      paths.filter((path) => path.includes('/inspector/')),
      own.toReversed(),
    );
    const { paths: below } = Object(await (await fetch(new URL('/cosmos', served.service.baseUrl))).json());
    assert.equal(below.length, paths.length - own.length);
  });

  it('is asked by the client as it is served', async () => {
    const unused = async () => assert.fail('nothing is sent');
    const memory = new DialectMemory(undefined, undefined, 'chain');
    const client = new Client({ get: unused, post: unused, dispose: async () => undefined }, memory, { href: '' });
    const wrong: string[] = [];
    for (const [name, { segment }] of all) {
      // Below a segment of their own, where the service has the parameters of modules only.
      if (segment !== undefined) continue;
      for (const form of govForms) {
        const url = client.urlOf(name, Object({ params: { ...values, form }, query: queries[name] }));
        const { status } = await fetch(new URL(url, served.service.baseUrl));
        const isServed = status !== 501;
        if (isServed === notServed.includes(name)) wrong.push(`${url} ${status}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});
