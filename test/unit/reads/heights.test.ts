import { strict as assert } from 'node:assert';
import { HttpError, ReplyError } from '../../../src/api/errors.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { findBlock, readHeightQuery } from '../../../src/reads/heights.ts';
import { World } from '../watch/fakeClock.ts';
import { SimulatedChain } from '../watch/simulatedChain.ts';

const genesis = Date.UTC(2024, 0, 1);
const { signal } = new AbortController();

/** Nanoseconds of milliseconds that may have a fraction, exact to a microsecond. */
function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round((milliseconds % 1) * 1000)) * 1000n + BigInt(Math.floor(milliseconds)) * 1_000_000n;
}

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
    const time = genesis + (times[wanted - 1] ?? 0);
    return { height: BigInt(wanted), time: new Date(time), nanoseconds: nanoseconds(time) };
  };
  const node = Object.assign(new SimulatedChain(new World(genesis), 'https://a.test'), { appliedHeight, block });
  return { node, asked };
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Times of `count` blocks; `pace` gives the milliseconds before each, which vary by half. */
function blockTimes(count: number, pace: (at: number) => number): number[] {
  const random = randomFrom(5);
  const times = [0];
  for (let at = 1; at < count; at++) times.push((times[at - 1] ?? 0) + Math.ceil(pace(at) * (0.5 + random())));
  return times;
}

/** Looks at every block: the height of the last one before `time`, 0 for none. */
function lastBefore(times: readonly number[], time: number): number {
  return times.findLastIndex((one) => genesis + one < time) + 1;
}

/** Asks for the times right behind the block at `height` and at the next one: it is the last one before both. */
async function findsExactly({ node, asked }: ReturnType<typeof nodeWith>, height: number): Promise<void> {
  const [own, next] = [await node.block(BigInt(height), signal), await node.block(BigInt(height + 1), signal)];
  assert.ok(own && next && own.time < next.time);
  const query = { kind: 'before', nanoseconds: height % 2 === 0 ? next.nanoseconds : own.nanoseconds + 1n } as const;
  asked.length = 0;
  assert.deepEqual(await findBlock(node, query, signal), { height: own.height, time: own.time });
}

