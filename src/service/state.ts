import type { LiveTally } from './liveTally.ts';
import type { Table } from './table.ts';

/** What a state file says of itself. */
export interface Head {
  /** "" where the file does not say (a bare `app_state`). */
  readonly chainId: string;
  /** `initial_height`: the height that the chain starts or goes on with. */
  readonly height: string | undefined;
  /** `genesis_time`, RFC 3339. */
  readonly time: string | undefined;
  readonly appName: string | undefined;
}

export interface Bank {
  /** Key: denom. Row: `{"denom","amount"}`. */
  readonly supply: Table;
  /** Key: base denom. Row: the metadata as it came. */
  readonly metadata: Table;
}

export interface Gov {
  /** Key: id, 8 bytes, big-endian. Row: the proposal in the form that the state holds it in. */
  readonly proposals: Table;
  /** Number in `statusNames`, by position in `proposals`. */
  readonly statuses: Uint8Array<ArrayBuffer>;
  /** 1 = v1, 0 = v1beta1, by position in `proposals`. */
  readonly forms: Uint8Array<ArrayBuffer>;
  /** Key: address. Row: list of positions in `proposals`. */
  readonly voters: Table;
  readonly depositors: Table;
  /** JSON of the params in the v1 form (SDK 0.47+), of an older state only the fields that it knows; undefined where it holds none. */
  readonly params: string | undefined;
  /** Address of the gov module; "" where no address of the state tells the chain's prefix. */
  readonly authority: string;
  /** Latest moment that a proposal speaks of as past: no state is older than what it holds. Milliseconds, or undefined. */
  readonly latest: number | undefined;
}

/** Base units of the bond denom. Undefined where the genesis was not exported (decision 28). */
export interface Staking {
  readonly bondedTokens: string | undefined;
  readonly notBondedTokens: string | undefined;
  /** What running votes stand at, by proposal id; undefined where the delegations could not be kept. */
  readonly tallies: Readonly<Record<string, LiveTally>> | undefined;
}

/** Genesis params by module, as JSON. */
export type Params = Readonly<Record<string, string>>;

/** The indexed content of a state file. */
export interface State {
  readonly head: Head;
  readonly bank: Bank;
  readonly gov: Gov;
  readonly staking: Staking;
  readonly params: Params;
}

export type PartName = keyof State;

export const partNames: readonly PartName[] = ['head', 'bank', 'gov', 'staking', 'params'];
