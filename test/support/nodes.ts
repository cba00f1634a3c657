import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import type { ChainNode } from '../../src/api/node.ts';
import { openNode } from '../../src/api/open.ts';
import type { RequestLine } from '../../src/api/transport/transportTypes.ts';
import { serveFile } from '../../src/service/serve.ts';
import { Kept } from '../../src/session/kept.ts';
import { sampleFile } from './folders.ts';

/** A state file behind the real service and client, with a log of requests. The sample chain by default. */
export async function startSampleNode(file: string = sampleFile) {
  const service = await serveFile({ file, ...(file === sampleFile ? { rebase: new Date() } : {}) });
  const requests: RequestLine[] = [];
  const node: ChainNode = openNode({
    baseUrl: parseBaseUrl(service.baseUrl),
    preferredForm: service.proposalForm,
    onRequest: (line) => requests.push(line),
  });
  /** Path and query of every request, in order. */
  const asked = () => requests.map(({ url }) => url.replace(service.baseUrl, ''));
  const dispose = async () => {
    await node.dispose();
    await service.dispose();
  };
  return { node, service, requests, asked, dispose };
}

/** A node with its kept answers, as a session has it. `now` is the clock of the kept answers. */
export function keptChain(node: ChainNode, now?: () => number) {
  return { node: async () => node, kept: new Kept(now) };
}
