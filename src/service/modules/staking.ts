import type { Fields } from '../../chain/fields.ts';
import { decimalOne, toDecimals, toShares } from '../decimals.ts';
import { type BalanceSink, bodyOf, type PoolAccounts } from '../holders/balances.ts';
import type { VestingJson, VestingTotals } from '../holders/vesting.ts';
import type { FastReader, ObjectVisitor, Visitor } from '../scan/jsonScanner.ts';
import {
  isParsedObject,
  objectVisitor,
  readCoin,
  rowsVisitor,
  scalarText,
  toDigits,
  toEnumName,
  toFields,
  toFraction,
  toList,
  toText,
  toWholeUnits,
  valueVisitor,
} from '../scan/jsonValue.ts';
import { ValueError } from '../serviceErrors.ts';
import { toAddressKey } from '../stateAddresses.ts';
import { type KeyedTable, toTable } from '../table.ts';
import type { GovReader } from './govReader.ts';
import type { ClockReader } from './stateClock.ts';
import { type Delegation, liveTallies, type StateValidator } from './votes.ts';

export interface Staking {
  /** The bonded tokens in base units of the bond denom; undefined if the state does not hold their sources. */
  readonly bondedTokens: string | undefined;
  readonly notBondedTokens: string | undefined;
  /**
   * The current counts of open votes, by proposal id; undefined if votes, validators or delegations are not all known.
   */
  readonly tallies: Exclude<ReturnType<typeof liveTallies>, number> | undefined;
  /**
   * The validators. The key is `toAddressKey` of the operator, the row the validator as it came, the tag the index in
   * `bondStatuses` or 255.
   */
  readonly validators: KeyedTable;
  /** The validators that transactions of a genesis create, as far as these came before the staking module. */
  readonly created?: readonly Fields[];
}

/** Receives delegations as they came, while they are read. */
export interface StakingSink {
  /** Receives a delegation. Shares are a decimal number. */
  delegation(delegator: string, validator: string, shares: string): void;
  /** Receives a delegation with delegator and shares as ranges of `bytes`. */
  readonly delegationRange: BalanceSink['addRange'];
  /** Receives one entry of an unbonding delegation. Throws `ValueError` to refuse it. */
  unbonding(delegation: Fields, entry: Fields): void;
}

/** The stake of an account as the file has it. */
export interface FoundStake {
  /** Its shares of validators, as decimal numbers. */
  readonly delegations: readonly (readonly [validator: string, shares: string])[];
  /** The tokens that it gets back later, in base units, by the time as the file has it. */
  readonly unbonding: readonly (readonly [time: string, amount: string])[];
  /** How its coins vest; undefined for an account that vests nothing, or by a schedule that is not known. */
  readonly vesting: VestingJson | undefined;
}

/** The vesting of a denom, and all unbonding tokens, as plain JSON. Amounts are in base units. */
export interface FoundSchedule {
  /** Null if an account vests by a schedule that is not known. */
  readonly vesting: VestingTotals | null;
  readonly unbonding: UnbondingTotals;
}

/** The tokens that unbond. */
export interface UnbondingTotals {
  readonly amount: string;
  readonly entries: number;
  /** The part of `amount` that is free by the time. */
  readonly by_then: string;
  /** The first days (in UTC) on which tokens become free. */
  readonly days: readonly { readonly day: string; readonly amount: string; readonly entries: number }[];
  readonly more_days: number;
}

/** The statuses in the order of their numbers before SDK 0.40, where their names have no `BOND_STATUS_`. */
export const bondStatuses: readonly string[] = ['BOND_STATUS_UNBONDED', 'BOND_STATUS_UNBONDING', 'BOND_STATUS_BONDED'];
const bonded = bondStatuses.indexOf('BOND_STATUS_BONDED');
/** The limit for delegations that are kept. Only those of voters are, unless the votes come later in the file. */
const maxDelegations = 300_000;

/** Reads delegations as exporters write them, many at once. */
export interface DelegationReader {
  /**
   * Reads delegations from the one at `start` on, as long as they are written plainly and end in this chunk. Returns
   * the index after the last one, or -1. `add` receives delegator, validator and shares.
   */
  read(bytes: Buffer, start: number, add: BalanceSink['addRange'] | undefined): number;
  /** The number of delegations that `read` has read. */
  readonly count: number;
  /** From now on `read` stops before delegations whose delegator has this body, and before few others. false: it cannot. */
  leave(body: string): boolean;
}

/** Tokens that are bonded, and that wait to be free. */
interface Pool {
  readonly bonded: bigint;
  readonly notBonded: bigint | undefined;
}

