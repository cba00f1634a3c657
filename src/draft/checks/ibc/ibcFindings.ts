import type { FailTime } from '../failTime.ts';

/** Findings about IBC clients and transfers: the details of each, by its code. */
export interface IbcFindings {
  'client-recovery': RecoveryFault;
  'client-upgraded': UpgradedFault;
  'transfer-timeout': TimeoutFault;
}

/** A fault in the state that clients of the chain get by its upgrade. */
export type UpgradedFault =
  | { readonly fault: 'type'; readonly wanted: string; readonly fails: FailTime }
  | { readonly fault: 'empty'; readonly field: string }
  /** The revisions of the height and of the chain id. */
  | { readonly fault: 'revision'; readonly chainId: string; readonly found: string; readonly wanted: string };

/** A fault in the timeout of an IBC transfer. `end` is the end of a vote that begins now. */
export type TimeoutFault =
  | { readonly fault: 'none'; readonly fails: FailTime }
  /** The time is in another unit than nanoseconds. */
  | { readonly fault: 'unit'; readonly unit: 'seconds' | 'milliseconds' | 'microseconds' }
  /** A time from the execution on that is less than a second. */
  | { readonly fault: 'relative' }
  | { readonly fault: 'past'; readonly time: Date; readonly now: Date }
  | { readonly fault: 'early'; readonly time: Date; readonly end: Date };

/** The reason for which an IBC client cannot be recovered, or only for a short time. */
export type RecoveryFault =
  | { readonly fault: 'id' | 'same' | 'missing' | 'active' }
  | { readonly fault: 'inactive'; readonly status: string }
  /** Latest heights. `own` is that of the substitute, `other` that of the client to recover. */
  | { readonly fault: 'height'; readonly own: string; readonly other: string }
  | { readonly fault: 'differs'; readonly field: string; readonly own: string; readonly other: string }
  | { readonly fault: 'expires'; readonly expires: Date; readonly end: Date };
