import type { Coin } from './coin.ts';

/** One denom of a minimum deposit; amounts in base units. */
export interface DepositStanding {
  readonly denom: string;
  readonly deposited: bigint;
  readonly needed: bigint;
  readonly missing: bigint;
}

/** How far a deposit is from its minimum. A chain opens the vote when no denom misses anything (x/gov keeper/deposit.go). */
export function depositStanding(total: readonly Coin[], minimum: readonly Coin[]): readonly DepositStanding[] {
  return minimum.map(({ denom, amount: needed }) => {
    const deposited = total.reduce((sum, coin) => (coin.denom === denom ? sum + coin.amount : sum), 0n);
    return { denom, deposited, needed, missing: deposited < needed ? needed - deposited : 0n };
  });
}
