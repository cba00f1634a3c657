import { accountBeside, withPrefix } from '../../src/chain/address.ts';
import type { Fields } from '../../src/chain/fields.ts';
import type { ChainFacts } from '../../src/draft/chainFacts.ts';
import { addresses, bondDenom, moduleAddresses } from './accounts.ts';
import type { DraftCase } from './drafts.ts';
import { validators } from './genesis.ts';

/**
 * The name of a draft, and its messages. A name with a colon is that of a draft just outside a rule, the others keep to it. All are
 * executed in this order, in one block.
 */
type Case = readonly [name: string, ...messages: readonly Fields[]];

const { gov, distribution } = moduleAddresses;
const { alice, bob, carol, dave, erin } = addresses;
const [first = '', second = '', third = ''] = validators.map(({ operator }) => operator);
const [never, past] = ['2100-01-01T00:00:00Z', '2020-01-01T00:00:00Z'];

/** An account that the chain does not have yet. */
const newcomer = (number: number): string => accountBeside(gov, new Uint8Array(20).fill(number)) ?? '';
const text = (length: number) => 'x'.repeat(length);
const coin = (amount: string, denom: string = bondDenom) => ({ denom, amount });
const one = [coin('1')];
const [sorted, unsorted] = [
  [coin('1'), coin('1', 'uosmo')],
  [coin('1', 'uosmo'), coin('1')],
];

const group = (name: string, fields: Fields): Fields => ({
  '@type': `/cosmos.group.v1.Msg${name}`,
  admin: gov,
  ...fields,
});
const member = (address: string, weight: unknown = '1') => ({ address, weight, metadata: '' });
const createGroup = (...members: readonly Fields[]) => group('CreateGroup', { members, metadata: '' });
const windows = { voting_period: '1s', min_execution_period: '0s' };
const policy = (name: string, fields: Fields): Fields => ({
  '@type': `/cosmos.group.v1.${name}DecisionPolicy`,
  windows,
  ...fields,
});
const [ofThreshold, ofPercentage] = [
  (threshold: string, more: Fields = {}) => policy('Threshold', { threshold, ...more }),
  (percentage: string, more: Fields = {}) => policy('Percentage', { percentage, ...more }),
];
const createPolicy = (decision_policy: Fields, group_id = '1') =>
  group('CreateGroupPolicy', { group_id, metadata: '', decision_policy });
const withPolicy = (members: readonly Fields[], decision_policy: Fields) =>
  group('CreateGroupWithPolicy', {
    members,
    group_metadata: '',
    group_policy_metadata: '',
    group_policy_as_admin: true,
    decision_policy,
  });
const updateMembers = (...member_updates: readonly Fields[]) =>
  group('UpdateGroupMembers', { group_id: '1', member_updates });
/** The address of the first policy of any chain. */
const firstPolicy = 'cosmos1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzsfwkgpd';
const adminOfPolicy = (new_admin: string) =>
  group('UpdateGroupPolicyAdmin', { group_policy_address: firstPolicy, new_admin });
const changePolicy = (decision_policy: Fields) =>
  group('UpdateGroupPolicyDecisionPolicy', { group_policy_address: firstPolicy, decision_policy });

const groups: readonly Case[] = [
  ['group', createGroup(member(alice), member(bob))],
  ['group of the smallest weight', createGroup(member(alice, '0.000000000000000001'))],
  ['group of weights in other notations', createGroup(member(alice, '1e3'), member(bob, '.5'), member(carol, '+1'))],
  ['group of nobody', createGroup()],
  ['group: a member twice', createGroup(member(alice), member(alice))],
  ['group: weight 0', createGroup(member(alice, '0'))],
  ['group: weight -1', createGroup(member(alice, '-1'))],
  ['group: weight ""', createGroup(member(alice, ''))],
  ['group: no weight', createGroup({ address: alice, metadata: '' })],
  ['group: weight Infinity', createGroup(member(alice, 'Infinity'))],
  ['group: weight as words', createGroup(member(alice, 'many'))],
  ['group: a member that is none', createGroup(member('cosmos1abc'))],
  ['group policy of a threshold', createPolicy(ofThreshold('0.000001'))],
  ['group policy above all weights', createPolicy(ofThreshold('1000'))],
  ['group policy: threshold 0', createPolicy(ofThreshold('0'))],
  ['group policy: threshold ""', createPolicy(ofThreshold(''))],
  ['group policy: no time to vote', createPolicy(ofThreshold('1', { windows: { ...windows, voting_period: '0s' } }))],
  ['group policy: time to vote left out', createPolicy(ofThreshold('1', { windows: { min_execution_period: '0s' } }))],
  ['group policy: no windows', createPolicy(ofThreshold('1', { windows: undefined }))],
  ['group policy of all', createPolicy(ofPercentage('1'))],
  ['group policy of a share', createPolicy(ofPercentage('0.000000000000000001'))],
  ['group policy: percentage 0', createPolicy(ofPercentage('0'))],
  ['group policy: percentage 1.000000000000000001', createPolicy(ofPercentage('1.000000000000000001'))],
  ['group policy: percentage 50', createPolicy(ofPercentage('50'))],
  ['group policy: percentage left out', createPolicy(policy('Percentage', {}))],
  ['group policy: of a group that is not there', createPolicy(ofThreshold('1'), '99')],
  ['group with policy', withPolicy([member(alice)], ofThreshold('1'))],
  ['group with policy of any member', withPolicy([member(alice), member(bob)], ofThreshold('1'))],
  ['group with policy: weight 0', withPolicy([member(alice, '0')], ofThreshold('1'))],
  ['group with policy: a member twice', withPolicy([member(bob), member(bob)], ofThreshold('1'))],
  ['group with policy: percentage 0', withPolicy([member(alice)], ofPercentage('0'))],
  ['members', updateMembers(member(carol, '2'), member(alice, '3'))],
  ['members: weight -1', updateMembers(member(carol, '-1'))],
  ['members: one twice', updateMembers(member(carol), member(carol))],
  ['members: nobody', updateMembers()],
  ['members: of no group', group('UpdateGroupMembers', { group_id: '0', member_updates: [member(carol)] })],
  ['members that leave', updateMembers(member(carol, '0'))],
  ['admin of a group: the same', group('UpdateGroupAdmin', { group_id: '1', new_admin: gov })],
  ['admin of a group: none', group('UpdateGroupAdmin', { group_id: '1', new_admin: '' })],
  ['admin of a policy: the same', adminOfPolicy(gov)],
  ['admin of a policy: of another form', adminOfPolicy('cosmos1abc')],
  ['metadata of 255 letters', group('UpdateGroupMetadata', { group_id: '1', metadata: text(255) })],
  ['metadata: 256 letters', group('UpdateGroupMetadata', { group_id: '1', metadata: text(256) })],
  ['policy', changePolicy(ofPercentage('1'))],
  ['policy: percentage 1.1', changePolicy(ofPercentage('1.1'))],
  ['policy: threshold -1', changePolicy(ofThreshold('-1'))],
];

