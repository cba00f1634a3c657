import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { needsOf } from '../../../src/draft/draftNeeds.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { stateFileOf } from '../../node/recording.ts';
import { applyEdits, change, codesOf, findingOf, legacyChange, ofMessages, repaired } from './exampleDrafts.ts';

const message = (subspace: string, key: string, value: string): string =>
  ofMessages(legacyChange(change(subspace, key, value)));
const file = (subspace: string, key: string, value: unknown): string =>
  JSON.stringify({
    title: 'T',
    description: 'D',
    changes: [change(subspace, key, value)],
    deposit: '10000000stake',
  });
const answering = (name: string, value: string): ChainFacts => ({
  ...nothingKnown,
  legacyParams: new Map([[name, value]]),
});

describe('the key of a legacy parameter', () => {
  for (const [subspace, key, meant] of [
    ['staking', 'MaxValidatorz', 'MaxValidators'],
    ['staking', 'UnbondingPeriod', undefined],
    ['mint', 'InflationMaxx', 'InflationMax'],
    ['mint', 'MaxInflation', 'InflationMax'],
    ['gov', 'votingparam', 'votingparams'],
  ] as const)
    it(`that is near to one of the subspace is named with it: ${subspace}/${key}`, () => {
      const text = message(subspace, key, '"5"');
      if (meant === undefined) return assert.ok(!codesOf(text, nothingKnown).includes('warning legacy-param-unknown'));
      const finding = findingOf(text, 'legacy-param-unknown', nothingKnown);
      assert.equal(finding.severity, 'warning');
      assert.match(findingText(finding, plainEnglish), new RegExp(`Did you mean "${meant}"\\?$`));
      const certain = findingOf(text, 'legacy-param-unknown', answering(`${subspace}/${key}`, ''));
      assert.equal(certain.severity, 'error');
    });

  it('that names a field inside a value is named with the key, and moved into its value', () => {
    const text = message('gov', 'VotingPeriod', '"172800000000000"');
    const finding = findingOf(text, 'legacy-param-unknown', nothingKnown);
    assert.match(
      findingText(finding, plainEnglish),
      /Set the field voting_period in the value of "votingparams" instead\.$/,
    );
    const [repair] = finding.repairs;
    const mended = applyEdits(text, repair?.edits ?? []);
    assert.ok(mended.includes(JSON.stringify('{"voting_period":"172800000000000"}')), mended);
    assert.ok(!codesOf(mended, nothingKnown).some((code) => code.includes('legacy')));
    const inFile = file('baseapp', 'MaxGas', '50000000');
    const edits = findingOf(inFile, 'legacy-param-unknown', nothingKnown).repairs[0]?.edits ?? [];
    const { changes } = JSON.parse(applyEdits(inFile, edits));
    assert.deepEqual(changes, [change('baseapp', 'BlockParams', { max_gas: '50000000' })]);
  });

  it('that differs in its case is named, though a state finds a value by it', () => {
    const text = message('staking', 'maxValidators', '5');
    const finding = findingOf(text, 'legacy-param-unknown', answering('staking/maxValidators', '7'));
    assert.match(findingText(finding, plainEnglish), /Did you mean "MaxValidators"\?$/);
  });

  it('is taken where the chain has it', () => {
    const text = message('staking', 'MaxValidatorz', '5');
    assert.ok(!codesOf(text, answering('staking/MaxValidatorz', '7')).some((code) => /legacy-param/.test(code)));
  });
});

describe('the value of a legacy parameter', () => {
  it('that is a number in place of a text is put into quotes by the repair', () => {
    const text = message('mint', 'InflationMax', '0.1');
    const mended = repaired(text, findingOf(text, 'legacy-value-type')).get('quote');
    assert.equal(mended, message('mint', 'InflationMax', '"0.1"'));
  });
});

describe('the subspace of a legacy parameter', () => {
  const codesAt = async (text: string): Promise<readonly string[]> => {
    const served = await serveFile({ file: stateFileOf('0.46.16') });
    await served.ready;
    const node = openNode({ baseUrl: parseBaseUrl(served.baseUrl) });
    try {
      const draft = readDraft(text);
      if (typeof draft !== 'object') throw new Error('This is no draft');
      const about = await createFactsReader(node)(needsOf(draft));
      return codesOf(text, about).filter((code) => code.includes('legacy'));
    } finally {
      await node.dispose();
      await served.dispose();
    }
  };

  it('that no module of a state has is a warning', async () => {
    assert.deepEqual(await codesAt(message('baker', 'OvenHeat', '"5"')), ['warning legacy-param-unknown']);
  });

  it('of the SDK that a state has does not have any other key', async () => {
    assert.deepEqual(await codesAt(message('mint', 'Bananas', '"5"')), ['warning legacy-param-unknown']);
    assert.deepEqual(await codesAt(message('transfer', 'Bananas', 'true')), []);
  });

  it('of the SDK or ibc-go may be missing in a state', async () => {
    assert.deepEqual(await codesAt(message('icahost', 'HostEnabled', 'true')), []);
    assert.deepEqual(await codesAt(message('staking', 'MaxValidators', '120')), []);
  });
});
