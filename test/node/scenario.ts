import { type AccountName, addresses, bondDenom, moduleAddresses } from './accounts.ts';
import type { Features } from './build.ts';
import type { Message } from './cli.ts';

const options = {
  yes: 'VOTE_OPTION_YES',
  no: 'VOTE_OPTION_NO',
  abstain: 'VOTE_OPTION_ABSTAIN',
  veto: 'VOTE_OPTION_NO_WITH_VETO',
} as const;
type Option = keyof typeof options;
/** One option, or several with their weights (which add up to 1). */
export type VoteChoice = Option | readonly (readonly [Option, weight: string])[];

/** The decision that a proposal is made for. `rule` is the reason of a rejection, `close` the rule that whole units leave open. */
export interface Expectation {
  readonly end: 'passed' | 'rejected' | 'failed' | 'dropped' | 'cancelled';
  readonly rule?: 'quorum' | 'allAbstain' | 'veto' | 'threshold';
  readonly close?: 'quorum' | 'veto' | 'threshold';
  /** An expedited vote that fails, and goes on as a regular one. */
  readonly firstRound?: 'quorum' | 'veto' | 'threshold';
}

/** A proposal of the script; left out where the version cannot have it. */
export interface Planned {
  readonly key: string;
  /** The content before gov v1. */
  readonly content?: Message | undefined;
  /** The messages of gov v1. */
  readonly messages?: readonly Message[] | undefined;
  readonly votes: Readonly<Partial<Record<AccountName, VoteChoice>>>;
  /** Absent for those that stay open. */
  readonly expected?: Expectation;
  readonly title?: string;
  readonly summary?: string;
  readonly metadata?: string;
  readonly expedited?: boolean;
  /** The deposit of the proposer, if it is less than needed, and that of others afterwards. */
  readonly deposit?: string;
  readonly deposits?: Readonly<Partial<Record<AccountName, string>>>;
  readonly cancel?: boolean;
  /** Cast after the other votes, or after an expedited vote has failed. */
  readonly again?: Readonly<Partial<Record<AccountName, VoteChoice>>>;
}

export interface Submitted extends Planned {
  readonly id: number;
  readonly proposer: AccountName;
}

const authority = moduleAddresses.gov;
const full = `10000${bondDenom},500uosmo`;
const expeditedFull = `100000${bondDenom},5000uosmo`;
const zeroTime = '0001-01-01T00:00:00Z';
// biome-ignore format: a table
const half = [['yes', '0.5'], ['no', '0.5']] as const;
// biome-ignore format: a table
const thirds = [['yes', '0.333333333333333333'], ['no', '0.333333333333333333'], ['abstain', '0.333333333333333334']] as const;

/** `10stake,5uosmo` → coins. */
function coinsOf(text: string) {
  const parts = [...text.matchAll(/(\d+)([a-z]+)/g)];
  return parts.map(([, amount, denom]) => ({ denom, amount }));
}

