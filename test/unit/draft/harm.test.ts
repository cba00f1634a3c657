import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { atoms, draft, spend, update, upgrade as upgradeOf } from '../../fixtures/seededDrafts/seed.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import {
  change,
  codesOf,
  facts,
  findingOf,
  known,
  legacyChange,
  ofMessages,
  someone,
  update as updateOf,
} from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

const authority = known({}).govAccount;
const cancel = { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority };
const upgrade = (name: string) => ({
  '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  authority,
  plan: { name, height: '90000000', info: '' },
});
const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: authority, to_address: someone };
const harms = (text: string) =>
  codesOf(text).filter((code) => /message-undone|denom-changed|period-cut|sends-off/.test(code));

describe('messages of a draft that undo each other', () => {
  it('are an upgrade and its cancellation, at the cancellation', () => {
    const text = ofMessages(upgrade('v9'), cancel);
    const finding = findingOf(text, 'message-undone');
    assert.equal(text.slice(finding.range.start, finding.range.end), '"/cosmos.upgrade.v1beta1.MsgCancelUpgrade"');
    assert.equal(findingText(finding, plainEnglish), 'This cancels the upgrade v9 from an earlier message.');
  });

  it('are two upgrades, and a module that is set twice', () => {
    assert.deepEqual(findingOf(ofMessages(upgrade('v9'), upgrade('v10')), 'message-undone').details, {
      by: 'plan',
      name: 'v9',
    });
    const twice = ofMessages(updateOf('mint', { blocks_per_year: '5000000' }), updateOf('mint', {}));
    assert.deepEqual(findingOf(twice, 'message-undone').details, { by: 'params', name: 'cosmos.mint.v1beta1' });
  });

  it('are two settings of a denom, whatever the first one sets', () => {
    const set = (send_enabled: readonly object[], use_default_for: readonly string[] = []): object => ({
      '@type': '/cosmos.bank.v1beta1.MsgSetSendEnabled',
      authority,
      send_enabled,
      use_default_for,
    });
    const [off, on] = [[{ denom: 'ulumen', enabled: false }], [{ denom: 'ulumen', enabled: true }]] as const;
    for (const later of [set(on), set([], ['ulumen'])]) {
      const text = ofMessages(set(off), later);
      const finding = findingOf(text, 'message-undone');
      assert.equal(text.slice(finding.range.start, finding.range.end), '"ulumen"');
      assert.deepEqual(finding.details, { by: 'setting', name: 'ulumen' });
    }
    assert.deepEqual(harms(ofMessages(set(off), set([{ denom: 'ufjord', enabled: true }]))), []);
  });

  it('are none where a cancellation comes before the upgrade, or each sets another module', () => {
    assert.deepEqual(harms(ofMessages(cancel, upgrade('v9'))), []);
    assert.deepEqual(harms(ofMessages(updateOf('mint', {}), updateOf('staking', { max_validators: 120 }))), []);
  });
});

describe('parameters of a draft that harm a chain', () => {
  it('are another denom to stake or to mint', () => {
    const text = ofMessages(updateOf('staking', { bond_denom: 'ustake' }));
    const finding = findingOf(text, 'denom-changed');
    assert.equal(text.slice(finding.range.start, finding.range.end), '"ustake"');
    assert.match(findingText(finding, plainEnglish), /^bond_denom is currently stake\./);
    assert.equal(
      findingOf(ofMessages(updateOf('mint', { mint_denom: 'ustake' })), 'denom-changed').severity,
      'warning',
    );
  });

  it('are a period that is cut to less than a tenth, with both spans', () => {
    const finding = findingOf(ofMessages(updateOf('staking', { unbonding_time: '86400s' })), 'period-cut');
    assert.equal(findingText(finding, plainEnglish), 'unbonding_time drops from 21 days to 1 day. Check the unit.');
  });

  it('are none where no node reads the period', () => {
    assert.deepEqual(harms(ofMessages(updateOf('staking', { unbonding_time: '1814400' }))), []);
  });

  it('are sends that are turned off', () => {
    assert.deepEqual(harms(ofMessages(updateOf('bank', { default_send_enabled: false }))), ['warning sends-off']);
  });

  it('are no period of half the length, no denom as it is, no other parameter', () => {
    const kept = updateOf('staking', { unbonding_time: '907200s', bond_denom: 'stake', max_validators: 120 });
    assert.deepEqual(harms(ofMessages(kept)), []);
    assert.deepEqual(harms(ofMessages(updateOf('bank', { default_send_enabled: true }))), []);
  });
});

