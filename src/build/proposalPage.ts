import type { RegistryChain } from './registry.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the registry marks the places like this.
const idMark = '${proposalId}';
// biome-ignore lint/suspicious/noTemplateCurlyInString: the same.
const hashMark = '${txHash}';

/**
 * Where a browser shows a proposal, with `{id}` in the place of the id: the first page that the registry states, else that of
 * ping.pub, where the chain is listed there under the same path for transactions. Nothing else is derived.
 */
export function toProposalPage(explorers: RegistryChain['explorers'] = []): string | undefined {
  const stated = explorers.map((one) => one.proposalPage).find((page) => page?.includes(idMark) && isHttps(page));
  if (stated) return stated.replace(idMark, '{id}');
  const pingPub = explorers.find(({ url = '', txPage }) => {
    const path = url.replace(/\/+$/, '');
    return /^https:\/\/(testnet\.)?ping\.pub\/[^/]+$/.test(path) && txPage === `${path}/tx/${hashMark}`;
  });
  return pingPub?.url && `${pingPub.url.replace(/\/+$/, '')}/gov/{id}`;
}

const isHttps = (page: string) => URL.parse(page)?.protocol === 'https:';
