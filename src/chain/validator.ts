import type { Ratio } from './coin.ts';

/** `unknown`: not one of x/staking. */
export type BondStatus = 'bonded' | 'unbonding' | 'unbonded' | 'unknown';

/** A validator as the chain has it. */
export interface Validator {
  readonly operator: string;
  /** The operator's own text; "" where there is none. */
  readonly moniker: string;
  /** All that is delegated to it, in base units of the bond denom. */
  readonly tokens: bigint;
  readonly status: BondStatus;
  readonly jailed: boolean;
  /** The share of rewards that it keeps; undefined where the chain does not state it. */
  readonly commission: Ratio | undefined;
}
