import assert from 'node:assert/strict';
import { parseTree } from 'jsonc-parser';
import { nothingKnown } from '../../../src/draft/chainFacts.ts';
import { checkDraft } from '../../../src/draft/checkDraft.ts';
import { draftKind, maxDraftLength } from '../../../src/draft/draftKind.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText, repairText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { slowness } from '../growth.ts';
import {
  codesOf,
  coins,
  draft,
  facts,
  findingOf,
  known,
  largeDrafts,
  ofMessages,
  repaired,
  reportOf,
  spend,
  update,
  upgrade,
} from './exampleDrafts.ts';

/** JSON of about 1 MB that is no draft, but looks like one here and there. */
function others(): Readonly<Record<string, string>> {
  const many = (make: (at: number) => object, count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => make(at)));
  const rows = (extra: object, count = 9000) =>
    many((at) => ({ id: String(at), title: 'A title', deposits: [], ...extra, text: 'x'.repeat(40) }), count);
  return {
    genesis: `{"genesis_time":"x","app_state":{"gov":{"deposit":{},"proposals":${rows({})}}}}`,
    transactions: `{"txs":${many((at) => ({ body: { messages: [{ '@type': '/cosmos.gov.v1.MsgDeposit', amount: at }] }, deposit: '5stake' }), 8000)}}`,
    list: rows({ deposit: '5stake', messages: [] }),
    packages: `{"name":"x","lockfileVersion":3,"packages":${rows({})}}`,
    chat: `{"messages":${rows({ role: 'user', content: 'hello' })},"model":"x"}`,
    strings: `{"a":"${'deposit '.repeat(60_000)}","b":"${'\\"deposit\\"'.repeat(50_000)}"}`,
  };
}

/** Milliseconds of processor time that one run takes, without what other processes take on a busy machine. */
function millisecondsOfOne(work: () => unknown, runs: number): number {
  const start = process.threadCpuUsage();
  for (let run = 0; run < runs; run++) work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000 / runs;
}

/**
 * The same of the fastest of a few rounds, since others on the machine take caches away, and beside it what it takes to
 * look at each character of a text once. They are measured in turn, so that both meet the same load.
 */
function besideLoop(text: string, work: () => unknown): { readonly took: number; readonly loop: number } {
  const look = () => countQuotes(text);
  for (let run = 0; run < 5; run++) [work(), look()];
  // Long enough for a clock with steps of 4 ms.
  const rounds = Array.from({ length: 8 }, () => [millisecondsOfOne(work, 20), millisecondsOfOne(look, 20)] as const);
  return { took: Math.min(...rounds.map(([took]) => took)), loop: Math.min(...rounds.map(([, loop]) => loop)) };
}

function countQuotes(text: string): number {
  let quotes = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 34) quotes++;
  return quotes;
}

