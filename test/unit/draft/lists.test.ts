import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { codesOf, findingOf, gov, ofMessages, someone } from './exampleDrafts.ts';

/** The text that a finding is at, and its sentence. */
function said(text: string, code: FindingCode): readonly [place: string, sentence: string] {
  const finding = findingOf(text, code);
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}

const other = 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp';

describe('the types that a circuit breaker stops', () => {
  const types = (name: string, ...urls: readonly string[]): string =>
    ofMessages({ '@type': `/cosmos.circuit.v1.Msg${name}CircuitBreaker`, authority: gov, msg_type_urls: urls });
  const [send, multi] = ['/cosmos.bank.v1beta1.MsgSend', '/cosmos.bank.v1beta1.MsgMultiSend'] as const;

  it('stand there once', () => {
    for (const name of ['Trip', 'Reset']) {
      const [place, sentence] = said(types(name, send, multi, send), 'message-value');
      assert.equal(place, JSON.stringify(send));
      assert.match(sentence, /^\/cosmos\.bank\.v1beta1\.MsgSend is listed twice\..*would fail when it is executed/);
      assert.deepEqual(codesOf(types(name, send, multi)), []);
    }
  });
});

describe('the permissions of a circuit breaker', () => {
  const authorize = (fields: object): string =>
    ofMessages({
      '@type': '/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker',
      granter: gov,
      grantee: someone,
      permissions: { level: 'LEVEL_SOME_MSGS', limit_type_urls: ['/cosmos.bank.v1beta1.MsgSend'] },
      ...fields,
    });

  it('are given, to an account of this chain', () => {
    assert.match(said(authorize({ permissions: undefined }), 'field-empty')[1], /^permissions must not be empty\./);
    assert.match(said(authorize({ grantee: '' }), 'field-empty')[1], /^grantee must not be empty\./);
    assert.match(said(authorize({ grantee: other }), 'address-invalid')[1], /^The grantee is not an account address/);
    assert.deepEqual(codesOf(authorize({})), []);
  });
});

describe('the addresses that may store code', () => {
  const add = (...addresses: readonly string[]): string =>
    ofMessages({ '@type': '/cosmwasm.wasm.v1.MsgAddCodeUploadParamsAddresses', authority: gov, addresses });

  it('are some, each once, all of this chain', () => {
    const [place, sentence] = said(add(someone, gov, someone), 'message-value');
    assert.equal(place, JSON.stringify(someone));
    assert.match(sentence, /is listed twice\. The chain does not accept the proposal\.$/);
    assert.match(said(add(), 'field-empty')[1], /^addresses must not be empty\./);
    assert.equal(said(add(someone, other), 'address-invalid')[0], JSON.stringify(other));
    assert.deepEqual(codesOf(add(someone, gov)), []);
  });

  it('are so in the access of a code, too', () => {
    const access = (...addresses: readonly string[]): string =>
      ofMessages({
        '@type': '/cosmwasm.wasm.v1.MsgUpdateInstantiateConfig',
        sender: gov,
        code_id: '5',
        new_instantiate_permission: { permission: 'AnyOfAddresses', addresses },
      });
    assert.match(said(access(someone, someone), 'message-value')[1], /is listed twice/);
    assert.deepEqual(codesOf(access(someone)), []);
  });
});
