/** What a link from outside the editor means: a proposal or a denom of a chain. */
export type OutsideLink = { readonly chain: string } & (
  | { readonly kind: 'proposal'; readonly id: bigint }
  | { readonly kind: 'denom'; readonly denom: string }
);

/** Reads `chain=cosmoshub-4&proposal=705` or `…&denom=uatom`; undefined for anything else, so also for what is named twice. */
export function readOutsideLink(query: string): OutsideLink | undefined {
  if (query.length > 1000) return undefined;
  const given = new URLSearchParams(query);
  const names = [...given.keys()].sort().join();
  const chain = given.get('chain') ?? '';
  // CometBFT types/genesis.go: at most 50 characters.
  if (!/^[\w.-]{1,50}$/.test(chain)) return undefined;
  const proposal = given.get('proposal') ?? '';
  if (names === 'chain,proposal' && /^[1-9]\d{0,19}$/.test(proposal) && BigInt(proposal) < 2n ** 64n)
    return { chain, kind: 'proposal', id: BigInt(proposal) };
  const denom = given.get('denom') ?? '';
  // SDK types/coin.go.
  return names === 'chain,denom' && /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(denom)
    ? { chain, kind: 'denom', denom }
    : undefined;
}

/** The link that `readOutsideLink` reads; `scheme` is that of the editor. */
export function outsideLinkText(scheme: string, link: OutsideLink): string {
  const [name, value]: readonly [string, string] =
    link.kind === 'proposal' ? ['proposal', `${link.id}`] : ['denom', link.denom];
  return `${scheme}://chain-inspector.chain-inspector?${new URLSearchParams([
    ['chain', link.chain],
    [name, value],
  ])}`;
}
