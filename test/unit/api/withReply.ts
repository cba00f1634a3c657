import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { startReplies } from '../../support/servers.ts';

/** Asks a node that answers every request with `body`. */
export async function withReply<T>(body: string, ask: (node: ChainNode) => Promise<T>): Promise<T> {
  const replies = await startReplies(() => ({ body }));
  const node = openNode({ baseUrl: parseBaseUrl(replies.url), segment: 'cosmos', preferredForm: async () => 'v1' });
  try {
    return await ask(node);
  } finally {
    await node.dispose();
    await replies.stop();
  }
}
