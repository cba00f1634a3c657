import { strict as assert } from 'node:assert';
import { HttpError, ReplyError } from '../../../src/api/errors.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { findBlock, readHeightQuery } from '../../../src/session/heights.ts';
import { World } from '../watch/fakeClock.ts';
import { SimulatedChain } from '../watch/simulatedChain.ts';

const genesis = Date.UTC(2024, 0, 1);
const { signal } = new AbortController();

/** A node with blocks of these times (milliseconds since the genesis) from height 1 on; those below `lowest` are pruned. */
function nodeWith(times: readonly number[], lowest = 1): { node: ChainNode; asked: string[] } {
  const asked: string[] = [];
  const appliedHeight = async (plan: string) => (plan === 'v15' ? 500n : 0n);
  const block = async (height: bigint | 'latest') => {
    const wanted = height === 'latest' ? times.length : Number(height);
    asked.push(`${height}`);
    if (wanted > times.length)
      throw new HttpError('', 400, 3, 'requested block height is bigger then the chain length');
    if (wanted < lowest)
      throw new HttpError('', 500, 2, `height ${wanted} is not available, lowest height is ${lowest}`);
    return { height: BigInt(wanted), time: new Date(genesis + (times[wanted - 1] ?? 0)) };
  };
  const node = Object.assign(new SimulatedChain(new World(genesis), 'https://a.test'), { appliedHeight, block });
  return { node, asked };
}

/** Times of blocks a few seconds apart, with halts and phases of another pace. */
function blockTimes(count: number): number[] {
  const times = [0];
  let state = 5;
  for (let at = 1; at < count; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const pace = at > count / 2 ? 2500 : 6500;
    const halt = at % 40_000 === 0 ? 7_200_000 : 0;
    times.push((times[at - 1] ?? 0) + pace * (0.5 + state / 2 ** 32) + halt);
  }
  return times;
}

describe('a height', () => {
  it('is read as a number, as blocks back, as a date or as an upgrade', () => {
    assert.deepEqual(readHeightQuery(' 12,345,678 '), { kind: 'height', height: 12345678n });
    assert.deepEqual(readHeightQuery('-1000'), { kind: 'back', blocks: 1000n });
    assert.deepEqual(readHeightQuery('2026-03-01'), { kind: 'before', time: new Date('2026-03-01T00:00:00Z') });
    assert.deepEqual(readHeightQuery('2026-03-01 14:30'), { kind: 'before', time: new Date('2026-03-01T14:30:00Z') });
    assert.deepEqual(readHeightQuery('2026-03-01T14:30:05+02:00'), {
      kind: 'before',
      time: new Date('2026-03-01T12:30:05Z'),
    });
    for (const text of ['before upgrade v15', 'Upgrade v15'])
      assert.deepEqual(readHeightQuery(text), { kind: 'upgrade', name: 'v15' });
    for (const text of ['', '0', '-', 'v15', '2026-13-01', '1.5', '12 o’clock'])
      assert.equal(readHeightQuery(text), undefined, text);
  });

  it('is found by the time of blocks of uneven pace, with at most 12 of them, and nearly always exactly', async () => {
    const times = blockTimes(300_000);
    const { node, asked } = nodeWith(times);
    let exact = 0;
    const tries = 60;
    for (let at = 1; at <= tries; at++) {
      asked.length = 0;
      const time = genesis + ((times.at(-1) ?? 0) * at) / (tries + 1);
      const counts: number[] = [];
      const query = { kind: 'before', time: new Date(time) } as const;
      const block = await findBlock(node, query, signal, (count) => counts.push(count));
      assert.ok(asked.length <= 12, `${asked}`);
      assert.equal(counts.at(-1), asked.length);
      assert.ok(block.time && block.time.getTime() < time, 'never a block after that time');
      const last = times.findLastIndex((one) => genesis + one < time) + 1;
      assert.ok(last - Number(block.height) < 200, `${block.height} instead of ${last}`);
      if (Number(block.height) === last) exact += 1;
    }
    assert.ok(exact >= tries * 0.8, `${exact} of ${tries} were exact`);
  });

  it('is found where the node keeps few blocks, which its error names', async () => {
    const times = blockTimes(10_000);
    const { node } = nodeWith(times, 9900);
    const find = (at: number) =>
      findBlock(node, { kind: 'before', time: new Date(genesis + (times[at - 1] ?? 0) + 1) }, signal);
    assert.equal((await find(9950)).height, 9950n);
    await assert.rejects(find(5000), /9900\) is of 2024.*archive node/);
  });

  it('is counted back from the latest block, and is the last one before an upgrade', async () => {
    const { node } = nodeWith(blockTimes(1000));
    const find = (query: Parameters<typeof findBlock>[1]) => findBlock(node, query, signal);
    assert.equal((await find({ kind: 'back', blocks: 100n })).height, 900n);
    assert.equal((await find({ kind: 'upgrade', name: 'v15' })).height, 499n);
    await assert.rejects(find({ kind: 'upgrade', name: 'v16' }), /No upgrade named v16/);
    await assert.rejects(find({ kind: 'back', blocks: 1000n }), /1000 blocks/);
    await assert.rejects(find({ kind: 'before', time: new Date(genesis + 1e12) }), /The latest block \(1000\)/);
  });

  it('is taken without its time where the node has no such block, and a block that is too large is named', async () => {
    const { node } = nodeWith(blockTimes(10), 5);
    const find = (query: Parameters<typeof findBlock>[1]) => findBlock(node, query, signal);
    assert.deepEqual(await find({ kind: 'height', height: 2n }), { height: 2n, time: undefined });
    const block = async () => {
      throw new ReplyError('', 'tooLarge', 'more than 32 MiB');
    };
    const large = findBlock(Object.assign(nodeWith([0]).node, { block }), { kind: 'back', blocks: 1n }, signal);
    await assert.rejects(large, /block latest and its transactions is too large/);
  });
});