describe('a draft', () => {
  it('is known by its content', () => {
    const kinds: readonly (readonly [string, string | undefined])[] = [
      ['{"messages":[],"deposit":""}', 'messages'],
      ['{"metadata":"x","deposit":"1a","title":"t","summary":"s"}', 'messages'],
      ['{"title":"t","description":"d","type":"Text","deposit":"1stake"}', 'legacyText'],
      ['{"title":"t","description":"d","changes":[],"deposit":"1stake"}', 'legacyParams'],
      ['{"title":"t","changes":[{"subspace":"s"}],"deposit":"1stake"}', 'legacyParams'],
      ['{"title":"t","changes":[{"param":"s"}],"deposit":"1stake"}', undefined],
      ['{"title":"t","description":"d","recipient":"a","amount":"1stake","deposit":""}', 'legacySpend'],
      [
        '{"title":"t","authors":[],"summary":"","details":"","proposal_forum_url":"","vote_option_context":""}',
        'metadata',
      ],
      ['\ufeff// a word\r\n{ /* deposit */ "deposit" : "", "messages": [] }', 'messages'],
      ['{"a":{"messages":[],"deposit":""}}', undefined],
      ['[{"messages":[],"deposit":""}]', undefined],
      ['{"text":"{\\"messages\\":[],\\"deposit\\":\\"\\"}"}', undefined],
      ['{"deposit":"5","account":"savings"}', undefined],
      ['"deposit"', undefined],
      ['', undefined],
    ];
    for (const [text, kind] of kinds) assert.equal(draftKind(text), kind, text);
    for (const [name, text] of Object.entries(others())) {
      assert.ok(text.length > 600_000, `${name}: ${text.length}`);
      assert.equal(draftKind(text), undefined, name);
    }
  });

  it('costs other JSON of 1 MB at most 1 ms', () => {
    for (const [name, text] of Object.entries(others())) {
      const { took, loop } = besideLoop(text, () => draftKind(text));
      // Only a list of messages at the top is walked over to its end.
      const limit = name === 'chat' ? 8 * loop : Math.max(1, loop);
      assert.ok(took <= limit, `${name}: ${took} ms of ${limit}`);
    }
  });

  // Where the parser takes 0.75 ms, this is 15 ms.
  it('of 100 kB is checked in at most 20 times what its parser takes', () => {
    for (const text of Object.values(largeDrafts())) {
      assert.ok(text.length > 90_000, `${text.length}`);
      // In turn, so that both meet the same load, and long enough for a clock with steps of milliseconds.
      const rounds = Array.from({ length: 8 }, () => ({
        parse: millisecondsOfOne(() => parseTree(text), 60),
        check: millisecondsOfOne(() => checkDraft(text, facts), 5),
      }));
      const [parse, check] = [Math.min(...rounds.map((one) => one.parse)), Math.min(...rounds.map((one) => one.check))];
      assert.ok(check <= 20 * parse * slowness, `${check} ms of ${20 * parse}`);
    }
  });

  it('beyond the limits is not read, and says so in one sentence', () => {
    const deep = `{"messages":${'['.repeat(201)}${']'.repeat(201)},"deposit":""}`;
    const large = draft({ summary: 'x'.repeat(maxDraftLength) });
    for (const text of [deep, large, `{"deposit":"","messages":[${'{"a":'.repeat(300_000)}`]) {
      const { took, loop } = besideLoop(text, () => checkDraft(text, facts));
      assert.deepEqual(codesOf(text), ['warning too-large']);
      const limit = Math.max(30, 12 * loop) * slowness;
      assert.ok(took < limit, `${took} ms of ${limit}`);
    }
  });

  it('is read with comments, CRLF, a mark of the byte order and keys that stand twice', () => {
    const plain = ofMessages({ ...update('staking', {}), params: { max_validators: 120 } });
    const found = findingOf(plain, 'params-incomplete');
    const windows = `\ufeff${plain.replaceAll('\n', '\r\n')}`;
    const there = findingOf(windows, 'params-incomplete');
    assert.equal(windows.slice(there.range.start, there.range.end), '"params"');
    const [mended = ''] = repaired(windows, there).values();
    assert.ok(!/[^\r]\n/.test(mended) && mended.startsWith('\ufeff'), mended);
    assert.deepEqual(codesOf(mended), ['error json-form']);
    const commented = plain.replace('"params"', '// note\n   "params"');
    assert.deepEqual(codesOf(commented), ['error json-form', 'error params-incomplete']);
    const twice = plain.replace('"title": "A title"', '"title": "", "title": "A title"');
    assert.deepEqual(codesOf(twice), [...codesOf(plain), 'warning json-form']);
    assert.equal(found.repairs.length, 1);
  });

  it('keeps its own layout in a repair', () => {
    const text =
      '{"messages":[{"@type":"/cosmos.bank.v1beta1.MsgUpdateParams","authority":"x","params":{"default_send_enabled":false}}],"metadata":"","deposit":"1stake","title":"t","summary":"s"}';
    const [mended = ''] = repaired(text, findingOf(text, 'authority-wrong')).values();
    assert.equal(mended, text.replace('"x"', `"${facts.govAccount}"`));
    const small = repaired(text, findingOf(text, 'deposit-small'));
    assert.equal(small.get('deposit-to-vote'), text.replace('1stake', '10000000stake'));
    assert.equal(small.get('deposit-to-submit'), text.replace('1stake', '2500000stake'));
  });

  it('gets new lines at the indentation of the object that they are in', () => {
    const text = ofMessages({ ...update('mint', {}), params: { mint_denom: 'stake' } });
    const mended = repaired(text, findingOf(text, 'params-incomplete')).get('params-from-chain') ?? '';
    assert.match(mended, /\n {4}"mint_denom": "stake",\n {4}"inflation_rate_change"/);
  });

  it('without a source is checked by its form, and says what is not', () => {
    const text = ofMessages(
      { ...update('staking', {}), params: { max_validators: 120 } },
      upgrade({}),
      spend(coins('5')),
    );
    assert.deepEqual(codesOf(text, nothingKnown), []);
    assert.deepEqual(reportOf(text, nothingKnown).unchecked, [
      'version',
      'gov',
      'authority',
      'params',
      'pool',
      'height',
      'plan',
      'validators',
      'proposals',
    ]);
    assert.deepEqual(reportOf(ofMessages(upgrade({ name: 'v1.5' })), known({ blockSeconds: undefined })).unchecked, [
      'blockTime',
    ]);
    assert.deepEqual(codesOf(draft({ title: '' }), nothingKnown), []);
  });

  it('that is half written is read as far as it goes', () => {
    const whole = ofMessages({ ...update('staking', {}), params: { max_validators: 120 } }, upgrade({ height: '1' }));
    for (let length = 0; length < whole.length; length += 7) {
      const part = whole.slice(0, length);
      const read = readDraft(part);
      if (typeof read === 'object')
        for (const { range } of checkDraft(part, facts)?.findings ?? []) assert.ok(range.end <= part.length + 1);
    }
  });

  it('puts no control, link or long text of the file into a sentence', () => {
    const hostile = `\u202e[a](command:x) https://evil.example ${'y'.repeat(5000)}\n`;
    const texts = [
      draft({ [hostile]: 1, deposit: `5${'z'.repeat(100)}` }),
      ofMessages({ ...upgrade({ name: hostile }), '@type': hostile }, { ...spend(coins('1', hostile)), [hostile]: 5 }),
      draft({ metadata: JSON.stringify({ title: hostile, summary: hostile }) }),
    ];
    for (const text of texts) {
      const { findings } = reportOf(text, known({ appliedPlans: new Map([[hostile, 5n]]) }));
      assert.ok(findings.length > 0);
      for (const found of findings) {
        const sentence = findingText(found, plainEnglish);
        assert.ok(sentence.length < 400, sentence);
        assert.ok(!/[\n\u202e]/.test(sentence), sentence);
        for (const one of found.repairs) assert.ok(!/[\n\u202e]/.test(repairText(one, plainEnglish)));
      }
    }
  });
});
