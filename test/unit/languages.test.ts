import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import {
  codeTexts,
  computedTexts,
  languages,
  manifestKeys,
  plainManifestTexts,
  pseudoText,
  textFaults,
} from '../../packaging/texts.ts';
import { plainWords } from '../ui/shownTexts.ts';

/** Nothing that a chain states. */
const nothing = { words: new Set<string>(), names: new Set<string>() };

const root = join(import.meta.dirname, '../..');

describe('the texts of the extension', () => {
  it('are found in the code and in the manifest', () => {
    assert.ok(codeTexts(root).length > 900, `${codeTexts(root).length}`);
    assert.ok(manifestKeys(root).length > 120, `${manifestKeys(root).length}`);
  });

  it('are written out where they are translated, but for the names of forks', () => {
    assert.deepEqual(
      computedTexts(root).map((place) => place.split(':')[0]),
      ['src/words/verdictWords.ts'],
    );
  });

  it('are translated whole, with the same placeholders and nothing left over (npm run l10n lists what is not)', () => {
    assert.deepEqual(textFaults(root), []);
  });

  it('stand in no place of package.json that no language reaches', () => {
    assert.deepEqual(plainManifestTexts(root), []);
  });

  it('are there in Simplified Chinese', () => {
    assert.deepEqual(languages(root), ['zh-cn']);
  });

  it('have no emphasis in Simplified Chinese that Markdown takes for asterisks', () => {
    const texts: Readonly<Record<string, { readonly message: string }>> = JSON.parse(
      readFileSync(join(root, 'package.nls.zh-cn.json'), 'utf8'),
    );
    const raw = Object.values(texts).filter(({ message }) => new MarkdownIt().render(message).includes('**'));
    assert.deepEqual(raw, []);
  });

  it('keep placeholders, targets of links, code and icons in the pseudo-language', () => {
    assert.equal(
      pseudoText('$(eye) Ends in {0}: [Add](command:a.b) `url`'),
      '‹$(eye) Éñðš îñ {0}: [Åðð](command:a.b) `url`›',
    );
  });

  it('stand out in the pseudo-language where they are put together from English', () => {
    const translated = pseudoText('Ends in {0}').replace('{0}', pseudoText('2 days'));
    assert.deepEqual(plainWords(`#7 ${translated}, MsgSend, max_validators, sample1abc…xyz`, nothing), []);
    assert.deepEqual(plainWords(pseudoText('Ends in {0}').replace('{0}', '2 days'), nothing), ['days']);
    assert.deepEqual(plainWords(`${pseudoText('Voting')} ended`, nothing), ['ended']);
  });
});
