import { type FileSearch, scanAgain } from './fileSearch.ts';
import { bodyOf } from './holders/balances.ts';
import { toVestingJson } from './holders/vesting.ts';
import type { FoundStake } from './modules/staking.ts';
import { scalarText } from './scan/jsonValue.ts';

/** A search for the stake of one account. */
export interface StakeTask extends FileSearch {
  readonly kind: 'stake';
  /** `bodyOf` the address of the account. */
  readonly staker: string;
  /** The time of the vesting in milliseconds since 1970; that of the state if absent. */
  readonly at?: number | undefined;
}

/**
 * Finds the stake of an account, and how its coins vest. Reads the whole file, because an index of delegations would be
 * too large to keep.
 */
export async function findStake(task: StakeTask): Promise<FoundStake> {
  const { staker, at } = task;
  const delegations: (readonly [string, string])[] = [];
  const unbonding: (readonly [time: string, amount: string])[] = [];
  const reader = await scanAgain(task, {
    delegation: (delegator, validator, shares) => {
      if (bodyOf(delegator) === staker) delegations.push([validator, shares]);
    },
    delegationRange: (bytes, address, validator, range) => {
      if (bodyOf(bytes.toString('latin1', ...address)) !== staker) return;
      delegations.push([validator, bytes.toString('latin1', ...range)]);
    },
    unbonding: ({ delegator_address: delegator }, { balance, completion_time: time }) => {
      if (bodyOf(scalarText(delegator)) === staker) unbonding.push([scalarText(time), scalarText(balance)]);
    },
  });
  const [vesting, time] = [reader.vestingOf(staker), at ?? reader.modules.clock?.time];
  const facts = vesting && toVestingJson(vesting, time === undefined ? undefined : new Date(time));
  return { delegations, unbonding, vesting: facts };
}