describe('denoms in a list that have no supply', () => {
  const noSupply = known({
    supplies: new Map([
      ['usampel', 0n],
      ['usample', 7n],
    ]),
  });
  const setting = (denom: string): object => ({
    '@type': '/cosmos.bank.v1beta1.MsgSetSendEnabled',
    authority,
    send_enabled: [{ denom, enabled: false }],
  });
  const enabled = (denom: string): object => ({
    '@type': '/cosmos.protocolpool.v1.MsgUpdateParams',
    authority,
    params: { enabled_distribution_denoms: [denom], distribution_frequency: '1' },
  });

  it('are named where sends are set, and where the community pool distributes', () => {
    for (const make of [setting, enabled]) {
      const finding = findingOf(ofMessages(make('usampel')), 'denom-unissued', noSupply);
      const sentence = findingText(finding, plainEnglish);
      assert.match(sentence, /^(send_enabled|enabled_\w+) has usampel, which has no supply\. Check the spelling\.$/);
      assert.deepEqual(codesOf(ofMessages(make('usample')), noSupply), []);
    }
  });
});

describe('the state of a chain, beside a draft that harms it', () => {
  const staking = (change: object): string => draft([update('cosmos.staking.v1beta1', change)]);
  const consensus = (change: object): string => draft([update('cosmos.consensus.v1', change)]);
  const ageOf = (max_age_duration: string) =>
    update('cosmos.consensus.v1', {
      evidence: { max_age_num_blocks: '302400', max_age_duration, max_bytes: '50000' },
    });
  const binaries = (urls: object): string => JSON.stringify({ binaries: urls });
  const download = 'https://example.org/app?checksum=';
  const inGov = (change: object): string => draft([update('cosmos.gov.v1', change)]);
  const cases: readonly (readonly [text: string, code: FindingCode, at: string, says: string])[] = [
    [
      staking({ max_validators: 100 }),
      'validators-out',
      '100',
      '80 of 180 bonded validators, holding 19.88 % of all voting power, would drop out of the active set.',
    ],
    [
      staking({ bond_denom: 'uatm' }),
      'denom-changed',
      '"uatm"',
      'bond_denom is currently uatom. New delegations would have to use another denom. 1,629,000,000,000 uatom are staked. The supply of uatm is 0.',
    ],
    [
      inGov({ expedited_min_deposit: atoms('500000000', 'atom') }),
      'denom-unissued',
      '[\n',
      'expedited_min_deposit uses atom, which has no supply. Nobody could pay with it.',
    ],
    [
      inGov({ expedited_min_deposit: atoms('500000000000000') }),
      'deposit-over-supply',
      '[\n',
      'expedited_min_deposit is 500,000,000,000,000 uatom, but only 390,000,000,000,000 uatom exist. Nobody could pay it.',
    ],
    [
      inGov({ voting_period: '441504000s' }),
      'period-cut',
      '"441504000s"',
      'voting_period increases from 14 days to 5110 days. Check the unit.',
    ],
    [inGov({ quorum: '0' }), 'param-extreme', '"0"', 'quorum: a single vote could pass a proposal.'],
    [
      draft([update('cosmos.mint.v1beta1', { blocks_per_year: '5256' })]),
      'value-jump',
      '"5256"',
      'blocks_per_year changes from 5,256,000 to 5256, by a factor of 1,000. Check the digits.',
    ],
    [
      draft([update('cosmos.mint.v1beta1', { blocks_per_year: '525600' })]),
      'value-jump',
      '"525600"',
      'blocks_per_year changes from 5,256,000 to 525,600, by a factor of 10. Check the digits.',
    ],
    [
      draft([update('cosmos.slashing.v1beta1', { slash_fraction_downtime: '0.500000000000000000' })]),
      'value-jump',
      '"0.500000000000000000"',
      'slash_fraction_downtime changes from 0.0001 to 0.5, by a factor of 5,000. Check the digits.',
    ],
    [
      draft([upgradeOf({ height: '2050000000' })]),
      'upgrade-height-far',
      '"2050000000"',
      'Block 2,050,000,000 is expected in 2412, more than two years away. Check the digits.',
    ],
    [
      draft([update('ibc.core.client.v1', { allowed_clients: ['06-solomachine', '09-localhost'] })]),
      'names-dropped',
      '[\n',
      'allowed_clients would no longer include 07-tendermint. Clients of these types would stop working.',
    ],
    [
      inGov({ quorum: '0.99' }),
      'param-extreme',
      '"0.99"',
      'quorum: no proposal would pass unless 99.00 % of the bonded tokens vote (currently 40.00 %).',
    ],
    [
      consensus({ block: { max_bytes: '2000000', max_gas: '-1' } }),
      'param-extreme',
      '"-1"',
      'block.max_gas: blocks would have no gas limit (currently 75,000,000). One block could stall the chain.',
    ],
    [
      draft([update('cosmos.auth.v1beta1', { tx_sig_limit: '1' })]),
      'param-extreme',
      '"1"',
      'tx_sig_limit: multisig accounts could no longer sign.',
    ],
    [
      staking({ max_entries: 1 }),
      'param-extreme',
      '1',
      'max_entries: each delegator could undelegate from a validator only once per unbonding time (currently 7).',
    ],
    [
      staking({ min_commission_rate: '0.5' }),
      'param-extreme',
      '"0.5"',
      "min_commission_rate: every validator would take at least 50.00 % of its delegators' rewards (currently 5.00 %).",
    ],
    [
      staking({ historical_entries: 100 }),
      'value-jump',
      '100',
      'historical_entries changes from 10,000 to 100, by a factor of 100. Check the digits.',
    ],
    [
      inGov({ threshold: '0.01' }),
      'value-jump',
      '"0.01"',
      'threshold changes from 0.5 to 0.01, by a factor of 50. Check the digits.',
    ],
    [
      inGov({ quorum: '0.03' }),
      'value-jump',
      '"0.03"',
      'quorum changes from 0.4 to 0.03, by a factor of more than 13. Check the digits.',
    ],
    [
      draft([update('cosmos.distribution.v1beta1', { community_tax: '0.2' })]),
      'value-jump',
      '"0.2"',
      'community_tax changes from 0.02 to 0.2, by a factor of 10. Check the digits.',
    ],
    [
      draft([update('cosmos.slashing.v1beta1', { slash_fraction_double_sign: '0.000000000000000000' })]),
      'param-extreme',
      '"0.000000000000000000"',
      'slash_fraction_double_sign: a validator that double-signs would lose no stake.',
    ],
    [
      draft([update('cosmos.slashing.v1beta1', { min_signed_per_window: '0.000000000000000000' })]),
      'param-extreme',
      '"0.000000000000000000"',
      'min_signed_per_window: a validator that signs no blocks would stay bonded.',
    ],
    [
      consensus({ evidence: { max_age_num_blocks: '302400', max_age_duration: '1814400s', max_bytes: '0' } }),
      'param-extreme',
      '"0"',
      'evidence.max_bytes: no evidence would fit in a block, so a validator that double-signs would lose no stake.',
    ],
    [
      staking({ unbonding_time: '604800s' }),
      'evidence-age',
      '"604800s"',
      'Stake unbonds in 7 days, but evidence is accepted for 21 days (max_age_duration). Stake that has unbonded is not slashed.',
    ],
    [
      consensus({ evidence: { max_age_num_blocks: '302400', max_age_duration: '2419200s', max_bytes: '50000' } }),
      'evidence-age',
      '"2419200s"',
      'Stake unbonds in 21 days, but evidence is accepted for 28 days (max_age_duration). Stake that has unbonded is not slashed.',
    ],
    [
      draft([spend(atoms('2500000000000')), spend(atoms('2400000000000'))]),
      'spend-most-of-pool',
      '[\n',
      'The draft spends 4,900,000,000,000 uatom, 98.00 % of what the community pool holds.',
    ],
    [
      draft([upgradeOf({ height: '20201800' })]),
      'upgrade-height-soon',
      '"20201800"',
      'Block 20,201,800 is expected 20 minutes after voting ends. Validators have only that long to prepare.',
    ],
    [
      draft([upgradeOf({ info: binaries({ 'darwin/arm64': `${download}sha256:${'0a'.repeat(32)}` }) })]),
      'upgrade-info',
      '"{',
      'The plan info has no binary for linux/amd64, only for darwin/arm64.',
    ],
    [
      draft([upgradeOf({ info: binaries({ any: `${download}md5:${'0a'.repeat(16)}` }) })]),
      'upgrade-info',
      '"{',
      'A checksum in the plan info uses md5, which can be forged. Use sha256.',
    ],
    [
      draft([upgradeOf({ info: binaries({ any: `${download}crc32:0a0a0a0a` }) })]),
      'upgrade-info',
      '"{',
      'Cosmovisor does not support the checksum type crc32. Use sha256.',
    ],
    [
      draft([{ ...send, amount: atoms('5000000000') }]),
      'spend-over-balance',
      '[\n',
      'The gov account currently holds 900,000,000 uatom, but the draft sends 5,000,000,000 uatom. The message would fail after the vote.',
    ],
    [
      draft([spend(atoms('1000000')), spend(atoms('1000000'))]),
      'message-undone',
      '"/cosmos.distribution.v1beta1.MsgCommunityPoolSpend"',
      'This repeats an earlier MsgCommunityPoolSpend. Both are executed.',
    ],
  ];
  const harmless: readonly string[] = [
    staking({ max_validators: 180, unbonding_time: '1814401s' }),
    staking({ max_validators: 200 }),
    inGov({ quorum: '0.3', expedited_min_deposit: atoms('1000000000') }),
    draft([update('cosmos.mint.v1beta1', { blocks_per_year: '5000000' })]),
    draft([upgradeOf({ height: '25000000' })]),
    draft([upgradeOf({ height: '20216000' })]),
    draft([upgradeOf({ info: binaries({ any: `${download}sha256:${'0a'.repeat(32)}` }) })]),
    staking({ historical_entries: 2000 }),
    staking({ unbonding_time: '1900000s' }),
    consensus({ block: { max_bytes: '2000000', max_gas: '80000000' } }),
    draft([update('cosmos.auth.v1beta1', { tx_sig_limit: '5' })]),
    inGov({ quorum: '0.8' }),
    draft([spend(atoms('4400000000000'))]),
    draft([update('cosmos.staking.v1beta1', { unbonding_time: '604800s' }), ageOf('604800s')]),
    draft([update('ibc.core.client.v1', { allowed_clients: ['*'] })]),
    draft([spend(atoms('1000000')), spend(atoms('2000000'))]),
  ];
  let chain: Awaited<ReturnType<typeof startSeedChain>>;
  before(async () => {
    chain = await startSeedChain();
  });
  after(() => chain.stop());

  for (const [text, code, at, says] of cases) {
    it(`is named with its figure: ${says}`, async () => {
      const finding = findingOf(text, code, await chain.factsFor(text));
      assert.equal(finding.severity, 'warning');
      assert.ok(text.slice(finding.range.start, finding.range.end).startsWith(at));
      assert.equal(findingText(finding, plainEnglish), says);
    });
  }

  it('is no finding where the draft leaves it as it is, or changes it a little', async () => {
    for (const text of harmless) assert.deepEqual(codesOf(text, await chain.factsFor(text)), [], text);
  });

  it('is no further finding at a value that the module refuses', async () => {
    const text = draft([update('cosmos.slashing.v1beta1', { slash_fraction_double_sign: '5.0' })]);
    assert.deepEqual(codesOf(text, await chain.factsFor(text)), ['error param-value']);
  });

  it('is found in legacy changes, too, whose periods are in nanoseconds', () => {
    const about = known({
      legacyParams: new Map([
        ['staking/UnbondingTime', '"1814400000000000"'],
        ['staking/MaxValidators', '100'],
        ['gov/tallyparams', '{"quorum":"0.4","threshold":"0.5","veto_threshold":"0.334"}'],
      ]),
      bondedStakes: [5n, 3n, 2n],
    });
    const text = ofMessages(
      legacyChange(
        change('staking', 'UnbondingTime', '"1814400000000"'),
        change('staking', 'MaxValidators', '2'),
        change('gov', 'tallyparams', '{"quorum":"0"}'),
      ),
    );
    const found = codesOf(text, about).filter((code) => /period|validators|extreme/.test(code));
    assert.deepEqual(found, ['warning period-cut', 'warning validators-out', 'warning param-extreme']);
    const short = ofMessages(legacyChange(change('staking', 'UnbondingTime', '"1814400"')));
    assert.equal(
      findingText(findingOf(short, 'period-cut', about), plainEnglish),
      'unbonding_time drops from 21 days to 1.8144 ms. Check the unit.',
    );
  });
});

