import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { moduleAddresses } from '../../node/accounts.ts';
import { codesOf, findingOf, gov, ofMessages, someone } from './exampleDrafts.ts';

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