/** Collects the bonded total, and what running votes need, while `app_state.staking` is scanned. */
export class StakingReader {
  /** By operator. */
  readonly #validators = new Map<string, StateValidator>();
  /** By delegator. */
  readonly #delegations = new Map<string, Delegation[]>();
  readonly #clock: ClockReader;
  readonly #sink: StakingSink | undefined;
  readonly #reader: DelegationReader | undefined;
  #delegationCount = 0;
  /** The number of delegations for counting the running votes, if they are too many. */
  uncounted: number | undefined;
  #bonded = 0n;
  #notBonded = 0n;
  #isExported = false;
  #validatorCount = 0;
  #unreadable = { validators: 0, delegations: 0, unbonding: 0 };
  #bondDenom: string | undefined;
  /** As the file states it (until SDK 0.35), decimals in units of 10^-18. */
  #pool: Pool | undefined;
  #poolFields: Fields = {};

  constructor(clock: ClockReader, sink?: StakingSink, reader?: DelegationReader) {
    this.#clock = clock;
    this.#sink = sink;
    this.#reader = reader;
  }

  visitor(votes: GovReader['liveVotes'], end: () => void): ObjectVisitor {
    const voters = votes && new Set([...votes.values()].flat().map((vote) => vote.voter));
    const members: Record<string, Visitor> = {
      exported: valueVisitor((value) => {
        this.#isExported = value === true;
      }),
      pool: valueVisitor((value) => {
        const pool = toFields(value);
        this.#poolFields = pool;
        this.#pool = { bonded: toShares(bondedOf(pool), '.bonded_tokens'), notBonded: notBondedOf(pool) };
      }),
      validators: rowsVisitor(
        (value) => this.#addValidator(value),
        () => this.#unreadable.validators++,
      ),
      unbonding_delegations: rowsVisitor(
        (value) => this.#addUnbonding(value),
        () => this.#unreadable.unbonding++,
      ),
      redelegations: { ...rowsVisitor((value) => this.#noteRedelegation(value)), isOptional: true },
    };
    // SDK 0.24 and earlier call delegations bonds.
    if (voters?.size !== 0 || this.#sink)
      members.bonds = members.delegations = {
        ...rowsVisitor(
          (value) => this.#addDelegation(value, voters),
          () => this.#unreadable.delegations++,
        ),
        fast: this.#fast(voters),
      };
    return objectVisitor(members, end);
  }

  /** Gives a reader that reads all other delegations at once, if the voters are known. */
  #fast(voters: ReadonlySet<string> | undefined): FastReader | undefined {
    const [reader, sink] = [this.#reader, this.#sink];
    if (!reader || !voters || ![...voters].every((voter) => reader.leave(bodyOf(voter)))) return undefined;
    return {
      read: (bytes, start): number => reader.read(bytes, start, sink?.delegationRange),
      get count(): number {
        return reader.count;
      },
    };
  }

  /**
   * Ends the scan. For an export, the bonded tokens are the sum of the validators. Another genesis names them in its
   * pool, by its validators or on the accounts of the pools, if at all. With `countsAsNow`, votes are counted as in SDK
   * 0.38 and later (docs/nodes.md#rules).
   */
  finish(votes: GovReader['liveVotes'], pools: PoolAccounts, countsAsNow: boolean): Staking {
    const { validators, delegations, unbonding } = this.#unreadable;
    const holds = this.#isExported || (!this.#pool && this.#validatorCount > 0 && this.#bonded > 0n);
    const isTallied = holds && countsAsNow && validators + delegations === 0 && this.#delegationCount <= maxDelegations;
    const stakes = { validators: this.#validators, delegations: this.#delegations };
    const tallies = votes && isTallied ? liveTallies(votes, stakes) : undefined;
    if (typeof tallies === 'number') this.uncounted = tallies;
    const known = holds
      ? {
          bonded: validators === 0 ? this.#bonded : undefined,
          notBonded: validators + unbonding === 0 ? this.#notBonded : undefined,
        }
      : (this.#statedPool() ?? this.#poolOn(pools));
    return {
      bondedTokens: known?.bonded?.toString(),
      notBondedTokens: known?.notBonded?.toString(),
      tallies: typeof tallies === 'number' ? undefined : tallies,
      validators: toTable([...this.#validators.values()]),
    };
  }

  /** Gives the stated pool, cut to whole units. */
  #statedPool(): Pool | undefined {
    const { bonded, notBonded } = this.#pool ?? {};
    if (bonded === undefined) return undefined;
    return { bonded: bonded / decimalOne, notBonded: notBonded === undefined ? undefined : notBonded / decimalOne };
  }

  /** Gives the pool by its accounts. A genesis leaves out accounts without coins. */
  #poolOn({ bonded, notBonded }: PoolAccounts): Pool | undefined {
    const amount = bonded?.get(this.#bondDenom ?? '');
    return amount === undefined
      ? undefined
      : { bonded: amount, notBonded: notBonded?.get(this.#bondDenom ?? '') ?? 0n };
  }

  readParams(params: unknown): void {
    if (isParsedObject(params) && typeof params.bond_denom === 'string') this.#bondDenom = params.bond_denom;
  }

  /** True if tokens are staked. Before SDK 0.36, no account holds them. */
  get hasStake(): boolean {
    return this.#pool !== undefined || this.#validatorCount > 0;
  }

  /** Gives the staked and the other tokens of their denom, in base units. */
  get pool(): { readonly denom: string; readonly amount: string } | undefined {
    const { bonded, notBonded } = this.#pool ?? {};
    if (bonded === undefined || notBonded === undefined || this.#bondDenom === undefined) return undefined;
    return { denom: this.#bondDenom, amount: String((bonded + notBonded) / decimalOne) };
  }

  #addValidator(value: unknown): void {
    this.#validatorCount++;
    const fields = withTokens(toFields(value), this.#poolFields);
    const { delegator_shares } = fields;
    this.#noteTimes(fields);
    const operator = fields.operator_address ?? fields.operator_addr ?? fields.operator ?? fields.owner;
    const units = toWholeUnits(fields.tokens, '.tokens');
    const tokens = BigInt(units);
    const tag = statusNumber(fields.status);
    if (tag === bonded) this.#bonded += tokens;
    else this.#notBonded += tokens;
    if (typeof operator !== 'string') return;
    const status = bondStatuses[tag] ?? fields.status;
    const shares = delegator_shares === undefined ? {} : { delegator_shares: withoutFraction(delegator_shares) };
    const row = JSON.stringify({ ...fields, ...shares, operator_address: operator, tokens: units, status });
    const validator: StateValidator = { key: toAddressKey(operator), row, tag, tokens, shares: 0n };
    this.#validators.set(operator, validator);
    if (tag === bonded && delegator_shares !== undefined)
      validator.shares = toShares(delegator_shares, '.delegator_shares');
  }

  /** Notes when the commission of a validator changed, and the end of its last unbonding. */
  #noteTimes({ commission, unbonding_time }: Fields): void {
    if (isParsedObject(commission))
      this.#clock.note('staking.validators.commission.update_time', commission.update_time);
    this.#clock.noteUnbonding('staking.validators.unbonding_time', unbonding_time, false);
  }

  #noteRedelegation(value: unknown): void {
    for (const entry of entriesOf(value))
      if (isParsedObject(entry))
        this.#clock.noteUnbonding('staking.redelegations.completion_time', entry.completion_time, isOpen(entry));
  }

  /** Adds a delegation. Its `shares` stand at the top, or in `delegation` in some exports. */
  #addDelegation(value: unknown, voters: ReadonlySet<string> | undefined): void {
    const item = toFields(value);
    const delegation = withAddresses(isParsedObject(item.delegation) ? item.delegation : item);
    const delegator = toText(delegation.delegator_address, '.delegator_address');
    const isCounted = (!voters || voters.has(delegator)) && this.#delegationCount <= maxDelegations;
    if (!isCounted && !this.#sink) return;
    const validator = toText(delegation.validator_address, '.validator_address');
    const shares = toShares(delegation.shares, '.shares');
    this.#sink?.delegation(delegator, validator, scalarText(withoutFraction(delegation.shares)));
    if (!isCounted) return;
    this.#delegationCount++;
    const known = this.#delegations.get(delegator);
    if (known) known.push({ validator, shares });
    else this.#delegations.set(delegator, [{ validator, shares }]);
  }

  /** Adds an unbonding delegation. Its tokens are in the not-bonded pool (x/staking/keeper/pool.go). */
  #addUnbonding(value: unknown): void {
    const delegation = withAddresses(toFields(value));
    if (!('entries' in delegation) && 'balance' in delegation) {
      this.#addUnbondingOf(delegation);
      return;
    }
    for (const [index, item] of toList(delegation.entries, '.entries').entries()) {
      const path = `.entries[${index}]`;
      const entry = toFields(item, path);
      this.#notBonded += BigInt(toDigits(entry.balance, path, '.balance'));
      this.#clock.noteUnbonding('staking.unbonding_delegations.completion_time', entry.completion_time, isOpen(entry));
      this.#sink?.unbonding(delegation, entry);
    }
  }

  /** Adds an unbonding delegation of SDK 0.30 and earlier: it is its own single entry, and its balance is a coin. */
  #addUnbondingOf({ balance, initial_balance, min_time, ...delegation }: Fields): void {
    const { amount } = readCoin(balance, '.balance');
    const initial = initial_balance === undefined ? undefined : readCoin(initial_balance, '.initial_balance').amount;
    this.#notBonded += BigInt(amount);
    this.#clock.noteUnbonding('stake.unbonding_delegations.min_time', min_time, true);
    this.#sink?.unbonding(delegation, { balance: amount, initial_balance: initial, completion_time: min_time });
  }
}

/**
 * Reads the bonded tokens of a pool. The first states of 2018 write them without quotes, beside three other numbers.
 */
function bondedOf({ bonded_tokens, loose_unbonded_tokens }: Fields): unknown {
  return loose_unbonded_tokens === undefined ? bonded_tokens : scalarText(bonded_tokens);
}

/**
 * Reads the not-bonded tokens of a pool in units of 10^-18: one number, or three in the first states of 2018. Undefined
 * if the pool does not state them.
 */
function notBondedOf(pool: Fields): bigint | undefined {
  const { not_bonded_tokens = pool.loose_tokens } = pool;
  if (not_bonded_tokens !== undefined) return toShares(not_bonded_tokens, '.not_bonded_tokens');
  if (pool.loose_unbonded_tokens === undefined) return undefined;
  const parts = ['loose_unbonded_tokens', 'unbonded_tokens', 'unbonding_tokens'] as const;
  return parts.reduce((sum, part) => sum + toShares(scalarText(pool[part]), `.${part}`), 0n);
}

/** The names `bonded_shares` and the like of a pool, by the number of a status. */
const poolNames = ['unbonded', 'unbonding', 'bonded'] as const;

/**
 * Gives a validator of SDK 0.22 and earlier its tokens. It has shares of a pool instead: each is worth the pool's
 * tokens divided by its shares, or one in a pool without shares (`bondedShareExRate` in x/stake/types/pool.go). Its
 * status is that of the shares.
 */
function withTokens({ pool_shares, ...fields }: Fields, pool: Fields): Fields {
  if (!isParsedObject(pool_shares) || fields.tokens !== undefined) return fields;
  const { status } = pool_shares;
  const name = poolNames[statusNumber(status)];
  if (name === undefined) throw new ValueError('Expected a validator status', '.pool_shares.status');
  const amount = rationalOf(pool_shares.amount, '.pool_shares.amount');
  const held = rationalOf(pool[`${name}_tokens`], `.pool.${name}_tokens`);
  const shares = rationalOf(pool[`${name}_shares`], `.pool.${name}_shares`);
  const rate = shares.dividend === 0n ? { dividend: 1n, divisor: 1n } : over(held, shares);
  const tokens = (amount.dividend * rate.dividend) / (amount.divisor * rate.divisor);
  return { ...fields, status, tokens: `${tokens}` };
}

type Rational = NonNullable<ReturnType<typeof toFraction>>;

function over(one: Rational, other: Rational): Rational {
  return { dividend: one.dividend * other.divisor, divisor: one.divisor * other.dividend };
}

/** Reads a fraction or a decimal number, with or without quotes. */
function rationalOf(value: unknown, path: string): Rational {
  const text = scalarText(value);
  return toFraction(text) ?? { dividend: toShares(text, path), divisor: decimalOne };
}

/** Writes a fraction with 18 decimals. Returns any other value as it is. */
function withoutFraction(shares: unknown): unknown {
  return typeof shares === 'string' && toFraction(shares) ? toDecimals(toShares(shares, '.shares')) : shares;
}

function entriesOf(value: unknown): readonly unknown[] {
  return isParsedObject(value) && Array.isArray(value.entries) ? value.entries : [];
}

/**
 * True if an unbonding has not ended. One that a consumer chain holds goes on after its end (x/staking/types:
 * `unbonding_on_hold_ref_count`).
 */
function isOpen({ unbonding_on_hold_ref_count: holds = '0' }: Fields): boolean {
  return scalarText(holds) === '0';
}

/** Gives the addresses of a delegation their current names. In SDK 0.30 and earlier, the names end in `_addr`. */
function withAddresses(delegation: Fields): Fields {
  const { delegator_addr, validator_addr, ...rest } = delegation;
  if (delegator_addr === undefined && validator_addr === undefined) return delegation;
  return { delegator_address: delegator_addr, validator_address: validator_addr, ...rest };
}

/** Reads a status by its name, or by its name or number before SDK 0.40. */
function statusNumber(wire: unknown): number {
  const name = scalarText(toEnumName(wire, 'BOND_STATUS_', bondStatuses));
  const index = typeof wire === 'number' ? wire : bondStatuses.indexOf(name);
  return index in bondStatuses ? index : 255;
}
