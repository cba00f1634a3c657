import { strict as assert } from 'node:assert';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import { toProposalView } from '../../../src/page/proposalView.ts';
import { contentName } from '../../../src/words/proposalWords.ts';
import { factsOf } from './factsOf.ts';
import { plainWords } from './plainWords.ts';
import { sectionText } from './viewText.ts';

describe('parameters of an ended proposal', () => {
  const change = (subspace: string, key: string, value: string) => ({ subspace, key, value });
  const content = {
    '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
    title: 'T',
    description: 'D',
    changes: [change('staking', 'MaxValidators', '120'), change('staking', 'HistoricalEntries', '9')],
  };
  const currentParams = new Map([
    ['staking/MaxValidators', '180'],
    ['staking/HistoricalEntries', '9'],
  ]);
  const text = (status: string) =>
    sectionText(toProposalView(factsOf({ status, content }, { inputs: { currentParams } }), plainWords), 'proposed');

  it('are all there, with what is in effect today', () => {
    const shown = text('PROPOSAL_STATUS_PASSED');
    assert.match(shown, /120.*now 180/);
    assert.match(shown, /9.*no change/);
    assert.doesNotMatch(shown, /stays? as|180 → 120/);
  });

  it('are changes while the vote is open', () => {
    assert.match(text('PROPOSAL_STATUS_VOTING_PERIOD'), /180 → 120/);
  });
});

describe('what a proposal without messages is called', () => {
  it('is a text where gov v1 states none', () => {
    const row = toProposalRow(
      readProposalRow('v1', { id: '7', messages: [], status: 'PROPOSAL_STATUS_PASSED', title: 'T' }),
    );
    assert.ok(row.kind === 'proposal');
    assert.equal(contentName(row, plainWords), 'Text');
  });
});
