import type { Coin, DenomUnit } from './coin.ts';

/** What the rows of the supply are ordered by. `denom` is the chain's own order, by bytes. */
export const supplyOrders = ['denom', 'amount', 'symbol'] as const;
export type SupplyOrder = (typeof supplyOrders)[number];

/** How the loaded rows of the supply are shown (decision 30); it asks nothing of the chain. */
export interface SupplyView {
  /** Shown are denoms that hold this text in their name or their symbol; "" shows all. */
  readonly text: string;
  readonly order: SupplyOrder;
}

/** Everything, in the chain's order. */
export const wholeSupply: SupplyView = { text: '', order: 'denom' };

/**
 * The rows that a view shows, in its order: amounts from the largest (in base units, exact), symbols by the alphabet and
 * denoms without one last. Equal rows stay in the chain's order.
 */
export function viewCoins(
  coins: readonly Coin[],
  view: SupplyView,
  unitOf: (denom: string) => DenomUnit | undefined,
): readonly Coin[] {
  const found = view.text === '' ? coins : coins.filter((coin) => hasText(coin.denom, view.text, unitOf));
  switch (view.order) {
    case 'denom':
      return found;
    case 'amount':
      return found.toSorted((a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0));
    case 'symbol':
      return found.toSorted((a, b) => bySymbol(unitOf(a.denom)?.symbol, unitOf(b.denom)?.symbol));
    default:
      return view.order satisfies never;
  }
}

/** Whether a denom or its symbol holds the text; upper and lower case are the same. */
export function hasText(denom: string, text: string, unitOf: (denom: string) => DenomUnit | undefined): boolean {
  const wanted = text.toLowerCase();
  return denom.toLowerCase().includes(wanted) || (unitOf(denom)?.symbol.toLowerCase().includes(wanted) ?? false);
}

function bySymbol(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return a.localeCompare(b, 'en');
}
