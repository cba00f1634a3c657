import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { codesOf, findingOf, gov, known, legacy, ofMessages } from './exampleDrafts.ts';

const module = Buffer.from('0061736d0100000001040160000003020100', 'hex');
const store = (code: string, type = 'cosmwasm.wasm.v1.MsgStoreCode'): string => {
  const signer = type.startsWith('ibc') ? 'signer' : 'sender';
  return ofMessages({ '@type': `/${type}`, [signer]: gov, wasm_byte_code: code });
};
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');

describe('the code of a contract', () => {
  for (const [name, code, says] of [
    ['hexadecimal', `${module.toString('hex')}0000`, /^The code is in hexadecimal\. Use the base64-encoded/],
    ['base64 of base64', base64(base64(module)), /^The code is base64-encoded twice\./],
    ['base64 of base64 of gzip', base64(base64(gzipSync(module))), /^The code is base64-encoded twice\./],
    ['a zip archive', base64('PK\u0003\u0004 and more of it'), /^The code is a zip archive\./],
    ['text', base64('(module (func))'), /^The code is in WebAssembly text format\./],
    ['a part', base64(module.subarray(0, 5)), /^The code is only a few bytes long\./],
    ['a script', base64('#!/bin/sh\nexit 0\n'), /^The code is not WebAssembly\./],
    ['one byte', 'AA==', /^The code is not WebAssembly\./],
  ] as const)
    it(`is an error that says why: ${name}`, () => {
      for (const type of ['cosmwasm.wasm.v1.MsgStoreCode', 'ibc.lightclients.wasm.v1.MsgStoreCode']) {
        const finding = findingOf(store(code, type), 'wasm-code');
        assert.equal(finding.severity, 'error');
        assert.match(findingText(finding, plainEnglish), says);
      }
    });

  it('may be bare or in gzip', () => {
    for (const bytes of [module, gzipSync(module)]) assert.deepEqual(codesOf(store(base64(bytes))), []);
  });

  it('that is missing, or is no base64, is told by another check', () => {
    assert.deepEqual(codesOf(store('')), ['error field-empty']);
    assert.deepEqual(codesOf(store('./contract.wasm')), ['error field-type']);
  });
});

describe('the source of a code', () => {
  const all = { source: 'https://example.org/polls', builder: 'cosmwasm/optimizer:0.16.0', code_hash: 'AAAA' };
  const stored = (more: object): object => ({
    '@type': '/cosmwasm.wasm.v1.MsgStoreAndInstantiateContract',
    authority: gov,
    wasm_byte_code: base64(module),
    label: 'polls',
    msg: {},
    ...more,
  });
  const content = (more: object): object =>
    legacy({ '@type': '/cosmwasm.wasm.v1.StoreCodeProposal', title: 'T', description: 'D', run_as: gov, ...more });

  for (const [lacking, more] of [
    ['builder', { builder: '' }],
    ['source', { source: undefined }],
    ['builder, code_hash', { builder: null, code_hash: '' }],
  ] as const)
    it(`comes with builder and hash, or not at all: without ${lacking}`, () => {
      const finding = findingOf(ofMessages(stored({ ...all, ...more })), 'message-value');
      assert.equal(finding.severity, 'error');
      const says = `Set source, builder and code_hash together, or none of them. Missing: ${lacking}. The chain does not`;
      assert.ok(findingText(finding, plainEnglish).startsWith(says), findingText(finding, plainEnglish));
    });

  it('may be whole, or absent', () => {
    const none = { source: '', builder: '', code_hash: '' };
    for (const more of [all, none, {}]) assert.deepEqual(codesOf(ofMessages(stored(more))), []);
  });

  it('comes whole in a legacy content, where the version is known', () => {
    const lacking = ofMessages(content({ ...all, wasm_byte_code: base64(module), builder: '' }));
    assert.ok(codesOf(lacking).includes('error message-value'));
    const unknown = known({ govParams: undefined, hasGovV1: undefined, sdkVersion: undefined });
    assert.ok(codesOf(lacking, unknown).includes('warning message-value'));
  });
});
