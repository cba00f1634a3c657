import assert from 'node:assert/strict';
import { nothingKnown } from '../../../src/draft/chainFacts.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { change, codesOf, draft, facts, findingOf, known, legacyChange, update } from './exampleDrafts.ts';

// Today: a community tax of 2 %, a quorum of 33.4 %, 21 days of unbonding.
const staking = { ...facts.moduleParams.get('cosmos.staking.v1beta1'), unbonding_time: '1814400s' };
const gov = { ...facts.moduleParams.get('cosmos.gov.v1'), quorum: '0.334000000000000000', voting_period: '1209600s' };
const tax = { ...facts.moduleParams.get('cosmos.distribution.v1beta1'), community_tax: '0.020000000000000000' };
const about = known({
  moduleParams: new Map([
    ...facts.moduleParams,
    ['cosmos.staking.v1beta1', staking],
    ['cosmos.gov.v1', gov],
    ['cosmos.distribution.v1beta1', tax],
  ]),
  legacyParams: new Map([
    ['distribution/communitytax', '"0.020000000000000000"'],
    ['staking/UnbondingTime', '"1814400000000000"'],
  ]),
  sdkVersion: 'v0.46.16',
});

const text = (summary: string, message: object, title = 'A change'): string =>
  draft({ messages: [message], metadata: '', title, summary });
const taxed = (summary: string, title?: string): string =>
  text(summary, update('distribution', { ...tax, community_tax: '0.05' }), title);
const unbonds = (summary: string): string =>
  text(summary, update('staking', { ...staking, unbonding_time: '1209600s' }));
const differs = (one: string, known = about): boolean => codesOf(one, known).includes('warning text-differs');

const differing: readonly (readonly [text: string, at: string, says: string])[] = [
  [
    taxed('Raises the community tax to 10 %.'),
    '"0.05"',
    'The summary says 10 %, but the draft sets community_tax to 5 %.',
  ],
  [taxed('Why.', 'Community tax to 50%'), '"0.05"', 'The title says 50%, but the draft sets community_tax to 5 %.'],
  [
    taxed('The tax goes from 2% to 7.5 percent.'),
    '"0.05"',
    'The summary says 7.5 percent, but the draft sets community_tax to 5 %.',
  ],
  [
    unbonds('Shortens unbonding to 7 days.'),
    '"1209600s"',
    'The summary says 7 days, but the draft sets unbonding_time to 14 days.',
  ],
  [
    unbonds('Unbonding takes 21 days. A 10-day unbonding time is enough.'),
    '"1209600s"',
    'The summary says 10-day, but the draft sets unbonding_time to 14 days.',
  ],
  [
    text('A quorum of 10 %.', update('cosmos.gov.v1', { ...gov, quorum: '0.25', threshold: '0.6' })),
    '"0.25"',
    'The summary says 10 %, but the draft sets quorum to 25 %.',
  ],
  [
    unbonds('Shortens unbonding to ten days.'),
    '"1209600s"',
    'The summary says ten days, but the draft sets unbonding_time to 14 days.',
  ],
  [
    text('Community tax: 10%', legacyChange(change('distribution', 'communitytax', '"0.05"'))),
    '"\\"0.05\\""',
    'The summary says 10%, but the draft sets communitytax to 5 %.',
  ],
];

const agreeing: readonly (readonly [name: string, text: string])[] = [
  ['the new value', taxed('Raises the community tax from 2 % to 5 %.')],
  ['the new value in other digits', taxed('Community tax 5.00%')],
  ['a text without numbers', taxed('Raises the community tax.')],
  ['the value of today alone', taxed('The community tax of 2 % is too low.')],
  ['a number of something else', taxed('Turnout was 61 %. Raises the community tax.')],
  ['several other numbers', taxed('A community tax of 10 % or 20 % was discussed.')],
  ['a relative change', taxed('Raises the community tax by 150 %.')],
  ['percentage points', taxed('Raises the community tax, 3 percentage points more.')],
  ['the new period', unbonds('Shortens unbonding from 21 days to two weeks, 14 days.')],
  ['the new period in another unit', unbonds('An unbonding time of 2 weeks, or 336 hours.')],
  ['the new period in words', unbonds('Shortens unbonding from twenty-one days to fourteen days.')],
  [
    'a period without a unit',
    text('Unbonding in 7 days.', update('staking', { ...staking, unbonding_time: '604800' })),
  ],
  ['a period of something else', unbonds('Unbonding gets shorter. Discussed for 5 days.')],
  [
    'one of two shares that change',
    text('A share of 10 %.', update('cosmos.gov.v1', { ...gov, quorum: '0.25', threshold: '0.6' })),
  ],
];

/** A draft that sets the quorum to 4 %, the veto threshold to 35 %, and voting to 70 days. */
const governs = (summary: string, title?: string): string =>
  text(
    summary,
    update('cosmos.gov.v1', {
      ...gov,
      quorum: '0.04',
      veto_threshold: '0.35',
      voting_period: '6048000s',
      max_deposit_period: '604800s',
    }),
    title,
  );

describe('title and summary beside several parameters that a draft changes', () => {
  for (const [one, at, says] of [
    [
      governs('Why.', 'Keep a quorum of 40 %, raise the veto to 35 %'),
      '"0.04"',
      'The title says 40 %, but the draft sets quorum to 4 %.',
    ],
    [
      governs('The deposit comes together within seven days; voting lasts seven days, with a quorum of 4 %.'),
      '"6048000s"',
      'The summary says seven days, but the draft sets voting_period to 70 days.',
    ],
    [
      governs('A veto threshold of 30 % and a quorum of 4 %.'),
      '"0.35"',
      /30 %, but the draft sets veto_threshold to 35/,
    ],
  ] as const)
    it(`name another value beside its name: ${says}`, () => {
      const finding = findingOf(one, 'text-differs', about);
      assert.equal(one.slice(finding.range.start, finding.range.end), at);
      const said = findingText(finding, plainEnglish);
      if (typeof says === 'string') assert.equal(said, says);
      else assert.match(said, says);
    });

  for (const [name, one] of [
    ['the new values', governs('A quorum of 4 %, a veto threshold of 35 %, and voting for 70 days.')],
    ['the values of today', governs('The quorum of 33.4 % is too high, and voting of 14 days too short.')],
    ['the new value elsewhere', governs('A quorum of 10 % was discussed. It becomes a quorum of 4 %.')],
    ['several values', governs('A quorum of 10 % to 20 % was discussed.')],
    ['a parameter with a longer name', governs('Expedited voting lasts two days, with a threshold of 66 %.')],
    ['a value far from the name', governs('Voting gets longer, since in the last year it was extended by 9 days.')],
    ['a relative change', governs('The quorum falls by 88 %.')],
  ] as const)
    it(`are no finding: ${name}`, () => {
      assert.ok(!differs(one));
    });
});

describe('title and summary beside the parameter that a draft changes', () => {
  for (const [one, at, says] of differing)
    it(`name another value: ${says}`, () => {
      const finding = findingOf(one, 'text-differs', about);
      assert.equal(finding.severity, 'warning');
      assert.equal(one.slice(finding.range.start, finding.range.end), at);
      assert.equal(findingText(finding, plainEnglish), says);
    });

  for (const [name, one] of agreeing)
    it(`are no finding: ${name}`, () => {
      assert.ok(!differs(one));
    });

  it('are not compared where today’s value is not known', () => {
    assert.ok(!differs(taxed('Raises the community tax to 10 %.'), nothingKnown));
  });
});