describe('validators, proposals and plans that a draft names', () => {
  const operator = 'cosmosvaloper19rl4cm2hmr8afy4kldpxz3fka4jguq0ae5egnx';
  const delegate = (validator_address: string) =>
    ofMessages({
      '@type': '/cosmos.staking.v1beta1.MsgDelegate',
      delegator_address: authority,
      validator_address,
      amount: { denom: 'stake', amount: '5' },
    });
  const vote = (proposal_id: string, form = 'v1') =>
    ofMessages({ '@type': `/cosmos.gov.${form}.MsgVote`, proposal_id, voter: authority, option: 'VOTE_OPTION_YES' });
  const deposit = (proposal_id: string) =>
    ofMessages({
      '@type': '/cosmos.gov.v1.MsgDeposit',
      proposal_id,
      depositor: authority,
      amount: [{ denom: 'stake', amount: '10000000' }],
    });
  const cancelOf = (proposal_id: string) =>
    ofMessages({ '@type': '/cosmos.gov.v1.MsgCancelProposal', proposal_id, proposer: authority });
  const about = known({
    operators: new Set([operator]),
    proposals: new Map([
      ['5', null],
      ['6', { status: 'passed', proposer: authority }],
      ['7', { status: 'voting', proposer: authority }],
      ['8', { status: 'voting', proposer: someone }],
      ['9', { status: 'deposit', proposer: undefined }],
    ]),
    openPlans: [{ id: 801n, name: 'v8', height: 5_120_000n }],
  });

  it('are cancelled by who proposed them alone', () => {
    const finding = findingOf(cancelOf('8'), 'proposal-proposer', about);
    assert.equal(finding.severity, 'error');
    assert.equal(cancelOf('8').slice(finding.range.start, finding.range.end), `"${authority}"`);
    assert.equal(
      findingText(finding, plainEnglish),
      `Proposal 8 can only be canceled by its proposer, ${someone}. The message would fail when it is executed.`,
    );
    for (const id of ['7', '9']) assert.deepEqual(codesOf(cancelOf(id), about), []);
  });

  for (const [text, code, at, says] of [
    [
      delegate(operator.replace('19', '29')),
      'validator-unknown',
      '"cosmosvaloper29',
      'validator_address: this chain has no validator with this address. The message would fail when it is executed.',
    ],
    [
      cancelOf('5'),
      'proposal-closed',
      '"5"',
      'This chain has no proposal 5. The message would fail when it is executed.',
    ],
    [
      cancelOf('6'),
      'proposal-closed',
      '"6"',
      'Proposal 6 is no longer open. The message would fail when it is executed.',
    ],
  ] as const)
    it(`are named where they are no longer, or not yet, there: ${says}`, () => {
      const finding = findingOf(text, code, about);
      assert.equal(finding.severity, 'warning');
      assert.ok(text.slice(finding.range.start, finding.range.end).startsWith(at));
      assert.equal(findingText(finding, plainEnglish), says);
    });

  it('are open where gov votes or deposits on them', () => {
    for (const text of [vote('5'), vote('6', 'v1beta1'), deposit('6')]) {
      const finding = findingOf(text, 'proposal-closed', about);
      assert.match(text.slice(finding.range.start, finding.range.end), /^"[56]"$/);
    }
    const waiting = findingOf(vote('9'), 'proposal-closed', about);
    assert.match(findingText(waiting, plainEnglish), /^Voting on proposal 9 has not started\./);
    for (const text of [vote('7'), vote('8', 'v1beta1'), deposit('9')])
      assert.ok(!codesOf(text, about).some((code) => /proposal/.test(code)));
  });

  it('are still open when a vote on the draft ends', () => {
    const voteStart = new Date((facts.time?.getTime() ?? 0) - 3_600_000);
    const inDays = (days: number) => new Date(voteStart.getTime() + days * 86_400_000);
    const open = (votingEndTime: Date, expedited = false) => {
      const times = { votingStartTime: voteStart, votingEndTime, expedited };
      return known({ proposals: new Map([['7', { status: 'voting', proposer: authority, ...times }]]) });
    };
    for (const text of [vote('7'), deposit('7'), cancelOf('7')]) {
      const finding = findingOf(text, 'proposal-closed', open(inDays(14)));
      assert.equal(finding.severity, 'warning');
      assert.match(
        findingText(finding, plainEnglish),
        /^Voting on proposal 7 ends by .* UTC, before a vote on this draft would end \(about .* UTC\)\. The message would/,
      );
      assert.ok(!codesOf(text, open(inDays(15))).includes('warning proposal-closed'));
    }
    // A vote that is expedited goes on as a regular one if it does not pass.
    assert.ok(codesOf(vote('7'), open(inDays(1), true)).includes('warning proposal-closed'));
    const soon = vote('7').replace('"expedited": false', '"expedited": true');
    assert.ok(!codesOf(soon, open(inDays(1), true)).includes('warning proposal-closed'));
  });

  for (const [name, height, severity] of [
    ['v9', '90000000', 'hint'],
    ['v8', '90000000', 'warning'],
    ['v9', '5120000', 'warning'],
    ['v9', '5100000', 'warning'],
  ] as const)
    it(`are plans, with a warning where name or height collide, or one lies later: ${severity}, ${name} at ${height}`, () => {
      const text = ofMessages({ ...upgrade(name), plan: { name, height, info: '' } });
      const finding = findingOf(text, 'upgrade-open', { ...about, height: 5_000_000n });
      assert.equal(finding.severity, severity);
      assert.equal(text.slice(finding.range.start, finding.range.end), `"${name}"`);
      assert.equal(
        findingText(finding, plainEnglish),
        'Other open proposals plan an upgrade: proposal 801 (v8 at block 5,120,000). A chain has one plan at a time.',
      );
    });

  it('are named in a withdrawal of rewards, too', () => {
    const type = '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward';
    const withdraw = (validator_address: string): string =>
      ofMessages({ '@type': type, delegator_address: authority, validator_address });
    const other = 'cosmosvaloper10d07y265gmmuvt4z0w9aw880jnsr700jlk8s6q';
    assert.deepEqual(codesOf(withdraw(other), about), ['warning validator-unknown']);
    assert.deepEqual(codesOf(withdraw(operator), about), []);
  });

  it('are nothing to speak of where they are', () => {
    assert.deepEqual(codesOf(delegate(operator), about), ['warning send-from-gov']);
    assert.deepEqual(codesOf(cancelOf('7'), about), []);
    const passed = known({ openPlans: [{ id: 801n, name: 'v8', height: 1n }] });
    for (const none of [known({ openPlans: [] }), passed])
      assert.ok(!codesOf(ofMessages(upgrade('v9')), none).some((code) => code.endsWith('upgrade-open')));
  });

  it('are asked for', async () => {
    const chain = await startSeedChain((url) => {
      const { pathname, searchParams } = url;
      const ok = (body: object) => ({ status: 200, body: JSON.stringify(body) });
      const times = { voting_end_time: '2031-01-01T00:00:00Z' };
      const open = { id: '801', status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages: [upgrade('v8')], ...times };
      const isVoting = searchParams.get('proposal_status') === '2';
      if (pathname === '/cosmos/gov/v1/proposals' && isVoting) return ok({ proposals: [open] });
      if (pathname === '/cosmos/gov/v1/proposals/801') return ok({ proposal: open });
      return seedChainAnswer(url);
    });
    try {
      const { openPlans } = await chain.factsFor(ofMessages(upgrade('v9')));
      assert.deepEqual(openPlans, [{ id: 801n, name: 'v8', height: 90_000_000n }]);
      const { proposals } = await chain.factsFor(cancelOf('801'));
      const { status, votingEndTime } = proposals?.get('801') ?? {};
      assert.deepEqual([status, votingEndTime?.toISOString()], ['voting', '2031-01-01T00:00:00.000Z']);
      assert.deepEqual((await chain.factsFor(cancelOf('9'))).proposals, new Map([['9', null]]));
      assert.equal((await chain.factsFor(delegate(operator))).operators?.size, 180);
    } finally {
      await chain.stop();
    }
  });
});

