import type { Fields } from '../api/wireValues.ts';
import type { Coin } from '../chain/coin.ts';
import type { GovParams } from '../chain/params.ts';

/**
 * What is known of the chain that a draft is checked against, all of it at one time; undefined, or absent from a map, is
 * what could not be asked or was not asked. Nothing here is guessed.
 */
export interface KnownFacts {
  /** `cosmoshub-4`. */
  readonly chainId?: string | undefined;
  /** The last block, and its time. */
  readonly height?: bigint | undefined;
  readonly time?: Date | undefined;
  /** Seconds from one block to the next, measured over many. */
  readonly blockSeconds?: number | undefined;
  /** What the node calls its SDK: `v0.53.8`. Forks have versions of their own. */
  readonly sdkVersion?: string | undefined;
  /** Whether the node offers gov v1, and with it proposals of messages. */
  readonly hasGovV1?: boolean | undefined;
  /** Empty where the chain has no gov module. */
  readonly govParams?: GovParams | undefined;
  /** Address of the account of the gov module, as the chain names it. */
  readonly govAccount?: string | undefined;
  /** What addresses of accounts begin with: `cosmos`. */
  readonly prefix?: string | undefined;
  /** Account address of a module → its name. */
  readonly moduleAccounts?: ReadonlyMap<string, string> | undefined;
  /** The chain has a module for proof of authority, whose admin may be the authority in place of gov. */
  readonly isProofOfAuthority?: boolean | undefined;
  /** Package (`cosmos.staking.v1beta1`) → today's parameters as its own query answers them. */
  readonly moduleParams: ReadonlyMap<string, Fields>;
  /**
   * `subspace/key` → today's value (a JSON text) of a legacy parameter; "" where the chain answers, but holds none there, null
   * where it has no such subspace.
   */
  readonly legacyParams: ReadonlyMap<string, string | null>;
  /** What the community pool holds, in whole base units. */
  readonly communityPool?: readonly Coin[] | undefined;
  /** Name of an upgrade → the height at which it was applied; 0 for never. */
  readonly appliedPlans: ReadonlyMap<string, bigint>;
}

/** The key of a legacy parameter in `legacyParams`. */
export function legacyName({ subspace, key }: { readonly subspace: string; readonly key: string }): string {
  return `${subspace}/${key}`;
}

/** No chain at all: what is left are the checks of the form. */
export const nothingKnown: KnownFacts = {
  moduleParams: new Map(),
  legacyParams: new Map(),
  appliedPlans: new Map(),
};

/** The rules of gov in their order; each version has those of the versions before it. */
const ages = ['legacy', 'messages', 'titles', 'expedited'] as const;
/** `legacy`: up to SDK 0.45; `messages`: 0.46; `titles`: title and summary are required, 0.47; `expedited`: 0.50. */
export type GovAge = (typeof ages)[number];

/** Which rules of gov a chain has, by what its parameters show, else by its version; undefined where neither is known. */
export function govAge({ govParams, hasGovV1, sdkVersion }: KnownFacts): GovAge | undefined {
  if (govParams?.expeditedVotingPeriod !== undefined && hasGovV1 !== false) return 'expedited';
  if (govParams?.burnVoteVeto !== undefined || govParams?.burnNoThreshold !== undefined) return 'titles';
  const minor = Number(/^v?0\.(\d{2})\./.exec(sdkVersion ?? '')?.[1] ?? Number.NaN);
  if (minor >= 50) return 'expedited';
  if (minor >= 47) return 'titles';
  if (minor === 46) return 'messages';
  return minor <= 45 || hasGovV1 === false ? 'legacy' : undefined;
}

/** Whether the rules of this age hold; undefined where that is not known. */
export function isSince(facts: KnownFacts, age: GovAge): boolean | undefined {
  const known = govAge(facts);
  return known && ages.indexOf(known) >= ages.indexOf(age);
}
