import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { encode } from 'gpt-tokenizer';
import { estimateTokens } from '../../../src/tools/answers/answer.ts';
import { isToolError } from '../../../src/tools/question/toolError.ts';
import { tools } from '../../../src/tools/toolTable.ts';
import { startFolder } from '../../support/folders.ts';
import { runs } from '../../support/random.ts';
import { serve } from '../../support/servers.ts';
import { alphabetNames, mark, writeHostileState, writeTextState } from './hostileState.ts';
import { startToolHost } from './toolHost.ts';

/** The longest answers there are. */
const largest: readonly (readonly [tool: string, input: object])[] = [
  ['list_proposals', { limit: 200 }],
  ['get_supply', { limit: 200 }],
  ['list_validators', { limit: 200 }],
  ['list_proposals', { sort: 'turnout', limit: 200 }],
  ['list_proposals', { sort: 'ends', limit: 200 }],
  ['get_supply', { denom: 'usample' }],
  ['get_params', {}],
  ['list_sources', {}],
  ['get_proposal', { id: 197 }],
  ['get_proposal', { id: 200 }],
];

/** Every text in an answer with the names that lead to it. */
function* textsIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [path: readonly string[], text: string]> {
  if (typeof value === 'string') yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [path, name];
    yield* textsIn(inner, [...path, name]);
  }
}

describe('an answer', () => {
  const folder = startFolder('tools');
  after(() => folder.dispose());

  it('stays below 24,000 characters and 10,000 tokens, in whatever a chain is written', async () => {
    let [most, worst] = [0, 0];
    const names = alphabetNames.filter((_, at) => at % runs(5, 1) === 0);
    for (const name of names) {
      const { ask, dispose } = startToolHost([writeTextState(folder.path, name)]);
      for (const [tool, input] of largest) {
        const text = JSON.stringify(await ask(tool, input));
        const tokens = encode(text).length;
        assert.ok(text.length <= 24_000, `${tool} over ${name}: ${text.length} characters`);
        assert.ok(tokens < 10_000, `${tool} over ${name}: ${tokens} tokens`);
        most = Math.max(most, tokens);
        worst = Math.max(worst, tokens / estimateTokens(text));
      }
      await dispose();
    }
    console.log(`      ${names.length} sources: at most ${most} tokens, ${worst.toFixed(2)} of the estimate`);
    assert.ok(worst < 1.2);
  });

  it('keeps hostile text in fields that say so, with its controls visible, and asks nothing elsewhere', async () => {
    const state = writeHostileState(folder.path);
    const { ask, asked, dispose } = startToolHost([state, '']);
    const inputs = [
      ...largest,
      ['get_supply', { denom: 'usample' }] as const,
      ['compare_sources', { left: state, right: 'Sample chain' }] as const,
      ['check_draft', { text: '{"messages": [], "deposit": "1x"}' }] as const,
      ...Array.from({ length: 200 }, (_, n) => ['get_proposal', { id: n + 1 }] as const),
    ];
    let found = 0;
    for (const [tool, input] of inputs) {
      const answer = await ask(tool, input);
      for (const [path, text] of textsIn(answer)) {
        assert.doesNotMatch(text, /[\0-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069]/, path.join('.'));
        if (!text.includes('IGNORE') && !text.includes('evil.example')) continue;
        found++;
        assert.ok(
          path.some((name) => name.startsWith('untrusted_')),
          `${tool}: ${path.join('.')}: ${text.slice(0, 200)}`,
        );
        assert.ok(text.length < 2100, `${path.join('.')} has ${text.length} characters`);
      }
    }
    assert.ok(found > 1000, `${mark} was found ${found} times`);
    assert.deepEqual(
      asked.filter((url) => /^https?:/.test(url)),
      [],
    );
    await dispose();
  });
});

describe('a question to a tool', () => {
  it('ends at once when it is cancelled, and tells how far it has come', async () => {
    const { ask, dispose } = startToolHost(['']);
    const cancelled = new AbortController();
    cancelled.abort();
    await assert.rejects(ask('list_validators', {}, cancelled.signal), { name: 'AbortError' });
    const rows: number[] = [];
    await ask('compare_sources', { left: 'Sample chain', right: 'Sample chain' }, undefined, (count) =>
      rows.push(count),
    );
    assert.ok(rows.length > 2 && (rows.at(-1) ?? 0) > 400, `${rows}`);
    await dispose();
  });

  it('is cancelled while a node does not answer, and says which one failed where it hangs up', async () => {
    let reached = (): void => undefined;
    const first = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const silent = await serve(createServer(() => reached()));
    const broken = await serve(createServer((request) => request.socket.destroy()));
    const [url, other] = [`http://127.0.0.1:${silent.port}`, `http://127.0.0.1:${broken.port}`];
    const { ask, dispose } = startToolHost([url, other, '']);
    const abort = new AbortController();
    const waiting = ask('list_proposals', {}, abort.signal);
    await first;
    abort.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    const failure = await ask('list_proposals', { source: other }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(isToolError(failure));
    assert.equal(failure.kind, 'source');
    assert.match(
      failure.message,
      new RegExp(`^Could not read 127.0.0.1:${broken.port}: .*Use one of these as "source": .*"Sample chain"`),
    );
    await dispose();
    await silent.dispose();
    await broken.dispose();
  });
});

describe('the tools in the manifest', () => {
  it('are those of the table, word for word, and off until the setting is on', async () => {
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
    const contributed = manifest.contributes.languageModelTools;
    assert.deepEqual(
      contributed.map(({ name, displayName, modelDescription, inputSchema }) => ({
        name,
        displayName,
        modelDescription,
        inputSchema,
      })),
      tools.map(({ name, title, description, inputSchema }) => ({
        name,
        displayName: title,
        modelDescription: description,
        inputSchema: JSON.parse(JSON.stringify(inputSchema)),
      })),
    );
    for (const { when, canBeReferencedInPrompt, toolReferenceName } of contributed) {
      assert.equal(when, 'config.chainInspector.agentTools');
      assert.ok(canBeReferencedInPrompt && /^[a-zA-Z]+$/.test(toolReferenceName));
    }
  });
});
