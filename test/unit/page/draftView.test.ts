import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { checkDraft } from '../../../src/draft/checkDraft.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { toProposal } from '../../../src/draft/proposed/draftProposal.ts';
import { draftTabTitle, toDraftView } from '../../../src/page/draftView.ts';
import { coins, draft, facts, govParams, known, ofMessages, spend, update, upgrade } from '../draft/exampleDrafts.ts';
import { plainWords } from './plainWords.ts';
import { overviewText, sectionText, viewText } from './viewText.ts';

const votes = {
  votingPower: 240_000_000_000n,
  powerSource: 'staking' as const,
  sdkVersion: 'v0.53.8',
  params: govParams,
} as const;
const now = new Date('2026-11-22T12:00:00Z');

function shown(text: string, chain: ChainFacts = known({ votes })) {
  const read = readDraft(text);
  const report = checkDraft(text, chain);
  assert.ok(typeof read === 'object' && report);
  const unitOf = (denom: string) =>
    denom === 'stake' ? ({ symbol: 'STAKE', exponent: 6, source: 'chain' } as const) : undefined;
  const rest = { facts: chain, report, sourceName: 'Test', unitOf, clockRuns: true, now, readAt: now };
  const all = { ...toProposal(read, chain), ...rest };
  return { view: toDraftView(all, plainWords), title: draftTabTitle(all, plainWords) };
}

const incomplete = ofMessages({ ...update('staking', {}), params: { max_validators: 120 } });

describe('the preview of a draft', () => {
  it('says Draft in head, tab and colour, and when voting would end', () => {
    const { view, title } = shown(incomplete);
    assert.deepEqual([view.id, view.status, view.title], ['', { label: 'Draft', look: 'draft' }, 'A title']);
    assert.equal(title, `Draft: A title · ${facts.chainId}`);
    assert.equal(
      overviewText(view),
      'Voting would end 2026-12-06T12:00:00.000Z/2026-12-06T12:00:00.000Z\n(plain) If submitted now: voting starts immediately and lasts 14 days.',
    );
    assert.deepEqual(
      view.sections.map(({ id }) => id),
      ['pass', 'proposed', 'description', 'deposit'],
    );
  });

  it('says what the findings say, errors first, and how many more there are', () => {
    const [finding] = checkDraft(incomplete, known({ votes }))?.findings ?? [];
    assert.ok(finding);
    assert.deepEqual(shown(incomplete).view.notices, [{ tone: 'bad', text: findingText(finding, plainWords) }]);
    const many = ofMessages(
      ...Array.from({ length: 9 }, () => ({ ...update('staking', {}), params: { max_validators: 1 } })),
    );
    const { notices } = shown(many).view;
    assert.equal(notices[0]?.tone, 'bad');
    assert.equal(notices.length, 6);
    assert.match(notices[5]?.text ?? '', /^\d+ more problems in the draft$/);
  });

  it('marks what becomes zero because it is missing', () => {
    const text = sectionText(shown(incomplete).view, 'proposed');
    assert.match(text, /Max validators.*100 → 120/);
    assert.match(text, /Unbonding time.*21 days → becomes 0 \(/);
    assert.match(text, /Bond denom.*stake → becomes empty/);
    const nested = ofMessages(update('staking', {}));
    assert.doesNotMatch(sectionText(shown(nested).view, 'proposed'), /becomes/);
  });

  it('states quorum and threshold in tokens of today', () => {
    assert.match(
      sectionText(shown(incomplete).view, 'pass'),
      /Turnout.*at least 33\.40 % of bonded tokens.*80,160 STAKE/s,
    );
    const { votes: _, ...unknown } = facts;
    assert.match(sectionText(shown(incomplete, unknown).view, 'pass'), /quorum unknown/);
  });

  it('has the deposit against the minimum, and what the vote waits for', () => {
    const { view } = shown(draft({ deposit: '2500000stake' }));
    assert.match(overviewText(view), /voting starts after a further deposit of 7\.5 STAKE and lasts 14 days/);
    assert.match(sectionText(view, 'deposit'), /2\.5 of 10 STAKE, 7\.5 still needed/);
    const expedited = shown(draft({ deposit: '20000000stake', expedited: true })).view;
    assert.match(overviewText(expedited), /voting starts after a further deposit of 30 STAKE and lasts 1 day/);
  });

  it('does not wait for a deposit that its own finding says is refused', () => {
    const { view } = shown(draft({ deposit: '1stake' }));
    assert.match(overviewText(view), /the chain does not accept the deposit\. See the error in the draft\.$/m);
    assert.doesNotMatch(overviewText(view), /waits/);
  });

  it('has the expected time of an upgrade, and payments', () => {
    const chain = known({ votes, measuredBlocks: 1000 });
    const height = (facts.height ?? 0n) + 600n;
    const text = viewText(shown(ofMessages(upgrade({ height: String(height) }), spend(coins('1000000'))), chain).view);
    const expected = new Date((facts.time?.getTime() ?? 0) + 600 * 6000).toISOString();
    assert.ok(text.includes(expected), text);
    assert.match(text, /6\.00 s per block, measured over the last 1,000 blocks/);
    assert.match(text, /1 STAKE/);
  });

  it('is drawn of every form, without a chain too', () => {
    const legacy = {
      title: 'A',
      description: 'B',
      deposit: '5stake',
      changes: [{ subspace: 'mint', key: 'InflationMax', value: '0.3' }],
    };
    const { view } = shown(JSON.stringify(legacy));
    assert.match(sectionText(view, 'proposed'), /20 % → 30 %/);
    assert.equal(view.title, 'A');
    const alone = shown(incomplete, nothingKnown).view;
    assert.match(overviewText(alone), /gov parameters are not available/);
    assert.match(viewText(alone), /Max validators/);
    for (const text of ['{"messages":[],"deposit":""}', '{"messages":[null,{"@type":1},{"@type":"x"}],"deposit":1}'])
      assert.equal(shown(text).view.status?.label, 'Draft');
  });

  it('shows text of others as text', () => {
    const { view } = shown(draft({ title: 'a\u202eb', summary: '<b>x</b>', deposit: '5stake' }));
    assert.equal(view.title, 'a⟦U+202E⟧b');
    assert.match(sectionText(view, 'description'), /<b>x<\/b>/);
  });
});
