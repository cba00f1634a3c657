import type { Coin } from '../../chain/coin.ts';
import type { SupplyDifference } from './comparison.ts';

/**
 * The denoms whose amounts differ, in the order of their characters; a denom stands at most once on each side. No supply
 * and a supply of 0 are the same. One walk over both lists, since chains list in that order (x/bank, a store by denom).
 */
export function compareSupply(left: readonly Coin[], right: readonly Coin[]): SupplyDifference[] {
  const [before, after] = [byDenom(left), byDenom(right)];
  const differences: SupplyDifference[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [before[l], after[r]];
    const denom = a && (!b || a.denom <= b.denom) ? a.denom : b?.denom;
    if (denom === undefined) return differences;
    const had = a?.denom === denom ? a.amount : 0n;
    const has = b?.denom === denom ? b.amount : 0n;
    if (a?.denom === denom) l += 1;
    if (b?.denom === denom) r += 1;
    if (had !== has) differences.push({ change: changeOf(had, has), denom, left: had, right: has });
  }
}

function byDenom(coins: readonly Coin[]): readonly Coin[] {
  const isSorted = coins.every(({ denom }, at) => at === 0 || (coins[at - 1]?.denom ?? '') < denom);
  return isSorted ? coins : [...coins].sort((a, b) => (a.denom < b.denom ? -1 : 1));
}

function changeOf(had: bigint, has: bigint): SupplyDifference['change'] {
  if (had === 0n) return 'added';
  return has === 0n ? 'gone' : 'changed';
}
