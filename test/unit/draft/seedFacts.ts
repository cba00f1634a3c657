import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { needsOf } from '../../../src/draft/draftNeeds.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { startReplies } from '../../support/servers.ts';

/** The chain of the seeded drafts, over a real socket: gives what has to be known of it for a draft. */
export async function startSeedChain(answer: typeof seedChainAnswer = seedChainAnswer) {
  const replies = await startReplies(answer);
  const node = openNode({ baseUrl: parseBaseUrl(replies.url), segment: 'cosmos' });
  const read = createFactsReader(node);
  return {
    async factsFor(text: string): Promise<ChainFacts> {
      const draft = readDraft(text);
      if (typeof draft !== 'object') throw new Error(`This is no draft: ${text}`);
      return read(needsOf(draft));
    },
    async stop(): Promise<void> {
      await node.dispose();
      await replies.stop();
    },
  };
}