const breaker = (name: string, ...msg_type_urls: readonly string[]): Fields => ({
  '@type': `/cosmos.circuit.v1.Msg${name}CircuitBreaker`,
  authority: gov,
  msg_type_urls,
});
const permit = (permissions: Fields): Fields => ({
  '@type': '/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker',
  granter: gov,
  grantee: alice,
  permissions,
});
const [mint, nft] = ['/cosmos.mint.v1beta1.MsgUpdateParams', '/cosmos.nft.v1beta1.MsgSend'] as const;

const lists: readonly Case[] = [
  ['breaker', breaker('Trip', mint, nft), breaker('Reset', nft, mint)],
  ['breaker: a type twice', breaker('Trip', nft, nft)],
  ['breaker: a type twice again', breaker('Trip', nft), breaker('Reset', nft, nft)],
  ['permissions', permit({ level: 'LEVEL_SOME_MSGS', limit_type_urls: [nft] })],
  ['permissions of all', permit({ level: 'LEVEL_ALL_MSGS' })],
  ['permissions: for nothing', permit({ level: 'LEVEL_SOME_MSGS', limit_type_urls: [] })],
];

const basic = (fields: Fields): Fields => ({ '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', ...fields });
const allow = (grantee: string, allowance: Fields): Fields => ({
  '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
  granter: gov,
  grantee,
  allowance,
});
const disallow = (grantee: string): Fields => ({
  '@type': '/cosmos.feegrant.v1beta1.MsgRevokeAllowance',
  granter: gov,
  grantee,
});
const periodic = (spend_limit: readonly Fields[], period_spend_limit: readonly Fields[], period = '3600s') => ({
  '@type': '/cosmos.feegrant.v1beta1.PeriodicAllowance',
  basic: { spend_limit, expiration: never },
  period,
  period_spend_limit,
  period_can_spend: [],
  period_reset: never,
});
const limited = basic({ spend_limit: one });

const allowances: readonly Case[] = [
  ['allowance', allow(alice, limited), disallow(alice)],
  ['allowance again', allow(alice, limited), disallow(alice), allow(alice, limited), disallow(alice)],
  ['allowances', allow(alice, limited), allow(bob, limited), disallow(alice), disallow(bob)],
  ['allowance: twice', allow(alice, limited), allow(alice, limited)],
  ['allowance: taken away twice', allow(alice, limited), disallow(alice), disallow(alice)],
  ['allowance: to itself', allow(gov, limited)],
  ['allowance in order', allow(carol, basic({ spend_limit: sorted })), disallow(carol)],
  ['allowance: out of order', allow(dave, basic({ spend_limit: unsorted }))],
  ['allowance: a denom twice', allow(dave, basic({ spend_limit: [...one, ...one] }))],
  ['allowance: amount 0', allow(dave, basic({ spend_limit: [coin('0')] }))],
  ['allowance: expired', allow(dave, basic({ spend_limit: one, expiration: past }))],
  ['allowance by period', allow(dave, periodic([coin('10')], one)), disallow(dave)],
  ['allowance by period above the limit', allow(dave, periodic(one, [coin('10')])), disallow(dave)],
  ['allowance by period alone', allow(dave, periodic([], one)), disallow(dave)],
  ['allowance by period of some denoms', allow(dave, periodic(sorted, one)), disallow(dave)],
  ['allowance by period: another denom', allow(dave, periodic(one, sorted))],
  ['allowance by period: out of order', allow(dave, periodic([], unsorted))],
  ['allowance by period: limit out of order', allow(dave, periodic(unsorted, one))],
  ['allowance by period: nothing', allow(dave, periodic(one, []))],
  ['allowance by period of no time', allow(dave, periodic(one, one, '0s')), disallow(dave)],
  ['allowance by period: period -1s', allow(dave, periodic(one, one, '-1s'))],
  [
    'allowance for messages',
    allow(erin, {
      '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance',
      allowance: limited,
      allowed_messages: [nft],
    }),
    disallow(erin),
  ],
  [
    'allowance for messages: none',
    allow(erin, { '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance', allowance: limited, allowed_messages: [] }),
  ],
];