describe('an upgrade that is blocks away, of a state whose blocks cannot be measured', () => {
  it('is found by the blocks of a year that the chain mints for', async () => {
    const chain = await startSeedChain((url) =>
      url.pathname.includes('/blocks/1')
        ? { status: 501, body: '{"code":12,"message":"pruned"}' }
        : seedChainAnswer(url),
    );
    try {
      const text = draft([upgradeOf({ height: '20005000' })]);
      const facts = await chain.factsFor(text);
      assert.equal(facts.measuredBlocks, undefined);
      assert.equal(findingOf(text, 'upgrade-height-early', facts).severity, 'warning');
    } finally {
      await chain.stop();
    }
  });
});

describe('a parameter that the chain does not state', () => {
  const crisis = (amount: string): string =>
    ofMessages({
      '@type': '/cosmos.crisis.v1beta1.MsgUpdateParams',
      authority,
      constant_fee: { denom: 'stake', amount },
    });
  const uploads = (permission: string): string =>
    ofMessages({
      '@type': '/cosmwasm.wasm.v1.MsgUpdateParams',
      authority,
      params: { code_upload_access: { permission, addresses: [] }, instantiate_default_permission: 'Everybody' },
    });
  const upload = 'code_upload_access.permission: anyone could upload contract code.';

  it('is named where it would let anyone do what costs the chain', () => {
    assert.equal(
      findingText(findingOf(crisis('0'), 'param-extreme'), plainEnglish),
      'constant_fee.amount: anyone could trigger a check of all invariants for free, and this check takes a long time.',
    );
    assert.equal(findingText(findingOf(uploads('Everybody'), 'param-extreme'), plainEnglish), upload);
    for (const text of [crisis('1'), uploads('Nobody')]) assert.deepEqual(codesOf(text), []);
  });

  it('is compared with the value of today where this is known', () => {
    const today = (permission: string) =>
      known({
        moduleParams: new Map([
          [
            'cosmwasm.wasm.v1',
            {
              code_upload_access: { permission, addresses: [] },
              instantiate_default_permission: 'Everybody',
            },
          ],
        ]),
      });
    assert.deepEqual(codesOf(uploads('Everybody'), today('Everybody')), ['hint unchanged']);
    assert.deepEqual(codesOf(uploads('Everybody'), today('Nobody')), ['warning param-extreme']);
  });
});
