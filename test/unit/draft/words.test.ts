import assert from 'node:assert/strict';
import { numberText, shown, todayText } from '../../../src/draft/checks/valueWords.ts';
import { uncheckedMessagesText } from '../../../src/draft/draftSummary.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { FindingCode, FindingDetails } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';

function said<C extends FindingCode>(code: C, details: FindingDetails[C]): string {
  return findingText({ code, severity: 'error', range: { start: 0, end: 1 }, details, repairs: [] }, plainEnglish);
}

const none = { params: 0, legacy: 0, plans: 0, denoms: 0, clients: 0, proposals: 0, accounts: 0 };
const many = (left: Partial<typeof none>): string => said('too-many-questions', { limit: 100, ...none, ...left });
const missing = (name: string, isRefused = false) => ({ name, today: '5', isRefused });
const incomplete = (...params: readonly ReturnType<typeof missing>[]): string =>
  said('params-incomplete', { missing: params, fails: 'execution' });
const plan = (height: bigint | undefined) => ({ id: 7n, name: 'v2', height });
const needed = [{ denom: 'stake', amount: 5000n }];
const deposit = (details: Partial<FindingDetails['deposit-small']>): string =>
  said('deposit-small', { needed, isAnyEnough: false, isExpedited: false, ...details });
const jump = { field: 'a', asked: '5', today: '50', factor: 10n, isExact: true } as const;
const undone = (by: FindingDetails['message-undone']['by']): string => said('message-undone', { by, name: 'X' });
const denom = (field: string, more: object = {}): string =>
  said('denom-changed', { field, today: 'a', asked: 'b', supply: undefined, bonded: undefined, ...more });
const off = (field: string, denom?: string): string => said('sends-off', { field, denom });
const matches = (bytes: number, hosts: readonly string[]): string =>
  said('upgrade-binary', { platform: 'linux', outcome: { kind: 'matches', bytes, hosts } });
const form = (more: Partial<FindingDetails['json-form']>): string =>
  said('json-form', { hasMark: false, comments: 0, twice: [], ...more });

