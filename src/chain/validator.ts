import type { WireValidator } from '../api/contract.ts';
import type { ChainNode, ValidatorsRequest } from '../api/node.ts';
import { mapRows, type Page } from '../api/pages.ts';
import { type Ratio, toRatio } from './ratio.ts';

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

const statuses: ReadonlyMap<unknown, BondStatus> = new Map([
  ['BOND_STATUS_BONDED', 'bonded'],
  ['BOND_STATUS_UNBONDING', 'unbonding'],
  ['BOND_STATUS_UNBONDED', 'unbonded'],
]);

export function toValidator(wire: WireValidator): Validator {
  return {
    operator: wire.operator_address,
    moniker: wire.description?.moniker ?? '',
    tokens: BigInt(wire.tokens),
    status: statuses.get(wire.status) ?? 'unknown',
    jailed: wire.jailed === true,
    commission: toRatio(wire.commission?.commission_rates?.rate),
  };
}

/** One page of validators; undefined where they are not offered. Rejects as `ChainNode.validators`. */
export async function readValidators(
  node: ChainNode,
  request: ValidatorsRequest,
  signal?: AbortSignal,
): Promise<Page<Validator> | undefined> {
  const page = await node.validators(request, signal);
  return page && mapRows(page, toValidator);
}
