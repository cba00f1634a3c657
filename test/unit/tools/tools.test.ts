import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { serveFile } from '../../../src/service/serve.ts';
import { isToolError } from '../../../src/tools/question/toolError.ts';
import { stateFileOf } from '../../node/recording.ts';
import { sampleFile } from '../../support/folders.ts';
import { serve } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

/** The proposals of the sample chain as its file has them, newest first. */
function proposalsOfFile(): { readonly id: string; readonly status: string }[] {
  const { app_state } = JSON.parse(readFileSync(sampleFile, 'utf8'));
  const rows: { id?: string; proposal_id?: string; status: string }[] = app_state.gov.proposals;
  return rows
    .map(({ id, proposal_id, status }) => ({ id: id ?? proposal_id ?? '', status }))
    .toSorted((a, b) => Number(b.id) - Number(a.id));
}

function idsIn(answer: Readonly<Record<string, unknown>>): string[] {
  assert.ok(Array.isArray(answer.proposals));
  return answer.proposals.map(({ id }) => id);
}

describe('the tools of agents', () => {
  const { ask, dispose } = startToolHost(['']);
  after(dispose);

  const refusal = async (name: string, input: unknown) => {
    const error = await ask(name, input).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return isToolError(error) ? `${error.kind}: ${error.message}` : String(error);
  };

  it('list proposals newest first, and go on behind a key until all were given', async () => {
    const expected = proposalsOfFile().map(({ id }) => id);
    const found: string[] = [];
    let key: unknown;
    do {
      const answer = await ask('list_proposals', { limit: 7, key });
      const { metadata } = answer;
      assert.ok(typeof metadata === 'object' && metadata !== null && 'next_key' in metadata && 'total' in metadata);
      assert.equal(metadata.total, expected.length);
      found.push(...idsIn(answer));
      key = metadata.next_key;
    } while (key !== null);
    assert.deepEqual(found, expected);
  });

  it('compare only what is asked for', async () => {
    const { asked, ...host } = startToolHost(['', pathToFileURL(stateFileOf('0.53.8')).href]);
    const compare = (what: string) =>
      host.ask('compare_sources', { left: 'Sample chain', right: '0.53.8.state.json.gz', what });
    const lists = () =>
      asked.splice(0).flatMap((url) => /\/(supply|proposals|params)\b.*limit=(?!1\b)/.exec(url)?.[1] ?? []);
    await compare('supply');
    assert.deepEqual(new Set(lists()), new Set(['supply']));
    await compare('proposals');
    assert.deepEqual(new Set(lists()), new Set(['proposals']));
    const { counts } = await compare('params');
    assert.deepEqual(lists(), []);
    assert.deepEqual(Object.keys(Object(counts)), ['params']);
    await host.dispose();
  });

  it('end all that they ask for when they are cancelled', async () => {
    const served = await serveFile({ file: sampleFile });
    await served.ready;
    const cancelled = new AbortController();
    const left = Promise.withResolvers<void>();
    // A node in front of it that never answers for the metadata of denoms.
    const front = createServer((request, response) => {
      if (request.url?.includes('denoms_metadata')) {
        request.socket.once('close', left.resolve);
        cancelled.abort(new Error('enough'));
      } else
        void fetch(`${served.baseUrl}${request.url}`).then(async (reply) => {
          response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
        });
    });
    const { port, dispose: stop } = await serve(front);
    const host = startToolHost([`http://127.0.0.1:${port}/chain`]);
    await assert.rejects(host.ask('get_supply', {}, cancelled.signal), /enough/);
    await left.promise;
    await Promise.all([host.dispose(), stop(), served.dispose()]);
  });

  it('name up to 20 sources, and beyond that the tool that lists all of them', async () => {
    // Nothing listens there, so that no chain has that name.
    const urls = Array.from({ length: 23 }, (_, n) => `http://127.0.0.1:9/node-${n}`);
    const named = async (count: number) => {
      const { ask: askMany, dispose } = startToolHost(urls.slice(0, count));
      const error: unknown = await askMany('list_validators', { source: 'S' }).catch((reason: unknown) => reason);
      await dispose();
      return String(error);
    };
    assert.match(await named(20), /: "http:\/\/127\.0\.0\.1:9\/node-0"(, "[^"]+"){19}\. Only the user/);
    assert.match(await named(23), /: "[^"]+"(, "[^"]+"){19} and 3 more \(list_sources\)\. Only the user/);
  });

  it('say what an input has to be, and which sources there are', async () => {
    const known = 'Use one of these as "source": "Sample chain". Only the user can add others, in the configuration.';
    assert.equal(
      await refusal('list_proposals', { source: 'https://unknown.example' }),
      `input: "https://unknown.example" is not a source that can be queried. ${known}`,
    );
    assert.match(
      await refusal('list_proposals', { status: 'open' }),
      /^input: "status" of list_proposals must be one of: voting, deposit, /,
    );
    assert.match(await refusal('list_proposals', { limit: 201 }), /must be a whole number from 1 to 200\.$/);
    assert.match(await refusal('list_validators', { status: 'jailed' }), /unbonding, unbonded\. Use "jailed": true\.$/);
    assert.match(await refusal('list_proposals', { limit: '5' }), /must be a whole number/);
    assert.match(
      await refusal('list_proposals', { query: 'x' }),
      /has no "query". It accepts: source, .*status, outcome, .*voter, depositor, text, .*limit, key/,
    );
    assert.match(await refusal('list_proposals', [1]), /takes an object with these members/);
    assert.match(
      await refusal('list_proposals', { key: 'zzz!' }),
      /"key" must be the "next_key" of the previous answer/,
    );
  });
});
