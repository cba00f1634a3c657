import { type Coin, type DenomUnit, displayAmount } from '../../chain/coin.ts';
import type { Table } from './table.ts';

/** Denoms with their amounts in base units, exact; beside them the display unit, where the chain or the registry states one. */
export function supplyTable(unitOf: (denom: string) => DenomUnit | undefined): Table<Coin> {
  return {
    name: 'supply',
    columns: ['denom', 'amount', 'symbol', 'exponent', 'display_amount'],
    cells: ({ denom, amount }) => {
      const unit = unitOf(denom);
      if (!unit) return [denom, `${amount}`, '', '', ''];
      const shown = displayAmount(amount, unit.exponent).replaceAll(',', '');
      return [denom, `${amount}`, unit.symbol, `${unit.exponent}`, shown];
    },
    json: ({ denom, amount }) => ({ denom, amount: `${amount}` }),
  };
}
