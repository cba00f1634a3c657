import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { bech32 } from '@scure/base';
import sampleChain from '../../media/sampleChain.json' with { type: 'json' };
import { sampleFile } from '../support/folders.ts';

const text = readFileSync(sampleFile, 'utf8');
const { chain_id, genesis_time, app_state } = sampleChain;
const { bank, gov, staking } = app_state;
const proposals = gov.proposals;
type Fields = Readonly<Record<string, unknown>> & { readonly '@type'?: string };
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const messages: readonly Fields[] = proposals.flatMap((one): readonly Fields[] => one.messages);
const contents = messages.map(({ content }) => content).filter(isFields);
const hoursFromT0 = (time: string) => (Date.parse(time) - Date.parse(genesis_time)) / 3_600_000;
const sum = (amounts: readonly { readonly amount: string }[]) =>
  amounts.reduce((total, one) => total + BigInt(one.amount), 0n);
const bonded = staking.validators
  .filter((one) => one.status === 'BOND_STATUS_BONDED')
  .reduce((total, one) => total + BigInt(one.tokens), 0n);

type Tally = (typeof proposals)[number]['final_tally_result'];

function countsOf({ yes_count, abstain_count, no_count, no_with_veto_count }: Tally) {
  const [yes, abstain, no, veto] = [
    BigInt(yes_count),
    BigInt(abstain_count),
    BigInt(no_count),
    BigInt(no_with_veto_count),
  ];
  return { yes, abstain, no, veto, total: yes + abstain + no + veto };
}

/** The rules of docs/nodes.md#rules in whole numbers: quorum 0.334, veto 0.334, threshold 0.5. */
function outcome(tally: Tally): string {
  const { yes, abstain, veto, total } = countsOf(tally);
  if (total * 1000n < bonded * 334n) return 'quorum';
  if (total === abstain) return 'all abstain';
  if (veto * 1000n > total * 334n) return 'veto';
  return yes * 2n > total - abstain ? 'passed' : 'threshold';
}

