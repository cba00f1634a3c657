import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Comparable } from '../../../src/reads/compare/compare.ts';

/** The node at `url` as a session has it, and the end of it. */
export function sourceOf(url: string, name: string): Comparable & { dispose(): Promise<void> } {
  const node = openNode({ baseUrl: parseBaseUrl(url) });
  return {
    source: { kind: 'http', id: url, name, baseUrl: parseBaseUrl(url), setting: { name, url } },
    node: async () => node,
    notices: [],
    dispose: () => node.dispose(),
  };
}
