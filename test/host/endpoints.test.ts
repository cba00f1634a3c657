import { strict as assert } from 'node:assert';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serveFile } from '../../src/service/serve.ts';
import type { Session } from '../../src/session/session.ts';
import type { Era } from '../fixtures/nodeSimulator/eras.ts';
import { type SimulatedNode, startNode } from '../fixtures/nodeSimulator/simulatedNode.ts';
import { textProposal } from '../fixtures/nodeSimulator/simulatorState.ts';
import { sampleFile } from '../support/folders.ts';
import {
  activateExtension,
  type HostApi,
  longestWait,
  readUntil,
  settled,
  showSource,
  treeText,
} from '../support/hostApi.ts';
import { runs } from '../support/random.ts';
import { startEchoServer } from '../support/servers.ts';

const switches = runs(10, 50);

describe('five endpoints of different dialects', () => {
  let api: HostApi;
  let nodes: SimulatedNode[];
  let service: Awaited<ReturnType<typeof serveFile>>;
  before(async () => {
    api = await activateExtension();
    service = await serveFile({ file: sampleFile, rebase: new Date() });
    nodes = await Promise.all((['0.40', '0.45', '0.47', '0.50'] as const).map(startEra));
  });
  after(async () => {
    await showSource(api, undefined);
    await Promise.all(nodes.map((node) => node.stop()));
    await service.dispose();
  });

  /** Shows an endpoint and reads what it shows, or leaves it while it is asked. */
  async function visit(url: string, whole: boolean): Promise<string> {
    const session = await showSource(api, url);
    const text = Promise.all([
      treeText(api.trees.supply),
      treeText(api.trees.proposals, (label) => label === 'Voting period'),
    ]);
    if (whole) {
      await text;
      await settled(session.lists.supply.pager);
      await settled(session.lists.proposals.pager('voting'));
      return `${await treeText(api.trees.supply)}\n${await treeText(api.trees.proposals, (label) => label === 'Voting period')}`;
    }
    void text.catch(() => undefined);
    return '';
  }

  it('shows the rows of each, and of no other', async () => {
    for (const [at, node] of nodes.entries()) {
      const text = await visit(node.url, true);
      const tags = new Set([...text.matchAll(/\bera\d\b/g)].map(([tag]) => tag));
      assert.deepEqual([...tags], [`era${at}`], text);
      assert.match(text, /^ {2}#2 Text of era\d \|/m);
      assert.match(text, /^uera\d \| 7$/m);
    }
    await visit(service.baseUrl, true);
    // The units of denoms are read after the rows, which are then drawn again.
    await readUntil(
      api.trees.supply.onDidChangeTreeData,
      () => treeText(api.trees.supply),
      (text) => /^SAMPLE \| /m.test(text),
    );
  });

  it('lets go of one that is left while the names of its denoms are asked', async () => {
    const named = Promise.withResolvers<void>();
    const node = await startEchoServer(({ url = '' }, response) => {
      if (/\/supply\?/.test(url))
        response.end(JSON.stringify({ supply: [{ denom: 'ua', amount: '1' }], pagination: { next_key: null } }));
      else if (/\/denoms_metadata/.test(url)) named.resolve();
    });
    const left = await weakSession(node.origin);
    void api.trees.supply.getChildren();
    await named.promise;
    await showSource(api, '');
    const alive = await until(
      async () => countAlive([left]),
      (count) => count === 0,
    );
    assert.equal(alive, 0);
    await node.dispose();
  });

  /** In a function of its own, as `weak`. */
  async function weakSession(url: string): Promise<WeakRef<Session>> {
    return new WeakRef(await showSource(api, url));
  }

  it(`leaves nothing of the old ones behind after ${switches} switches back and forth`, async () => {
    const urls = [...nodes.map(({ url }) => url), service.baseUrl];
    await showSource(api, undefined);
    await treeText(api.trees.supply);
    const before = await stable(resources);
    const sessions: WeakRef<Session>[] = [];
    const rows: WeakRef<object>[] = [];
    for (let turn = 0; turn < switches; turn++) {
      // Forth, then back; every third one is left while it is asked.
      const round = Math.floor(turn / urls.length);
      const at = round % 2 === 0 ? turn % urls.length : urls.length - 1 - (turn % urls.length);
      await visit(urls[at] ?? '', turn % 3 !== 2);
      sessions.push(new WeakRef(api.active.session));
      rows.push(...api.active.session.lists.supply.pager.rows.slice(0, 1).map(weak));
    }
    await showSource(api, '');
    assert.equal(api.sessions.size, 1);

    const open = await until(
      () => Promise.all(nodes.map((node) => node.sockets())),
      (now) => now.every((count) => count === 0),
    );
    assert.deepEqual(open, [0, 0, 0, 0]);
    const asked = nodes.map(({ requests }) => requests.length);
    const after = await until(resources, (now) => isAsBefore(before, now));
    assert.ok(isAsBefore(before, after), `before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
    const alive = await until(
      async () => [countAlive(sessions), countAlive(rows)],
      (now) => now.every((count) => count === 0),
    );
    assert.ok(rows.length > switches / 2);
    assert.deepEqual(alive, [0, 0], 'sessions and rows that are still held');
    assert.deepEqual(
      nodes.map(({ requests }) => requests.length),
      asked,
      'requests after the last connection was closed',
    );
    console.log(`after ${switches} switches: ${JSON.stringify({ before, after, sockets: open, held: alive })}`);
  });
});

/** A node whose rows carry its number. */
async function startEra(era: Era, at: number): Promise<SimulatedNode> {
  const tag = `era${at}`;
  return startNode({
    era,
    state: {
      chainId: tag,
      height: 500n,
      coins: [{ denom: `u${tag}`, amount: 7n }],
      proposals: [1n, 2n].map((id) => textProposal(id, 2, textOf(tag))),
    },
  });
}

function textOf(tag: string) {
  const content = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: `Text of ${tag}`, description: tag };
  return { title: `Text of ${tag}`, messages: [{ '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content }] };
}

/** The handles that keep this process busy: sockets, servers and timers, by kind. */
async function resources(): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The editor's own timers come and go: as many as one a switch would be far more. */
function isAsBefore(before: Readonly<Record<string, number>>, now: Readonly<Record<string, number>>): boolean {
  const most = (kind: string) => (before[kind] ?? 0) + (/Timeout|Immediate|FSReq|Tick/.test(kind) ? 5 : 0);
  return Object.entries(now).every(([kind, count]) => count <= most(kind));
}

async function stable<T>(read: () => Promise<T>): Promise<T> {
  let last = JSON.stringify(await read());
  return until(read, (now) => {
    const text = JSON.stringify(now);
    const same = text === last;
    last = text;
    return same;
  });
}

/** Looks every tenth of a second until what is read is as wanted, or the longest wait is over. */
async function until<T>(read: () => Promise<T>, accept: (value: T) => boolean): Promise<T> {
  const end = Date.now() + longestWait;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const value = await read();
    if (accept(value) || Date.now() > end) return value;
  }
}

/** In a function of its own, whose frame ends: the test's would hold the last row. */
function weak<T extends object>(row: T): WeakRef<T> {
  return new WeakRef(row);
}

function countAlive(refs: readonly WeakRef<object>[]): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return refs.filter((ref) => ref.deref() !== undefined).length;
}