const text = (title: string, description = `About ${title}`): Message => ({
  '@type': '/cosmos.gov.v1beta1.TextProposal',
  title,
  description,
});
const legacy = (content: Message): Message => ({ '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority });
const plan = (name: string, height: string) => ({
  name,
  time: zeroTime,
  height,
  info: '{"binaries":{"linux/amd64":"https://example.org/v2?checksum=sha256:00"}}',
  upgraded_client_state: null,
});
const upgrade = (name: string, height: string): Message => ({
  '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  authority,
  plan: plan(name, height),
});
const oldUpgrade = (title: string, height: string): Message => ({
  ...text(title),
  '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
  plan: plan('v2', height),
});
const paramChange = (title: string, ...changes: readonly Message[]): Message => ({
  ...text(title),
  '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
  changes,
});
const poolSpend = (title: string, amount: string): Message => ({
  ...text(title),
  '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
  recipient: addresses.erin,
  amount: coinsOf(amount),
});
/** SDK 0.46 has no message for the community pool. */
const spend = (features: Features, amount: string): Message =>
  features.titles
    ? {
        '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
        authority,
        recipient: addresses.erin,
        amount: coinsOf(amount),
      }
    : legacy(poolSpend('spend', amount));
/** Most of the community pool, which pays it once: nodes try legacy content when it is submitted, and would refuse more. */
const most = `900${bondDenom}`;
const updateParams = (type: string, params: Message): Message => ({ '@type': type, authority, params });

/** The proposals whose end the script waits for. */
export function endingProposals(features: Features): readonly Planned[] {
  const v1 = (messages: readonly Message[], since = features.govV1) => (since ? messages : undefined);
  const { titles, expedited } = features;
  const passed = { end: 'passed' } as const;
  const rejected = (rule: 'quorum' | 'allAbstain' | 'veto' | 'threshold') => ({ end: 'rejected', rule }) as const;
  // biome-ignore format: a table
  const metadata = { title: 'Words', summary: 'In **short**', details: 'At length', authors: ['A', 'B'], vote_option_context: 'Yes: do it', proposal_forum_url: 'https://example.org/t/1' };
  const strange = 'Odd <b>bold</b> [a](command:x) & "quotes" \\ \u2028 ☃ 𝒳';
  const plain = (key: string) => ({ key, content: text(key), messages: v1([]) });
  // biome-ignore format: a table
  const everything: readonly Planned[] = [
    { key: 'text', content: text('text'), messages: v1([legacy(text('text'))]), votes: { val: 'yes', alice: 'no' }, expected: passed },
    { key: 'words', messages: v1([]), votes: { val: 'yes' }, expected: passed, title: metadata.title, summary: metadata.summary, metadata: JSON.stringify(metadata) },
    { ...plain('no-votes'), votes: {}, expected: rejected('quorum'), metadata: 'ipfs://CID' },
    { ...plain('low-turnout'), votes: { alice: 'yes' }, expected: rejected('quorum'), metadata: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' },
    { ...plain('quorum-exact'), votes: { alice: 'yes', erin: 'yes', frank: 'yes', grace: 'yes' }, expected: passed, metadata: 'https://example.org/metadata.json' },
    // Weights cut one unit off the counts that are shown: 5,009,999 of the 5,010,000 that are needed.
    { ...plain('quorum-split'), votes: { alice: 'yes', frank: 'yes', grace: 'yes', erin: [['yes', '0.333333333333333333'], ['no', '0.666666666666666667']] }, expected: { end: 'passed', close: 'quorum' } },
    { ...plain('unbonded-only'), votes: { heidi: 'yes', val4: 'yes' }, expected: rejected('quorum') },
    { key: 'spend', content: poolSpend('spend', most), messages: v1([spend(features, most)]), votes: { val: 'yes' }, expected: passed },
    { key: 'two-messages', messages: v1([spend(features, `1${bondDenom}`), spend(features, `2${bondDenom}`)]), votes: { val: 'yes' }, expected: passed },
    { key: 'second-fails', messages: v1([spend(features, `1${bondDenom}`), spend(features, most)]), votes: { val: 'yes' }, expected: { end: 'failed' } },
    { key: 'spend-too-much', content: poolSpend('spend-too-much', most), messages: v1([spend(features, most)]), votes: { val: 'yes' }, expected: { end: 'failed' } },
    { key: 'param-change', content: paramChange('param-change', { subspace: 'staking', key: 'MaxValidators', value: '50' }, { subspace: 'staking', key: 'HistoricalEntries', value: '5000' }), messages: v1([legacy(paramChange('param-change', { subspace: 'staking', key: 'MaxValidators', value: '50' }))], features.govV1 && !titles), votes: { val: 'yes' }, expected: passed },
    { key: 'bank-params', messages: v1([updateParams('/cosmos.bank.v1beta1.MsgUpdateParams', { send_enabled: [], default_send_enabled: true })], titles), votes: { val: 'yes', bob: 'abstain' }, expected: passed },
    { key: 'upgrade', content: oldUpgrade('upgrade', '100000000'), messages: v1([upgrade('v2', '100000000')]), votes: { val: 'yes' }, expected: passed },
    { key: 'cancel-upgrade', content: { ...text('cancel-upgrade'), '@type': '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal' }, messages: v1([{ '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority }]), votes: { val: 'no', alice: 'yes' }, expected: rejected('threshold') },
    { key: 'vetoed', content: text('vetoed'), messages: v1([legacy(text('vetoed'))]), votes: { val: 'veto', alice: 'yes' }, expected: rejected('veto') },
    { ...plain('veto-equal'), votes: { val: [['yes', '0.666'], ['veto', '0.334']] }, expected: { end: 'passed', close: 'veto' } },
    { ...plain('veto-above'), votes: { val: [['yes', '0.665999999999999999'], ['veto', '0.334000000000000001']] }, expected: { end: 'rejected', rule: 'veto', close: 'veto' } },
    { ...plain('exact-half'), votes: { val: 'abstain', erin: 'yes', frank: 'no' }, expected: { end: 'rejected', rule: 'threshold', close: 'threshold' } },
    { ...plain('above-half'), votes: { val: 'abstain', erin: 'yes', frank: [['yes', '0.000002'], ['no', '0.999998']] }, expected: passed },
    // 350,000.57 to 350,000.43: shown as equal.
    { ...plain('half-split'), votes: { val: 'abstain', dave: [['yes', '0.5000001'], ['no', '0.4999999']] }, expected: { end: 'passed', close: 'threshold' } },
    { ...plain('all-abstain'), votes: { val: 'abstain' }, expected: rejected('allAbstain') },
    { ...plain('weights'), votes: { val: 'abstain', val2: 'yes', alice: thirds, bob: half, carol: thirds, dave: [['no', '0.1'], ['veto', '0.9']] }, expected: passed },
    { ...plain('override'), votes: { val: 'abstain', alice: 'no', bob: 'yes', dave: 'yes' }, expected: passed },
    { ...plain('split'), votes: { val: 'abstain', alice: 'no', bob: 'yes' }, expected: rejected('threshold') },
    { ...plain('slashed-only'), votes: { val2: 'yes', carol: 'no' }, expected: rejected('quorum') },
    { ...plain('changed-vote'), votes: { val: 'no' }, again: { val: 'yes' }, expected: passed },
    { key: 'strange', content: text(strange, `${strange}\n\n# Heading\n${'x'.repeat(300)}`), messages: v1([]), title: strange, summary: `${strange}\n\n# Heading\n${'x'.repeat(300)}`, votes: { val: 'no' }, expected: rejected('threshold') },
    { key: 'unpaid', content: text('unpaid'), messages: v1([legacy(text('unpaid'))]), votes: {}, deposit: `200${bondDenom}`, deposits: { erin: `300${bondDenom}`, frank: '100uosmo' }, expected: { end: 'dropped' } },
    { key: 'paid-later', content: text('paid-later'), messages: v1([legacy(text('paid-later'))]), votes: { val: 'yes' }, deposit: `9000${bondDenom}`, deposits: { erin: full }, expected: passed },
  ];
  // biome-ignore format: a table
  const fast: readonly Planned[] = [
    { key: 'fast-pass', messages: [spend(features, `1${bondDenom}`)], votes: { val: 'yes', alice: 'yes' }, expected: passed },
    { key: 'fast-text-60', messages: [legacy(text('fast-text-60'))], votes: { val: [['yes', '0.6'], ['no', '0.4']] }, again: { val: 'yes' }, expected: { ...passed, firstRound: 'threshold' } },
    { key: 'fast-no-votes', messages: [spend(features, `1${bondDenom}`)], votes: {}, expected: { ...rejected('quorum'), firstRound: 'quorum' } },
    { key: 'fast-vetoed', messages: [spend(features, `1${bondDenom}`), spend(features, `1${bondDenom}`)], votes: { val: 'veto' }, expected: { ...rejected('quorum'), firstRound: 'veto' } },
    { key: 'fast-words', messages: [], votes: { val: 'yes' }, expected: passed },
  ];
  // biome-ignore format: a table
  const cancelled: readonly Planned[] = [
    { key: 'cancelled', messages: [spend(features, `1${bondDenom}`)], votes: { alice: 'yes' }, cancel: true, expected: { end: 'cancelled' } },
    { key: 'cancelled-deposit', messages: [], votes: {}, deposit: `200${bondDenom}`, cancel: true, expected: { end: 'cancelled' } },
  ];
  const all = expedited
    ? [...everything, ...fast.map((one) => ({ ...one, expedited: true })), ...cancelled]
    : everything;
  return all.filter((one) => (features.govV1 ? one.messages : one.content));
}

/** Proposals that are open at the height that is recorded and exported. */
export function openProposals(features: Features): readonly Planned[] {
  const v1 = (messages: readonly Message[]) => (features.govV1 ? messages : undefined);
  // biome-ignore format: a table
  const everyone = { val: 'yes', val2: 'no', val3: 'abstain', val4: 'yes', alice: 'abstain', bob: 'veto', carol: thirds, dave: half, erin: 'yes', frank: 'no', grace: [['yes', '1']], heidi: 'no' } as const;
  const one = spend(features, `1${bondDenom}`);
  // biome-ignore format: a table
  const common: readonly Planned[] = [
    { key: 'open-text', content: text('open-text'), messages: v1([legacy(text('open-text'))]), votes: { val2: 'yes', carol: 'no', bob: half } },
    { key: 'open-all', content: text('open-all'), messages: v1([one]), votes: everyone },
    { key: 'open-upgrade', content: oldUpgrade('open-upgrade', '200000000'), messages: v1([upgrade('v3', '200000000')]), votes: {} },
    { key: 'open-deposit', content: poolSpend('open-deposit', `5${bondDenom}`), messages: v1([one]), votes: {}, deposit: `200${bondDenom}`, deposits: { erin: `300${bondDenom}`, frank: '100uosmo' } },
    { key: 'open-words', messages: v1([]), votes: { val: 'yes', alice: 'no', bob: thirds } },
    { key: 'open-two', messages: v1([one, spend(features, `2${bondDenom}`)]), votes: { carol: thirds, dave: 'veto' } },
    { key: 'open-deposit-two', messages: v1([one, one]), votes: {}, deposit: `100${bondDenom}`, deposits: { erin: `9899${bondDenom}` } },
    { key: 'open-no-deposit', content: text('open-no-deposit'), votes: {}, deposit: '' },
  ];
  // biome-ignore format: a table
  const fast: readonly Planned[] = [
    { key: 'open-fast', messages: [one], votes: { val: [['yes', '0.66'], ['no', '0.34']] }, expedited: true },
    { key: 'open-fast-text', messages: [legacy(text('open-fast-text'))], votes: { val: [['yes', '0.6'], ['no', '0.4']] }, expedited: true },
  ];
  const all = [...common, ...(features.expedited ? fast : []), ...(features.titles ? newParams() : [])];
  return all.filter((planned) => (features.govV1 ? planned.messages : planned.content));
}

/** A MsgUpdateParams of every module: all of its params, some of them as they are. */
function newParams(): readonly Planned[] {
  const sdk = (module: string, params: Message, type = `/cosmos.${module}.v1beta1.MsgUpdateParams`): Planned => ({
    key: `params-${module}`,
    messages: [updateParams(type, params)],
    votes: {},
  });
  const consensus = {
    '@type': '/cosmos.consensus.v1.MsgUpdateParams',
    authority,
    block: { max_bytes: '11011048', max_gas: '50000000' },
    evidence: { max_age_num_blocks: '6', max_age_duration: '2s', max_bytes: '1048576' },
    validator: { pub_key_types: ['ed25519'] },
  };
  // biome-ignore format: a table
  return [
    sdk('auth', { max_memo_characters: '512', tx_sig_limit: '7', tx_size_cost_per_byte: '10', sig_verify_cost_ed25519: '590', sig_verify_cost_secp256k1: '1000' }),
    sdk('bank', { send_enabled: [], default_send_enabled: false }),
    sdk('distribution', { community_tax: '0.050000000000000000', base_proposer_reward: '0.000000000000000000', bonus_proposer_reward: '0.000000000000000000', withdraw_addr_enabled: true }),
    sdk('mint', { mint_denom: bondDenom, inflation_rate_change: '0.130000000000000000', inflation_max: '0.100000000000000000', inflation_min: '0.070000000000000000', goal_bonded: '0.670000000000000000', blocks_per_year: '6311520' }),
    sdk('slashing', { signed_blocks_window: '10000', min_signed_per_window: '0.050000000000000000', downtime_jail_duration: '600s', slash_fraction_double_sign: '0.050000000000000000', slash_fraction_downtime: '0.000100000000000000' }),
    sdk('staking', { unbonding_time: '604800s', max_validators: 120, max_entries: 7, historical_entries: 10000, bond_denom: bondDenom, min_commission_rate: '0.050000000000000000' }),
    sdk('gov', { min_deposit: coinsOf(expeditedFull), max_deposit_period: '604800s', voting_period: '604800s', quorum: '0.400000000000000000', threshold: '0.500000000000000000', veto_threshold: '0.334000000000000000', min_initial_deposit_ratio: '0.250000000000000000', proposal_cancel_ratio: '0.500000000000000000', proposal_cancel_dest: '', expedited_voting_period: '86400s', expedited_threshold: '0.667000000000000000', expedited_min_deposit: coinsOf(`500000${bondDenom}`), burn_vote_quorum: true, burn_proposal_deposit_prevote: false, burn_vote_veto: true, min_deposit_ratio: '0.010000000000000000' }, '/cosmos.gov.v1.MsgUpdateParams'),
    { key: 'params-consensus', messages: [consensus], votes: {} },
  ];
}

/** A software upgrade for which this chain really stops. */
export function realUpgrade(name: string, height: number): Planned {
  return { key: 'upgrade-now', messages: [upgrade(name, String(height))], votes: { val: 'yes' } };
}

const proposers: readonly AccountName[] = ['holder', 'alice', 'bob', 'dave'];

/** Proposals with the ids and proposers that they get: one transaction of each proposer submits a part of the list. */
export function withIds(planned: readonly Planned[], firstId: number): readonly Submitted[] {
  const perProposer = Math.ceil(planned.length / proposers.length);
  return planned.map((one, at) => {
    const proposer = proposers[Math.floor(at / perProposer)] ?? 'holder';
    return { ...one, id: firstId + at, proposer };
  });
}

/** Account → the messages that it sends. */
export type Messages = ReadonlyMap<AccountName, readonly Message[]>;

function byAccount(pairs: readonly (readonly [AccountName, Message])[]): Messages {
  const messages = new Map<AccountName, Message[]>();
  for (const [name, message] of pairs) messages.set(name, [...(messages.get(name) ?? []), message]);
  return messages;
}

export function submissions(proposals: readonly Submitted[], features: Features): Messages {
  return byAccount(
    proposals.map((one) => {
      const deposit = one.deposit ?? (one.expedited ? expeditedFull : full);
      const common = { initial_deposit: coinsOf(deposit), proposer: addresses[one.proposer] };
      if (!features.govV1) {
        return [one.proposer, { '@type': '/cosmos.gov.v1beta1.MsgSubmitProposal', content: one.content, ...common }];
      }
      const { key, messages, title = key, summary = `Summary of ${key}`, metadata = `key:${key}` } = one;
      const words = features.titles ? { title, summary } : {};
      const fast = one.expedited ? { expedited: true } : {};
      const message = { '@type': '/cosmos.gov.v1.MsgSubmitProposal', messages, metadata, ...common, ...words, ...fast };
      return [one.proposer, message];
    }),
  );
}

export function depositsOf(proposals: readonly Submitted[], { govV1 }: Features): Messages {
  const type = `/cosmos.gov.${govV1 ? 'v1' : 'v1beta1'}.MsgDeposit`;
  return byAccount(
    proposals.flatMap(({ id, deposits = {} }) =>
      namesIn(deposits).map((name) => {
        const amount = coinsOf(deposits[name] ?? '');
        return [name, { '@type': type, proposal_id: String(id), depositor: addresses[name], amount }] as const;
      }),
    ),
  );
}

export function votesOf(proposals: readonly Submitted[], which: 'votes' | 'again', { govV1 }: Features): Messages {
  const version = govV1 ? 'v1' : 'v1beta1';
  return byAccount(
    proposals.flatMap((one) => {
      const votes = one[which] ?? {};
      return namesIn(votes).map((name) => {
        const choice = votes[name] ?? [];
        const common = { proposal_id: String(one.id), voter: addresses[name], ...(govV1 ? { metadata: '' } : {}) };
        if (typeof choice === 'string') {
          return [name, { '@type': `/cosmos.gov.${version}.MsgVote`, option: options[choice], ...common }] as const;
        }
        const weighted = choice.map(([option, weight]) => ({ option: options[option], weight: toDec(weight) }));
        return [name, { '@type': `/cosmos.gov.${version}.MsgVoteWeighted`, options: weighted, ...common }] as const;
      });
    }),
  );
}

export function cancellations(proposals: readonly Submitted[]): Messages {
  return byAccount(
    proposals
      .filter(({ cancel }) => cancel)
      .map(({ id, proposer }) => {
        const type = '/cosmos.gov.v1.MsgCancelProposal';
        return [proposer, { '@type': type, proposal_id: String(id), proposer: addresses[proposer] }];
      }),
  );
}

function namesIn(record: Readonly<Partial<Record<AccountName, unknown>>>): readonly AccountName[] {
  return proposersAndVoters.filter((name) => record[name] !== undefined);
}

const proposersAndVoters = Object.keys(addresses).filter(isName);

function isName(name: string): name is AccountName {
  return name in addresses;
}

/** `0.5` → `0.500000000000000000` */
function toDec(weight: string): string {
  const [whole = '0', fraction = ''] = weight.split('.');
  return `${whole}.${fraction.padEnd(18, '0')}`;
}