describe('a height', () => {
  it('is read as a number, as blocks back, as a date or as an upgrade', () => {
    assert.deepEqual(readHeightQuery(' 12,345,678 '), { kind: 'height', height: 12345678n });
    assert.deepEqual(readHeightQuery('-1000'), { kind: 'back', blocks: 1000n });
    assert.deepEqual(readHeightQuery('2026-03-01'), { kind: 'before', nanoseconds: nanoseconds(Date.UTC(2026, 2, 1)) });
    assert.deepEqual(readHeightQuery('2026-03-01 14:30'), {
      kind: 'before',
      nanoseconds: nanoseconds(Date.UTC(2026, 2, 1, 14, 30)),
    });
    assert.deepEqual(readHeightQuery('2026-03-01T14:30:05+02:00'), {
      kind: 'before',
      nanoseconds: nanoseconds(Date.UTC(2026, 2, 1, 12, 30, 5)),
    });
    for (const text of ['before upgrade v15', 'Upgrade v15'])
      assert.deepEqual(readHeightQuery(text), { kind: 'upgrade', name: 'v15' });
    for (const text of ['', '0', '-', 'v15', '2026-13-01', '1.5', '12 o’clock'])
      assert.equal(readHeightQuery(text), undefined, text);
  });

  it('is found by its time exactly, with few blocks where the pace is even', async () => {
    const played = nodeWith(blockTimes(300_000, () => 6500));
    let total = 0;
    const tries = 60;
    for (let at = 1; at <= tries; at++) {
      await findsExactly(played, Math.floor((300_000 * at) / (tries + 1)));
      total += played.asked.length;
    }
    assert.ok(total / tries <= 12, `${total / tries} blocks on average`);
  });

  it('is found by its time exactly where the pace changes by large factors, with halts, with log2 + 7 blocks', async () => {
    const count = 200_000;
    const random = randomFrom(7);
    const paces: readonly (readonly number[])[] = [
      [6500, 2500],
      [100, 60_000],
      [60_000, 100],
      [20_000, 50, 600_000, 200, 7000],
      [1, 86_400_000, 1],
    ];
    for (const phases of paces) {
      const pace = (at: number) => phases[Math.floor((at * phases.length) / count)] ?? 0;
      const times = blockTimes(count, (at) => pace(at) + (at % 40_000 === 0 ? 7_200_000 : 0));
      const played = nodeWith(times);
      for (let at = 0; at < 40; at++) {
        // Half of them by height, half of them by time.
        const span = random() * (times.at(-1) ?? 0);
        const height = at % 2 === 0 ? Math.ceil(random() * (count - 1)) : lastBefore(times, genesis + span + 1);
        await findsExactly(played, height);
        assert.ok(played.asked.length <= Math.log2(count) + 7, `${phases}: ${played.asked}`);
      }
    }
  });

  it('is what a search of all blocks finds, on random chains', async () => {
    const random = randomFrom(20_240_101);
    for (let chain = 0; chain < 300; chain++) {
      const count = 1 + Math.floor(random() ** 3 * 3000);
      // Paces from a millisecond to a day, a new one after some blocks; some blocks have one time.
      let pace = 6000;
      const times = blockTimes(count, () => {
        if (random() < 0.02) pace = 10 ** (random() * 8);
        return random() < 0.01 ? 0 : Math.ceil(pace);
      });
      const lowest = random() < 0.3 ? Math.ceil(random() * count) : 1;
      const { node, asked } = nodeWith(times, lowest);
      for (let tries = 0; tries < 10; tries++) {
        asked.length = 0;
        const near = times[Math.floor(random() * count)] ?? 0;
        const time = genesis + (random() < 0.5 ? near + Math.floor(random() * 3) - 1 : random() * (times.at(-1) ?? 0));
        const query = { kind: 'before', nanoseconds: nanoseconds(Math.floor(time)) } as const;
        const label = `chain ${chain}, ${lowest} to ${count}, ${time}: ${asked}`;
        const expected = lastBefore(times, Math.floor(time));
        const isAfterLatest = genesis + (times.at(-1) ?? 0) < Math.floor(time);
        if (isAfterLatest) await assert.rejects(findBlock(node, query, signal), /The latest block/, label);
        else if (expected < lowest)
          await assert.rejects(findBlock(node, query, signal), new RegExp(`block on this node \\(${lowest}\\)`), label);
        else assert.equal((await findBlock(node, query, signal)).height, BigInt(expected), label);
        assert.ok(asked.length <= Math.log2(count) + 7, label);
      }
    }
  });

  it('is found by its time to the nanosecond, which a typed one may have too', async () => {
    // Blocks a third of a millisecond apart: a time that is cut to milliseconds names an earlier one.
    const times = Array.from({ length: 957 }, (_, at) => at * 333_333);
    const base = nanoseconds(genesis);
    const block = async (height: bigint | 'latest') => {
      const at = height === 'latest' ? times.length : Number(height);
      const exact = base + BigInt(times[at - 1] ?? 0);
      return { height: BigInt(at), time: new Date(Number(exact / 1_000_000n)), nanoseconds: exact };
    };
    const node = Object.assign(nodeWith([]).node, { block });
    let wrong = 0;
    for (let at = 1; at < times.length; at++) {
      const fraction = String((times[at - 1] ?? 0) + 1).padStart(9, '0');
      const query = readHeightQuery(`2024-01-01T00:00:00.${fraction}Z`);
      assert.ok(query);
      if ((await findBlock(node, query, signal)).height !== BigInt(at)) wrong++;
    }
    assert.equal(wrong, 0);
  });

  it('ends where a node gives another block than the one that is asked for', async () => {
    const { node } = nodeWith(blockTimes(1000, () => 6000));
    const latest = await node.block('latest', signal);
    const stuck = Object.assign(node, { block: async () => latest });
    const time = (latest?.nanoseconds ?? 0n) - 60_000_000_000n;
    await assert.rejects(findBlock(stuck, { kind: 'before', nanoseconds: time }, signal), /archive node/);
  });

  it('tells the count of blocks, and no more of them are read once it is cancelled', async () => {
    const { node, asked } = nodeWith(blockTimes(100_000, (at) => (at < 50_000 ? 100 : 60_000)));
    const cancel = new AbortController();
    const counts: number[] = [];
    const onRead = (count: number) => {
      counts.push(count);
      if (count === 3) cancel.abort();
    };
    const query = { kind: 'before', nanoseconds: nanoseconds(genesis + 4_000_000) } as const;
    await assert.rejects(findBlock(node, query, cancel.signal, onRead), { name: 'AbortError' });
    assert.deepEqual(counts, [1, 2, 3]);
    assert.equal(asked.length, 3);
  });

  it('is found where the node keeps few blocks, which its error names', async () => {
    const times = blockTimes(10_000, () => 6000);
    const { node } = nodeWith(times, 9900);
    const find = (at: number) =>
      findBlock(node, { kind: 'before', nanoseconds: nanoseconds(genesis + (times[at - 1] ?? 0) + 1) }, signal);
    assert.equal((await find(9950)).height, 9950n);
    await assert.rejects(find(5000), /9900\) is from 2024.*archive node/);
  });

  it('is counted back from the latest block, and is the last one before an upgrade', async () => {
    const { node } = nodeWith(blockTimes(1000, () => 6000));
    const find = (query: Parameters<typeof findBlock>[1]) => findBlock(node, query, signal);
    assert.equal((await find({ kind: 'back', blocks: 100n })).height, 900n);
    assert.equal((await find({ kind: 'upgrade', name: 'v15' })).height, 499n);
    await assert.rejects(find({ kind: 'upgrade', name: 'v16' }), /No upgrade named v16/);
    await assert.rejects(find({ kind: 'back', blocks: 1000n }), /^InputError: Cannot go back 1000 blocks/);
    await assert.rejects(
      find({ kind: 'before', nanoseconds: nanoseconds(genesis + 1e12) }),
      /The latest block \(1000\)/,
    );
  });

  it('is taken without its time where the node has no such block, and a block that is too large is named', async () => {
    const { node } = nodeWith(
      blockTimes(10, () => 6000),
      5,
    );
    const find = (query: Parameters<typeof findBlock>[1]) => findBlock(node, query, signal);
    assert.deepEqual(await find({ kind: 'height', height: 2n }), { height: 2n, time: undefined });
    const block = async () => {
      throw new ReplyError('', 'tooLarge', 'more than 32 MiB');
    };
    const large = findBlock(Object.assign(nodeWith([0]).node, { block }), { kind: 'back', blocks: 1n }, signal);
    await assert.rejects(large, /The latest block and its transactions are too large/);
  });
});
