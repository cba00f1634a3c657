import assert from 'node:assert/strict';
import { nothingKnown } from '../../../src/draft/chainFacts.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { codesOf, coins, findingOf, gov, legacy, ofMessages, someone } from './exampleDrafts.ts';

/** The text that a finding is at, its severity, and its sentence. */
function said(text: string, code: FindingCode): readonly [place: string, sentence: string] {
  const finding = findingOf(text, code);
  assert.equal(finding.severity, 'warning');
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}
const later = '2031-01-01T00:00:00Z';
const grant = (authorization: object, expiration: string | null = null, granter: string = gov): object => ({
  '@type': '/cosmos.authz.v1beta1.MsgGrant',
  granter,
  grantee: someone,
  grant: { authorization, expiration },
});
const generic = (msg: string): object => ({ '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg });

describe('a grant of the gov account', () => {
  it('is named where the grantee could spend or rule without a vote', () => {
    const [place, sentence] = said(ofMessages(grant(generic('/cosmos.bank.v1beta1.MsgSend'))), 'grant-unlimited');
    assert.equal(place, '"/cosmos.bank.v1beta1.MsgSend"');
    assert.equal(
      sentence,
      'The grantee could execute MsgSend as the gov account, without a vote or a limit. The grant does not expire.',
    );
    for (const type of [
      '/cosmos.staking.v1beta1.MsgUpdateParams',
      '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
    ])
      assert.match(said(ofMessages(grant(generic(type), later)), 'grant-unlimited')[1], /without a vote or a limit\.$/);
  });

  it('is no finding for a message that gives no power, with a limit, or of another account', () => {
    const limited = { '@type': '/cosmos.bank.v1beta1.SendAuthorization', spend_limit: coins('5'), allow_list: [] };
    assert.deepEqual(codesOf(ofMessages(grant(generic('/cosmos.gov.v1.MsgVote'), later), grant(limited, later))), []);
    const msgs = [
      grant(generic('/cosmos.bank.v1beta1.MsgSend'), null, 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'),
    ];
    const exec = { '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: gov, msgs };
    assert.ok(!codesOf(ofMessages(exec)).includes('warning grant-unlimited'));
  });
});

describe('a grant of the gov account that has no end', () => {
  const limited = { '@type': '/cosmos.bank.v1beta1.SendAuthorization', spend_limit: coins('5'), allow_list: [] };

  it('is named at the end that it lacks', () => {
    const [place, sentence] = said(ofMessages(grant(limited)), 'grant-unlimited');
    assert.deepEqual([place, sentence], ['null', 'The grant does not expire.']);
    const open = { ...grant(limited), grant: { authorization: limited } };
    const [absent] = said(ofMessages(open), 'grant-unlimited');
    assert.equal(absent, '"/cosmos.bank.v1beta1.SendAuthorization"');
  });

  it('is named where the end is empty, too', () => {
    assert.deepEqual(said(ofMessages(grant(limited, '')), 'grant-unlimited'), ['""', 'The grant does not expire.']);
  });

  it('is named once, and not where it is that of another account', () => {
    assert.deepEqual(codesOf(ofMessages(grant(generic('/cosmos.bank.v1beta1.MsgSend')))), ['warning grant-unlimited']);
    const exec = { '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: gov, msgs: [grant(limited, null, someone)] };
    assert.ok(!codesOf(ofMessages(exec)).includes('warning grant-unlimited'));
  });
});

describe('the admin of a contract', () => {
  const contract = 'cosmos14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s4hmalr';
  const update = (new_admin: string): object => ({
    '@type': '/cosmwasm.wasm.v1.MsgUpdateAdmin',
    sender: gov,
    new_admin,
    contract,
  });
  const clear = { '@type': '/cosmwasm.wasm.v1.MsgClearAdmin', sender: gov, contract };
  const content = (name: string, fields: object): object =>
    legacy({ '@type': `/cosmwasm.wasm.v1.${name}`, title: 'T', description: 'D', contract, ...fields });

  it('that is another account than gov could change the contract without a vote', () => {
    for (const message of [update(someone), content('UpdateAdminProposal', { new_admin: someone })]) {
      const [place, sentence] = said(ofMessages(message), 'contract-admin');
      assert.equal(place, JSON.stringify(someone));
      assert.equal(sentence, 'This account, which is not the gov account, could migrate the contract without a vote.');
    }
    for (const message of [content('UpdateAdminProposal', { new_admin: gov }), update('')])
      assert.ok(!codesOf(ofMessages(message)).includes('warning contract-admin'));
    assert.ok(!codesOf(ofMessages(update(someone)), nothingKnown).includes('warning contract-admin'));
  });

  it('that is cleared leaves the contract to governance', () => {
    for (const message of [clear, content('ClearAdminProposal', {})]) {
      const [place, sentence] = said(ofMessages(message), 'contract-admin');
      assert.equal(place, JSON.stringify(contract));
      assert.equal(sentence, 'Without an admin, only governance could still migrate the contract.');
    }
  });
});

describe('a fee allowance of the gov account', () => {
  const allow = (allowance: object): string =>
    ofMessages({ '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance', granter: gov, grantee: someone, allowance });
  const basic = (fields: object): object => ({ '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', ...fields });
  const wrapped = {
    '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance',
    allowance: basic({ spend_limit: [], expiration: later }),
    allowed_messages: ['/cosmos.gov.v1.MsgVote'],
  };

  it('is named where the fees that it pays have no limit', () => {
    for (const allowance of [basic({}), basic({ spend_limit: [], expiration: null }), wrapped])
      assert.match(
        said(allow(allowance), 'grant-unlimited')[1],
        /^The grantee could pay any fees from the gov account, which holds proposal deposits\./,
      );
    assert.deepEqual(codesOf(allow(basic({ spend_limit: coins('5'), expiration: later }))), []);
  });
});

describe('a circuit breaker', () => {
  const trip = (...types: readonly string[]): string =>
    ofMessages({ '@type': '/cosmos.circuit.v1.MsgTripCircuitBreaker', authority: gov, msg_type_urls: types });

  it('is named where it stops what could end it', () => {
    for (const type of [
      '/cosmos.gov.v1.MsgVote',
      '/cosmos.gov.v1beta1.MsgSubmitProposal',
      '/cosmos.gov.v1.MsgDeposit',
      '/cosmos.circuit.v1.MsgResetCircuitBreaker',
    ]) {
      const [place, sentence] = said(trip('/cosmos.bank.v1beta1.MsgSend', type), 'gov-stopped');
      assert.equal(place, JSON.stringify(type));
      assert.match(sentence, /^Proposals need \w+\. With it disabled, no proposal could enable it again\.$/);
    }
    assert.deepEqual(codesOf(trip('/cosmos.bank.v1beta1.MsgSend', '/cosmos.gov.v1.MsgCancelProposal')), []);
  });
});
