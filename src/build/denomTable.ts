import type { Registry } from './registry.ts';

/** chain id → denom → symbol and exponent. */
export type DenomTable = Record<string, Record<string, readonly [symbol: string, exponent: number]>>;

/** SDK 0.46+ types/coin.go: only what can stand in the bank module; tokens of contracts are not supply. */
const bankDenom = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** What the registry says of the denoms of these chains. A denom whose display unit has no exponent is left out. */
export function toDenomTable({ chains, assetLists }: Registry, chainIds: ReadonlySet<string>): DenomTable {
  const lists = new Map(assetLists.map((list) => [list.chainName, list.assets]));
  const table = new Map<string, Map<string, readonly [string, number]>>();
  for (const { chainId, chainName } of chains) {
    if (!chainId || !chainIds.has(chainId)) continue;
    const units = table.get(chainId) ?? new Map<string, readonly [string, number]>();
    for (const { base, symbol, display, denomUnits } of lists.get(chainName) ?? []) {
      const exponent = denomUnits.find((unit) => unit.denom === display)?.exponent;
      if (exponent === undefined || !isExponent(exponent) || !symbol.trim() || units.has(base)) continue;
      if (bankDenom.test(base) && !/^(cw20|0x)/.test(base)) units.set(base, [symbol.trim(), exponent]);
    }
    if (units.size > 0) table.set(chainId, units);
  }
  return Object.fromEntries([...table].map(([chainId, units]) => [chainId, Object.fromEntries(units)]));
}

const isExponent = (value: number) => Number.isInteger(value) && value >= 0 && value <= 77;
