import assert from 'node:assert/strict';
import { needsOf } from '../../../src/draft/draftNeeds.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { codesOf, findingOf, gov, known, ofMessages, reportOf } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

const [own, other] = [
  'cosmosvaloper10d07y265gmmuvt4z0w9aw880jnsr700jlk8s6q',
  'cosmosvaloper1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3lk5c2t',
] as const;
const amount = { denom: 'stake', amount: '5' };
const staking = (name: string, fields: object): object => ({
  '@type': `/cosmos.staking.v1beta1.Msg${name}`,
  delegator_address: gov,
  ...fields,
  amount,
});
const withdraw = (validator_address: string): object => ({
  '@type': '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
  delegator_address: gov,
  validator_address,
});
const undelegate = (validator_address: string): object => staking('Undelegate', { validator_address });
const move = (validator_src_address: string, validator_dst_address: string): object =>
  staking('BeginRedelegate', { validator_src_address, validator_dst_address });

describe('a stake that a draft takes away', () => {
  const about = known({ delegations: new Set([own]), operators: new Set([own, other]) });
  const count = (...messages: readonly object[]): number =>
    codesOf(ofMessages(...messages), about).filter((code) => code === 'warning delegation-unknown').length;

  it('is one of the gov account', () => {
    for (const message of [undelegate(other), withdraw(other), move(other, own)]) {
      const text = ofMessages(message);
      const finding = findingOf(text, 'delegation-unknown', about);
      assert.equal(text.slice(finding.range.start, finding.range.end), JSON.stringify(other));
      assert.match(findingText(finding, plainEnglish), /^The gov account has no delegation to this validator\./);
    }
    for (const message of [undelegate(own), withdraw(own), move(own, other)]) assert.equal(count(message), 0);
  });

  it('may come from an earlier message', () => {
    assert.equal(count(staking('Delegate', { validator_address: other }), undelegate(other)), 0);
    assert.equal(count(move(own, other), withdraw(other)), 0);
    assert.equal(count(undelegate(other), staking('Delegate', { validator_address: other })), 1);
  });

  it('is not judged where the stakes are not known', () => {
    const nothing = known({ delegations: undefined });
    assert.ok(!codesOf(ofMessages(undelegate(other)), nothing).includes('warning delegation-unknown'));
  });
});

describe('a validator that a draft names', () => {
  it('is said to be unchecked where the validators are not known', () => {
    const isUnchecked = (operators: ReadonlySet<string> | undefined): boolean =>
      reportOf(ofMessages(undelegate(own)), known({ operators })).unchecked.includes('operators');
    assert.deepEqual([isUnchecked(undefined), isUnchecked(new Set([own]))], [true, false]);
  });
});

describe('the prefix of addresses', () => {
  it('is that of a validator where the accounts of modules are not known', async () => {
    const validators = [{ operator_address: own, tokens: '5', status: 'BOND_STATUS_BONDED' }];
    const chain = await startSeedChain((url) => {
      if (url.pathname.endsWith('/module_accounts')) return { status: 501, body: '{}' };
      const isList = url.pathname.endsWith('/validators');
      return isList ? { status: 200, body: JSON.stringify({ validators }) } : seedChainAnswer(url);
    });
    try {
      const { prefix, govAccount } = await chain.factsFor(ofMessages(undelegate(other)));
      assert.deepEqual([prefix, govAccount], ['cosmos', undefined]);
    } finally {
      await chain.stop();
    }
  });
});

describe('the stakes of the gov account', () => {
  it('are read from a state', async () => {
    const sample = await startSampleNode();
    try {
      const draft = readDraft(ofMessages(undelegate(other)));
      assert.ok(typeof draft === 'object');
      const { delegations } = await createFactsReader(sample.node)(needsOf(draft));
      assert.deepEqual(delegations, new Set());
    } finally {
      await sample.dispose();
    }
  });
});
