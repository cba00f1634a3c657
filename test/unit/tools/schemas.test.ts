import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer';
import { isFields } from '../../../src/chain/fields.ts';
import { listOf, maybe, membersOf, misfitOf, text, type ValueSchema } from '../../../src/tools/answers/answerSchema.ts';
import { tools } from '../../../src/tools/toolTable.ts';
import { stateFileOf } from '../../node/recording.ts';
import { program } from '../cli/runHere.ts';
import { startToolHost } from './toolHost.ts';

const state = stateFileOf('0.53.8');
const inputs: readonly (readonly [name: string, input: Record<string, unknown>])[] = [
  ['list_proposals', { limit: 5 }],
  ['get_proposal', { id: 1, votes: true }],
  ['get_supply', { limit: 2 }],
  ['get_supply', { denom: 'stake' }],
  ['list_validators', {}],
  ['get_params', { module: 'gov' }],
  ['compare_sources', { left: '0.53.8.state.json.gz', right: '0.53.8.state.json.gz' }],
  ['check_draft', { text: '{"messages": [], "deposit": "1x"}' }],
  ['list_sources', {}],
];

/** Paths of members that a schema which names members does not name. */
function unnamed({ properties, items }: ValueSchema, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return items ? value.flatMap((one) => unnamed(items, one, `${path}[]`)) : [];
  if (!isFields(value) || !properties) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema ? unnamed(schema, inner, `${path}.${name}`) : [`${path}.${name}`];
  });
}

/** Said beside what a schema names, of few answers. */
const rare =
  /^\.(?:time_estimated_from|untrusted_notices)$|unknown$|^\.left\.time_est|^\.right\.time_est|sources\[\]\.time_est/;

describe('the schemas of the tools', () => {
  it('take at most 2,500 tokens with names and descriptions, those of answers 4,000', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', '--state', state] }),
    );
    const { tools: listed } = await client.listTools();
    await client.close();
    const given = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const sizes = [given, listed.map(({ outputSchema }) => outputSchema)].flatMap((parts) => {
      const texts = parts.map((part) => JSON.stringify(part));
      return [texts.join('').length / 4, encode(texts.join('\n')).length];
    });
    // By their characters, as clients estimate them, and by a tokenizer.
    const [inCharacters = 0, inTokens = 0, answersInCharacters = 0, answersInTokens = 0] = sizes;
    console.log(`      ${listed.length} tools: ${sizes.join(', ')} tokens`);
    // A mark of ours, which is no part of JSON Schema.
    assert.doesNotMatch(JSON.stringify(listed), /isRare/);
    assert.ok(listed.length === 8 && Math.max(inCharacters, inTokens) <= 2500);
    assert.ok(Math.max(answersInCharacters, answersInTokens) <= 4000);
  });

  it('name what answers hold at their first levels', async () => {
    const { ask, dispose } = startToolHost([pathToFileURL(state).href, '']);
    for (const [name, input] of inputs) {
      const tool = tools.find((one) => one.name === name);
      assert.ok(tool);
      const found = unnamed(tool.outputSchema, await ask(name, input), '').filter((path) => !rare.test(path));
      const top = found.filter((path) =>
        /^\.\w+$|^\.(?:proposals|validators|differences|findings|sources|modules)\[\]/.test(path),
      );
      assert.deepEqual([...new Set(top)], [], name);
    }
    await dispose();
  });

  it('tell where an answer is of another form', () => {
    const schema = membersOf({ id: text, rows: listOf(membersOf({ amount: maybe(text) }, 'amount')) }, 'id');
    assert.equal(misfitOf(schema, { id: '1', rows: [{ amount: null }] }), undefined);
    assert.equal(misfitOf(schema, { rows: [] }), 'id');
    assert.equal(misfitOf(schema, { id: 1 }), 'id');
    assert.equal(misfitOf(schema, { id: '1', rows: [{ amount: '1' }, { amount: 1n }] }), 'rows.1.amount');
    assert.equal(misfitOf(schema, { id: '1', rows: [{}] }), 'rows.0.amount');
  });

  for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
    it(`hold for a client of its own validator: ${JSON.stringify(mode)}`, async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const args = [program, 'mcp', '--state', state];
      await client.connect(new StdioClientTransport({ command: process.execPath, args }));
      const listed = await client.listTools();
      assert.ok(listed.tools.every(({ outputSchema }) => outputSchema?.type === 'object'));
      const isNew = mode !== 'legacy';
      assert.deepEqual([listed.ttlMs, listed.cacheScope], isNew ? [86_400_000, 'public'] : [undefined, undefined]);
      for (const [name, input] of inputs) {
        const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
        const [part] = content;
        assert.ok(!isError, JSON.stringify(content));
        assert.deepEqual(JSON.parse(part?.type === 'text' ? part.text : ''), structuredContent);
      }
      await client.close();
    });
});
