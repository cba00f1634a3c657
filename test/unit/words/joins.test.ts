import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingText } from '../../../src/draft/draftWords.ts';
import { error } from '../../../src/draft/finding.ts';
import { listText, plainEnglish, sentencesText, type Translate } from '../../../src/words/language.ts';

const root = join(import.meta.dirname, '../../..');
const bundle: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'l10n/bundle.l10n.zh-cn.json'), 'utf8'),
);
const chinese: Translate = (message, ...values) => plainEnglish(bundle[message] ?? message, ...values);

describe('a list of names', () => {
  it('has commas in English, and the comma of lists in Chinese', () => {
    assert.equal(listText(['uatom', 'stake'], plainEnglish), 'uatom, stake');
    assert.equal(listText(['uatom', 'stake'], chinese), 'uatom、stake');
  });

  it('leaves out what is not there', () => {
    assert.equal(listText(['uatom', false, undefined, ''], plainEnglish), 'uatom');
  });
});

describe('sentences', () => {
  it('have a space between them in English, and none after the full stop in Chinese', () => {
    assert.equal(sentencesText(['One.', 'Two.'], plainEnglish), 'One. Two.');
    assert.equal(sentencesText(['一。', '二。'], chinese), '一。二。');
  });

  it('of a finding are joined without a space in Chinese', () => {
    const finding = error('client-types', { start: 0, end: 1 }, { name: '07-tendermin', meant: '07-tendermint' });
    assert.match(findingText(finding, plainEnglish), /\. Did you mean/);
    assert.match(findingText(finding, chinese), /。您是否想输入/);
  });

  it('and lists are joined nowhere else in the words, pages, views and findings', () => {
    const files = globSync(['src/{words,page,ui}/**/*.ts', 'src/draft/**/*Words.ts'], { cwd: root });
    const joins = files.filter((file) => {
      const code = readFileSync(join(root, file), 'utf8');
      return file !== 'src/words/language.ts' && /\.join\('[,.] '\)|\} \$\{(?:vscode\.l10n\.)?t\('[A-Z]/.test(code);
    });
    assert.deepEqual(joins, []);
  });
});