describe('the sample chain', () => {
  it('is small, and has a line for each row so that a change can be read', () => {
    assert.ok(text.length < 250_000, `${text.length} bytes`);
    const rows = [...bank.supply, ...bank.denom_metadata, ...proposals, ...gov.votes, ...gov.deposits];
    const lines = new Set(text.split('\n').map((line) => line.trim().replace(/,$/, '')));
    assert.deepEqual(
      rows.filter((row) => !lines.has(JSON.stringify(row))),
      [],
    );
    assert.equal(chain_id, 'sample-1');
  });

  it('holds at least 180 coins of every shape, by the bytes of their denoms', () => {
    const denoms = bank.supply.map((one) => one.denom);
    assert.ok(denoms.length >= 180, `${denoms.length} coins`);
    assert.deepEqual(
      denoms,
      [...new Set(denoms)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
    for (const denom of denoms) assert.match(denom, /^[a-zA-Z][a-zA-Z0-9/-]{2,127}$/);
    for (const shape of [
      /^ibc\/[0-9A-F]{64}$/,
      /^factory\/sample1\w{38}\/./,
      /^gamm\/pool\/\d+$/,
      /^peggy0x/,
      /^erc20\/0x/,
      /^[a-z]+$/,
    ]) {
      assert.ok(denoms.filter((denom) => shape.test(denom)).length >= 10, String(shape));
    }
    const digits = new Set(bank.supply.map((one) => one.amount.length));
    assert.deepEqual(
      [...digits].sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  it('describes a good part of the coins, with exponents 0, 6, 8, 9 and 18', () => {
    const described = new Set(bank.denom_metadata.map((one) => one.base));
    assert.equal(described.size, bank.denom_metadata.length);
    assert.ok(described.size >= 60 && described.size < bank.supply.length - 40, `${described.size} described`);
    const exponents = bank.denom_metadata.map(
      (one) => one.denom_units.find((unit) => unit.denom === one.display)?.exponent,
    );
    assert.deepEqual(
      [...new Set(exponents)].sort((a, b) => Number(a) - Number(b)),
      [0, 6, 8, 9, 18],
    );
    const supplied = new Set(bank.supply.map((one) => one.denom));
    for (const base of described) assert.ok(supplied.has(base), base);
  });

  it('has balances that add up to the supply, and a gov account that holds the deposits', () => {
    const sums = new Map<string, bigint>();
    for (const coin of bank.balances.flatMap((one) => one.coins)) {
      sums.set(coin.denom, (sums.get(coin.denom) ?? 0n) + BigInt(coin.amount));
    }
    assert.deepEqual(
      Object.fromEntries(sums),
      Object.fromEntries(bank.supply.map((one) => [one.denom, BigInt(one.amount)])),
    );
    for (const { coins } of bank.balances) {
      const denoms = coins.map((one) => one.denom);
      assert.deepEqual(
        denoms,
        denoms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
    }
    const held = sum(gov.deposits.flatMap((one) => one.amount));
    assert.ok(
      bank.balances.some((one) => one.coins.some((coin) => coin.denom === 'usample' && BigInt(coin.amount) === held)),
    );
  });

  it('has at least 70 proposals with gaps between their ids, 992 and 1018 among them, in order of submission', () => {
    const ids = proposals.map(({ id }) => Number(id));
    assert.ok(ids.length >= 70, `${ids.length} proposals`);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    );
    assert.ok(ids.includes(992) && ids.includes(1018) && Number(ids.at(-1)) > ids.length * 2);
    assert.equal(gov.starting_proposal_id, String(Number(ids.at(-1)) + 1));
    const submits = proposals.map((one) => one.submit_time.slice(0, 16));
    assert.deepEqual(submits, submits.toSorted());
  });

  it('has every status, and tallies that the rule turns into it', () => {
    const outcomes = new Map<string, number>();
    for (const { status, final_tally_result } of proposals) {
      const word = status.replace('PROPOSAL_STATUS_', '');
      const result = word.endsWith('PERIOD') ? word : `${word}: ${outcome(final_tally_result)}`;
      outcomes.set(result, (outcomes.get(result) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries([...outcomes].sort()), {
      DEPOSIT_PERIOD: 8,
      'FAILED: passed': 5,
      'PASSED: passed': 32,
      'REJECTED: all abstain': 1,
      'REJECTED: quorum': 4,
      'REJECTED: threshold': 5,
      'REJECTED: veto': 3,
      VOTING_PERIOD: 14,
    });
  });

  it('meets quorum, veto and threshold to the unit once each', () => {
    const totals = proposals.map((one) => countsOf(one.final_tally_result));
    assert.equal(totals.filter((one) => one.total * 1000n === bonded * 334n).length, 1);
    assert.equal(totals.filter((one) => one.total > 0n && one.veto * 1000n === one.total * 334n).length, 1);
    assert.equal(totals.filter((one) => one.yes > 0n && one.yes === one.no + one.veto).length, 1);
  });

  it('has something live for two weeks, and everything else ended before T0', () => {
    const ends: number[] = [];
    for (const { status, submit_time, deposit_end_time, voting_start_time: start, ...rest } of proposals) {
      const { voting_end_time: end, expedited } = rest;
      assert.ok(hoursFromT0(submit_time) < 0);
      if (status.endsWith('DEPOSIT_PERIOD')) {
        assert.ok(hoursFromT0(deposit_end_time) > 4 && start === null && end === null);
        continue;
      }
      assert.ok(start !== null && end !== null && start >= submit_time && start <= deposit_end_time);
      assert.ok(hoursFromT0(start) < 0);
      assert.equal(hoursFromT0(end) > 0, status.endsWith('VOTING_PERIOD'));
      const period = expedited ? gov.params.expedited_voting_period : gov.params.voting_period;
      assert.equal(`${Math.round((hoursFromT0(end) - hoursFromT0(start)) * 3600)}s`, period);
      if (status.endsWith('VOTING_PERIOD')) ends.push(hoursFromT0(end));
    }
    for (const limit of [4, 24, 49, 240]) assert.ok(ends.some((end) => end > 0 && end < limit));
    assert.ok(Math.max(...ends) > 13 * 24);
  });

  it('has deposits and votes of live proposals only, and deposits that add up', () => {
    const byId = new Map(proposals.map((one) => [one.id, one]));
    for (const { proposal_id } of gov.votes) assert.match(byId.get(proposal_id)?.status ?? '', /VOTING/);
    for (const { proposal_id } of gov.deposits) assert.match(byId.get(proposal_id)?.status ?? '', /PERIOD/);
    assert.ok(gov.votes.length > 60 && gov.votes.some((one) => one.options.length === 2));
    const pairs = [
      ...gov.votes.map((one) => `vote ${one.proposal_id} ${one.voter}`),
      ...gov.deposits.map((one) => `deposit ${one.proposal_id} ${one.depositor}`),
    ];
    assert.equal(new Set(pairs).size, pairs.length);
    const waiting = proposals.filter((one) => one.status.endsWith('DEPOSIT_PERIOD'));
    assert.ok(waiting.some((one) => one.total_deposit.length === 0));
    assert.ok(waiting.some((one) => gov.deposits.filter((deposit) => deposit.proposal_id === one.id).length > 1));
    for (const proposal of proposals) {
      const all = sum(proposal.total_deposit);
      const minimum = proposal.expedited ? gov.params.expedited_min_deposit : gov.params.min_deposit;
      assert.equal(all >= sum(minimum), !proposal.status.endsWith('DEPOSIT_PERIOD'));
      if (!proposal.status.endsWith('PERIOD')) continue;
      assert.equal(
        all,
        sum(gov.deposits.filter((one) => one.proposal_id === proposal.id).flatMap((one) => one.amount)),
      );
    }
  });

  it('proposes something of every common kind', () => {
    const types = new Set([...messages, ...contents].map((one) => one['@type']));
    for (const type of [
      'cosmos.gov.v1.MsgUpdateParams',
      'cosmos.staking.v1beta1.MsgUpdateParams',
      'cosmos.consensus.v1.MsgUpdateParams',
      'cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
      'cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
      'cosmos.bank.v1beta1.MsgSetSendEnabled',
      'ibc.core.client.v1.MsgRecoverClient',
      'ibc.core.client.v1.MsgIBCSoftwareUpgrade',
      'cosmwasm.wasm.v1.MsgStoreAndInstantiateContract',
      'cosmos.gov.v1.MsgExecLegacyContent',
      'cosmos.gov.v1beta1.TextProposal',
      'cosmos.params.v1beta1.ParameterChangeProposal',
      'cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
      'cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
      'cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
      'ibc.core.client.v1.ClientUpdateProposal',
      'cosmwasm.wasm.v1.StoreCodeProposal',
      'cosmwasm.wasm.v1.MigrateContractProposal',
      'sample.lantern.v1.SetBeaconProposal',
    ])
      assert.ok(types.has(`/${type}`), type);
    assert.ok(types.size >= 32, [...types].join('\n'));
  });

  it('has texts of every shape, each once', () => {
    const texts = proposals.map(({ summary }) => summary);
    assert.equal(new Set(texts).size, texts.length);
    for (const shape of [
      /\\n/,
      /\r\n/,
      /\p{Script=Arabic}/u,
      /\p{Extended_Pictographic}/u,
      /^\| .* \|$/m,
      /^## /m,
      /^1\. /m,
      /\]\(https:/,
      /^> /m,
      /^.{5}[\s\S]{20000}/,
    ]) {
      assert.ok(
        texts.some((text) => shape.test(text)),
        String(shape),
      );
    }
  });

  it('names example hosts only', () => {
    const hosts = new Set([...text.matchAll(/https?:\/\/([^/"\s)>\\]+)/g)].map((match) => match[1] ?? ''));
    assert.ok(hosts.size > 5);
    for (const host of hosts) assert.match(host, /(^|\.)example\.(org|com)$/);
  });

  it('changes parameters whose current value the state holds', () => {
    const changes = contents.flatMap((one) => (Array.isArray(one.changes) ? one.changes : []));
    assert.ok(changes.length >= 10);
    const modules = new Set([...Object.keys(app_state), 'baseapp']);
    for (const { subspace, value } of changes) {
      assert.ok(modules.has(subspace), subspace);
      assert.doesNotThrow(() => JSON.parse(value), value);
    }
    const updates = messages.filter((one) => one['@type'] !== undefined && isFields(one.params));
    for (const { '@type': type = '', params } of updates) {
      const module = Object.entries(app_state).find(([name]) => type.split('.').includes(name))?.[1];
      const own = isFields(module) && isFields(module.params) ? module.params : {};
      assert.deepEqual(Object.keys(params ?? {}).sort(), Object.keys(own).sort(), type);
    }
    assert.ok(updates.length >= 4);
  });

  it('is of the form of SDK 0.50: every parameter of gov, an expedited vote, metadata, proposers', () => {
    // x/gov of SDK 0.50, proto/cosmos/gov/v1/gov.proto.
    const names =
      'min_deposit max_deposit_period voting_period quorum threshold veto_threshold min_initial_deposit_ratio proposal_cancel_ratio proposal_cancel_dest expedited_voting_period expedited_threshold expedited_min_deposit burn_vote_quorum burn_proposal_deposit_prevote burn_vote_veto min_deposit_ratio';
    assert.deepEqual(Object.keys(gov.params), names.split(' '));
    assert.deepEqual([gov.deposit_params, gov.voting_params, gov.tally_params], [null, null, null]);
    assert.ok(proposals.some(({ expedited, status }) => expedited && status.endsWith('VOTING_PERIOD')));
    const kinds = proposals.map(({ metadata }) => /^(?:ipfs|https|\{)/.exec(metadata)?.[0] ?? metadata);
    assert.deepEqual([...new Set(kinds)].sort(), ['', 'https', 'ipfs', '{']);
    for (const { messages: own, metadata, title, summary } of proposals) {
      // A proposal with neither is rejected at submission.
      assert.ok(own.length > 0 || metadata !== '');
      assert.ok(Buffer.byteLength(metadata) <= 255 && title !== '' && summary !== '');
      if (!metadata.startsWith('{')) continue;
      const stated = JSON.parse(metadata);
      assert.deepEqual([stated.title, stated.summary], [title, summary]);
    }
    assert.ok(proposals.every(({ proposer }) => bech32.decodeUnsafe(proposer)?.prefix === 'sample'));
    for (const { failed_reason, status } of proposals) assert.ok(failed_reason === '' || status.endsWith('FAILED'));
    assert.ok(proposals.some(({ failed_reason }) => failed_reason !== ''));
  });

  it('has messages of the gov account alone, and legacy contents with the words of their proposals', () => {
    const account = 'sample10d07y265gmmuvt4z0w9aw880jnsr700j29t3gj';
    for (const one of messages) assert.equal(one.authority ?? one.signer ?? one.sender, account);
    for (const { messages: own, title, summary } of proposals)
      for (const content of own.flatMap((one) => ('content' in one ? [one.content] : [])))
        assert.deepEqual([content.title, content.description], [title, summary]);
  });

  it('has accounts of modules that hold what the modules state', () => {
    const heldBy = (address: string) => bank.balances.find((one) => one.address === address)?.coins;
    const coin = (amount: bigint | string) => [{ denom: 'usample', amount: `${amount}` }];
    const inPool = app_state.distribution.fee_pool.community_pool.map(({ amount }) => amount);
    assert.deepEqual(
      heldBy('sample1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8hcugh7'),
      coin(inPool[0]?.replace(/\.0+$/, '') ?? ''),
    );
    assert.deepEqual(heldBy('sample1fl48vsnmsdzcv85q5d2q4z5ajdha8yu39u3m8k'), coin(bonded));
    assert.deepEqual(
      heldBy('sample1tygms3xhhs3yv487phx3dw4a95jn7t7l3ud23z'),
      coin(
        sum(
          staking.validators
            .filter(({ status }) => status !== 'BOND_STATUS_BONDED')
            .map(({ tokens: amount }) => ({ amount })),
        ),
      ),
    );
  });

  it('has addresses that are valid', () => {
    const accounts = [
      ...bank.balances.map((one) => one.address),
      ...gov.votes.map((one) => one.voter),
      ...gov.deposits.map((one) => one.depositor),
      ...staking.delegations.map((one) => one.delegator_address),
    ];
    assert.ok(accounts.every((address) => bech32.decodeUnsafe(address)?.prefix === 'sample'));
    for (const { operator_address } of staking.validators)
      assert.equal(bech32.decodeUnsafe(operator_address)?.prefix, 'samplevaloper');
  });

  it('delegates what the validators hold', () => {
    for (const { operator_address, tokens } of staking.validators) {
      const shares = staking.delegations.filter((one) => one.validator_address === operator_address);
      assert.equal(
        shares.reduce((total, one) => total + BigInt(one.shares.replace(/\.0+$/, '')), 0n),
        BigInt(tokens),
      );
    }
  });
});
