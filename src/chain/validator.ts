import type { Ratio } from './ratio.ts';

/** The status of a validator; `unknown` for one that x/staking does not have. */
export type BondStatus = 'bonded' | 'unbonding' | 'unbonded' | 'unknown';

/** A validator of the chain. */
export interface Validator {
  readonly operator: string;
  /** The operator's own name; "" for none. */
  readonly moniker: string;
  /** All tokens that are delegated to it, in base units of the bond denom. */
  readonly tokens: bigint;
  readonly status: BondStatus;
  readonly jailed: boolean;
  /** The share of rewards that it keeps; undefined if the chain does not state it. */
  readonly commission: Ratio | undefined;
  /** The end of its unbonding; undefined if it does not unbond. */
  readonly unbondingTime?: Date | undefined;
  /** Its key for signing blocks in base64; undefined for one that is not Ed25519. */
  readonly consensusKey?: string | undefined;
}
