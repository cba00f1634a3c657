import { type BalanceSink, bodyOf, type PoolAccounts } from './balances.ts';
import type { GovReader } from './govReader.ts';
import type { FastReader, ObjectVisitor, Visitor } from './jsonScanner.ts';
import {
  type Fields,
  isFields,
  objectVisitor,
  rowsVisitor,
  scalarText,
  toCoin,
  toDigits,
  toEnumName,
  toFields,
  toList,
  toText,
  toWholeUnits,
  valueVisitor,
} from './jsonValue.ts';
import type { ClockReader } from './stateClock.ts';
import { type Table, toTable } from './table.ts';
import { type Delegation, liveTallies, toAddressKey, toShares, type Validator } from './votes.ts';

export interface Staking {
  /** Base units of the bond denom; undefined where the state does not hold what they follow from. */
  readonly bondedTokens: string | undefined;
  readonly notBondedTokens: string | undefined;
  /** What running votes stand at, by proposal id; undefined where votes, validators or delegations are not all known. */
  readonly tallies: Exclude<ReturnType<typeof liveTallies>, number> | undefined;
  /** Key: `toAddressKey` of the operator. Row: the validator as it came. Tag: number in `bondStatuses`, 255 for another status. */
  readonly validators: Table;
}

/** Receives delegations as they came, each when it is read. */
export interface StakingSink {
  /** Shares are a decimal number. */
  delegation(delegator: string, validator: string, shares: string): void;
  /** The same with delegator and shares as ranges of `bytes`. */
  readonly delegationRange: BalanceSink['addRange'];
  /** One entry of an unbonding delegation. Throws `ValueError` to refuse it. */
  unbonding(delegation: Fields, entry: Fields): void;
}

/** 1 in units of 10^-18. */
const oneToken = 10n ** 18n;

/** In the order of their numbers before SDK 0.40, where they are named without `BOND_STATUS_`. */
export const bondStatuses: readonly string[] = ['BOND_STATUS_UNBONDED', 'BOND_STATUS_UNBONDING', 'BOND_STATUS_BONDED'];
const bonded = bondStatuses.indexOf('BOND_STATUS_BONDED');
/** Only delegations of voters are collected; those of all delegators where the votes come later, and then not more than these. */
const maxDelegations = 300_000;

/** Reads delegations as exporters spell them, many at once. */
export interface DelegationReader {
  /**
   * Reads delegations from the one at `start` on, as many as are spelled plainly and end in this chunk. Returns the index after the
   * last one, or -1. `add` receives delegator, validator and shares.
   */
  read(bytes: Buffer, start: number, add: BalanceSink['addRange'] | undefined): number;
  /** How many delegations `read` has read. */
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
  readonly #validators = new Map<string, Validator>();
  /** By delegator. */
  readonly #delegations = new Map<string, Delegation[]>();
  readonly #clock: ClockReader;
  readonly #sink: StakingSink | undefined;
  readonly #reader: DelegationReader | undefined;
  #delegationCount = 0;
  /** Delegations that counting the running votes would take, where they are too many. */
  uncounted: number | undefined;
  #bonded = 0n;
  #notBonded = 0n;
  #isExported = false;
  #validatorCount = 0;
  #unreadable = { validators: 0, delegations: 0, unbonding: 0 };
  #bondDenom: string | undefined;
  /** As the file states it (until SDK 0.35), decimals in units of 10^-18. */
  #pool: Pool | undefined;

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
    // Until SDK 0.24 delegations are called bonds.
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

  /** Reads the delegations of all others at once, where the voters are known. */
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
   * Bonded tokens are the sum over the validators of an export; another genesis names them in its pool, by its validators or on
   * the accounts of the pools, if at all. `countsAsNow`: votes are counted as since SDK 0.38 (docs/nodes.md#rules).
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

  /** Cut to whole units. */
  #statedPool(): Pool | undefined {
    const { bonded, notBonded } = this.#pool ?? {};
    if (bonded === undefined) return undefined;
    return { bonded: bonded / oneToken, notBonded: notBonded === undefined ? undefined : notBonded / oneToken };
  }

