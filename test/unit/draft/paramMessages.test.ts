import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { needsOf } from '../../../src/draft/draftNeeds.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { stateFileOf } from '../../node/recording.ts';
import { applyEdits, codesOf, facts, findingOf, gov, known, ofMessages, reportOf } from './exampleDrafts.ts';

/** Parameters of a package: those of slashing, whatever its name. */
const slashing = (type: string): string =>
  ofMessages({ '@type': type, authority: gov, params: facts.moduleParams.get('cosmos.slashing.v1beta1') });

describe('the type of a message that sets parameters', () => {
  for (const [written, meant] of [
    ['/cosmos.slashing.v1.MsgUpdateParams', '/cosmos.slashing.v1beta1.MsgUpdateParams'],
    ['/cosmos.slashign.v1beta1.MsgUpdateParams', '/cosmos.slashing.v1beta1.MsgUpdateParams'],
    ['/ibc.applications.transfer.v2.MsgUpdateParams', '/ibc.applications.transfer.v1.MsgUpdateParams'],
  ] as const)
    it(`is named with the one that is meant: ${written}`, () => {
      const finding = findingOf(slashing(written), 'type-unknown');
      assert.equal(finding.severity, 'warning');
      assert.match(findingText(finding, plainEnglish), new RegExp(`Did you mean ${meant}\\?$`));
      const [repair] = finding.repairs;
      assert.ok(repair && applyEdits(slashing(written), repair.edits).includes(`"${meant}"`));
    });

  it('is one of the package whose version a state does not have, though it has the module', () => {
    const name = 'cosmos.slashing.v1';
    const moduleParams = new Map([[name, facts.moduleParams.get('cosmos.slashing.v1beta1') ?? {}]]);
    const text = slashing(`/${name}.MsgUpdateParams`);
    assert.ok(codesOf(text, known({ moduleParams, isState: true })).includes('warning type-unknown'));
    assert.deepEqual(codesOf(text, known({ moduleParams })), ['hint unchanged']);
  });

  it('may be that of a module of the app', () => {
    for (const name of ['elys.mint.v1', 'sample.slashing.v1beta1', 'cosmos.dex.v1'])
      assert.deepEqual(codesOf(slashing(`/${name}.MsgUpdateParams`)), []);
  });
});

describe('the fields of a message that sets parameters', () => {
  const distribution = facts.moduleParams.get('cosmos.distribution.v1beta1');
  const consensus = facts.moduleParams.get('cosmos.consensus.v1') ?? {};
  const message = (module: string, fields: object): string =>
    ofMessages({ '@type': `/${module}.MsgUpdateParams`, authority: gov, ...fields });

  it('are found where they are misspelt', () => {
    const text = message('cosmos.distribution.v1beta1', { Param: distribution });
    const finding = findingOf(text, 'field-unknown');
    assert.equal(text.slice(finding.range.start, finding.range.end), '"Param"');
    assert.match(
      findingText(finding, plainEnglish),
      /^Unknown field Param in MsgUpdateParams\. .*Did you mean params\?$/,
    );
    const [repair] = finding.repairs;
    assert.ok(repair && applyEdits(text, repair.edits).includes('"params":'));
  });

  it('are found where parameters stand beside the authority', () => {
    const { block, validator, evidence } = consensus;
    const text = message('cosmos.consensus.v1', { block, validator, evidance: evidence });
    assert.match(findingText(findingOf(text, 'field-unknown'), plainEnglish), /Did you mean evidence\?$/);
  });

  it('are found beside the parameters', () => {
    const text = message('cosmos.distribution.v1beta1', { params: distribution, memo: 'x' });
    assert.deepEqual(codesOf(text), ['hint unchanged', 'warning field-unknown']);
  });

  it('are those of the message, a signer under another name, and what a chain has today', () => {
    const { block, validator, evidence } = consensus;
    const set = { block, validator, evidence, synchrony: { precision: '1s' } };
    const moduleParams = new Map([['cosmos.consensus.v1', set]]);
    assert.deepEqual(codesOf(message('cosmos.consensus.v1', set), known({ moduleParams })), ['hint unchanged']);
    const text = message('cosmos.distribution.v1beta1', { params: distribution, authority: undefined, signer: gov });
    assert.equal(codesOf(text).filter((code) => code === 'warning field-unknown').length, 1);
  });

  it('may be in camel case, as protobuf writes them', () => {
    const text = message('cosmos.crisis.v1beta1', { constantFee: { denom: 'stake', amount: '5' } });
    assert.deepEqual(codesOf(text), []);
  });

  it('of a module of the app are not known', () => {
    assert.ok(!codesOf(message('elys.mint.v1', { params: {}, rate: '1' })).includes('warning field-unknown'));
  });
});

describe('the fee for checks of invariants, of which no node is asked', () => {
  it('is that of the state', async () => {
    const served = await serveFile({ file: stateFileOf('0.46.16') });
    await served.ready;
    const node = openNode({ baseUrl: parseBaseUrl(served.baseUrl) });
    try {
      const message = { '@type': '/cosmos.crisis.v1beta1.MsgUpdateParams', authority: gov };
      const text = ofMessages({ ...message, constant_fee: { denom: 'stake', amount: '100000' } });
      const draft = readDraft(text);
      if (typeof draft !== 'object') throw new Error('This is no draft');
      const { findings, uncheckedMessages } = reportOf(text, await createFactsReader(node)(needsOf(draft)));
      assert.equal(uncheckedMessages, 0);
      assert.deepEqual(
        findings.map(({ code }) => code).filter((code) => code === 'value-jump'),
        ['value-jump'],
      );
    } finally {
      await node.dispose();
      await served.dispose();
    }
  });
});
