import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type ComparedSection, compareSources, type Difference } from '../../../src/reads/compare/compare.ts';
import { compareMore } from '../../../src/reads/compare/compareMore.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { type Quirks, startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal } from '../../fixtures/nodeSimulator/simulatorState.ts';
import { chainReplies, notImplemented } from '../../support/chainReplies.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';
import { sourceOf } from '../session/sourceOf.ts';

/** The ends of all that a test started. They run in the opposite order. */
const started: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of started.splice(0).reverse()) await end();
});

function source(url: string, name: string) {
  const made = sourceOf(url, name);
  started.push(() => made.dispose());
  return made;
}

async function stateFile(file: string, name = file) {
  const service = await serveFile({ file });
  started.push(() => service.dispose());
  await service.ready;
  return source(service.baseUrl, name);
}

async function node(coins: number, proposals: number, quirks: Quirks = {}) {
  const all = Array.from({ length: proposals }, (_, n) => textProposal(BigInt(n + 1), 3));
  const state = { chainId: 'sim-1', height: 5000n, coins: sampleCoins(coins), proposals: all };
  const simulated = await startNode({ era: '0.47', state, quirks });
  started.push(() => simulated.stop());
  return { ...source(simulated.url, 'Node'), simulated };
}

async function replies(reply: (url: URL, headers: NodeJS.Dict<string | string[]>) => FixedReply, name: string) {
  const service = await startReplies(reply);
  started.push(() => service.stop());
  return source(service.url, name);
}

const compare = (left: ReturnType<typeof source>, right: ReturnType<typeof source>, signal?: AbortSignal) =>
  compareSources({ left, right }, signal ?? new AbortController().signal, () => undefined);

async function compareParams(left: ReturnType<typeof source>, right: ReturnType<typeof source>) {
  const latest = { left: undefined, right: undefined };
  return (await compareMore({ left, right }, latest, { names: ['params'] }, new AbortController().signal)).params;
}

function compared(section: ComparedSection): readonly Difference[] {
  assert.equal(section.kind, 'compared');
  return section.kind === 'compared' ? section.differences : [];
}

