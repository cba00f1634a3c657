import { accountAddress, moduleAddress } from './sampleAddresses.ts';
import { bondDenom, sampleCoins } from './sampleCoins.ts';
import { bondedTokens, notBondedTokens } from './sampleStaking.ts';
import type { SampleCoin } from './sampleTypes.ts';

const holders = Array.from({ length: 12 }, (_, index) => accountAddress(`holder ${index}`));
const communityPool = 9_600_000_000_000n;

/** x/bank of the export; the balances add up to the supply exactly, with the deposits of live proposals held by the gov module. */
export function sampleBank(heldByGov: bigint) {
  const coins = sampleCoins();
  const balances = new Map<string, SampleCoin[]>();
  const give = (address: string, denom: string, amount: bigint) => {
    if (amount > 0n) balances.set(address, [...(balances.get(address) ?? []), { denom, amount: String(amount) }]);
  };
  const held: [string, bigint][] = [
    [moduleAddress('bonded_tokens_pool'), bondedTokens],
    [moduleAddress('not_bonded_tokens_pool'), notBondedTokens],
    [moduleAddress('gov'), heldByGov],
    [moduleAddress('distribution'), communityPool],
  ];
  for (const [index, { denom, amount }] of coins.entries()) {
    let rest = amount;
    for (const [address, part] of denom === bondDenom ? held : []) {
      give(address, denom, part);
      rest -= part;
    }
    const third = rest / 3n;
    const [first = '', second = ''] = [holders[index % 12], holders[(index * 5 + 1) % 12]];
    give(first, denom, first === second ? rest : rest - third);
    if (first !== second) give(second, denom, third);
  }
  return {
    params: { send_enabled: [{ denom: 'voucher-7', enabled: true }], default_send_enabled: true },
    balances: [...balances]
      .map(([address, list]) => ({ address, coins: list }))
      .sort((a, b) => (a.address < b.address ? -1 : 1)),
    supply: coins.map(({ denom, amount }): SampleCoin => ({ denom, amount: String(amount) })),
    denom_metadata: coins.flatMap(({ metadata }) => metadata ?? []),
  };
}
