import assert from 'node:assert/strict';
import { type OpenChain, Session } from '../../../src/session/session.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { startEchoServer } from '../../support/servers.ts';
import { startToolHost } from '../tools/toolHost.ts';

describe('a session whose source is opened anew while it opens', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());

  /** A session that opened once and, before that was done, anew; `first` ends the earlier opening. */
  async function reopened() {
    const [first, second] = [Promise.withResolvers<OpenChain>(), Promise.withResolvers<OpenChain>()];
    const openings = [first.promise, second.promise];
    const failures: unknown[] = [];
    const session = new Session(
      { kind: 'sample', id: '', name: 'Sample chain' },
      {
        open: () => openings.shift() ?? Promise.reject(new Error('opened a third time')),
        pageSize: () => 50,
        knownUnits: async () => new Map(),
        onFailure: (_source, error) => failures.push(error),
      },
    );
    const earlier = session.chain().catch((error: unknown) => error);
    const reopening = session.reopen();
    const chain: OpenChain = { node: sample.node, notices: ['second'], dispose: async () => undefined };
    second.resolve(chain);
    assert.equal(await session.chain(), chain);
    return { session, first, chain, failures, ended: () => Promise.all([earlier, reopening]) };
  }

  it('keeps the later opening when the earlier one fails', async () => {
    const { session, first, chain, failures, ended } = await reopened();
    first.reject(new Error('the file is gone'));
    await ended();
    assert.equal(await session.chain(), chain);
    assert.deepEqual([session.notices, session.state.kind, failures], [['second'], 'loading', []]);
    await session.dispose();
  });

  it('keeps the later opening when the earlier one succeeds late, and closes that', async () => {
    const { session, first, ended } = await reopened();
    let closed = 0;
    first.resolve({ node: sample.node, notices: ['first'], dispose: async () => void closed++ });
    await ended();
    assert.deepEqual([session.notices, closed], [['second'], 1]);
    await session.dispose();
  });
});

describe('a session whose node is silent', () => {
  it('has not failed when nobody waits for the answer any more', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await startEchoServer(() => asked.resolve());
    const { host, dispose } = startToolHost([server.origin]);
    const [source] = host.sources;
    assert(source);
    await host.sessions.use(source, async (session) => {
      const left = new Promise((resolve) => {
        session.onDidChangeState(({ kind }) => kind === 'loading' || resolve(kind));
      });
      const waiting = new AbortController();
      const reading = session.node().then((node) => node.supply({ limit: 1 }, waiting.signal));
      await asked.promise;
      waiting.abort();
      await assert.rejects(reading, { name: 'AbortError' });
      assert.equal(await left, 'idle');
    });
    await dispose();
    await server.dispose();
  });
});
