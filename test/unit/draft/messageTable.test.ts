import assert from 'node:assert/strict';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import {
  applyEdits,
  codesOf,
  coins,
  facts,
  findingOf,
  gov,
  known,
  ofMessages,
  reportOf,
  someone,
  spend,
} from './exampleDrafts.ts';

const operator = 'cosmosvaloper10d07y265gmmuvt4z0w9aw880jnsr700jlk8s6q';
const message = (type: string, fields: object): string => ofMessages({ '@type': type, ...fields });
const found = (text: string, about: ChainFacts = facts) => findingOf(text, 'type-unknown', about);

describe('a type of a message', () => {
  const misspelt: readonly (readonly [written: string, meant: string])[] = [
    ['/cosmos.distribution.v1beta1.MsgCommunityPoolSend', '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend'],
    ['/cosmos.upgrade.v1.MsgSoftwareUpgrade', '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade'],
    ['/cosmos.bnak.v1beta1.MsgSend', '/cosmos.bank.v1beta1.MsgSend'],
    ['/ibc.core.client.v1.MsgRecoverClients', '/ibc.core.client.v1.MsgRecoverClient'],
  ];
  for (const [written, meant] of misspelt) {
    it(`that is misspelt is named with the one that is meant: ${written}`, () => {
      const text = message(written, {});
      const finding = found(text);
      assert.equal(finding.severity, 'warning');
      assert.match(findingText(finding, plainEnglish), new RegExp(`Did you mean ${meant}\\?$`));
      const [repair] = finding.repairs;
      assert.ok(repair && applyEdits(text, repair.edits).includes(`"${meant}"`));
    });
  }

  it('of another module is a hint that its fields are not checked, and is counted', () => {
    const text = message('/some.fork.v1.MsgAnything', { authority: gov, whatever: { amount: 5 } });
    assert.deepEqual(codesOf(text), ['hint type-unknown']);
    assert.equal(reportOf(text).uncheckedMessages, 1);
  });

  it('that the chain lists is taken, and one that it does not list is an error', () => {
    const about = known({ messageTypes: new Set(['/some.fork.v1.MsgAnything']) });
    assert.deepEqual(codesOf(message('/some.fork.v1.MsgAnything', { authority: gov }), about), []);
    const finding = found(ofMessages(spend(coins('5'))), about);
    assert.equal(finding.severity, 'error');
    assert.match(findingText(finding, plainEnglish), /^This chain has no handler for \/cosmos\.distribution/);
  });
});

describe('the signer of a message', () => {
  const signers: readonly (readonly [type: string, fields: object])[] = [
    ['/cosmos.staking.v1beta1.MsgDelegate', { delegator_address: someone }],
    ['/ibc.applications.transfer.v1.MsgTransfer', { sender: someone }],
    ['/cosmwasm.wasm.v1.MsgExecuteContract', { sender: someone }],
    ['/cosmos.gov.v1.MsgVote', { voter: someone }],
    ['/ibc.core.client.v1.MsgCreateClient', { signer: someone }],
    ['/cosmos.bank.v1beta1.MsgMultiSend', { inputs: [{ address: someone, coins: coins('5') }] }],
    ['/cosmos.feegrant.v1beta1.MsgGrantAllowance', { granter: someone }],
  ];
  for (const [type, fields] of signers) {
    it(`has to be the gov account: ${type}`, () => {
      const text = message(type, fields);
      const { range, severity } = findingOf(text, 'authority-wrong');
      assert.equal(text.slice(range.start, range.end), JSON.stringify(someone));
      assert.equal(severity, 'error');
    });
  }

  it('may be another one where proof of authority is', () => {
    const text = message('/cosmos.staking.v1beta1.MsgDelegate', { delegator_address: someone });
    assert.equal(findingOf(text, 'authority-wrong', known({ isProofOfAuthority: true })).severity, 'warning');
  });

  it('is no finding where it is the gov account', () => {
    for (const [type, fields] of signers) {
      const text = message(type, JSON.parse(JSON.stringify(fields).replaceAll(someone, gov)));
      assert.ok(!codesOf(text).some((code) => code.endsWith('authority-wrong')), text);
    }
  });

  it('that is missing is an error at the type', () => {
    const text = message('/cosmos.staking.v1beta1.MsgDelegate', { amount: { denom: 'stake', amount: '5' } });
    const { range, details: stated } = findingOf(text, 'authority-wrong');
    assert.equal(text.slice(range.start, range.end), '"/cosmos.staking.v1beta1.MsgDelegate"');
    assert.deepEqual(stated, { found: '', expected: gov, field: 'delegator_address', fault: undefined });
  });

  it('may be named by its operator address', () => {
    const type = '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission';
    assert.deepEqual(codesOf(message(type, { validator_address: operator })), []);
  });
});