const grant = (grantee: string, authorization: Fields, expiration: string | undefined = never): Fields => ({
  '@type': '/cosmos.authz.v1beta1.MsgGrant',
  granter: gov,
  grantee,
  grant: { authorization, expiration },
});
const revoke = (grantee: string, msg_type_url: string): Fields => ({
  '@type': '/cosmos.authz.v1beta1.MsgRevoke',
  granter: gov,
  grantee,
  msg_type_url,
});
const anyOf = (msg: string): Fields => ({ '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg });
const sends = (spend_limit: readonly Fields[], allow_list: readonly string[] = []): Fields => ({
  '@type': '/cosmos.bank.v1beta1.SendAuthorization',
  spend_limit,
  allow_list,
});

const transfersOf = (spend_limit: readonly Fields[]): Fields => ({
  '@type': '/ibc.applications.transfer.v1.TransferAuthorization',
  allocations: [{ source_port: 'transfer', source_channel: 'channel-0', spend_limit }],
});

const grants: readonly Case[] = [
  ['grant', grant(alice, anyOf(nft)), revoke(alice, nft)],
  ['grant twice', grant(alice, anyOf(nft)), grant(alice, anyOf(nft)), revoke(alice, nft)],
  ['grant: to itself', grant(gov, anyOf(nft))],
  ['grant: expired', grant(alice, anyOf(nft), past)],
  ['grant: of a type that is not there', grant(alice, anyOf('/cosmos.nft.v1beta1.MsgSent'))],
  ['grant of sends', grant(alice, sends(one, [bob])), revoke(alice, '/cosmos.bank.v1beta1.MsgSend')],
  ['grant of sends: nothing', grant(alice, sends([]))],
  ['grant of sends: amount 0', grant(alice, sends([coin('0')]))],
  ['grant of sends: a recipient twice', grant(alice, sends(one, [bob, bob]))],
  ['grant of sends: out of order', grant(alice, sends(unsorted))],
  ['grant of sends with a denom twice', grant(alice, sends([...one, ...one]))],
  ['grant of transfers', grant(alice, transfersOf(sorted)), revoke(alice, '/ibc.applications.transfer.v1.MsgTransfer')],
  ['grant of transfers: out of order', grant(alice, transfersOf(unsorted))],
  ['revocation: of itself', revoke(gov, nft)],
];

const vest = (to_address: string, fields: Fields): Fields => ({
  '@type': '/cosmos.vesting.v1beta1.MsgCreateVestingAccount',
  from_address: gov,
  to_address,
  amount: one,
  delayed: false,
  ...fields,
});
const lock = (to_address: string, amount: readonly Fields[] = one): Fields => ({
  '@type': '/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount',
  from_address: gov,
  to_address,
  amount,
});
const period = (length: string, amount: readonly Fields[] = one) => ({ length, amount });
const periods = (to_address: string, start_time: string | undefined, ...vesting_periods: readonly Fields[]) => ({
  '@type': '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount',
  from_address: gov,
  to_address,
  start_time,
  vesting_periods,
});
const [end, inMilliseconds] = ['4102444800', '4102444800000'] as const;

const vesting: readonly Case[] = [
  ['vesting', vest(newcomer(1), { end_time: end })],
  ['vesting: end 1', vest(newcomer(2), { end_time: '1' })],
  ['vesting: end 0', vest(newcomer(3), { end_time: '0' })],
  ['vesting: end -1', vest(newcomer(3), { end_time: '-1' })],
  ['vesting: no end', vest(newcomer(3), {})],
  ['vesting: end in milliseconds', vest(newcomer(4), { end_time: inMilliseconds })],
  ['vesting: nothing', vest(newcomer(3), { end_time: end, amount: [] })],
  ['vesting: out of order', vest(newcomer(3), { end_time: end, amount: unsorted })],
  ['vesting: of a module', vest(distribution, { end_time: end })],
  ['vesting: of an account that is there', vest(alice, { end_time: end })],
  ['vesting by period', periods(newcomer(5), '1790000000', period('1'), period('2', sorted))],
  ['vesting by period: start 1', periods(newcomer(6), '1', period('1'))],
  ['vesting by period: start 0', periods(newcomer(3), '0', period('1'))],
  ['vesting by period: no start', periods(newcomer(3), undefined, period('1'))],
  ['vesting by period: length 0', periods(newcomer(3), '1790000000', period('0'))],
  ['vesting by period: length -1', periods(newcomer(3), '1790000000', period('-1'))],
  ['vesting by period: amount 0', periods(newcomer(3), '1790000000', period('1', [coin('0')]))],
  ['vesting by period: out of order', periods(newcomer(3), '1790000000', period('1', unsorted))],
  ['vesting by period: nothing', periods(newcomer(3), '1790000000', period('1', []))],
  ['vesting by period: no periods', periods(newcomer(9), '1790000000')],
  ['locked', lock(newcomer(7))],
  ['locked: nothing', lock(newcomer(3), [])],
  ['locked: twice', lock(newcomer(8)), lock(newcomer(8))],
  ['locked: and vesting', lock(newcomer(8)), vest(newcomer(8), { end_time: end })],
  ['locked: out of order', lock(newcomer(3), unsorted)],
];

const pool = (name: string, fields: Fields): Fields => ({
  '@type': `/cosmos.protocolpool.v1.Msg${name}`,
  ...fields,
});
const fund = (recipient: string, percentage: string | undefined, expiry: string | undefined = never) =>
  pool('CreateContinuousFund', { authority: gov, recipient, percentage, expiry });
const unfund = (recipient: string) => pool('CancelContinuousFund', { authority: gov, recipient });
const oldGift = '/cosmos.distribution.v1beta1.MsgFundCommunityPool';
const spend = (amount: readonly Fields[]) => pool('CommunityPoolSpend', { authority: gov, recipient: alice, amount });
const give = (depositor: string, amount: readonly Fields[]) => pool('FundCommunityPool', { depositor, amount });

const funds: readonly Case[] = [
  ['fund', fund(alice, '0.000000000000000001'), unfund(alice)],
  ['fund of all', fund(alice, '1'), unfund(alice)],
  ['fund without an end', { ...fund(alice, '1'), expiry: undefined }, unfund(alice)],
  ['fund: 0', fund(alice, '0')],
  ['fund: -0.1', fund(alice, '-0.1')],
  ['fund: 1.000000000000000001', fund(alice, '1.000000000000000001')],
  ['fund: no percentage', fund(alice, undefined)],
  ['fund: expired', fund(alice, '0.1', past)],
  ['fund: of a module', fund(distribution, '0.1')],
  ['funds', fund(alice, '0.6'), fund(bob, '0.4'), unfund(alice), unfund(bob)],
  ['fund: above the whole', fund(alice, '0.6'), fund(bob, '0.400000000000000001')],
  ['fund again', fund(alice, '1'), unfund(alice), fund(alice, '1'), unfund(alice)],
  ['fund: canceled twice', fund(alice, '0.1'), unfund(alice), unfund(alice)],
  ['fund: twice', fund(alice, '0.1'), fund(alice, '0.1')],
  ['gift to the pool', give(gov, sorted)],
  ['gift to the pool: out of order', give(gov, unsorted)],
  ['gift to the pool: nothing', give(gov, [])],
  ['gift in the old form', { ...give(gov, sorted), '@type': oldGift }],
  ['gift in the old form: out of order', { ...give(gov, unsorted), '@type': oldGift }],
  ['gift in the old form: nothing', { ...give(gov, []), '@type': oldGift }],
  ['spend of the pool', spend(one)],
  ['spend of the pool: out of order', spend(unsorted)],
  ['spend of the pool: nothing', spend([])],
  ['spend of the pool: more than is there', spend([coin('99999999999')])],
];

const bank = (name: string, fields: Fields): Fields => ({ '@type': `/cosmos.bank.v1beta1.Msg${name}`, ...fields });
const send = (amount: readonly Fields[], to_address: string = alice) =>
  bank('Send', { from_address: gov, to_address, amount });
const party = (address: string, coins: readonly Fields[] = one) => ({ address, coins });
const multiSend = (inputs: readonly Fields[], ...outputs: readonly Fields[]) => bank('MultiSend', { inputs, outputs });
const settings = (set: readonly string[], use_default_for: readonly string[] = []) =>
  bank('SetSendEnabled', {
    authority: gov,
    send_enabled: set.map((denom) => ({ denom, enabled: true })),
    use_default_for,
  });

const execute = (...msgs: readonly Fields[]): Fields => ({
  '@type': '/cosmos.authz.v1beta1.MsgExec',
  grantee: gov,
  msgs,
});
const withdrawTo = (withdraw_address: string): Fields => ({
  '@type': '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress',
  delegator_address: gov,
  withdraw_address,
});

const payments: readonly Case[] = [
  ['send in order', send(sorted)],
  ['send: out of order', send(unsorted)],
  ['send: a denom twice', send([...one, ...one])],
  ['send: nothing', send([])],
  ['send: amount 0', send([coin('0')])],
  ['send: to a module', send(one, distribution)],
  ['send to gov', send(one, gov)],
  ['sends to two', multiSend([party(gov, [coin('2')])], party(alice), party(bob))],
  ['sends: two inputs', multiSend([party(gov), party(gov)], party(alice, [coin('2')]))],
  ['sends: other sums', multiSend([party(gov, [coin('2')])], party(alice))],
  ['sends: out of order', multiSend([party(gov, unsorted)], party(alice, unsorted))],
  ['sends: nothing', multiSend([party(gov, [])], party(alice, []))],
  ['sends: amount 0', multiSend([party(gov, [coin('0')])], party(alice, [coin('0')]))],
  ['sends: to a module', multiSend([party(gov)], party(distribution))],
  ['sends: outputs out of order', multiSend([party(gov, sorted)], party(alice, unsorted))],
  ['executed', execute(send(sorted))],
  ['executed: out of order', execute(send(unsorted))],
  ['withdrawal: to a module', withdrawTo(distribution)],
  ['settings', settings(['uatom', 'abc'], ['uosmo']), settings([], ['uatom', 'abc'])],
  ['settings set and removed', settings(['uatom'], ['uatom'])],
  ['settings: a denom of two letters', settings(['ab'])],
  ['settings: a denom twice', settings(['uatom', 'uatom'])],
  ['settings: a default of two letters', settings([], ['ab'])],
];

const stake = (name: string, fields: Fields): Fields => ({
  '@type': `/cosmos.staking.v1beta1.Msg${name}`,
  delegator_address: gov,
  amount: coin('10'),
  ...fields,
});
const delegate = (validator_address: string, amount = coin('10')) => stake('Delegate', { validator_address, amount });
const undelegate = (validator_address: string, amount = coin('10')) =>
  stake('Undelegate', { validator_address, amount });
const move = (validator_src_address: string, validator_dst_address: string) =>
  stake('BeginRedelegate', { validator_src_address, validator_dst_address });
const reward = (validator_address: string): Fields => ({
  '@type': '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
  delegator_address: gov,
  validator_address,
});
const unheard = accountBeside(first, new Uint8Array(20).fill(1)) ?? '';
/** The gov account as a validator. */
const own = withPrefix(gov, 'cosmosvaloper') ?? '';
const validator = (commission: Fields): Fields => ({
  '@type': '/cosmos.staking.v1beta1.MsgCreateValidator',
  description: { moniker: 'gov', identity: '', website: '', security_contact: '', details: '' },
  commission: { rate: '0.1', max_rate: '0.2', max_change_rate: '0.01', ...commission },
  min_self_delegation: '1',
  delegator_address: '',
  validator_address: own,
  pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: Buffer.alloc(32, 7).toString('base64') },
  value: coin('1'),
});
const edited = (commission_rate: string): Fields => ({
  '@type': '/cosmos.staking.v1beta1.MsgEditValidator',
  description: { moniker: '[do-not-modify]', identity: '', website: '', security_contact: '', details: '' },
  validator_address: own,
  commission_rate,
  min_self_delegation: null,
});
const rewards = (validator_address: string, amount: readonly Fields[]): Fields => ({
  '@type': '/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool',
  depositor: gov,
  validator_address,
  amount,
});

const stakes: readonly Case[] = [
  ['stake taken back', delegate(first), undelegate(first)],
  ['stake that was there', undelegate(third, coin('1')), reward(third)],
  ['stake that moves', delegate(first), move(first, second), reward(second), undelegate(second)],
  ['stake: none', undelegate(first)],
  ['stake: none to move', move(first, second)],
  ['stake: none with rewards', reward(first)],
  ['stake: taken before it is given', undelegate(second), delegate(second)],
  ['stake: to the same', delegate(first), move(first, first)],
  ['stake: in another denom', delegate(first, coin('10', 'uosmo'))],
  ['stake: 0', delegate(first, coin('0'))],
  ['stake: to nobody', delegate(unheard)],
  ['validator: its rate above its maximum', validator({ rate: '0.200000000000000001' })],
  ['validator: its change above its maximum', validator({ max_change_rate: '0.200000000000000001' })],
  ['validator: its maximum above 1', validator({ max_rate: '1.000000000000000001' })],
  ['validator at its maximum', validator({ rate: '0.2', max_change_rate: '0.2' })],
  ['validator changed: a rate above 1', edited('1.000000000000000001')],
  ['rewards', rewards(first, sorted)],
  ['rewards: out of order', rewards(first, unsorted)],
  ['rewards of nothing', rewards(first, [])],
  ['rewards: to nobody', rewards(unheard, one)],
];

const voting = (name: string, proposal_id: string, fields: Fields = {}, form = 'v1'): Fields => ({
  '@type': `/cosmos.gov.${form}.Msg${name}`,
  proposal_id,
  ...fields,
});
const vote = (id: string, form = 'v1') => voting('Vote', id, { voter: gov, option: 'VOTE_OPTION_YES' }, form);
const weigh = (weights: readonly string[], option = 'VOTE_OPTION_NO', id: string = openProposals.voting) =>
  voting('VoteWeighted', id, {
    voter: gov,
    options: weights.map((weight, at) => ({ option: at === 0 ? 'VOTE_OPTION_YES' : option, weight })),
  });
const deposit = (id: string, amount: readonly Fields[] = [coin('1000')]) =>
  voting('Deposit', id, { depositor: gov, amount });

/** The proposals that are there before these drafts: in their vote, before it, and decided. */
export const openProposals = { voting: '1', deposit: '2', passed: '3' } as const;

const execContent = (content: Fields): Fields => ({
  '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
  content,
  authority: gov,
});

const proposals: readonly Case[] = [
  ['content', execContent({ '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' })],
  ['content: a message', execContent(send(one))],
  ['vote', vote(openProposals.voting)],
  ['vote in the old form', vote(openProposals.voting, 'v1beta1')],
  ['vote: before it begins', vote(openProposals.deposit)],
  ['vote of two: before it begins', weigh(['0.5', '0.5'], undefined, openProposals.deposit)],
  ['vote: decided', vote(openProposals.passed)],
  ['vote: decided, in the old form', vote(openProposals.passed, 'v1beta1')],
  ['vote: not there', vote('9999')],
  ['vote of two', weigh(['0.5', '0.5'])],
  ['vote of two: below 1', weigh(['0.5', '0.499999999999999999'])],
  ['vote of two: above 1', weigh(['0.5', '0.500000000000000001'])],
  ['vote of two: weight 0', weigh(['1', '0'])],
  ['vote of two: an option twice', weigh(['0.5', '0.5'], 'VOTE_OPTION_YES')],
  ['deposit before the vote', deposit(openProposals.deposit)],
  ['deposit in the vote', deposit(openProposals.voting)],
  ['deposit of the least', deposit(openProposals.voting, [coin('100')])],
  ['deposit of the least in one denom', deposit(openProposals.voting, [coin('1'), coin('5', 'uosmo')])],
  ['deposit: less than the least', deposit(openProposals.voting, [coin('99'), coin('4', 'uosmo')])],
  ['deposit: nothing', deposit(openProposals.voting, [])],
  ['deposit: decided', deposit(openProposals.passed)],
  ['deposit: not there', deposit('9999')],
  ['deposit: another denom', deposit(openProposals.voting, [coin('1000', 'uatom')])],
  ['deposit: out of order', deposit(openProposals.voting, [coin('1000', 'uosmo'), coin('1000')])],
  ['cancellation: of another', voting('CancelProposal', openProposals.voting, { proposer: gov })],
];

/** The first contract of any chain, whose code is the first as well. */
const contract = 'cosmos14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s4hmalr';
const wasm = (name: string, fields: Fields): Fields => ({ '@type': `/cosmwasm.wasm.v1.Msg${name}`, ...fields });
/** The message of the contract `hackatom`, which the node has as its first code. */
export const contractMessage = { verifier: gov, beneficiary: alice };
const instantiate = (label: string, more: Fields = {}) =>
  wasm('InstantiateContract', {
    sender: gov,
    admin: gov,
    code_id: '1',
    label,
    msg: contractMessage,
    funds: [],
    ...more,
  });
const relabel = (new_label: string) => wasm('UpdateContractLabel', { sender: gov, new_label, contract });
const access = (permission: string, ...list: readonly string[]) => ({ permission, addresses: list });
const admit = (new_instantiate_permission: Fields) =>
  wasm('UpdateInstantiateConfig', { sender: gov, code_id: '1', new_instantiate_permission });
const uploads = (code_upload_access: Fields) =>
  wasm('UpdateParams', {
    authority: gov,
    params: { code_upload_access, instantiate_default_permission: 'Everybody' },
  });
const uploaders = (name: string, ...list: readonly string[]) =>
  wasm(`${name}CodeUploadParamsAddresses`, { authority: gov, addresses: list });
/** WebAssembly of nothing, which is looked at later than the access. */
const store = (instantiate_permission: Fields) =>
  wasm('StoreCode', { sender: gov, wasm_byte_code: 'AGFzbQEAAAA=', instantiate_permission });
const storeAnd = (fields: Fields) =>
  wasm('StoreAndInstantiateContract', {
    authority: gov,
    wasm_byte_code: 'AGFzbQEAAAA=',
    admin: gov,
    label: 'x',
    msg: contractMessage,
    funds: [],
    ...fields,
  });
const pin = (name: string, ...code_ids: readonly string[]) => wasm(`${name}Codes`, { authority: gov, code_ids });
const some = 'ACCESS_TYPE_ANY_OF_ADDRESSES';

const contracts: readonly Case[] = [
  ['label of 128 letters', instantiate(text(128))],
  ['label: 129 letters', instantiate(text(129))],
  ['label of 128 bytes', instantiate('ä'.repeat(64))],
  ['label: 130 bytes', instantiate('ä'.repeat(65))],
  ['label: a space behind it', instantiate('x ')],
  ['label: none', instantiate('')],
  ['funds in order', instantiate('x', { funds: sorted })],
  ['funds: out of order', instantiate('x', { funds: unsorted })],
  ['contract: its message as a text', instantiate('x', { msg: JSON.stringify(contractMessage) })],
  ['new label of 128 letters', relabel(text(128))],
  ['new label: 129 letters', relabel(text(129))],
  ['new label: a space before it', relabel(' x')],
  ['pins', pin('Pin', '1'), pin('Unpin', '1')],
  ['pins: a code twice', pin('Pin', '1', '1')],
  ['pins: a code twice again', pin('Unpin', '1', '1')],
  ['pins: none', pin('Pin')],
  ['access of two', admit(access('AnyOfAddresses', alice, bob))],
  ['access: an address twice', admit(access('AnyOfAddresses', alice, alice))],
  ['access: an address that is none', admit(access('AnyOfAddresses', 'cosmos1abc'))],
  ['access: nobody named', admit(access('AnyOfAddresses'))],
  ['access: by the name of the enum', admit(access(some, alice))],
  ['access: for one address', admit({ permission: 'OnlyAddress', address: alice })],
  ['access of all', admit(access('Everybody'))],
  ['access of all with addresses', admit(access('Everybody', alice))],
  ['uploads', uploads(access('AnyOfAddresses', alice)), uploaders('Add', bob), uploaders('Remove', alice)],
  ['uploads: an address twice', uploads(access('AnyOfAddresses', alice, alice))],
  ['uploaders: an address twice', uploaders('Add', carol, carol)],
  ['uploaders: an address twice again', uploaders('Remove', bob, bob)],
  ['uploaders: an address that is none', uploaders('Add', 'cosmos1abc')],
  ['code and contract: its source alone', storeAnd({ source: 'https://example.org/code' })],
  ['code and contract: its builder alone', storeAnd({ builder: 'cosmwasm/optimizer:0.16.0' })],
  ['code: an address twice', store(access('AnyOfAddresses', alice, alice))],
  ['uploads of all', uploads(access('Everybody'))],
  ['admin: the same', wasm('UpdateAdmin', { sender: gov, new_admin: gov, contract })],
  ['admin', wasm('UpdateAdmin', { sender: gov, new_admin: alice, contract })],
];

const localhost = ['connection-localhost'];
const open = (fields: Fields = {}, end: Fields = {}): Fields => ({
  '@type': '/ibc.core.channel.v1.MsgChannelOpenInit',
  port_id: 'transfer',
  channel: {
    state: 'STATE_INIT',
    ordering: 'ORDER_UNORDERED',
    counterparty: { port_id: 'transfer', channel_id: '', ...end },
    connection_hops: localhost,
    version: 'ics20-1',
    ...fields,
  },
  signer: gov,
});
/** Answers the channel that the first of these drafts opens. Proofs of the chain itself are one byte. */
const answer = (fields: Fields): Fields => ({
  ...open({ state: 'STATE_TRYOPEN', ...fields }, { channel_id: 'channel-4' }),
  '@type': '/ibc.core.channel.v1.MsgChannelOpenTry',
  previous_channel_id: '',
  counterparty_version: 'ics20-1',
  proof_init: Buffer.of(1).toString('base64'),
  proof_height: { revision_number: '1', revision_height: '1' },
});
const connect = (connection_id: string): Fields => ({
  '@type': '/ibc.core.connection.v1.MsgConnectionOpenInit',
  client_id: '07-tendermint-0',
  counterparty: { client_id: '07-tendermint-0', connection_id, prefix: { key_prefix: 'aWJj' } },
  version: { identifier: '1', features: ['ORDER_ORDERED', 'ORDER_UNORDERED'] },
  delay_period: '0',
  signer: gov,
});
const transfer = (fields: Fields): Fields => ({
  '@type': '/ibc.applications.transfer.v1.MsgTransfer',
  source_port: 'transfer',
  source_channel: 'channel-0',
  token: coin('1'),
  sender: gov,
  receiver: bob,
  timeout_height: { revision_number: '0', revision_height: '0' },
  timeout_timestamp: '4102444800000000000',
  memo: '',
  ...fields,
});

const recover = (subject_client_id: string, substitute_client_id: string): Fields => ({
  '@type': '/ibc.core.client.v1.MsgRecoverClient',
  subject_client_id,
  substitute_client_id,
  signer: gov,
});
const account = (name: string, connection_id: string, fields: Fields): Fields => ({
  '@type': `/ibc.applications.interchain_accounts.controller.v1.Msg${name}`,
  owner: gov,
  connection_id,
  ...fields,
});
const register = (connection: string) =>
  account('RegisterInterchainAccount', connection, { version: '', ordering: 'ORDER_ORDERED' });
const run = (relative_timeout: string) =>
  account('SendTx', 'connection-0', {
    packet_data: { type: 'TYPE_EXECUTE_TX', data: 'AQ==', memo: '' },
    relative_timeout,
  });

const ibc: readonly Case[] = [
  ['recovery: of a client that is not there', recover('07-tendermint-0', '07-tendermint-1')],
  ['recovery: by the same', recover('07-tendermint-0', '07-tendermint-0')],
  ['recovery: of a name of another form', recover('client', '07-tendermint-1')],
  ['interchain account: a connection of another form', register('connection/0')],
  ['interchain account: no time to run', run('0')],
  ['channel', open()],
  ['channel: another state', open({ state: 'STATE_TRYOPEN' })],
  ['channel: another end', open({}, { channel_id: 'channel-1' })],
  ['channel answered', answer({})],
  ['channel answered: another state', answer({ state: 'STATE_INIT' })],
  ['channel answered: a channel before', { ...answer({}), previous_channel_id: 'channel-4' }],
  ['connection', connect('')],
  ['connection: another end', connect('connection-1')],
  ['transfer', transfer({})],
  ['transfer with a memo of 32,768 letters', transfer({ memo: text(32_768) })],
  ['transfer: a memo of 32,769 letters', transfer({ memo: text(32_769) })],
  ['transfer to 2,048 letters', transfer({ receiver: text(2048) })],
  ['transfer: to 2,049 letters', transfer({ receiver: text(2049) })],
  ['transfer: a port of one letter', transfer({ source_port: 't' })],
  ['transfer: a channel of another form', transfer({ source_channel: 'channel/0' })],
  ['transfer: no time', transfer({ timeout_timestamp: '0' })],
  ['transfer: amount 0', transfer({ token: coin('0') })],
  ['transfer: a denom of another chain in small letters', transfer({ token: coin('1', `ibc/${text(64)}`) })],
];

type Params = Pick<ChainFacts, 'moduleParams'>;

/** Sets parameters of a module to the values of today, but for those that are given. */
function updated({ moduleParams }: Params, module: string, fields: Fields): Fields {
  const { version: _, ...today } = moduleParams.get(module) ?? {};
  const type = { '@type': `/${module}.MsgUpdateParams`, authority: gov };
  return module === 'cosmos.consensus.v1'
    ? { ...type, ...today, abci: undefined, ...fields }
    : { ...type, params: { ...today, ...fields } };
}

function paramCases(facts: Params): readonly Case[] {
  const update = (module: string, fields: Fields) => updated(facts, module, fields);
  const least = (...denoms: readonly string[]) => denoms.map((denom) => coin('15000', denom));
  const most = (...denoms: readonly string[]) => denoms.map((denom) => coin('200000', denom));
  const evidence = (max_age_duration: string, max_bytes = '1048576') =>
    update('cosmos.consensus.v1', { evidence: { max_age_num_blocks: '5', max_age_duration, max_bytes } });
  const governed = (fields: Fields) => update('cosmos.gov.v1', fields);
  const shared = (fields: Fields) => update('cosmos.distribution.v1beta1', fields);
  const pooled = (distribution_frequency: string) =>
    update('cosmos.protocolpool.v1', { enabled_distribution_denoms: [bondDenom], distribution_frequency });
  return [
    ['deposits in order', governed({ min_deposit: least(bondDenom, 'uosmo'), expedited_min_deposit: most(bondDenom) })],
    ['deposits: out of order', governed({ min_deposit: least('uosmo', bondDenom) })],
    ['deposits: a denom twice', governed({ min_deposit: least(bondDenom, bondDenom) })],
    ['deposits: expedited out of order', governed({ expedited_min_deposit: most('uosmo', bondDenom) })],
    ['deposits of canceled proposals', governed({ proposal_cancel_dest: alice })],
    ['deposits of canceled proposals: for nobody', governed({ proposal_cancel_dest: 'cosmos1abc' })],
    ['shares', shared({ community_tax: '1.000000000000000000' })],
    ['shares: above 1', shared({ community_tax: '1.000000000000000001' })],
    ['shares: for proposers', shared({ base_proposer_reward: '0.010000000000000000' })],
    ['shares: for proposers by votes', shared({ bonus_proposer_reward: '0.010000000000000000' })],
    ['pool by block', pooled('1')],
    ['pool: by nothing', pooled('0')],
    ['evidence of the largest size', evidence('1s', '22020096')],
    ['evidence: larger than a block', evidence('1s', '22020097')],
    ['evidence: 0s', evidence('0s')],
    ['evidence as old as stakes', evidence('1814400s')],
    ['evidence older than stakes', evidence('1814401s')],
    [
      'stakes released before evidence is too old',
      evidence('1814400s'),
      update('cosmos.staking.v1beta1', { unbonding_time: '1814399s' }),
    ],
  ];
}

/** The time for upgrades of channels, which ibc-go 8 alone has. */
function channelCases(facts: Params): readonly Case[] {
  const timeout = (timestamp: string, revision_number = '0', revision_height = '0') => {
    const upgrade_timeout = { height: { revision_number, revision_height }, timestamp };
    return updated(facts, 'ibc.core.channel.v1', { upgrade_timeout });
  };
  return [
    ['time of upgrades', timeout('600000000001')],
    ['time of upgrades of a nanosecond', timeout('1')],
    ['time of upgrades: none', timeout('0')],
    ['time of upgrades: by height', timeout('600000000000', '0', '1')],
    ['time of upgrades: by a revision', timeout('600000000000', '1', '0')],
    ['time of upgrades: by height alone', timeout('0', '1', '1')],
  ];
}

/**
 * Payments of more than the account has. They come last, and only the last one by 1: the account holds the deposits of the drafts that are
 * decided later, and a chain whose deposits were spent halts when it cannot give them back.
 */
function lastCases({ govBalances }: Pick<ChainFacts, 'govBalances'>): readonly Case[] {
  const held = govBalances?.get(bondDenom) ?? 0n;
  const [far, more] = [[coin(String(held + 1_000_000n))], [coin(String(held + 1n))]];
  return [
    ['lock: more than is there', lock(newcomer(3), far)],
    ['gift to the pool: more than is there', give(gov, far)],
    ['send: more than is there', send(more)],
  ];
}

/** The deposit of each draft, of which the proposer can pay hundreds. */
export const draftDeposit = { stake: 20_000, uosmo: 1_000 } as const;

/**
 * Drafts of messages at the bounds of the rules about them, and just outside: of all modules, or those of ibc-go alone. Votes on them are
 * expedited.
 */
export function messageCases(
  facts: Pick<ChainFacts, 'moduleParams' | 'govBalances'>,
  hasAll: boolean,
): readonly DraftCase[] {
  const own = [groups, lists, allowances, grants, vesting, funds, payments, stakes, proposals, contracts].flat();
  const cases = hasAll ? [...own, ...ibc, ...paramCases(facts), ...lastCases(facts)] : [...ibc, ...channelCases(facts)];
  return cases.map(([name, ...messages]) => ({
    name,
    text: JSON.stringify({
      messages,
      metadata: '',
      deposit: `${draftDeposit.stake}stake,${draftDeposit.uosmo}uosmo`,
      title: 'Words',
      summary: 'About words',
      expedited: true,
    }),
  }));
}

/** Drafts outside a rule that a chain carries out all the same, and what becomes of them. */
export const passingToHarm: ReadonlyMap<string, string> = new Map([
  ['permissions: for nothing', 'it permits nothing'],
  ['grant of sends: out of order', 'each use of it fails'],
  ['vesting: end 1', 'all is vested at once'],
  ['vesting: end in milliseconds', 'it vests in thousands of years'],
  ['vesting by period: start 1', 'all is vested at once'],
]);

/** Modules whose parameters the drafts set. */
export const changedModules = [
  'cosmos.gov.v1',
  'cosmos.protocolpool.v1',
  'cosmos.consensus.v1',
  'cosmos.staking.v1beta1',
  'cosmos.distribution.v1beta1',
  'ibc.core.channel.v1',
];
