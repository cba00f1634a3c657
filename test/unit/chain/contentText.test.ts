import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { phishingSigns } from '../../../src/chain/phishing.ts';
import {
  escapeControls,
  shorten,
  showControls,
  shownLine,
  shownText,
  tidyDescription,
} from '../../../src/chain/text.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { overReading } from '../growth.ts';

describe('showControls', () => {
  it('marks what turns or hides text', () => {
    assert.equal(showControls('abc\u202egpj.exe'), 'abc⟦U+202E⟧gpj.exe');
    assert.equal(showControls('u\u200batom'), 'u⟦U+200B⟧atom');
    assert.equal(
      showControls('\u2066x\u2069\u061c\ufeff\xad\0\x1b\x85'),
      '⟦U+2066⟧x⟦U+2069⟧⟦U+061C⟧⟦U+FEFF⟧⟦U+00AD⟧⟦U+0000⟧⟦U+001B⟧⟦U+0085⟧',
    );
    assert.equal(showControls('a\u{e0041}b\u3164'), 'a⟦U+E0041⟧b⟦U+3164⟧');
    assert.equal(showControls('p\u200day \u2028now'), 'p⟦U+200D⟧ay ⟦U+2028⟧now');
  });

  it('marks every bidi control there is', () => {
    const controls = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
    for (const code of controls) {
      const text = `a${String.fromCodePoint(code)}b`;
      assert.equal(showControls(text), `a⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧b`);
    }
  });

  it('leaves plain text, line ends, emoji and joined scripts as they are', () => {
    for (const text of ['', 'plain\ttext\r\n', 'ünïcödé — “quotes”', '👩‍👩‍👧‍👦 ❤️ 1️⃣ 👍🏽', 'नमस्ते क्‍ष', '日本語']) {
      assert.equal(showControls(text), text);
    }
  });

  it('isolates text that runs from right to left', () => {
    assert.equal(showControls('שלום'), '\u2068שלום\u2069');
    assert.equal(showControls('مرحبا\u202eabc'), '\u2068مرحبا⟦U+202E⟧abc\u2069');
    assert.equal(showControls('می‌خواهم'), '\u2068می‌خواهم\u2069');
  });

  it('takes 200,000 characters in its stride', () => {
    const text = 'a\u202e'.repeat(100_000);
    assert.equal(showControls(text).length, 900_000);
    const times = overReading(() => showControls(text));
    assert.ok(times < 3, `took ${times.toFixed(1)} times as long as to look at a mebibyte`);
  });
});

describe('tidyDescription', () => {
  it('makes line ends of escapes where the text has them instead of line ends', () => {
    assert.equal(tidyDescription('# A\\n\\nB \\"c\\"\\tD'), '# A\n\nB "c"\tD');
    assert.equal(tidyDescription('a\\r\\nb\\\\c'), 'a\nb\\c');
  });

  it('leaves escapes alone where line ends are real', () => {
    assert.equal(tidyDescription('a\r\nb\rc\nprintf("\\n")'), 'a\nb\nc\nprintf("\\n")');
    assert.equal(tidyDescription('as\\nmany\nof both'), 'as\\nmany\nof both');
    assert.equal(tidyDescription('one line'), 'one line');
    assert.equal(tidyDescription(''), '');
  });
});

describe('a line for a terminal', () => {
  it('marks line ends and tabs too, and changes nothing the second time', () => {
    for (const [text, shown] of [
      ['a\tb\r\nc', 'a⟦U+0009⟧b⟦U+000D⟧⟦U+000A⟧c'],
      ['a\u202eb', 'a⟦U+202E⟧b'],
      ['שלום', '\u2068שלום\u2069'],
      ['a b', 'a b'],
    ] as const) {
      assert.equal(shownLine(text), shown);
      assert.equal(shownLine(shown), shown);
    }
  });
});

describe('the escapes of JSON', () => {
  it('take the place of what hides or turns text, and leave the value', () => {
    const value = { 'a\u202e': 'b\u200b \u{e0041} \u0085 é\t\n' };
    const json = escapeControls(JSON.stringify(value));
    assert.equal(json, '{"a\\u202e":"b\\u200b \\udb40\\udc41 \\u0085 é\\t\\n"}');
    assert.deepEqual(JSON.parse(json), value);
  });

  it('are not needed for text without controls', () => {
    for (const json of ['{"a": 1}\n', '{"a":"é"}']) assert.equal(escapeControls(json), json);
  });
});

describe('text for a sentence', () => {
  it('has its controls marked, its lines kept and no direction marks', () => {
    assert.equal(shownText('a\u202e\nb', 99), 'a⟦U+202E⟧\nb');
    assert.equal(shownText('שלום', 99), 'שלום');
    assert.equal(shownText('a\u2068ש\u2069b', 99), 'a⟦U+2068⟧ש⟦U+2069⟧b');
  });

  it('is cut before and after its controls are marked', () => {
    assert.equal(shownText('abcdef', 3), 'abc…');
    assert.equal(shownText('\u202e\u202e\u202e', 10), '⟦U+202E⟧⟦U…');
  });

  it('is never cut inside a character', () => {
    assert.equal(shorten('ab🌉c', 3), 'ab…');
    assert.equal(shorten('ab🌉c', 4), 'ab🌉…');
    assert.equal(shorten('ab🌉', 4), 'ab🌉');
    assert.equal(shorten('a'.repeat(201)), `${'a'.repeat(200)}…`);
  });
});

