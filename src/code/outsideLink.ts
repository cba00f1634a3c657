/** The target of a link. */
export type Linked =
  | { readonly kind: 'proposal'; readonly id: bigint }
  | { readonly kind: 'denom'; readonly denom: string };

/** A link from outside the editor to a proposal or denom of a chain. */
export type OutsideLink = Linked & { readonly chain: string };

/**
 * Reads `chain=cosmoshub-4&proposal=705` or `…&denom=uatom`. Undefined for anything else, also if a name stands twice.
 */
export function readOutsideLink(query: string): OutsideLink | undefined {
  if (query.length > 1000) return undefined;
  const given = new URLSearchParams(query);
  const names = [...given.keys()].sort().join();
  const chain = given.get('chain') ?? '';
  // At most 50 characters (CometBFT types/genesis.go).
  if (!/^[\w.-]{1,50}$/.test(chain)) return undefined;
  const proposal = given.get('proposal') ?? '';
  if (names === 'chain,proposal' && /^[1-9]\d{0,19}$/.test(proposal) && BigInt(proposal) < 2n ** 64n)
    return { chain, kind: 'proposal', id: BigInt(proposal) };
  const denom = given.get('denom') ?? '';
  // As ValidateDenom of the SDK (types/coin.go).
  return names === 'chain,denom' && /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(denom)
    ? { chain, kind: 'denom', denom }
    : undefined;
}

/**
 * Writes a link for `readOutsideLink`. `scheme` is that of the editor. Undefined for a denom that could not be read
 * back.
 */
export function outsideLinkText(scheme: string, link: OutsideLink): string | undefined {
  const [name, value]: readonly [string, string] =
    link.kind === 'proposal' ? ['proposal', `${link.id}`] : ['denom', link.denom];
  const query = `${new URLSearchParams([
    ['chain', link.chain],
    [name, value],
  ])}`;
  return readOutsideLink(query) && `${scheme}://chain-inspector.chain-inspector?${query}`;
}
