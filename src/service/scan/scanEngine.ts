import { type BalanceSummer, ScriptSummer } from '../holders/balances.ts';
import type { DelegationReader } from '../modules/staking.ts';
import { ScriptSkipper, type Skipper } from './skipper.ts';

/** The parts that read the bytes of a state. All of them see the same chunks. */
export interface ScanEngine {
  readonly skipper: Skipper;
  readonly balances: BalanceSummer;
  /** Absent if delegations are parsed one by one. */
  readonly delegations?: DelegationReader;
}

/** Makes the engine in JavaScript. */
export function scriptEngine(): ScanEngine {
  return { skipper: new ScriptSkipper(), balances: new ScriptSummer() };
}
