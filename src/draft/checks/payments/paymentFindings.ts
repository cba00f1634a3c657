import type { Coin } from '../../../chain/coin.ts';
import type { Ratio } from '../../../chain/ratio.ts';
import type { FailTime } from '../failTime.ts';

/** Findings about payments: the details of each, by its code. */
export interface PaymentFindings {
  'recipient-module': { readonly module: string };
  /** `holds` is what the pool holds of any denom, the first few. */
  'spend-over-pool': {
    readonly asked: Coin;
    readonly held: bigint;
    readonly holds: readonly Coin[];
    readonly fails: FailTime;
  };
  /** A spend of nearly all that the pool holds of a denom. `share` is its share of that. */
  'spend-most-of-pool': { readonly asked: Coin; readonly share: Ratio };
  'spend-over-balance': { readonly asked: Coin; readonly held: bigint };
  /** Coins that are staked are of another denom than `wanted`, the bond denom. */
  'stake-denom': { readonly field: string; readonly denom: string; readonly wanted: string };
  /** A grant is taken all the same: `useless` is one whose coins are out of order, and each use of it fails. */
  'coins-form': { readonly fault: 'empty' | 'order' | 'twice' | 'twiceGranted' | 'useless' };
  /** `touched` is a denom of which deposits would be spent. Undefined if the deposits are not known. */
  'send-from-gov': { readonly touched: TouchedDeposits | undefined };
}

/** A denom that the gov account holds, the deposits in it, and what the draft sends of it. */
export interface TouchedDeposits {
  readonly denom: string;
  readonly held: bigint;
  readonly deposits: bigint;
  readonly paid: bigint;
}
