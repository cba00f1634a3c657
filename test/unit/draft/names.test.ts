import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { findingText, repairText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import {
  applyEdits,
  change,
  codesOf,
  facts,
  findingOf,
  gov,
  known,
  legacy,
  legacyChange,
  ofMessages,
  someone,
} from './exampleDrafts.ts';

const clients = (allowed: unknown): string =>
  ofMessages({
    '@type': '/ibc.core.client.v1.MsgUpdateParams',
    signer: gov,
    params: { allowed_clients: allowed },
  });
const today = (...allowed: readonly string[]): ChainFacts =>
  known({ moduleParams: new Map([...facts.moduleParams, ['ibc.core.client.v1', { allowed_clients: allowed }]]) });
const vote = (option: unknown): string =>
  ofMessages({ '@type': '/cosmos.gov.v1.MsgVote', proposal_id: '1', voter: gov, option, metadata: '' });
const access = (permission: unknown): string =>
  ofMessages({
    '@type': '/cosmwasm.wasm.v1.MsgUpdateInstantiateConfig',
    sender: gov,
    code_id: '7',
    new_instantiate_permission: { permission, addresses: [someone] },
  });
const said = (text: string, code: 'client-types' | 'name-unknown' | 'param-value', about?: ChainFacts): string =>
  findingText(findingOf(text, code, about), plainEnglish);

describe('the types of IBC clients that are allowed', () => {
  for (const [written, meant] of [
    ['07-tendermnt', '07-tendermint'],
    ['07_tendermint', '07-tendermint'],
    ['tendermint', '07-tendermint'],
    ['08-wasn', '08-wasm'],
    ['6-solomachine', '06-solomachine'],
  ] as const)
    it(`are compared with those of ibc-go: ${written}`, () => {
      const text = clients(['09-localhost', written]);
      const finding = findingOf(text, 'client-types');
      assert.equal(finding.severity, 'warning');
      assert.equal(text.slice(finding.range.start, finding.range.end), JSON.stringify(written));
      assert.match(findingText(finding, plainEnglish), new RegExp(`Did you mean ${meant}\\?$`));
      const [repair] = finding.repairs;
      assert.ok(repair && applyEdits(text, repair.edits).includes(`"${meant}"`));
    });

  it('may be all of them, or a type that the chain has today', () => {
    for (const list of [['*'], ['06-solomachine', '07-tendermint', '08-wasm', '09-localhost']])
      assert.deepEqual(codesOf(clients(list)), []);
    assert.deepEqual(codesOf(clients(['10-grandpa', '07-tendermint']), today('10-grandpa')), []);
  });

  it('are not empty, and stand once', () => {
    for (const list of [
      ['07-tendermint', ' '],
      ['07-tendermint', '07-tendermint'],
    ])
      assert.match(said(clients(list), 'param-value'), /at most 500 unique names, none of them empty, or only "\*"/);
  });

  it('are none in an empty list, which is said once', () => {
    assert.match(said(clients([]), 'client-types', today('07-tendermint')), /^The list is empty\./);
    assert.ok(!codesOf(clients([]), today('07-tendermint')).includes('warning names-dropped'));
  });

  it('are read from the legacy parameter', () => {
    const text = (value: string): string => ofMessages(legacyChange(change('ibc', 'AllowedClients', value)));
    assert.match(said(text('["07-tendermnt"]'), 'client-types'), /Did you mean 07-tendermint\?$/);
    assert.match(said(text('[]'), 'client-types'), /^The list is empty\./);
    assert.ok(!codesOf(text('["07-tendermint"]')).includes('warning client-types'));
  });
});

describe('a name of an enum', () => {
  for (const [written, meant] of [
    ['yes', 'VOTE_OPTION_YES'],
    ['NoWithVeto', 'VOTE_OPTION_NO_WITH_VETO'],
    ['VOTE_OPTION_ABSTIAN', 'VOTE_OPTION_ABSTAIN'],
    ['VOTEOPTION_NO', 'VOTE_OPTION_NO'],
  ] as const)
    it(`that does not exist is an error with the nearest one: ${written}`, () => {
      const text = vote(written);
      const finding = findingOf(text, 'name-unknown');
      assert.equal(finding.severity, 'error');
      assert.equal(text.slice(finding.range.start, finding.range.end), JSON.stringify(written));
      assert.match(findingText(finding, plainEnglish), new RegExp(`Did you mean ${meant}\\?$`));
      const [repair] = finding.repairs;
      assert.ok(repair && applyEdits(text, repair.edits).includes(`"${meant}"`));
    });

  it('is a text, and no object, list or truth', () => {
    for (const option of [{}, true, ['VOTE_OPTION_YES']]) {
      const finding = findingOf(vote(option), 'field-type');
      assert.match(findingText(finding, plainEnglish), /^option must be a string in double quotes\./);
    }
  });

  it('is not looked for in a parameter of another form', () => {
    const params = { code_upload_access: { permission: {}, addresses: [] } };
    const text = ofMessages({ '@type': '/cosmwasm.wasm.v1.MsgUpdateParams', authority: gov, params });
    assert.ok(!codesOf(text).some((code) => code.endsWith('name-unknown')));
  });

  it('without a near one is answered with all of them', () => {
    assert.match(said(access('PUBLIC'), 'name-unknown'), /Use one of Nobody, Everybody, AnyOfAddresses\.$/);
  });

  it('is looked for in nested fields, in parameters and in all messages of the table', () => {
    const channel = { '@type': '/ibc.applications.interchain_accounts.controller.v1.MsgRegisterInterchainAccount' };
    const wasm = { code_upload_access: { permission: 'ACCESS_TYPE_NOBODY', addresses: [] } };
    const texts = [
      access('AnyOfAddreses'),
      ofMessages({ '@type': '/cosmwasm.wasm.v1.MsgUpdateParams', authority: gov, params: wasm }),
      ofMessages({ ...channel, owner: gov, connection_id: 'connection-0', version: '', ordering: 'UNORDERED' }),
      ofMessages({
        '@type': '/cosmos.gov.v1.MsgVoteWeighted',
        proposal_id: '1',
        voter: gov,
        options: [{ option: 'Yes', weight: '1' }],
      }),
    ];
    for (const text of texts) assert.match(said(text, 'name-unknown'), /Did you mean [A-Za-z_]+\?$/);
  });

  it('is taken as it is published, and as a number', () => {
    for (const option of ['VOTE_OPTION_YES', 'VOTE_OPTION_NO_WITH_VETO', 3])
      assert.deepEqual(codesOf(vote(option)), []);
  });

  it('is taken for an access as wasmd reads it', () => {
    for (const permission of ['Nobody', 'Everybody', 'AnyOfAddresses'])
      assert.deepEqual(codesOf(access(permission)), []);
  });

  it('is not the access for one address, which newer versions of wasmd do not have', () => {
    const text = access('OnlyAddress');
    assert.deepEqual(codesOf(text), ['error message-value']);
    const [repair] = findingOf(text, 'message-value').repairs;
    assert.deepEqual(codesOf(repair ? applyEdits(text, repair.edits) : ''), []);
    const unknown = { ...nothingKnown, prefix: 'cosmos' };
    assert.deepEqual(codesOf(text, unknown), ['warning message-value']);
    const old = known({ govParams: undefined, hasGovV1: undefined, sdkVersion: 'v0.45.16' });
    assert.ok(!codesOf(text, old).some((code) => code.endsWith('message-value')));
  });

  it('is converted to the access for several, which the title of the repair names', () => {
    const [repair] = findingOf(access('OnlyAddress'), 'message-value').repairs;
    assert.match(repair ? repairText(repair, plainEnglish) : '', /"AnyOfAddresses"/);
  });

  it('is not the access for one address in parameters and contents, too', () => {
    const permission = { permission: 'OnlyAddress', addresses: [] };
    const params = { code_upload_access: permission, instantiate_default_permission: 'OnlyAddress' };
    const content = {
      '@type': '/cosmwasm.wasm.v1.UpdateInstantiateConfigProposal',
      title: 'T',
      description: 'D',
      access_config_updates: [{ code_id: '1', instantiate_permission: permission }],
    };
    const message = { '@type': '/cosmwasm.wasm.v1.MsgUpdateParams', authority: gov, params };
    const count = (text: string) => codesOf(text).filter((code) => code === 'error message-value').length;
    assert.deepEqual([count(ofMessages(message)), count(ofMessages(legacy(content)))], [2, 1]);
  });

  for (const [written, meant] of [
    ['ACCESS_TYPE_EVERYBODY', 'Everybody'],
    ['ACCESS_TYPE_ANY_OF_ADDRESSES', 'AnyOfAddresses'],
    ['nobody', 'Nobody'],
    ['ACCESS_TYPE_ONLY_ADDRESS', 'AnyOfAddresses'],
    [3, 'Everybody'],
  ] as const)
    it(`is not taken for an access as the .proto file has it, nor by its number: ${written}`, () => {
      const text = access(written);
      const [repair] = findingOf(text, 'name-unknown').repairs;
      assert.ok(repair && applyEdits(text, repair.edits).includes(`"permission": "${meant}"`));
    });

  it('must not be the empty one in a vote', () => {
    for (const option of ['VOTE_OPTION_UNSPECIFIED', 0, '', undefined])
      assert.deepEqual(codesOf(vote(option)), ['error field-empty']);
  });
});