describe('phishingSigns', () => {
  it('finds bait, a call and a link', () => {
    assert.deepEqual(phishingSigns('Cosmos AIRDROP! Claim your rewards at https://atom-drop.example.net now'), {
      words: ['airdrop', 'claim'],
      hosts: ['atom-drop.example.net'],
    });
    assert.ok(phishingSigns('Free tokens for stakers. Connect your wallet on some.site.'));
  });

  it('finds a host that is bait itself', () => {
    assert.deepEqual(phishingSigns('Read more: claim-atom.example.com')?.hosts, ['claim-atom.example.com']);
  });

  it('sees through hidden dots, look-alike letters and invisible characters', () => {
    assert.deepEqual(phishingSigns('ai\u200brdr\u043ep: v\u0456sit evil[.]example[.]com')?.hosts, ['evil.example.com']);
    assert.ok(phishingSigns('ＡＩＲＤＲＯＰ eligible, evil (dot) com'));
    assert.ok(phishingSigns('Giveaway, hurry: evil . com'));
  });

  it('needs all three, or a host that is bait', () => {
    const [bait, call, link] = ['Airdrop for you.', 'Hurry!', 'https://some.example'];
    for (const text of [`${bait} ${call}`, `${bait} ${link}`, `${call} ${link}`])
      assert.equal(phishingSigns(text), undefined, text);
    assert.deepEqual(phishingSigns(`${bait} ${call} ${link}`), {
      words: ['airdrop', 'hurry'],
      hosts: ['some.example'],
    });
    assert.deepEqual(phishingSigns('Bonus coins, visit reward.example.com'), {
      words: ['bonus coins', 'visit'],
      hosts: ['reward.example.com'],
    });
  });

  it('reads hosts of both schemes and of their disguised forms, without a point at the end', () => {
    const hostsOf = (text: string) => phishingSigns(`Airdrop, hurry: ${text}`)?.hosts;
    for (const link of ['http://a.example', 'HXXPS://a.example', 'hxxp://a.example/x', 'https://a.example...'])
      assert.deepEqual(hostsOf(link), ['a.example'], link);
    assert.deepEqual(hostsOf('evil .com'), ['evil.com']);
    assert.equal(hostsOf('see a.example'), undefined);
    assert.equal(hostsOf('the end.Com is a word'), undefined);
  });

  it('names at most ten hosts, of the first 200,000 characters', () => {
    const links = Array.from({ length: 12 }, (_, at) => `https://h${at}.example`).join(' ');
    assert.equal(phishingSigns(`Airdrop, hurry: ${links}`)?.hosts.length, 10);
    const [bait, filling] = ['Airdrop, hurry: https://a.example', ' '.repeat(200_000)];
    assert.ok(phishingSigns(bait + filling));
    assert.equal(phishingSigns(filling + bait), undefined);
    // One character that stands for eighteen.
    assert.equal(phishingSigns('\ufdfa'.repeat(20_000) + bait), undefined);
  });

  it('is silent about ordinary proposals', () => {
    const texts = [
      'Raise MaxValidators to 200. Discussion: https://forum.cosmos.network/t/1234',
      'Airdrop module: set the claim period to 90 days, see https://github.com/org/repo/blob/main/README.md',
      'Adjust the reward rate. See params.json and v1.2.3',
      'Airdrop parameters: claim.claim_denom, airdrop.enabled. Raise the limit.Claim later, no hurry.',
      'Validators that are eligible claim their rewards: https://forum.cosmos.network/t/1, https://docs.example.org',
      'Upgrade to v9.0.0. Binaries at https://example.org/gaiad',
      '',
    ];
    for (const text of texts) assert.equal(phishingSigns(text), undefined, text);
  });

  it('finds the two in a recorded page of 40 proposals, and nothing else', function () {
    const data = chainData();
    if (!data) return this.skip();
    const page = z.object({ proposals: z.array(z.object({ id: z.string(), title: z.string(), summary: z.string() })) });
    const { proposals } = page.parse(JSON.parse(data.text('responses/quokka_proposals_v1_page3.json')));
    const marked = proposals.filter(({ title, summary }) => phishingSigns(`${title}\n${summary}`));
    assert.deepEqual(
      marked.map(({ id }) => id),
      ['919', '932'],
    );
  });

  it('takes a long text in its stride', () => {
    for (const text of ['a.'.repeat(100_000), 'a'.repeat(200_000), 'a-'.repeat(100_000)]) {
      const times = overReading(() => phishingSigns(text));
      assert.ok(times < 3, `took ${times.toFixed(1)} times as long as to look at a mebibyte`);
    }
  });
});
