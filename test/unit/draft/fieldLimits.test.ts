import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { applyEdits, codesOf, findingOf, gov, known, legacy, ofMessages, someone } from './exampleDrafts.ts';

/** The text that a finding is at, and its sentence. */
function said(text: string, code: FindingCode, about?: ChainFacts): readonly [place: string, sentence: string] {
  const finding = findingOf(text, code, about);
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}

describe('the share of a continuous fund', () => {
  const fund = (percentage: unknown): string =>
    ofMessages({
      '@type': '/cosmos.protocolpool.v1.MsgCreateContinuousFund',
      authority: gov,
      recipient: someone,
      percentage,
      expiry: null,
    });

  it('is above 0 and at most 1', () => {
    for (const value of ['1.000000000000000001', '25', '0', '-0.1']) {
      const [place, sentence] = said(fund(value), 'message-value');
      assert.equal(place, JSON.stringify(value));
      assert.match(
        sentence,
        /^percentage must be a decimal number above 0 and at most 1.*would fail when it is executed/,
      );
    }
    for (const value of ['0.000000000000000001', '1']) assert.deepEqual(codesOf(fund(value)), []);
  });

  it('is given', () => {
    const [place] = said(fund(undefined), 'message-value');
    assert.equal(place, '"/cosmos.protocolpool.v1.MsgCreateContinuousFund"');
  });
});

describe('a channel that is opened', () => {
  const open = (name: string, channel: object, more: object = {}): string =>
    ofMessages({
      '@type': `/ibc.core.channel.v1.MsgChannel${name}`,
      port_id: 'transfer',
      channel: {
        state: 'STATE_INIT',
        ordering: 'ORDER_UNORDERED',
        counterparty: { port_id: 'transfer', channel_id: '' },
        connection_hops: ['connection-0'],
        version: 'ics20-1',
        ...channel,
      },
      signer: gov,
      ...more,
    });
  const proof = { proof_init: 'AAAA', previous_channel_id: '', counterparty_version: 'ics20-1', proof_height: null };

  it('is in the state of its message', () => {
    for (const state of ['STATE_TRYOPEN', 4, undefined]) {
      const text = open('OpenInit', { state });
      const [place, sentence] = said(text, 'message-value');
      assert.equal(place, state === undefined ? '{' : JSON.stringify(state));
      assert.match(sentence, /^state must be "STATE_INIT"\. The chain does not accept the proposal\.$/);
      assert.deepEqual(codesOf(applyEdits(text, findingOf(text, 'message-value').repairs[0]?.edits ?? [])), []);
    }
    assert.match(said(open('OpenTry', {}, proof), 'message-value')[1], /^state must be "STATE_TRYOPEN"\./);
    for (const state of ['STATE_INIT', 1]) assert.deepEqual(codesOf(open('OpenInit', { state })), []);
  });

  it('does not name the channel of the other chain yet', () => {
    const text = open('OpenInit', { counterparty: { port_id: 'transfer', channel_id: 'channel-5' } });
    const [place, sentence] = said(text, 'message-value');
    assert.equal(place, '"channel-5"');
    assert.match(sentence, /^channel_id must be ""\./);
  });

  it('names no earlier channel, which the repair takes out', () => {
    const text = open('OpenTry', { state: 'STATE_TRYOPEN' }, { ...proof, previous_channel_id: 'channel-5' });
    const [place, sentence] = said(text, 'message-value');
    assert.equal(place, '"channel-5"');
    assert.match(sentence, /^previous_channel_id must be ""\./);
    const mended = applyEdits(text, findingOf(text, 'message-value').repairs[0]?.edits ?? []);
    assert.ok(!codesOf(mended).includes('error message-value'));
  });

  it('has an ordering, and a connection', () => {
    assert.match(
      said(open('OpenInit', { ordering: 'ORDER_NONE_UNSPECIFIED' }), 'field-empty')[1],
      /^ordering must not/,
    );
    assert.match(
      said(open('OpenInit', { connection_hops: [] }), 'field-empty')[1],
      /^connection_hops must not be empty/,
    );
  });
});

describe('the time of a vesting account', () => {
  const account = (name: string, fields: object): string =>
    ofMessages({
      '@type': `/cosmos.vesting.v1beta1.MsgCreate${name}VestingAccount`,
      from_address: gov,
      to_address: someone,
      ...fields,
    });
  const ending = (end_time: unknown): string =>
    account('', { amount: [{ denom: 'stake', amount: '7' }], end_time, delayed: false });
  const beginning = (start_time: unknown): string => account('Periodic', { start_time, vesting_periods: [] });

  it('is given, and after 1970', () => {
    for (const text of [ending('0'), ending(undefined), beginning('0'), beginning('-7')])
      assert.match(said(text, 'message-value')[1], /^(end|start)_time must be a whole number from 1 to /);
    for (const text of [ending('1893456000'), beginning('1893456000')])
      assert.ok(!codesOf(text).includes('error message-value'));
  });
});