describe('comparing two sources', () => {
  it('does not call proposals gone that are not in a state', async () => {
    const { gov: _, ...others } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
    const folder = startFolder('compare');
    started.push(() => folder.dispose());
    const file = join(folder.path, 'withoutGov.json');
    writeFileSync(file, JSON.stringify({ chain_id: 'sample-1', app_state: others }));
    const { supply, proposals } = await compare(await stateFile(sampleFile), await stateFile(file));
    assert.deepEqual([compared(supply), proposals.kind], [[], 'missing']);
  });

  it('of proposals alone, says that they are not in a state', async () => {
    const { gov: _, ...others } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
    const folder = startFolder('compareProposals');
    started.push(() => folder.dispose());
    const file = join(folder.path, 'withoutGov.json');
    writeFileSync(file, JSON.stringify({ chain_id: 'sample-1', app_state: others }));
    const id = `file://${file}`;
    const without = { ...(await stateFile(file)), source: { kind: 'file', id, name: 'State', path: file } as const };
    const pair = { left: await stateFile(sampleFile), right: without };
    const { signal } = new AbortController();
    const { proposals } = await compareSources(pair, signal, () => undefined, ['proposals']);
    assert.equal(proposals.kind, 'missing');
    assert.match(String(Object(proposals).error), /This state does not include proposals/);
  });

  it('finds no difference between a chain and itself', async () => {
    const pair = [await stateFile(sampleFile), await stateFile(sampleFile)] as const;
    const { supply, proposals } = await compare(...pair);
    assert.deepEqual([compared(supply), compared(proposals), compared(await compareParams(...pair))], [[], [], []]);
  });

  it('tells two exports of a chain apart', async () => {
    const folder = startFolder('compare');
    started.push(() => folder.dispose());
    const write = (name: string, text: string) => {
      const path = join(folder.path, name);
      writeFileSync(path, text);
      return path;
    };
    const [least, most] = [2n ** 128n - 1n, 2n ** 128n];
    const before = write('before.json', exportOf(`${least}`, 'PROPOSAL_STATUS_VOTING_PERIOD', '0.334'));
    const after = write('after.json', exportOf(`${most}`, 'PROPOSAL_STATUS_FAILED', '0.4'));
    const pair = [await stateFile(before), await stateFile(after)] as const;
    const { supply, proposals } = await compare(...pair);
    assert.deepEqual(compared(supply), [
      {
        section: 'supply',
        change: 'changed',
        key: 'uatom',
        left: { value: `${least}` },
        right: { value: `${most}` },
      },
    ]);
    const [one, ...others] = compared(proposals);
    assert.deepEqual(
      [one?.key, one?.change, one?.left?.value, one?.right?.value, others.length],
      ['2', 'changed', 'PROPOSAL_STATUS_VOTING_PERIOD', 'PROPOSAL_STATUS_FAILED', 0],
    );
    assert.deepEqual(compared(await compareParams(...pair)), [
      { section: 'params', change: 'changed', key: 'gov.quorum', left: { value: '0.334' }, right: { value: '0.4' } },
    ]);
  });

  it('reads every page of both sides, and says how far it is', async () => {
    const [left, right] = [await node(6001, 250), await node(6002, 249)];
    const seen: string[] = [];
    const { supply, proposals } = await compareSources({ left, right }, new AbortController().signal, (side, rows) =>
      seen.push(`${side} ${rows}`),
    );
    assert.equal(compared(supply).length, 1);
    assert.deepEqual(
      compared(proposals).map(({ key, change }) => `${key} ${change}`),
      ['250 gone'],
    );
    assert.ok(seen.includes('left 6251') && seen.includes('right 6251'), seen.join('\n'));
  });

  it('keeps to the height of the first page', async () => {
    const heights: string[] = [];
    const at = await replies((url, headers) => {
      const { pathname, searchParams } = url;
      if (!/supply|proposals/.test(pathname)) return notImplemented;
      const asked = headers['x-cosmos-block-height'];
      heights.push(
        `${pathname.split('/').pop()} ${searchParams.get('pagination.key') ?? 'first'} ${asked ?? 'latest'}`,
      );
      const answered = { headers: { 'grpc-metadata-x-cosmos-block-height': `${asked ?? 700 + heights.length}` } };
      const first = searchParams.get('pagination.key') === null;
      const next_key = first ? 'Yg==' : null;
      return pathname.endsWith('supply')
        ? {
            ...answered,
            body: JSON.stringify({ supply: [{ denom: first ? 'a' : 'b', amount: '1' }], pagination: { next_key } }),
          }
        : { ...answered, body: JSON.stringify({ proposals: [], pagination: { next_key: null, total: '0' } }) };
    }, 'Pinned');
    const { left } = await compare(at, await node(1, 1));
    const [first, ...others] = heights;
    assert.match(first ?? '', /first latest$/);
    const pinned = others.filter((line) => !line.endsWith('latest'));
    assert.ok(pinned.length >= 2, heights.join('\n'));
    assert.deepEqual([...new Set(pinned.map((line) => line.split(' ').pop()))], [`${left.height}`]);
    assert.equal(left.unpinnedReason, undefined);
  });

  it('goes on without a height where the node ignores it, and says so', async () => {
    const { left, supply } = await compare(
      await replies(({ pathname, searchParams }) => {
        if (!/supply|proposals/.test(pathname)) return notImplemented;
        const moving = {
          headers: { 'grpc-metadata-x-cosmos-block-height': `${Math.floor(performance.now() * 1000)}` },
        };
        const next_key = searchParams.get('pagination.key') === null ? 'Yg==' : null;
        const supply = [{ denom: next_key ? 'a' : 'b', amount: '1' }];
        return pathname.endsWith('supply')
          ? { ...moving, body: JSON.stringify({ supply, pagination: { next_key } }) }
          : { ...moving, body: JSON.stringify({ proposals: [], pagination: { next_key: null } }) };
      }, 'Moving'),
      await node(0, 0),
    );
    assert.equal(compared(supply).length, 2);
    assert.match(left.unpinnedReason ?? '', /height/);
  });

  it('compares the rest where one side does not have a part', async () => {
    const without = await replies(chainReplies({ proposals: [] }), 'Gov only');
    const { supply, proposals } = await compare(await node(3, 2), without);
    assert.deepEqual([supply.kind, supply.kind === 'missing' && supply.side], ['missing', 'right']);
    assert.equal(compared(proposals).length, 2);
  });

  it('names the side that cannot be read, in one sentence, and gives the other one up', async () => {
    const broken = await replies(() => ({ status: 403, body: 'no' }), 'Locked chain');
    const { simulated, ...large } = await node(80_000, 10);
    await assert.rejects(compare(large, broken), (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /^Locked chain: GET http.+403/);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
    assert.ok(simulated.requests.length < 16, simulated.requests.join('\n'));
  });

  it('stops a list that never ends', async () => {
    const endless = await node(10, 2, { repeatedKey: 'AAAA' });
    await assert.rejects(compare(await node(3, 2), endless), /repeated the next key/);
  });

  it('ends at once when it is cancelled', async () => {
    const abort = new AbortController();
    const server = createServer(() => abort.abort());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.push(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const silent = source(`http://127.0.0.1:${port}`, 'Silent');
    await assert.rejects(compare(silent, await node(3, 2), abort.signal), { name: 'AbortError' });
  });
});

describe('comparing recorded states', () => {
  const data = chainData();
  for (const name of data?.list('states') ?? []) {
    it(`finds no difference between ${name} and itself`, async () => {
      const path = data?.path(`states/${name}`) ?? '';
      const pair = [await stateFile(path), await stateFile(path)] as const;
      const found = await compare(...pair);
      if (found.supply.kind !== 'missing') assert.deepEqual(compared(found.supply), []);
      else assert.equal(name, 'gaia-13003-amino.slim.json', 'the one without coins');
      if (found.proposals.kind !== 'missing') assert.deepEqual(compared(found.proposals), []);
      else assert.equal(name, 'emoney-3.slim.json', 'the one without gov');
      assert.deepEqual(compared(await compareParams(...pair)), []);
    });
  }
});

/** A state of one chain; what differs is given. */
function exportOf(amount: string, status: string, quorum: string): string {
  const proposal = (id: string, word: string) => ({
    proposal_id: id,
    content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: `Title ${id}`, description: '' },
    status: word,
    final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
    submit_time: '2026-01-01T00:00:00Z',
    deposit_end_time: '2026-01-02T00:00:00Z',
    total_deposit: [],
    voting_start_time: '0001-01-01T00:00:00Z',
    voting_end_time: '0001-01-01T00:00:00Z',
  });
  const gov = {
    starting_proposal_id: '9',
    proposals: [proposal('1', 'PROPOSAL_STATUS_PASSED'), proposal('2', status)],
    deposit_params: { min_deposit: [{ denom: 'uatom', amount: '10' }], max_deposit_period: '172800s' },
    voting_params: { voting_period: '172800s' },
    tally_params: { quorum, threshold: '0.5', veto_threshold: '0.334' },
  };
  const supply = [
    { denom: 'uatom', amount },
    { denom: 'uosmo', amount: '1' },
  ];
  return JSON.stringify({ chain_id: 'a-1', app_state: { bank: { supply, balances: [], denom_metadata: [] }, gov } });
}
