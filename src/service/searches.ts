import { findStake, type StakeTask } from './accountStake.ts';
import { findSchedule, type ScheduleTask } from './denomSchedule.ts';
import { type BalancesTask, findBalances, findLargestHolders, type HoldersTask } from './holders/largestHolders.ts';

/** A search in a state file for what a state does not keep of it. */
export type SearchTask = HoldersTask | BalancesTask | StakeTask | ScheduleTask;

/** Runs a search. Rejects with `FileChangedError` if the file is no longer the one that was read. */
export function runSearch(task: SearchTask): Promise<object> {
  switch (task.kind) {
    case 'holders':
      return findLargestHolders(task);
    case 'balances':
      return findBalances(task);
    case 'stake':
      return findStake(task);
    case 'schedule':
      return findSchedule(task);
    default:
      return task satisfies never;
  }
}