  /** An account without coins is left out of a genesis. */
  #poolOn({ bonded, notBonded }: PoolAccounts): Pool | undefined {
    const amount = bonded?.get(this.#bondDenom ?? '');
    return amount === undefined
      ? undefined
      : { bonded: amount, notBonded: notBonded?.get(this.#bondDenom ?? '') ?? 0n };
  }

  readParams(params: unknown): void {
    if (isFields(params) && typeof params.bond_denom === 'string') this.#bondDenom = params.bond_denom;
  }

  /** Whether tokens are staked: before SDK 0.36 no account holds them. */
  get hasStake(): boolean {
    return this.#pool !== undefined || this.#validatorCount > 0;
  }

  /** The staked tokens, in base units, and all others of their denom. */
  get pool(): { readonly denom: string; readonly amount: string } | undefined {
    const { bonded, notBonded } = this.#pool ?? {};
    if (bonded === undefined || notBonded === undefined || this.#bondDenom === undefined) return undefined;
    return { denom: this.#bondDenom, amount: String((bonded + notBonded) / oneToken) };
  }

  #addValidator(value: unknown): void {
    this.#validatorCount++;
    const fields = toFields(value);
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
    const row = JSON.stringify({ ...fields, operator_address: operator, tokens: units, status });
    const validator: Validator = { key: toAddressKey(operator), row, tag, tokens, shares: 0n };
    this.#validators.set(operator, validator);
    if (tag === bonded && delegator_shares !== undefined)
      validator.shares = toShares(delegator_shares, '.delegator_shares');
  }

  /** A validator names when its commission changed, and the end of its last unbonding. */
  #noteTimes({ commission, unbonding_time }: Fields): void {
    if (isFields(commission)) this.#clock.note('staking.validators.commission.update_time', commission.update_time);
    this.#clock.noteUnbonding('staking.validators.unbonding_time', unbonding_time, false);
  }

  #noteRedelegation(value: unknown): void {
    for (const entry of entriesOf(value))
      if (isFields(entry))
        this.#clock.noteUnbonding('staking.redelegations.completion_time', entry.completion_time, isOpen(entry));
  }

  /** `shares` stand at the top, or in `delegation` as some exports have it. */
  #addDelegation(value: unknown, voters: ReadonlySet<string> | undefined): void {
    const item = toFields(value);
    const delegation = withAddresses(isFields(item.delegation) ? item.delegation : item);
    const delegator = toText(delegation.delegator_address, '.delegator_address');
    const isCounted = (!voters || voters.has(delegator)) && this.#delegationCount <= maxDelegations;
    if (!isCounted && !this.#sink) return;
    const validator = toText(delegation.validator_address, '.validator_address');
    const shares = toShares(delegation.shares, '.shares');
    this.#sink?.delegation(delegator, validator, String(delegation.shares));
    if (!isCounted) return;
    this.#delegationCount++;
    const known = this.#delegations.get(delegator);
    if (known) known.push({ validator, shares });
    else this.#delegations.set(delegator, [{ validator, shares }]);
  }

  /** Tokens that are being unbonded stand in the not-bonded pool (x/staking/keeper/pool.go). */
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

  /** Until SDK 0.30 an unbonding delegation has one entry, which is not inside it, and balances are coins. */
  #addUnbondingOf({ balance, initial_balance, min_time, ...delegation }: Fields): void {
    const { amount } = toCoin(balance, '.balance');
    const initial = initial_balance === undefined ? undefined : toCoin(initial_balance, '.initial_balance').amount;
    this.#notBonded += BigInt(amount);
    this.#clock.noteUnbonding('stake.unbonding_delegations.min_time', min_time, true);
    this.#sink?.unbonding(delegation, { balance: amount, initial_balance: initial, completion_time: min_time });
  }
}

/** As the pool states it; the first states of 2018, whose pools have three numbers beside it, write it without quotes. */
function bondedOf({ bonded_tokens, loose_unbonded_tokens }: Fields): unknown {
  return loose_unbonded_tokens === undefined ? bonded_tokens : scalarText(bonded_tokens);
}

/** In units of 10^-18: one number, or three in the first states of 2018. Undefined where the pool does not state it. */
function notBondedOf(pool: Fields): bigint | undefined {
  const { not_bonded_tokens = pool.loose_tokens } = pool;
  if (not_bonded_tokens !== undefined) return toShares(not_bonded_tokens, '.not_bonded_tokens');
  if (pool.loose_unbonded_tokens === undefined) return undefined;
  const parts = ['loose_unbonded_tokens', 'unbonded_tokens', 'unbonding_tokens'] as const;
  return parts.reduce((sum, part) => sum + toShares(scalarText(pool[part]), `.${part}`), 0n);
}

function entriesOf(value: unknown): readonly unknown[] {
  return isFields(value) && Array.isArray(value.entries) ? value.entries : [];
}

/** One that a consumer chain holds goes on behind its end (x/staking/types: `unbonding_on_hold_ref_count`). */
function isOpen({ unbonding_on_hold_ref_count: holds = '0' }: Fields): boolean {
  return scalarText(holds) === '0';
}

/** The addresses of a delegation under the names of today; until SDK 0.30 they end in `_addr`. */
function withAddresses(delegation: Fields): Fields {
  const { delegator_addr, validator_addr, ...rest } = delegation;
  if (delegator_addr === undefined && validator_addr === undefined) return delegation;
  return { delegator_address: delegator_addr, validator_address: validator_addr, ...rest };
}

/** By name, or by the name or number of before SDK 0.40. */
function statusNumber(wire: unknown): number {
  const name = scalarText(toEnumName(wire, 'BOND_STATUS_', bondStatuses));
  const index = typeof wire === 'number' ? wire : bondStatuses.indexOf(name);
  return index in bondStatuses ? index : 255;
}
