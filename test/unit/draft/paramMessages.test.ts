import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { applyEdits, codesOf, facts, findingOf, gov, known, ofMessages } from './exampleDrafts.ts';

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
