// The module: what it exports is called from simdEngine.ts. Positions are those of bytes in its memory; 64 bytes behind the
// bytes that it reads are 0.
export { countOfAccounts, countOfDelegations, countOfPicked, readDelegations, skipAccounts } from './plainRows';
export { begin, skip } from './skip';
export {
  body,
  clear,
  coins,
  countOfCoins,
  countOfNames,
  countOfRows,
  leaveBalances,
  leaveDelegations,
  names,
  sumBalances,
} from './sum';

/** Where bytes to be read are put, to the end of the memory. */
export const input: usize = 0x3200000;
