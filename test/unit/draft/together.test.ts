import assert from 'node:assert/strict';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { addresses, moduleAddresses } from '../../node/accounts.ts';
import { codesOf, findingOf, gov, known, ofMessages, reportOf, someone } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

/** The text that a finding about a value is at, and its sentence. */
function said(text: string): readonly [place: string, sentence: string] {
  const finding = findingOf(text, 'message-value');
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}
const hasFault = (...messages: readonly object[]): boolean =>
  codesOf(ofMessages(...messages)).includes('error message-value');

describe('a thing that a chain has once', () => {
  const fees = { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', spend_limit: [{ denom: 'stake', amount: '5' }] };
  const grant = (grantee: string): object => ({
    '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
    granter: gov,
    grantee,
    allowance: fees,
  });
  const revoke = { '@type': '/cosmos.feegrant.v1beta1.MsgRevokeAllowance', granter: gov, grantee: someone };
  const other = 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh';

  it('is an allowance of a grantee', () => {
    const text = ofMessages(grant(someone), grant(someone));
    const [place, sentence] = said(text);
    assert.equal(place, JSON.stringify(someone));
    assert.match(sentence, /^An earlier message has the same grantee\. .*would fail when it is executed/);
    assert.equal(findingOf(text, 'message-value').range.start, text.lastIndexOf(JSON.stringify(someone)));
  });

  it('may be made for two, or again when it was taken away', () => {
    assert.ok(!hasFault(grant(someone), grant(other)));
    assert.ok(!hasFault(grant(someone), revoke, grant(someone)));
  });

  it('is taken away once', () => {
    const text = ofMessages(grant(someone), revoke, revoke);
    assert.equal(findingOf(text, 'message-value').range.start, text.lastIndexOf(JSON.stringify(someone)));
    assert.match(said(ofMessages(revoke, revoke))[1], /^An earlier message has the same grantee\./);
    assert.ok(!hasFault(revoke, grant(someone), revoke));
  });

  it('is a vesting account', () => {
    const lock = {
      '@type': '/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount',
      from_address: gov,
      to_address: someone,
      amount: [{ denom: 'stake', amount: '5' }],
    };
    const vesting = { ...lock, '@type': '/cosmos.vesting.v1beta1.MsgCreateVestingAccount', end_time: '1999999999' };
    assert.match(said(ofMessages(lock, vesting))[1], /^An earlier message has the same to_address\./);
  });
});

describe('the continuous funds of a draft', () => {
  const fund = (recipient: string, percentage: string): object => ({
    '@type': '/cosmos.protocolpool.v1.MsgCreateContinuousFund',
    authority: gov,
    recipient,
    percentage,
  });

  it('get at most the whole pool', () => {
    const [place, sentence] = said(ofMessages(fund(someone, '0.6'), fund(gov, '0.7')));
    assert.equal(place, '"0.7"');
    assert.match(
      sentence,
      /^The shares of the community pool in this draft add up to 1\.3\. They must not add up to more than 1\./,
    );
    assert.ok(!hasFault(fund(someone, '0.6'), fund(gov, '0.4')));
    const others = [gov, someone].map((recipient) => ({ ...fund(recipient, '0.9'), '@type': '/x.v1.MsgShare' }));
    assert.ok(!hasFault(...others));
  });

  it('get no share when they were canceled before', () => {
    const cancel = { '@type': '/cosmos.protocolpool.v1.MsgCancelContinuousFund', authority: gov, recipient: someone };
    assert.ok(!hasFault(fund(someone, '0.6'), cancel, fund(gov, '0.7')));
    assert.ok(!hasFault(fund(someone, '0.6'), cancel, fund(someone, '0.7')));
    assert.ok(hasFault(fund(someone, '0.6'), fund(gov, '0.7'), cancel));
  });

  it('are not of a module', () => {
    const codes = codesOf(ofMessages(fund(moduleAddresses.distribution, '0.1')));
    assert.deepEqual(codes, ['warning recipient-module']);
  });

  it('have a recipient each', () => {
    assert.match(said(ofMessages(fund(gov, '0.1'), fund(gov, '0.2')))[1], /has the same recipient\./);
  });
});

describe('a vesting account', () => {
  const vest = (to_address: string, name = 'MsgCreateVestingAccount'): string =>
    ofMessages({
      '@type': `/cosmos.vesting.v1beta1.${name}`,
      from_address: gov,
      to_address,
      amount: [{ denom: 'stake', amount: '5' }],
      end_time: '1999999999',
    });
  const about = (exists: boolean): ChainFacts => known({ accounts: new Map([[someone, exists]]) });

  it('is made at an address that has no account', () => {
    for (const [text, facts] of [
      [vest(someone), about(true)],
      [vest(someone, 'MsgCreatePermanentLockedAccount'), about(true)],
      [vest(gov), known({})],
    ] as const) {
      const finding = findingOf(text, 'message-value', facts);
      assert.equal(finding.severity, 'error');
      assert.equal(
        findingText(finding, plainEnglish),
        'to_address already has an account. Use a new address. The chain accepts the proposal, but the message would fail when it is executed after the vote.',
      );
    }
    assert.ok(!codesOf(vest(someone), about(false)).includes('error message-value'));
  });

  it('is not checked where the account is not known', () => {
    assert.ok(reportOf(vest(someone)).unchecked.includes('accounts'));
    for (const facts of [about(true), about(false)])
      assert.ok(!reportOf(vest(someone), facts).unchecked.includes('accounts'));
  });

  it('is looked for on a node, and among the holders of a state', async () => {
    const chain = await startSeedChain((url) => {
      const [, address] = /\/auth\/v1beta1\/accounts\/(\w+)$/.exec(url.pathname) ?? [];
      if (address === undefined) return seedChainAnswer(url);
      const missing = { status: 404, body: JSON.stringify({ code: 5, message: 'account not found' }) };
      return address === someone ? { status: 200, body: '{"account":{"@type":"/a.B"}}' } : missing;
    });
    try {
      const { accounts } = await chain.factsFor(vest(someone));
      assert.deepEqual(accounts, new Map([[someone, true]]));
      const { accounts: none } = await chain.factsFor(vest(addresses.dave));
      assert.deepEqual(none, new Map([[addresses.dave, false]]));
    } finally {
      await chain.stop();
    }
  });
});

describe('things that no source tells', () => {
  const unchecked = (message: object): readonly string[] => reportOf(ofMessages(message)).unchecked;
  const send = (from_address: string): object => ({
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address,
    to_address: someone,
    amount: [{ denom: 'stake', amount: '5' }],
  });
  const exec = (from: string): object => ({
    '@type': '/cosmos.authz.v1beta1.MsgExec',
    grantee: gov,
    msgs: [send(from)],
  });

  it('are the grants of others, groups and NFTs', () => {
    assert.ok(unchecked(exec(someone)).includes('grants'));
    assert.ok(!unchecked(exec(gov)).includes('grants'));
    const group = { '@type': '/cosmos.group.v1.MsgUpdateGroupMetadata', admin: gov, group_id: '1', metadata: '' };
    assert.ok(unchecked(group).includes('groups'));
    const create = { '@type': '/cosmos.group.v1.MsgCreateGroup', admin: gov, members: [], metadata: '' };
    assert.ok(!unchecked(create).includes('groups'));
    const give = { '@type': '/cosmos.nft.v1beta1.MsgSend', class_id: 'a', id: 'b', sender: gov, receiver: someone };
    assert.ok(unchecked(give).includes('nfts'));
  });
});
