import { toRatio } from '../../chain/ratio.ts';
import type { BondStatus, Validator } from '../../chain/validator.ts';
import type { WireValidator } from '../replySchemas.ts';

const statusByName: ReadonlyMap<unknown, BondStatus> = new Map([
  ['BOND_STATUS_BONDED', 'bonded'],
  ['BOND_STATUS_UNBONDING', 'unbonding'],
  ['BOND_STATUS_UNBONDED', 'unbonded'],
]);

/** Reads a Validator. The schema has checked that `tokens` is digits. */
export function toValidator(wire: WireValidator): Validator {
  return {
    operator: wire.operator_address,
    moniker: wire.description?.moniker ?? '',
    tokens: BigInt(wire.tokens),
    status: statusByName.get(wire.status) ?? 'unknown',
    jailed: wire.jailed === true,
    commission: toRatio(wire.commission?.commission_rates?.rate),
  };
}
