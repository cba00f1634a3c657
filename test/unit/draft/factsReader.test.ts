import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { noNeeds } from '../../../src/draft/draftNeeds.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { json, notImplemented, refusal } from '../../support/chainReplies.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';
import { upgrade } from './exampleDrafts.ts';

const proposals = '/cosmos/gov/v1/proposals';
const planned = (id: string, status: string): object => ({
  id,
  status: `PROPOSAL_STATUS_${status}`,
  messages: [upgrade({ name: `v${id}`, height: '5' })],
});

/** The facts that are read of the chain of the seeded drafts, whose node has these answers in place of its own. */
async function factsOf(
  needs: Partial<typeof noNeeds>,
  answer: (url: URL) => FixedReply | undefined,
  segment: 'chain' | 'cosmos' = 'cosmos',
): Promise<ChainFacts> {
  const replies = await startReplies((url) => {
    const asNode = new URL(url.href.replace(`/${segment}/`, '/cosmos/'));
    return answer(asNode) ?? seedChainAnswer(asNode);
  });
  const node = openNode({ baseUrl: parseBaseUrl(replies.url), segment });
  try {
    return await createFactsReader(node)({ ...noNeeds, ...needs });
  } finally {
    await node.dispose();
    await replies.stop();
  }
}

describe('the plans of open proposals', () => {
  const answer = ({ pathname, searchParams }: URL): FixedReply | undefined =>
    pathname === proposals && searchParams.get('proposal_status') === '2'
      ? json({ proposals: [{ id: '800' }, planned('801', 'VOTING_PERIOD')] })
      : undefined;

  it('are read beside a proposal that cannot be read', async () => {
    const { openPlans } = await factsOf({ openPlans: true }, answer);
    assert.deepEqual(openPlans, [{ id: 801n, name: 'v801', height: 5n }]);
  });

  it('are not read where only parameters are asked for', async () => {
    const { openPlans, openParams } = await factsOf({ openParams: true }, answer);
    assert.deepEqual([openPlans, openParams], [undefined, []]);
  });
});

describe('the plans of proposals that passed', () => {
  it('are read of a state to the last page, each once', async () => {
    const { passedPlans } = await factsOf(
      { plans: ['v9'] },
      ({ pathname, searchParams }) => {
        if (pathname.includes('/applied_plan/')) return notImplemented;
        if (pathname !== proposals) return undefined;
        return searchParams.get('pagination.key') === null
          ? json({ proposals: [planned('1', 'PASSED')], pagination: { next_key: 'AAAAAAAAAAI=' } })
          : json({ proposals: [planned('2', 'PASSED')], pagination: { next_key: null } });
      },
      'chain',
    );
    assert.deepEqual(
      passedPlans?.map(({ name }) => name),
      ['v1', 'v2'],
    );
  });
});

describe('a proposal that a draft names', () => {
  it('is not known where the node fails, and none where it has none', async () => {
    const { proposals } = await factsOf({ proposals: ['8', '9'] }, ({ pathname }) =>
      pathname.endsWith('/proposals/8') ? refusal(403, 7, 'not for you') : undefined,
    );
    assert.deepEqual(proposals, new Map([['9', null]]));
  });
});

describe('the chain id', () => {
  const without = (...paths: readonly string[]) =>
    factsOf({}, ({ pathname }) => (paths.some((path) => pathname.includes(path)) ? notImplemented : undefined));

  it('is that of the last block where the node does not name it', async () => {
    assert.equal((await without('/node_info')).chainId, 'seed-1');
  });

  it('is not known without a block either', async () => {
    assert.equal((await without('/node_info', '/blocks/')).chainId, undefined);
  });
});
