import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { addresses } from '../../node/accounts.ts';
import { codesOf, findingOf, gov, ofMessages, someone } from './exampleDrafts.ts';

/** The text that a finding is at, and its sentence. */
function said(text: string, code: FindingCode): readonly [place: string, sentence: string] {
  const finding = findingOf(text, code);
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}

const member = (weight: unknown, address: string = someone): object => ({ address, weight, metadata: '' });

describe('the members of a group', () => {
  const create = (...members: readonly object[]): string =>
    ofMessages({ '@type': '/cosmos.group.v1.MsgCreateGroup', admin: gov, members, metadata: '' });
  const change = (...member_updates: readonly object[]): string =>
    ofMessages({ '@type': '/cosmos.group.v1.MsgUpdateGroupMembers', admin: gov, group_id: '1', member_updates });

  it('have a weight above 0', () => {
    for (const weight of ['0', '0.0', '-1', 'one', '']) {
      const [place, sentence] = said(create(member(weight)), 'message-value');
      assert.equal(place, JSON.stringify(weight));
      assert.match(sentence, /^weight must be a number above 0 in quotes, such as "1"\. .*when it is executed/);
    }
    for (const weight of ['1', '0.000000000000000000001', '2.5e3'])
      assert.deepEqual(codesOf(create(member(weight))), []);
  });

  it('leave a group that exists with a weight of 0', () => {
    assert.deepEqual(codesOf(change(member('0'), member(undefined, gov))), []);
    assert.match(said(change(member('-1')), 'message-value')[1], /^weight must be a number of at least 0/);
  });

  it('are accounts of this chain, and some', () => {
    const osmo = 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp';
    for (const make of [create, change])
      assert.equal(said(make(member('1', osmo)), 'address-invalid')[0], JSON.stringify(osmo));
    assert.match(said(change(), 'field-empty')[1], /^member_updates must not be empty\./);
    assert.deepEqual(codesOf(create()), []);
  });

  it('stand there once', () => {
    const [place, sentence] = said(create(member('1'), member('2')), 'message-value');
    assert.equal(place, JSON.stringify(someone));
    assert.match(sentence, / is listed twice\./);
  });
});

describe('the admin and the metadata of a group', () => {
  const message = (name: string, fields: object): string =>
    ofMessages({ '@type': `/cosmos.group.v1.Msg${name}`, admin: gov, ...fields });
  const admins: readonly (readonly [name: string, make: (new_admin: string) => string])[] = [
    ['group', (new_admin) => message('UpdateGroupAdmin', { group_id: '1', new_admin })],
    ['policy', (new_admin) => message('UpdateGroupPolicyAdmin', { group_policy_address: someone, new_admin })],
  ];

  for (const [name, make] of admins)
    it(`is another account of this chain for a ${name}`, () => {
      assert.match(said(make(gov), 'message-value')[1], /^new_admin must differ from admin\..*when it is executed/);
      assert.match(said(make(''), 'field-empty')[1], /^new_admin must not be empty\./);
      assert.match(said(make('cosmos1abc'), 'address-invalid')[1], /^The new_admin is not an account address/);
      assert.deepEqual(codesOf(make(someone)), []);
    });

  it('has 255 bytes, unless the chain has another limit', () => {
    const text = (length: number): string =>
      message('UpdateGroupMetadata', { group_id: '1', metadata: 'x'.repeat(length) });
    assert.match(said(text(256), 'message-value')[1], /^metadata is 256 bytes long\. The default limit is 255\./);
    assert.deepEqual(codesOf(text(255)), []);
  });
});

describe('the decision policy of a group', () => {
  const policy = (type: string, fields: object, voting_period?: string): string =>
    ofMessages({
      '@type': '/cosmos.group.v1.MsgCreateGroupPolicy',
      admin: gov,
      group_id: '1',
      metadata: '',
      decision_policy: {
        '@type': `/cosmos.group.v1.${type}DecisionPolicy`,
        ...fields,
        windows: { voting_period, min_execution_period: '0s' },
      },
    });

  it('has a percentage above 0 and at most 1', () => {
    const [place, sentence] = said(policy('Percentage', { percentage: '50' }, '60s'), 'message-value');
    assert.equal(place, '"50"');
    assert.match(sentence, /^percentage must be a decimal number above 0 and at most 1/);
    assert.deepEqual(codesOf(policy('Percentage', { percentage: '0.5' }, '60s')), []);
  });

  it('has a threshold above 0', () => {
    assert.match(said(policy('Threshold', { threshold: '0' }, '60s'), 'message-value')[1], /^threshold must be/);
    assert.deepEqual(codesOf(policy('Threshold', { threshold: '2' }, '60s')), []);
  });

  it('has a time to vote', () => {
    const [, sentence] = said(policy('Threshold', { threshold: '2' }, '0s'), 'message-value');
    assert.match(sentence, /^windows\.voting_period must be a duration above 0/);
    assert.match(said(policy('Threshold', { threshold: '2' }), 'field-empty')[1], /^voting_period must not be empty/);
  });

  it('lets no member decide alone', () => {
    const create = (weights: readonly string[], decision: object): string =>
      ofMessages({
        '@type': '/cosmos.group.v1.MsgCreateGroupWithPolicy',
        admin: gov,
        members: weights.map((weight, at) => member(weight, [someone, gov, addresses.alice][at])),
        decision_policy: { ...decision, windows: { voting_period: '60s', min_execution_period: '0s' } },
      });
    const threshold = (text: string) => ({ '@type': '/cosmos.group.v1.ThresholdDecisionPolicy', threshold: text });
    const share = (text: string) => ({ '@type': '/cosmos.group.v1.PercentageDecisionPolicy', percentage: text });
    for (const [text, place] of [
      [create(['1', '1', '1'], threshold('1')), '"1"'],
      [create(['2', '3'], threshold('1.5')), '"1.5"'],
      [create(['1', '1', '1'], share('0.33')), '"0.33"'],
    ] as const) {
      const finding = findingOf(text, 'message-value');
      assert.equal(finding.severity, 'warning');
      assert.equal(text.slice(finding.range.start, finding.range.end), place);
      assert.match(findingText(finding, plainEnglish), /^A single member could decide alone\. Increase \w+ to/);
    }
    for (const text of [
      create(['1', '1', '1'], threshold('2')),
      create(['1'], threshold('1')),
      create(['3', '1'], threshold('3')),
      create(['1', '1', '1'], share('0.5')),
    ])
      assert.deepEqual(codesOf(text), []);
  });

  it('is one that the module has', () => {
    const text = policy('Treshold', { threshold: '2' }, '60s');
    assert.match(said(text, 'type-unknown')[1], /Did you mean \/cosmos\.group\.v1\.ThresholdDecisionPolicy\?$/);
  });
});
