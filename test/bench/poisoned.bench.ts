import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { openNode } from '../../src/api/open.ts';
import { type Quirks, startNode } from '../fixtures/nodeSimulator/simulatedNode.ts';
import { textProposal, wordlessProposal } from '../fixtures/nodeSimulator/simulatorState.ts';
import { readAllProposals } from '../unit/api/allRows.ts';
import type { Row } from './row.ts';

const poisoned = [17n, 101n, 102n, 250n, 333n, 500n];

/** Requests for a list of 500 proposals, six of which gov v1beta1 cannot say, newest first, 50 a page. */
export async function bench(): Promise<readonly Row[]> {
  const sane = await countRequests([], {});
  const withV1 = await countRequests(poisoned, {});
  const withoutV1 = await countRequests(poisoned, { govV1: false });
  const row = (name: string, value: number, atMost: number): Row => ({
    name,
    value,
    baseline: sane.first,
    unit: '',
    target: { of: 'value', atMost },
  });
  return [
    row('requests for 500 proposals, 6 poisoned, gov v1 offered', withV1.first, sane.first + 2),
    row('requests to refresh them', withV1.again, sane.first + 1),
    row('requests for the same, no gov v1', withoutV1.first, 75),
    row('requests to read them in the next run', withoutV1.again, sane.first + 2),
  ];
}

/** Counts the requests of the first reading, and of one by another client that knows the traits from the first. */
async function countRequests(bad: readonly bigint[], quirks: Quirks): Promise<{ first: number; again: number }> {
  const proposals = Array.from({ length: 500 }, (_, at) => {
    const id = BigInt(at + 1);
    return bad.includes(id) ? wordlessProposal(id, 3, 0) : textProposal(id, 3);
  });
  const state = { chainId: 'bench-1', height: 900n, coins: [], proposals };
  const node = await startNode({ era: '0.53', state, quirks });
  try {
    let remembered: unknown;
    const read = async () => {
      const onTraits = (facts: unknown) => {
        remembered = facts;
      };
      const chain = openNode({ baseUrl: parseBaseUrl(node.url), remembered, onTraits });
      const before = node.requests.length;
      const filter = { status: 'passed' } as const;
      const rows = await readAllProposals(chain, filter, { limit: 50, reverse: true });
      await chain.dispose();
      if (rows.length !== 500) throw new Error(`${rows.length} of 500 proposals were read`);
      return node.requests.length - before;
    };
    return { first: await read(), again: await read() };
  } finally {
    await node.stop();
  }
}