describe('texts of an IBC transfer', () => {
  const transfer = (fields: object): string =>
    ofMessages({
      '@type': '/ibc.applications.transfer.v1.MsgTransfer',
      source_port: 'transfer',
      source_channel: 'channel-0',
      token: { denom: 'stake', amount: '7' },
      sender: gov,
      receiver: 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp',
      timeout_timestamp: '1893456000000000000',
      ...fields,
    });

  it('are short', () => {
    for (const [field, most] of [
      ['memo', 32_768],
      ['receiver', 2048],
    ] as const) {
      assert.match(said(transfer({ [field]: 'x'.repeat(most + 1) }), 'message-value')[1], / bytes long\. /);
      assert.ok(!codesOf(transfer({ [field]: 'x'.repeat(most) })).includes('warning message-value'));
    }
  });
});

describe('evidence that is submitted', () => {
  const submit = (fields: object): string =>
    ofMessages({
      '@type': '/cosmos.evidence.v1beta1.MsgSubmitEvidence',
      submitter: gov,
      evidence: {
        '@type': '/cosmos.evidence.v1beta1.Equivocation',
        height: '7',
        time: '2026-01-02T03:04:05Z',
        power: '5',
        consensus_address: 'cosmosvalcons1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3l3kwqd',
        ...fields,
      },
    });

  it('has a height and a power that are not 0', () => {
    for (const field of ['height', 'power']) {
      const [place, sentence] = said(submit({ [field]: '0' }), 'field-empty');
      assert.equal(place, '"0"');
      assert.match(sentence, new RegExp(`^${field} must not be 0\\.`));
    }
    assert.deepEqual(codesOf(submit({})), []);
  });

  it('is given', () => {
    const text = ofMessages({ '@type': '/cosmos.evidence.v1beta1.MsgSubmitEvidence', submitter: gov, evidence: null });
    const [place, sentence] = said(text, 'field-empty');
    assert.equal(place, 'null');
    assert.match(sentence, /^evidence must not be empty\./);
  });

  it('has all its fields, and no others', () => {
    assert.match(said(submit({ consensus_address: '' }), 'field-empty')[1], /^consensus_address must not be empty\./);
    assert.match(said(submit({ heigth: '7', height: undefined }), 'field-unknown')[1], /Did you mean height\?$/);
    assert.deepEqual(codesOf(submit({ '@type': '/cosmos.evidence.v1beta1.Equivocations' })), ['warning type-unknown']);
  });
});

describe('the label of a contract', () => {
  const instantiate = (label: string): string =>
    ofMessages({
      '@type': '/cosmwasm.wasm.v1.MsgInstantiateContract',
      sender: gov,
      admin: gov,
      code_id: '5',
      label,
      msg: {},
      funds: [],
    });

  it('does not begin or end with a space', () => {
    for (const label of ['treasury ', ' treasury', 'treasury\n']) {
      const finding = findingOf(instantiate(label), 'message-value');
      assert.equal(finding.severity, 'error');
      assert.match(
        findingText(finding, plainEnglish),
        /^label must not begin or end with a space\. The chain does not/,
      );
      assert.deepEqual(codesOf(applyEdits(instantiate(label), finding.repairs[0]?.edits ?? [])), []);
    }
    assert.deepEqual(codesOf(instantiate('the treasury')), []);
  });

  it('has at most 128 bytes, unless the chain sets another limit', () => {
    const finding = findingOf(instantiate('é'.repeat(65)), 'message-value');
    assert.equal(finding.severity, 'warning');
    assert.equal(findingText(finding, plainEnglish), 'label is 130 bytes long. The default limit is 128.');
    assert.deepEqual(codesOf(instantiate('x'.repeat(128))), []);
  });

  it('may do so on old chains, which a version that is not known may be', () => {
    const old = known({ sdkVersion: 'v0.45.16', govParams: {}, hasGovV1: false });
    assert.ok(!codesOf(instantiate('treasury '), old).some((code) => code.endsWith('message-value')));
    assert.ok(codesOf(instantiate('treasury '), nothingKnown).includes('warning message-value'));
  });

  it('is looked at in contents of old proposals, too', () => {
    const content = {
      '@type': '/cosmwasm.wasm.v1.InstantiateContractProposal',
      title: 'T',
      description: 'D',
      run_as: gov,
    };
    const text = ofMessages(legacy({ ...content, code_id: '5', label: 'a ', msg: {}, funds: [] }));
    assert.match(said(text, 'message-value')[1], /^label must not begin or end/);
  });
});
