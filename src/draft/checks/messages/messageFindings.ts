import type { AddressFault } from '../../../chain/address.ts';
import type { Coin } from '../../../chain/coin.ts';
import type { ProposalStatus } from '../../../chain/gov/proposal.ts';
import type { FailTime } from '../failTime.ts';
import type { ParamLimit } from '../params/paramRules.ts';
import type { TimeUnit } from './timeUnits.ts';

/** Findings about the accounts and values of messages: the details of each, by its code. */
export interface MessageFindings {
  /** `fault` is undefined if `found` is an address of this chain. */
  'authority-wrong': {
    readonly found: string;
    readonly expected: string;
    readonly field: string;
    readonly fault: AddressFault | undefined;
  };
  'address-invalid': { readonly field: string; readonly fault: AddressFault };
  'message-value': MessageFault;
  /** `end` is the end of a vote that begins now. */
  'time-early': { readonly field: string; readonly time: Date; readonly end: Date };
  'wasm-code': { readonly fault: WasmFault; readonly fails: FailTime };
  'validator-unknown': { readonly field: string };
  /** The gov account has no stake with this validator. */
  'delegation-unknown': Record<never, never>;
  /** A proposal is cancelled by another account than that of its proposer. */
  'proposal-proposer': { readonly id: string; readonly proposer: string };
  /**
   * `status` is undefined if the chain has no proposal with this id, and `deposit` if a vote comes too early. `ends` is
   * given for one that is open today: the last time for votes on it, and the end of a vote on the draft that begins now.
   */
  'proposal-closed': {
    readonly id: string;
    readonly status: ProposalStatus | undefined;
    readonly ends?: { readonly last: Date; readonly end: Date } | undefined;
  };
}

/** The reason for which a message refuses one of its values, or does something else with it than is meant. */
export type MessageFault =
  | { readonly fault: 'weight'; readonly fails: FailTime }
  | { readonly fault: 'weightSum'; readonly sum: string; readonly fails: FailTime }
  | { readonly fault: 'optionTwice'; readonly option: string; readonly fails: FailTime }
  | {
      readonly fault: 'sums';
      readonly inputs: readonly Coin[];
      readonly outputs: readonly Coin[];
      readonly fails: FailTime;
    }
  | { readonly fault: 'inputs'; readonly fails: FailTime }
  /** Two fields have the same value. */
  | { readonly fault: 'same'; readonly field: string; readonly other: string; readonly fails: FailTime }
  /** An earlier message has the same value in this field, of a thing that a chain has once. */
  | { readonly fault: 'again'; readonly field: string }
  /** The chain has an account at the address of this field, at which the message makes one. */
  | { readonly fault: 'exists'; readonly field: string }
  /** The shares of the community pool that the funds of a draft get, together. */
  | { readonly fault: 'shareSum'; readonly sum: string }
  | { readonly fault: 'limit'; readonly field: string; readonly limit: ParamLimit; readonly fails: FailTime }
  /** A field has one value alone, such as the state of a channel that is opened. */
  | { readonly fault: 'only'; readonly field: string; readonly wanted: string; readonly fails: FailTime }
  /** White space stands around a text. */
  | { readonly fault: 'spaces'; readonly field: string; readonly fails: FailTime }
  /** A text has more bytes than the chain takes. A chain may have set another limit. */
  | { readonly fault: 'long'; readonly field: string; readonly bytes: number; readonly most: number }
  /** A number, or a text, stands twice in a list. */
  | { readonly fault: 'twice'; readonly value: string; readonly fails: FailTime }
  /** `field` has a denom that `other` lacks. */
  | {
      readonly fault: 'denom';
      readonly denom: string;
      readonly field: string;
      readonly other: string;
      readonly fails: FailTime;
    }
  | { readonly fault: 'order'; readonly larger: string; readonly smaller: string; readonly fails: FailTime }
  /** An access that CosmWasm no longer has. `isGone` if the version of the chain is known. */
  | { readonly fault: 'oldAccess'; readonly isGone: boolean; readonly fails: FailTime }
  /** The fields about the source of a code stand together, or not at all. */
  | { readonly fault: 'source'; readonly lacking: readonly string[]; readonly fails: FailTime }
  /** JSON stands as a text, or as the base64 of one, in place of itself. */
  | { readonly fault: 'encoded'; readonly field: string; readonly isBase64: boolean }
  /** A time in another unit than nanoseconds. */
  | { readonly fault: 'short'; readonly field: string; readonly least: 'millisecond' | 'second' }
  /** The policy of a group lets each member decide alone. */
  | { readonly fault: 'alone'; readonly field: string }
  /** No port, channel, connection or denom has such a name. */
  | { readonly fault: 'id'; readonly field: string; readonly example: string }
  /** A permission that names no message. The chain takes it. */
  | { readonly fault: 'nothing'; readonly field: string }
  /** A setting of a denom is set and removed. */
  | { readonly fault: 'reset'; readonly denom: string }
  /** A time since 1970 is in another unit than seconds, or too short to be one. */
  | { readonly fault: 'unit'; readonly field: string; readonly unit: Exclude<TimeUnit, 'seconds'> }
  | { readonly fault: 'period'; readonly field: string; readonly time: Date };

/**
 * The reason for which bytes are no WebAssembly. `twice` is base64 of base64, `text` its text form (.wat), and `short`
 * are too few bytes.
 */
export type WasmFault = 'hex' | 'twice' | 'zip' | 'text' | 'short' | 'other';
