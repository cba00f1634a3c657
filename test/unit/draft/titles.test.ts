import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { checkDraft } from '../../../src/draft/checkDraft.ts';
import {
  codesOf,
  coins,
  draft,
  facts,
  findingOf,
  govParams,
  known,
  repaired,
  reportOf,
  spend,
} from './exampleDrafts.ts';

const { minDeposit } = govParams;
const old: ChainFacts = known({ govParams: { minDeposit }, sdkVersion: 'v0.46.16' });
const unknown: ChainFacts = { ...nothingKnown, govParams: { minDeposit } };
const metadata = (fields: object): string => JSON.stringify({ title: 'A title', summary: 'A summary', ...fields });
const file = (fields: object): string =>
  JSON.stringify({ title: 'T', description: 'D', type: 'Text', deposit: '10000000stake', ...fields });
/** A draft of a message, so that it needs no metadata. */
const withMessage = (fields: object): string => draft({ messages: [spend(coins('5'))], metadata: '', ...fields });
const metadataFile = (fields: object): string => JSON.stringify({ title: '', vote_option_context: '', ...fields });
const x = (length: number): string => 'x'.repeat(length);

/** SDK 0.46 has neither title nor summary. */
const untitled = ['warning field-unknown', 'warning field-unknown'];

const rows: readonly (readonly [name: string, text: string, codes: readonly string[], about?: ChainFacts])[] = [
  ['metadata of 255 bytes', draft({ metadata: x(255) }), []],
  ['metadata of 256 bytes', draft({ metadata: x(256) }), ['warning text-long']],
  ['a title of 255 bytes', withMessage({ title: x(255) }), []],
  ['a title of 256 bytes', withMessage({ title: x(256) }), ['warning text-long']],
  ['a title of 256 bytes on an old chain', withMessage({ title: x(256) }), untitled, old],
  ['a summary of 10,200 bytes', withMessage({ summary: x(10_200) }), []],
  ['a summary of 10,201 bytes', withMessage({ summary: x(10_201) }), ['warning text-long']],
  ['a legacy title of 140 bytes', file({ title: x(140) }), []],
  ['a legacy title of 141 bytes', file({ title: x(141) }), ['warning text-long']],
  ['a description of 10,000 bytes', file({ description: x(10_000) }), []],
  ['a description of 10,001 bytes', file({ description: x(10_001) }), ['warning text-long']],
  ['a long title in a file of metadata', metadataFile({ title: x(500) }), []],
  ['another title in metadata', draft({ metadata: metadata({ title: 'B' }) }), ['error metadata-contradicts']],
  ['another title in metadata of an old chain', draft({ metadata: metadata({ title: 'B' }) }), untitled, old],
  [
    'another title in metadata',
    draft({ metadata: metadata({ title: 'B' }) }),
    ['warning metadata-contradicts'],
    unknown,
  ],
  ['another title in other letters', draft({ metadata: metadata({ title: undefined, TITLE: 'A title' }) }), []],
  ['null in metadata', draft({ metadata: metadata({ details: null, authors: null }) }), []],
  ['null for the title', draft({ metadata: metadata({ title: null }) }), ['error metadata-contradicts']],
  ['details that are no text', draft({ metadata: metadata({ title: 'B', details: 5 }) }), []],
  ['authors that are no texts', draft({ metadata: metadata({ title: 'B', authors: ['a', 5] }) }), []],
  ['authors', draft({ metadata: metadata({ title: 'B', authors: ['a'] }) }), ['error metadata-contradicts']],
  ['a title that is no text', draft({ title: 5 }), ['error field-type']],
  ['no title, but one in metadata', draft({ title: '' }), ['error title-missing']],
  ['a placeholder in a legacy proposal', file({ metadata: 'ipfs://CID' }), ['warning field-unknown']],
  ['a backslash before another letter', withMessage({ summary: '\\d' }), []],
  ['a title without a version', withMessage({ title: undefined }), [], unknown],
];

describe('the texts of a draft', () => {
  for (const [name, text, codes, about = facts] of rows)
    it(`have ${codes.join() || 'no findings'}: ${name}`, () => assert.deepEqual(codesOf(text, about), codes));

  it('lose what was escaped twice', () => {
    for (const [written, plain] of [
      ['a\\nb', 'a\nb'],
      ['a\\r\\nb\\rc', 'a\nb\nc'],
      ['a\\tb', 'a\tb'],
      ['a\\"b\\n', 'a"b\n'],
      ['a\\\\b\\n', 'a\\b\n'],
    ] as const) {
      const text = withMessage({ summary: written });
      const mended = repaired(text, findingOf(text, 'escaped-twice')).get('unescape') ?? '{}';
      assert.equal(JSON.parse(mended).summary, plain);
    }
  });
});

describe('the placeholder of metadata', () => {
  const mended = (fields: object): readonly (readonly [string, unknown])[] => {
    const text = draft({ metadata: 'ipfs://CID', ...fields });
    return [...repaired(text, findingOf(text, 'metadata-placeholder'))].map(([code, one]) => [
      code,
      JSON.parse(one).metadata,
    ]);
  };
  const written = (title: string) => JSON.stringify({ title, summary: 'A summary' });
  const most = 255 - written('').length;

  it('is removed where there are messages', () => {
    assert.deepEqual(mended({ messages: [spend(coins('5'))] }), [['metadata-remove', '']]);
  });

  it('becomes title and summary where there are none, if they are written and fit', () => {
    for (const fields of [{}, { messages: undefined }, { messages: 5 }])
      assert.deepEqual(mended(fields), [['metadata-inline', written('A title')]]);
    assert.deepEqual(mended({ title: x(most) }), [['metadata-inline', written(x(most))]]);
    for (const fields of [{ title: x(most + 1) }, { title: '' }, { summary: '' }, { summary: undefined }])
      assert.deepEqual(mended(fields), []);
  });
});

describe('metadata that differ from the draft', () => {
  it('are replaced by its text, or replace it', () => {
    const text = draft({ metadata: metadata({ title: 'B', authors: ['a'] }) });
    const finding = findingOf(text, 'metadata-contradicts');
    assert.deepEqual(finding.details, { field: 'title', inMetadata: 'B' });
    const mended = repaired(text, finding);
    assert.equal(JSON.parse(mended.get('text-from-metadata') ?? '{}').title, 'B');
    const stated = JSON.parse(JSON.parse(mended.get('metadata-from-text') ?? '{}').metadata);
    assert.deepEqual(stated, { title: 'A title', summary: 'A summary', authors: ['a'] });
  });

  it('give a title that is missing, if they have one', () => {
    const repairs = (own: string) => reportOf(draft({ title: '', metadata: own })).findings.map((one) => one.repairs);
    assert.deepEqual(
      repairs(metadata({}))
        .flat()
        .map(({ code }) => code),
      ['text-from-metadata'],
    );
    assert.deepEqual(repairs('ipfs://x').flat(), []);
  });

  it('are those of a file only beside a draft of messages', () => {
    const beside = '{"title":"B"}';
    const codes = (text: string, other = beside) => checkDraft(text, facts, other)?.findings.map(({ code }) => code);
    assert.deepEqual(codes(file({})), []);
    assert.deepEqual(codes(withMessage({})), ['metadata-file']);
    assert.deepEqual(codes(withMessage({}), `\ufeff${beside}`), ['metadata-file']);
    assert.deepEqual(codes(withMessage({ title: 'B\ufeff' }), '{"title":"B\ufeff"}'), []);
  });
});
