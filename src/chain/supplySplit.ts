import { shorten } from './text.ts';

/**
 * The classes in the order in which they are listed. An account of several classes counts as the first of them
 * (docs/nodes.md#supply-split).
 */
export type SplitClass = 'module' | 'escrow' | 'contract' | 'vesting_locked' | 'vesting_free' | 'other' | 'residue';

/** The amount in a class, or in one module, channel or client of it, in base units. */
export interface SplitRow {
  readonly class: SplitClass;
  /**
   * The module, the port and channel (or client) of an escrow, or the unknown type of vesting accounts; otherwise "".
   */
  readonly name: string;
  /** Port and channel on the other chain, if known. */
  readonly counterparty?: string | undefined;
  /** The amount. Only `residue` may be negative: it is the stated supply less all other rows. */
  readonly amount: bigint;
}

/** A class that a node was not fully asked for. The rest of its coins counts as `other`. */
export interface SplitGap {
  readonly class: 'module' | 'escrow';
  /** The reason. `limit`: there are more than are asked for. `stopped`: the user stopped it. */
  readonly reason: 'unsupported' | 'limit' | 'stopped';
  /** The last one that was asked for; undefined for none. */
  readonly last?: string | undefined;
}

/**
 * The split of a denom into classes of accounts. The rows add up to the supply, digit by digit. A row of zero is left
 * out, except for the residue of a state. For a node, `other` are all accounts that were not asked for one by one,
 * including vesting accounts and contracts.
 */
export interface SupplySplit {
  readonly denom: string;
  readonly supply: bigint;
  readonly origin: 'state' | 'node';
  readonly rows: readonly SplitRow[];
  /** The number of holders; of a state only. */
  readonly holders?: bigint | undefined;
  /** The coins that have not vested, including delegated ones; undefined if not known, as for a node. */
  readonly notVested?: bigint | undefined;
  /** The parts of the distribution account in 10^-18 base units. A node gives only the pool, in whole base units. */
  readonly distribution?: DistributionParts | undefined;
  readonly gaps: readonly SplitGap[];
  readonly height?: bigint | undefined;
  /** The reason, in the node's words, why the rows may be of several heights. */
  readonly unpinnedReason?: string | undefined;
}

/** The parts in 10^-18 base units. `dust` may be negative. */
export interface DistributionParts {
  readonly communityPool: bigint;
  readonly rewards?: bigint | undefined;
  readonly dust?: bigint | undefined;
}

/** An IBC channel: port and channel here, and on the other chain if known. */
export interface Channel {
  readonly name: string;
  readonly counterparty: string | undefined;
  /** True if coins can be sent over it now. */
  readonly isOpenTransfer: boolean;
}

/** An account that holds much of a denom, in base units. */
export interface Holder extends Pick<SplitRow, 'name' | 'amount'> {
  readonly address: string;
  /** The class of the account. The locked part of a vesting account depends on the denom. */
  readonly class: Exclude<SplitClass, 'vesting_locked' | 'vesting_free' | 'residue'> | 'vesting';
  /** The time at which all its coins have vested. */
  readonly vestingEnd?: Date | undefined;
}

const longestName = 200;

/** Cuts a module, port or channel at 200 characters and marks the cut. The whole name gives the address. */
export function shownName(name: string): string {
  return name.length <= longestName ? name : shorten(name, longestName - 1);
}
