import { type Fields, isFields } from '../../../src/chain/fields.ts';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { checkDraft } from '../../../src/draft/checkDraft.ts';
import {
  assertWhole,
  change,
  coins,
  draft,
  gov,
  known,
  legacyChange,
  someone,
  spend,
  transfer,
  update,
  upgrade,
} from './exampleDrafts.ts';

const coin = { denom: 'stake', amount: '5' };
const typed = (type: string, fields: object): object => ({ '@type': `/${type}`, ...fields });
const authz = 'cosmos.authz.v1beta1';
const [feegrant, wasm, group] = ['cosmos.feegrant.v1beta1', 'cosmwasm.wasm.v1', 'cosmos.group.v1'] as const;

/** Messages that checks look into, with all fields that they look at. */
const examples: readonly object[] = [
  spend(coins('5')),
  upgrade({ info: '{"binaries":{"linux/amd64":"https://example.org/v2"}}' }),
  transfer({ memo: '{}', timeout_timestamp: '5' }),
  update('staking', { max_validators: 0 }),
  update('cosmos.gov.v1', { quorum: '1', min_deposit: coins('5') }),
  legacyChange(change('mint', 'InflationMax', '"0.1"')),
  typed('cosmos.bank.v1beta1.MsgMultiSend', {
    inputs: [{ address: gov, coins: coins('5') }],
    outputs: [{ address: someone, coins: coins('6') }],
  }),
  typed('cosmos.gov.v1.MsgVoteWeighted', {
    proposal_id: '7',
    voter: gov,
    options: [{ option: 'VOTE_OPTION_YES', weight: '0.5' }],
  }),
  typed('cosmos.gov.v1.MsgDeposit', { proposal_id: '7', depositor: gov, amount: coins('1') }),
  typed(`${authz}.MsgGrant`, {
    granter: gov,
    grantee: someone,
    grant: {
      authorization: typed(`${authz}.GenericAuthorization`, { msg: '/cosmos.bank.v1beta1.MsgSend' }),
      expiration: '2020-01-01T00:00:00Z',
    },
  }),
  typed(`${authz}.MsgExec`, { grantee: gov, msgs: [typed('cosmos.bank.v1beta1.MsgSend', { amount: coins('5') })] }),
  typed(`${feegrant}.MsgGrantAllowance`, {
    granter: gov,
    grantee: someone,
    allowance: typed(`${feegrant}.PeriodicAllowance`, {
      basic: { spend_limit: coins('5'), expiration: '2020-01-01T00:00:00Z' },
      period: '5s',
      period_spend_limit: coins('6', 'atom'),
    }),
  }),
  typed('cosmos.staking.v1beta1.MsgBeginRedelegate', {
    delegator_address: gov,
    validator_src_address: someone,
    validator_dst_address: someone,
    amount: coin,
  }),
  typed('cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount', {
    from_address: gov,
    to_address: someone,
    start_time: '1790000000000',
    vesting_periods: [{ length: '0', amount: coins('5') }],
  }),
  typed(`${wasm}.MsgMigrateContract`, { sender: gov, contract: someone, code_id: '7', msg: '{"a":{}}' }),
  typed(`${wasm}.MsgClearAdmin`, { sender: gov, contract: someone }),
  typed(`${wasm}.MsgUpdateInstantiateConfig`, {
    sender: gov,
    code_id: '7',
    new_instantiate_permission: { permission: 'AnyOfAddresses', addresses: [] },
  }),
  typed(`${group}.MsgCreateGroupWithPolicy`, {
    admin: gov,
    members: [{ address: someone, weight: '1' }],
    decision_policy: typed(`${group}.ThresholdDecisionPolicy`, {
      threshold: '2',
      windows: { voting_period: '5s', min_execution_period: '0s' },
    }),
  }),
  typed('cosmos.circuit.v1.MsgTripCircuitBreaker', { authority: gov, msg_type_urls: ['/cosmos.gov.v1.MsgVote'] }),
  typed('cosmos.protocolpool.v1.MsgCreateContinuousFund', { authority: gov, recipient: someone, percentage: '2' }),
  typed('ibc.core.client.v1.MsgRecoverClient', {
    signer: gov,
    subject_client_id: '07-tendermint-0',
    substitute_client_id: '07-tendermint-0',
  }),
];

/** The value with each of its parts replaced, one at a time. Undefined leaves a member out. */
function variants(value: unknown, other: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((first) => variants(first, other).map((one) => [one]));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    [other, ...variants(inner, other)].map((one): Fields => ({ ...value, [name]: one })),
  );
}

const about: ChainFacts = known({
  supplies: new Map([['stake', 10n ** 12n]]),
  bondedStakes: [5n, 4n],
  proposals: new Map([['7', { status: 'rejected', proposer: someone }]]),
  openPlans: [{ id: 5n, name: 'v3', height: undefined }],
  messageTypes: new Set(['/cosmos.gov.v1.MsgVote']),
});

const summary = 'Inflation max 7 %, quorum 10 %, 7 stake, upgrade to v3.';
/** The fields of drafts of each form. Their messages do not matter here. */
const forms: readonly Fields[] = [
  JSON.parse(draft({ deposit: [coin], expedited: true })),
  JSON.parse(draft({ metadata: '', messages: [spend(coins('5'))] })),
  { title: 'T', description: summary, deposit: '5stake', type: 'Text' },
  { title: 'T', description: summary, deposit: '5stake', changes: [change('mint', 'InflationMax', '0.1')] },
  { title: 'T', description: summary, deposit: '5stake', recipient: someone, amount: '5stake' },
  { body: { messages: [spend(coins('5'))] } },
];

function checkSaid(text: string, chain: ChainFacts): void {
  for (const finding of checkDraft(text, chain, '{"title":"Another"}')?.findings ?? []) assertWhole(text, finding);
}

describe('a draft that is half written', () => {
  for (const other of [undefined, null, '', {}]) {
    const name = JSON.stringify(other);

    it(`has findings in whole sentences with ${name} in place of a value of a message`, () => {
      const lists = examples.map((one) => variants(one, other));
      const longest = Math.max(...lists.map(({ length }) => length));
      for (let at = 0; at < longest; at++) {
        const messages = examples.map((one, index) => lists[index]?.[at] ?? one);
        checkSaid(draft({ messages, metadata: '', summary }), about);
        if (at % 4 === 0) checkSaid(draft({ messages, metadata: '', summary }), nothingKnown);
      }
    });

    it(`has findings in whole sentences with ${name} in place of a value of its own`, () => {
      const texts = forms.flatMap((one) => variants(one, other).map((fields) => JSON.stringify(fields)));
      for (const text of texts) for (const chain of [about, nothingKnown]) checkSaid(text, chain);
    });
  }
});
