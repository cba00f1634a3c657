import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { isHttpError } from '../../../src/api/errors.ts';
import { openNode } from '../../../src/api/open.ts';
import type { RequestLine } from '../../../src/api/transport/transportTypes.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { placeOfAnswer, submissionOf } from '../../../src/draft/proposed/submission.ts';
import { readDrafts } from '../../node/draftAnswers.ts';
import { notImplemented } from '../../support/chainReplies.ts';
import { startEchoServer } from '../../support/servers.ts';
import { draft, facts, gov, known, ofMessages, someone, update } from './exampleDrafts.ts';

function read(text: string) {
  const found = readDraft(text);
  assert.ok(typeof found === 'object');
  return found;
}

describe('a draft that a node is asked about', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A node that answers the account, and the simulation with this status and body. */
  async function start(status: number, body: object, headers: Record<string, string> = {}) {
    const posted: string[] = [];
    const server = await startEchoServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const base = { address: someone, sequence: '7' };
        const account = { '@type': '/x.Vesting', base_vesting_account: { base_account: base } };
        const isPost = request.method === 'POST';
        if (isPost) posted.push(`${request.url} ${request.headers['content-type']} ${Buffer.concat(chunks)}`);
        response.writeHead(isPost ? status : 200, { 'content-type': 'application/json', ...(isPost && headers) });
        response.end(JSON.stringify(isPost ? body : { account }));
      });
    });
    const lines: RequestLine[] = [];
    const node = openNode({
      baseUrl: parseBaseUrl(server.origin),
      segment: 'cosmos',
      onRequest: (line) => lines.push(line),
    });
    ends.push(
      () => server.dispose(),
      () => node.dispose(),
    );
    const ask = () => node.simulate(someone, submissionOf(read(draft({})), someone, facts));
    return { ask, posted, lines };
  }

  it('is sent once, as a transaction of the proposer with the sequence of its account', async () => {
    const { ask, posted, lines } = await start(200, { gas_info: { gas_wanted: '0', gas_used: '81234' }, result: {} });
    assert.deepEqual(await ask(), { gasUsed: 81_234n });
    assert.equal(posted.length, 1);
    const [path, type, body = ''] = posted[0]?.split(/ (.*?) (.*)/s) ?? [];
    assert.deepEqual([path, type], ['/cosmos/tx/v1beta1/simulate', 'application/json']);
    const { tx } = JSON.parse(body);
    assert.equal(tx.auth_info.signer_infos[0].sequence, '7');
    assert.deepEqual(tx.signatures, ['']);
    assert.deepEqual(tx.body.messages, [submissionOf(read(draft({})), someone, facts)]);
    assert.deepEqual(
      lines.map(({ method }) => method),
      [undefined, 'POST'],
    );
  });

  const gateway = (code: number, message: string) => ({ code, message, details: [] });
  const refusals: readonly (readonly [status: number, body: object])[] = [
    [500, gateway(2, 'failed to execute message; message index: 0: proposal title cannot be empty')],
    [400, gateway(3, 'unknown message type "x"')],
    [501, JSON.parse(notImplemented.body)],
    [404, gateway(5, 'Not Found')],
    [405, {}],
    [403, {}],
    [429, gateway(8, 'too many')],
    [502, {}],
    [503, {}],
    [504, {}],
  ];
  for (const [status, body] of refusals)
    it(`is not sent again where the node refuses with ${status}`, async () => {
      const { ask, posted } = await start(status, body);
      await assert.rejects(ask(), (error: unknown) => isHttpError(error) && error.status === status);
      assert.equal(posted.length, 1);
    });

  for (const status of [301, 302, 303, 307, 308])
    it(`is sent nowhere else by a redirect (${status})`, async () => {
      const other = await start(200, { gas_info: { gas_used: '1' } });
      const { ask, posted } = await start(status, {}, { location: 'http://127.0.0.1:9/elsewhere' });
      await assert.rejects(ask(), /It redirects. The draft is not sent to any other address/);
      assert.deepEqual([posted.length, other.posted.length], [1, 0]);
    });

  it('has the form that its chain takes', () => {
    const fields = (text: string, about = facts) => submissionOf(read(text), someone, about);
    assert.deepEqual(fields(draft({ expedited: true, deposit: '5stake,7uosmo' })), {
      '@type': '/cosmos.gov.v1.MsgSubmitProposal',
      messages: [],
      initial_deposit: [
        { denom: 'stake', amount: '5' },
        { denom: 'uosmo', amount: '7' },
      ],
      proposer: someone,
      metadata: '{"title":"A title","summary":"A summary"}',
      title: 'A title',
      summary: 'A summary',
      expedited: true,
    });
    const { govParams: _, sdkVersion: _version, ...unknown } = facts;
    assert.ok(!('title' in fields(draft({}), { ...unknown, sdkVersion: 'v0.46.9' })));
    assert.ok('title' in fields(draft({}), known({})));
    // As it stands in the text, a mistake too: only integers that JavaScript would round become texts.
    const numbers = '{"messages":[{"@type":"/x.Msg","a":3.5,"b":7,"c":18446744073709551615}],"deposit":"1stake"}';
    assert.deepEqual(fields(numbers).messages, [{ '@type': '/x.Msg', a: 3.5, b: 7, c: '18446744073709551615' }]);
    const spend = { title: 'A', description: 'B', recipient: someone, amount: '5stake', deposit: '1stake' };
    assert.deepEqual(fields(JSON.stringify(spend)), {
      '@type': '/cosmos.gov.v1beta1.MsgSubmitProposal',
      content: {
        '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
        title: 'A',
        description: 'B',
        recipient: someone,
        amount: [{ denom: 'stake', amount: '5' }],
      },
      initial_deposit: [{ denom: 'stake', amount: '1' }],
      proposer: someone,
    });
    const changes = [{ subspace: 'mint', key: 'InflationMax', value: '0.3' }];
    const change = fields(JSON.stringify({ title: 'A', description: 'B', changes, deposit: '1stake' }));
    assert.deepEqual(Object(change.content).changes, [{ ...changes[0], value: '"0.3"' }]);
  });

  it('has the answer at the field that it is about', () => {
    const { answers } = readDrafts('0.53.8');
    const places: Record<string, number> = {};
    const expected = [
      [/: title ""/, '""'],
      [/: summary ""/, '""'],
      [/: metadata with another/, /^"\{/],
      [/: metadata "x{9}/, /^"x/],
      [/: deposit "/, /^"\d*[a-z]*,?\d*[a-z]*"$/],
      [/: authority "cosmos/, /^"cosmos/],
      [/: authority ""/, '""'],
      [/: unknown type/, '"/unknown.v1.MsgNothing"'],
      [/: type without a slash/, /^"[a-z]/],
    ] as const;
    for (const { name, text, status, message } of answers) {
      const [rule, wanted] = expected.find(([known]) => known.test(name)) ?? [];
      if (status === 200 || wanted === undefined || name.startsWith('two')) continue;
      const { start, end } = placeOfAnswer(read(text), message);
      assert.match(
        text.slice(start, end),
        typeof wanted === 'string' ? new RegExp(`^${wanted}$`) : wanted,
        `${name}: ${message}`,
      );
      places[String(rule)] = (places[String(rule)] ?? 0) + 1;
    }
    assert.equal(Object.keys(places).length, expected.length, JSON.stringify(places));
    const text = ofMessages(update('staking', {}));
    assert.equal(placeOfAnswer(read(text), 'anything else').end, 1);
    const { start, end } = placeOfAnswer(read(text), `${gov}: expected gov account as only signer`);
    assert.equal(text.slice(start, end), `"${gov}"`);
  });

  const [own, none, typed] = [{ authority: gov }, { authority: '' }, { '@type': '/x.v1.MsgB' }] as const;
  const msg = (more: object): object => ({ '@type': '/x.v1.MsgA', ...more });
  const places: readonly (readonly [messages: readonly object[], sentence: string, at: string])[] = [
    [[msg(own), msg({ authority: someone })], `${someone}: expected gov account as only signer`, `"${someone}"`],
    [[msg(none), msg({ authority: someone })], `invalid address ${someone}`, `"${someone}"`],
    [[msg(own), msg(none)], 'empty address string is not allowed', '""'],
    [[msg({}), msg(own), msg({ authority: someone })], 'invalid address', `"${gov}"`],
    [[msg({})], 'invalid address', '{'],
    [[{ '@type': '' }, typed], 'unable to resolve x.v1.MsgB', '"/x.v1.MsgB"'],
    [[msg(own), { '@type': '/y.v1.MsgB', a: 1 }], 'x.v1.MsgB.MsgB: a is wrong', '{\n   "@type": "/y'],
    [[msg(own), typed], 'proposal title cannot be empty', '"A title"'],
  ];
  for (const [messages, sentence, at] of places)
    it(`has the answer at what it names: ${sentence}`, () => {
      const text = ofMessages(...messages);
      const { start, end } = placeOfAnswer(read(text), sentence);
      const length = at.startsWith('{') ? at.length : end - start;
      assert.equal(text.slice(start, start + length), at);
    });

  it('has the answer at the first bracket where the draft lacks the field', () => {
    assert.deepEqual(placeOfAnswer(read(draft({ title: undefined })), 'proposal title cannot be empty'), {
      start: 0,
      end: 1,
    });
  });
});
