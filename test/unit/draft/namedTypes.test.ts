import assert from 'node:assert/strict';
import { noNeeds } from '../../../src/draft/draftNeeds.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import type { Finding, FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { applyEdits, codesOf, coins, findingOf, gov, known, legacy, ofMessages, someone } from './exampleDrafts.ts';

const expiration = '2031-01-01T00:00:00Z';
const grant = (authorization: unknown): string =>
  ofMessages({
    '@type': '/cosmos.authz.v1beta1.MsgGrant',
    granter: gov,
    grantee: someone,
    grant: { authorization, expiration },
  });
const generic = (msg: unknown): string => grant({ '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg });
const exec = (...msgs: readonly object[]): string =>
  ofMessages({ '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: gov, msgs });
const send = (more: object = {}): object => ({
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: someone,
  to_address: someone,
  amount: coins('5'),
  ...more,
});
const circuit = (name: string, ...types: readonly string[]): string =>
  ofMessages({ '@type': `/cosmos.circuit.v1.${name}`, authority: gov, msg_type_urls: types });
/** The text that a finding is at, its severity, and its sentence. */
function read(text: string, code: FindingCode, about = known({})): readonly [string, string, Finding] {
  const finding = findingOf(text, code, about);
  const place = text.slice(finding.range.start, finding.range.end);
  return [place, `${finding.severity}: ${findingText(finding, plainEnglish)}`, finding];
}
const mended = (text: string, { repairs }: Finding): string => applyEdits(text, repairs[0]?.edits ?? []);
const listed = known({
  messageTypes: new Set([
    '/cosmos.authz.v1beta1.MsgGrant',
    '/cosmos.authz.v1beta1.MsgExec',
    '/cosmos.circuit.v1.MsgTripCircuitBreaker',
    '/cosmos.gov.v1.MsgVote',
    '/cosmos.bank.v1beta1.MsgSend',
  ]),
});

describe('the type that a grant is for', () => {
  it('is one of a message, with its slash', () => {
    const [place, sentence, finding] = read(generic('/cosmos.gov.v1.MsgVotee'), 'type-unknown');
    assert.equal(place, '"/cosmos.gov.v1.MsgVotee"');
    assert.match(sentence, /^warning: The message type .* is unknown.* Did you mean \/cosmos\.gov\.v1\.MsgVote\?$/);
    assert.deepEqual(codesOf(mended(generic('/cosmos.gov.v1.MsgVotee'), finding)), []);
    const bare = generic('cosmos.gov.v1.MsgVote');
    assert.match(read(bare, 'type-form')[1], /^error: The type .* must start with a slash/);
    assert.deepEqual(codesOf(mended(bare, read(bare, 'type-form')[2])), []);
  });

  it('is one that the chain lists', () => {
    assert.match(
      read(generic('/cosmos.gov.v1.MsgDeposit'), 'type-unknown', listed)[1],
      /^error: This chain has no message type \/cosmos\.gov\.v1\.MsgDeposit\./,
    );
    assert.deepEqual(codesOf(generic('/cosmos.gov.v1.MsgVote'), listed), []);
  });

  it('is no service method, and not missing', () => {
    assert.match(read(generic('/cosmos.bank.v1beta1.Msg/Send'), 'type-unknown')[1], /Did you mean .*MsgSend\?$/);
    for (const msg of ['', undefined]) assert.match(read(generic(msg), 'field-empty')[1], /msg must not be empty/);
  });
});

describe('an authorization', () => {
  it('is a type that authz has', () => {
    const text = grant({ '@type': '/cosmos.bank.v1beta1.SendAuthorisation', spend_limit: coins('5') });
    const [place, sentence, finding] = read(text, 'type-unknown');
    assert.equal(place, '"/cosmos.bank.v1beta1.SendAuthorisation"');
    assert.match(sentence, /^warning: .* Did you mean \/cosmos\.bank\.v1beta1\.SendAuthorization\?$/);
    assert.deepEqual(codesOf(mended(text, finding)), []);
  });

  it('is no message', () => {
    const [, sentence, { repairs }] = read(grant({ '@type': '/cosmos.bank.v1beta1.MsgSend' }), 'type-unknown');
    assert.deepEqual(repairs, []);
    assert.match(
      sentence,
      /^error: .*MsgSend is a message type, which cannot be used here\. Did you mean .*GenericAuthorization\?$/,
    );
  });

  it('has the fields of its type', () => {
    const stake = {
      '@type': '/cosmos.staking.v1beta1.StakeAuthorization',
      authorization_type: 'AUTHORIZATION_TYPE_DELEGATE',
      allow_list: { address: [] },
    };
    assert.deepEqual(codesOf(grant(stake)), []);
    assert.deepEqual(codesOf(grant({ ...stake, authorization_type: 'DELEGTE' })), ['error name-unknown']);
    const limit = grant({ '@type': '/cosmos.bank.v1beta1.SendAuthorization', spend_limit: '5stake' });
    assert.deepEqual(codesOf(limit), ['error field-type']);
    assert.deepEqual(codesOf(grant({ spend_limit: coins('5') })), ['error type-missing']);
  });

  it('of another module is a hint', () => {
    assert.deepEqual(codesOf(grant({ '@type': '/example.dex.v1.TradeAuthorization', pair: 1 })), ['hint type-unknown']);
  });
});

describe('a fee allowance', () => {
  const allow = (allowance: object): string =>
    ofMessages({
      '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
      granter: gov,
      grantee: someone,
      allowance,
    });
  const basic = { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', spend_limit: coins('5'), expiration: null };

  it('is a type that feegrant has, also inside of another', () => {
    const limited = (allowance: object, type: string) =>
      allow({ '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance', allowance, allowed_messages: [type] });
    assert.deepEqual(codesOf(allow(basic)), []);
    assert.deepEqual(codesOf(limited(basic, '/cosmos.gov.v1.MsgVote')), []);
    assert.deepEqual(codesOf(allow({ ...basic, '@type': '/cosmos.feegrant.v1beta1.BasicAllowanc' })), [
      'warning type-unknown',
    ]);
    assert.deepEqual(codesOf(limited(basic, 'cosmos.gov.v1.MsgVote')), ['error type-form']);
  });
});

describe('a message inside of another', () => {
  it('has a type that the chain knows', () => {
    const text = exec(send({ '@type': '/cosmos.bank.v1beta1.MsgSned' }));
    const [place, sentence] = read(text, 'type-unknown');
    assert.equal(place, '"/cosmos.bank.v1beta1.MsgSned"');
    assert.match(sentence, /Did you mean \/cosmos\.bank\.v1beta1\.MsgSend\?$/);
    assert.deepEqual(codesOf(exec({ from_address: gov })), ['error type-missing']);
    assert.deepEqual(codesOf(exec(send({ '@type': 'cosmos.bank.v1beta1.MsgSend' }))), ['error type-form']);
    assert.deepEqual(codesOf(exec(send()), listed), []);
  });

  it('has the fields of its type, and another signer', () => {
    assert.deepEqual(codesOf(exec(send({ ammount: coins('5'), amount: undefined }))), ['warning field-unknown']);
    assert.deepEqual(codesOf(exec(send({ amount: [] }))), ['error coins-form']);
    assert.deepEqual(codesOf(exec(send())), []);
  });
});

describe('the types of a circuit breaker', () => {
  it('are those of messages, with their slash', () => {
    for (const name of ['MsgTripCircuitBreaker', 'MsgResetCircuitBreaker']) {
      assert.deepEqual(codesOf(circuit(name, '/cosmos.bank.v1beta1.MsgSend')), []);
      assert.deepEqual(codesOf(circuit(name, 'cosmos.bank.v1beta1.MsgSend')), ['error type-form']);
      assert.deepEqual(codesOf(circuit(name, '/cosmos.bank.v1beta1.Msg/Send')), ['warning type-unknown']);
      assert.deepEqual(codesOf(circuit(name, '/example.dex.v1.MsgTrade')), []);
    }
    const [place] = read(circuit('MsgTripCircuitBreaker', '/cosmos.gov.v1.MsgVote', '/x.MsgY'), 'type-unknown', listed);
    assert.equal(place, '"/x.MsgY"');
  });

  it('are held in permissions, too', () => {
    const permit = (type: string): readonly string[] =>
      codesOf(
        ofMessages({
          '@type': '/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker',
          granter: gov,
          grantee: someone,
          permissions: { level: 'LEVEL_SOME_MSGS', limit_type_urls: [type] },
        }),
      );
    assert.deepEqual(permit('/cosmos.bank.v1beta1.MsgSend'), []);
    // Some versions add the slash.
    assert.deepEqual(permit('cosmos.bank.v1beta1.MsgSend'), ['warning type-form']);
    assert.deepEqual(permit('/cosmos.bank.v1beta1.MsgSendd'), ['warning type-unknown']);
  });
});

describe('the module of a message', () => {
  const circuit = { '@type': '/cosmos.circuit.v1.MsgResetCircuitBreaker', authority: gov, msg_type_urls: ['/a.MsgB'] };
  const pin = { '@type': '/cosmwasm.wasm.v1.MsgPinCodes', authority: gov, code_ids: ['1'] };
  const held = (...names: readonly string[]) => known({ heldModules: new Set(['auth', 'bank', 'gov', ...names]) });

  it('is one that the state of the chain holds', () => {
    const [place, sentence] = read(ofMessages(circuit), 'type-unknown', held());
    assert.equal(place, `"${circuit['@type']}"`);
    assert.equal(sentence, `error: This chain has no circuit module and does not accept ${circuit['@type']}.`);
    const content = { '@type': '/cosmwasm.wasm.v1.PinCodesProposal', title: 'T', description: 'D', code_ids: ['1'] };
    for (const text of [ofMessages(pin), ofMessages(legacy(content)), exec(pin)])
      assert.match(read(text, 'type-unknown', held('authz'))[1], /has no wasm module/);
    for (const text of [ofMessages(circuit), ofMessages(pin)])
      assert.deepEqual(codesOf(text, held('circuit', 'wasm')), []);
  });

  it('is not known to be absent where it exports nothing, or where no state is read', () => {
    const cancel = { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority: gov };
    for (const [text, about] of [
      [ofMessages(cancel), held()],
      [ofMessages(circuit), known({})],
      [ofMessages({ '@type': '/example.dex.v1.MsgTrade' }), held()],
    ] as const)
      assert.ok(!codesOf(text, about).includes('error type-unknown'));
  });

  it('is read from a whole export', async () => {
    const sample = await startSampleNode();
    try {
      const { heldModules } = await createFactsReader(sample.node)({ ...noNeeds, types: true });
      assert.deepEqual([heldModules?.has('wasm'), heldModules?.has('protocolpool')], [true, false]);
    } finally {
      await sample.dispose();
    }
  });
});

describe('the content of a legacy proposal', () => {
  it('is no message', () => {
    for (const type of ['/cosmos.bank.v1beta1.MsgSend', '/cosmwasm.wasm.v1.MsgPinCodes']) {
      const [place, sentence] = read(ofMessages(legacy({ ...send(), '@type': type })), 'type-unknown');
      assert.equal(place, JSON.stringify(type));
      assert.equal(
        sentence,
        `error: ${type} is a message, not legacy content. Put it in messages without the MsgExecLegacyContent.`,
      );
    }
  });

  it('may be one that is not known', () => {
    const own = { '@type': '/example.dex.v1.ListPairProposal', title: 'T', description: 'D' };
    assert.deepEqual(codesOf(ofMessages(legacy(own))), ['hint type-unknown']);
    const text = { ...own, '@type': '/cosmos.gov.v1beta1.TextProposal' };
    assert.deepEqual(codesOf(ofMessages(legacy(text))), []);
  });
});

describe('the messages that interchain accounts may send', () => {
  const host = (...types: readonly string[]): readonly string[] =>
    codesOf(
      ofMessages({
        '@type': '/ibc.applications.interchain_accounts.host.v1.MsgUpdateParams',
        signer: gov,
        params: { host_enabled: true, allow_messages: types },
      }),
    );

  it('are types of messages, or all', () => {
    assert.deepEqual(host('*'), []);
    assert.deepEqual(host('/cosmos.bank.v1beta1.MsgSend', '/example.dex.v1.MsgTrade'), []);
    assert.deepEqual(host('/cosmos.bank.v1beta1.MsgSendd'), ['warning type-unknown']);
    assert.deepEqual(host('cosmos.bank.v1beta1.MsgSend'), ['error type-form']);
  });
});