const sentences: readonly (readonly [sentence: string, wanted: RegExp])[] = [
  [many({ denoms: 1 }), /^Not checked: 1 denom\. /],
  [many({ denoms: 2000, plans: 1 }), /^Not checked: the name of 1 upgrade, 2,000 denoms\. .* 100 /],
  [many({ params: 1, legacy: 2 }), /^Not checked: the parameters of 1 module, 2 legacy parameters\. /],
  [many({ proposals: 1, accounts: 2, clients: 3 }), /^Not checked: 1 proposal, 2 accounts, 3 IBC clients\. /],
  [form({ hasMark: true }), /^Nodes reject files that start with a byte order mark\.$/],
  [form({ comments: 1 }), /^JSON does not allow comments\.$/],
  [form({ twice: ['a', 'b', 'c', 'd', 'e', 'f'] }), /^Duplicate names: a, b, c, d, e\. /],
  [incomplete(missing('a'), missing('b')), /^2 parameters .*: a \(\w+ 5\), b \(\w+ 5\)\. .* false or empty\.$/],
  [incomplete(missing('min_deposit_ratio'), missing('b')), /Without min_deposit_ratio, the chain/],
  [incomplete(missing('a', true), missing('b')), /not allowed for a\. .* executed after the vote\.$/],
  [said('vote-extensions', { fault: 'negative' }), /must not be negative\.$/],
  [said('vote-extensions', { fault: 'past', height: 5000n }), /The chain is at block 5,000\.$/],
  [said('vote-extensions', { fault: 'enabled', enabled: 5000n }), /enabled since block 5,000\./],
  [said('vote-extensions', { fault: 'early', earliest: 5000n }), /end at about block 5,000\.$/],
  [
    said('upgrade-open', { plans: [plan(undefined), plan(5000n)] }),
    /: proposal 7 \(v2\), proposal 7 \(v2 at block 5,000\)\./,
  ],
  [matches(1_000_000, ['a', 'b']), /\(1\.0 MB downloaded from a → b\)/],
  [matches(999_001, ['a']), /\(1000 kB downloaded from a\)/],
  [deposit({}), /needs 5,000 stake to accept a proposal\.$/],
  [deposit({ isAnyEnough: true }), /needs at least one of 5,000 stake to accept a proposal\.$/],
  [deposit({ isExpedited: true }), /needs 5,000 stake to accept an expedited proposal\.$/],
  [deposit({ isExpedited: true, isAnyEnough: true }), /at least one of 5,000 stake to accept an expedited proposal\.$/],
  [deposit({ isInMessage: true }), /Each deposit needs at least one of 5,000 stake\. .*after the vote\.$/],
  [said('value-jump', jump), /changes from 50 to 5, by a factor of 10\./],
  [said('value-jump', { ...jump, factor: 1000n, isExact: false }), /by a factor of more than 1,000\./],
  [said('period-cut', { field: 'a', seconds: 0.5, today: 60 }), /^a drops from 1 minute to 500 ms\./],
  [said('period-cut', { field: 'a', seconds: 3600, today: 1 }), /^a increases from 1 second to 1 hour\./],
  [undone('change'), /^An earlier change also sets X\./],
  [undone('setting'), /^An earlier message also sets X\./],
  [undone('same'), /^This repeats an earlier X\./],
  [undone('params'), /the parameters of X\./],
  [undone('plan'), /^This replaces the upgrade X/],
  [undone('cancellation'), /^This cancels the upgrade X/],
  [denom('min_deposit'), /^min_deposit is .* in a\b.* paid in b\.$/],
  [denom('constant_fee'), /to be paid in b\.$/],
  [denom('mint_denom'), /^mint_denom is currently a\. New coins would have a different denom\.$/],
  [denom('bond_denom', { bonded: 0n, supply: 0n }), /another denom\. 0 a are staked\. The supply of b is 0\.$/],
  [off('x', 'a'), /^This turns off transfers of a,/],
  [off('default_send_enabled'), /every denom that has no setting/],
  [off('send_enabled'), /out of this chain/],
  [off('receive_enabled'), /into this chain/],
  [off('host_enabled'), /^This turns off host_enabled,/],
];

describe('the sentence of a finding', () => {
  for (const [sentence, wanted] of sentences) it(`is: ${sentence}`, () => assert.match(sentence, wanted));
});

describe('a value in a sentence', () => {
  it('is a duration in words only if all of it is one', () => {
    const texts = ['1209600s', '"3600s"', 'x60s', '60s each', '1234567890123s', '0.5'];
    assert.deepEqual(
      texts.map((one) => todayText(one, plainEnglish)),
      ['14 days', '1 hour', 'x60s', '60 s each', '1,234,567,890,123 s', '0.5'],
    );
  });

  it('is a number without the zeros behind its decimals, grouped from five digits on', () => {
    const texts = ['0.500', '10.000', '100', '9999', '10000', '-10000', '1.5x', '5000stake', '5 stake', 'a5000stake'];
    assert.deepEqual(texts.map(numberText), [
      '0.5',
      '10',
      '100',
      '9999',
      '10,000',
      '-10000',
      '1.5x',
      '5,000 stake',
      '5 stake',
      'a5000stake',
    ]);
  });

  it('is on one line, and cut behind 80 characters', () => {
    assert.equal(shown('a\n\t b'), 'a b');
    const [whole, longer] = ['x'.repeat(80), 'x'.repeat(81)];
    assert.deepEqual([shown(whole), shown(longer), shown('abc', 2)], [whole, `${whole}…`, 'ab…']);
  });

  it('is a number of messages', () => {
    assert.deepEqual(
      [0, 1, 2].map((count) => uncheckedMessagesText(count, plainEnglish)),
      ['', '1 message not checked', '2 messages not checked'],
    );
  });
});
