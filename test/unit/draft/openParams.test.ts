import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { change, codesOf, facts, findingOf, gov, known, legacyChange, ofMessages } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

const staking = 'cosmos.staking.v1beta1';
const updateOf = (params: object) => ({ '@type': `/${staking}.MsgUpdateParams`, authority: gov, params });
const today = { ...facts.moduleParams.get(staking) };
const setting = (params: object): string => ofMessages(updateOf({ ...today, ...params }));
const openly = (name: string, json: string) => known({ openParams: [{ id: 724n, name, json }] });
const open = openly(`${staking}/max_validators`, '120');

describe('a parameter that an open proposal sets', () => {
  it('would be set back by a draft that leaves it as it is today', () => {
    const text = setting({ unbonding_time: '1728000s' });
    const finding = findingOf(text, 'params-open', open);
    assert.equal(finding.severity, 'warning');
    assert.equal(text.slice(finding.range.start, finding.range.end), `${today.max_validators}`);
    assert.equal(
      findingText(finding, plainEnglish),
      `Open proposal 724 sets max_validators to 120. If it is executed first, this draft sets it back to ${today.max_validators}.`,
    );
  });

  it('is a hint where the draft sets a third value, and nothing where both set the same', () => {
    const finding = findingOf(setting({ max_validators: 110 }), 'params-open', open);
    assert.equal(finding.severity, 'hint');
    assert.match(findingText(finding, plainEnglish), /to 120\. The proposal that is executed last takes effect\.$/);
    assert.ok(!codesOf(setting({ max_validators: 120 }), open).some((code) => code.endsWith('params-open')));
  });

  it('is nothing to speak of where the open proposal leaves it, in whatever notation', () => {
    const text = setting({ max_validators: 110 });
    for (const [name, json] of [
      [`${staking}/max_validators`, `"${today.max_validators}"`],
      [`${staking}/unbonding_time`, '"1814400s"'],
      ['cosmos.mint.v1beta1/max_validators', '120'],
    ] as const)
      assert.ok(!codesOf(text, openly(name, json)).some((code) => code.endsWith('params-open')), `${name} ${json}`);
  });

  it('is a legacy parameter, too, and a field inside of one', () => {
    const legacy = (json: string, asked: string) => {
      const text = ofMessages(legacyChange(change('baseapp', 'BlockParams', asked)));
      return findingText(findingOf(text, 'params-open', openly('baseapp/BlockParams', json)), plainEnglish);
    };
    assert.equal(
      legacy('{"max_bytes":"22020096","max_gas":"50000000"}', '{"max_bytes":"1048576","max_gas":"-1"}'),
      'Open proposal 724 sets BlockParams.max_gas to 50,000,000. If it is executed first, this draft sets it back to -1.',
    );
  });

  it('is asked for where a draft sets parameters', async () => {
    const legacy = legacyChange(change('mint', 'InflationMax', '"0.1"'));
    const chain = await startSeedChain((url) => {
      if (url.pathname !== '/cosmos/gov/v1/proposals') return seedChainAnswer(url);
      const isVoting = url.searchParams.get('proposal_status') === '2';
      const messages = [updateOf({ max_validators: 120 }), legacy];
      const proposals = isVoting ? [{ id: '724', status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages }] : [];
      return { status: 200, body: JSON.stringify({ proposals }) };
    });
    try {
      const { openParams } = await chain.factsFor(setting({ max_validators: 110 }));
      assert.deepEqual(openParams, [
        { id: 724n, name: `${staking}/max_validators`, json: '120' },
        { id: 724n, name: 'mint/InflationMax', json: '"0.1"' },
      ]);
      assert.equal((await chain.factsFor(ofMessages())).openParams, undefined);
    } finally {
      await chain.stop();
    }
  });
});
