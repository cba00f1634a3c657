import type { GovReader } from './govReader.ts';
import type { ObjectVisitor, Visitor } from './jsonScanner.ts';
import {
  type Fields,
  isFields,
  objectVisitor,
  rowsVisitor,
  toDigits,
  toEnumName,
  toFields,
  toList,
  toText,
  valueVisitor,
} from './jsonValue.ts';
import { type Table, toTable } from './table.ts';
import { type Delegation, liveTally, toAddressKey, toShares, type Validator, type Vote } from './votes.ts';

export interface Staking {
  /** Base units of the bond denom; undefined where the state does not hold what they follow from. */
  readonly bondedTokens: string | undefined;
  readonly notBondedTokens: string | undefined;
  /** What running votes stand at, by proposal id; undefined where votes, validators or delegations are not all known. */
  readonly tallies: Readonly<Record<string, ReturnType<typeof liveTally>>> | undefined;
  /** Key: `toAddressKey` of the operator. Row: the validator as it came. Tag: number in `bondStatuses`, 255 for another status. */
  readonly validators: Table;
}

/** Receives delegations as they came, each when it is read. */
export interface StakingSink {
  /** Shares are a decimal number. */
  delegation(delegator: string, validator: string, shares: string): void;
  /** One entry of an unbonding delegation. Throws `ValueError` to refuse it. */
  unbonding(delegation: Fields, entry: Fields): void;
}

/** In the order of their numbers before SDK 0.40, where they are named without `BOND_STATUS_`. */
export const bondStatuses: readonly string[] = ['BOND_STATUS_UNBONDED', 'BOND_STATUS_UNBONDING', 'BOND_STATUS_BONDED'];
const bonded = bondStatuses.indexOf('BOND_STATUS_BONDED');
/** Only delegations of voters are collected; those of all delegators where the votes come later, and then not more than these. */
const mostDelegations = 300_000;

/** Collects the bonded total, and what running votes need, while `app_state.staking` is scanned. */
export class StakingReader {
  /** By operator. */
  readonly #validators = new Map<string, Validator>();
  /** By delegator. */
  readonly #delegations = new Map<string, Delegation[]>();
  readonly #sink: StakingSink | undefined;
  #delegationCount = 0;
  #bonded = 0n;
  #notBonded = 0n;
  #isExported = false;
  #unreadable = { validators: 0, delegations: 0, unbonding: 0 };
  #bondDenom: string | undefined;
  #pool: { readonly bonded: string; readonly notBonded: string } | undefined;

  constructor(sink?: StakingSink) {
    this.#sink = sink;
  }

  visitor(votes: GovReader['liveVotes'], end: () => void): ObjectVisitor {
    const voters = votes && new Set([...votes.values()].flat().map((vote) => vote.voter));
    const members: Record<string, Visitor> = {
      exported: valueVisitor((value) => {
        this.#isExported = value === true;
      }),
      pool: valueVisitor((value) => {
        const { bonded_tokens, not_bonded_tokens } = toFields(value);
        this.#pool = {
          bonded: toDigits(bonded_tokens, '.bonded_tokens'),
          notBonded: toDigits(not_bonded_tokens, '.not_bonded_tokens'),
        };
      }),
      validators: rowsVisitor(
        (value) => this.#addValidator(value),
        () => this.#unreadable.validators++,
      ),
      unbonding_delegations: rowsVisitor(
        (value) => this.#addUnbonding(value),
        () => this.#unreadable.unbonding++,
      ),
    };
    if (voters?.size !== 0 || this.#sink)
      members.delegations = rowsVisitor(
        (value) => this.#addDelegation(value, voters),
        () => this.#unreadable.delegations++,
      );
    return objectVisitor(members, end);
  }

  /** Bonded tokens are the sum over the validators of an export; another genesis names them in its pool, if at all. */
  finish(votes: GovReader['liveVotes']): Staking {
    const list = toTable([...this.#validators.values()]);
    if (!this.#isExported) {
      const { bonded, notBonded } = this.#pool ?? {};
      return { bondedTokens: bonded, notBondedTokens: notBonded, tallies: undefined, validators: list };
    }
    const { validators, delegations, unbonding } = this.#unreadable;
    const isTallied = votes && validators + delegations === 0 && this.#delegationCount <= mostDelegations;
    const tally = (own: readonly Vote[]) => liveTally(own, this.#validators, this.#delegations);
    return {
      bondedTokens: validators === 0 ? String(this.#bonded) : undefined,
      notBondedTokens: validators + unbonding === 0 ? String(this.#notBonded) : undefined,
      tallies: isTallied ? Object.fromEntries([...votes].map(([id, own]) => [id, tally(own)])) : undefined,
      validators: list,
    };
  }

  readParams(params: unknown): void {
    if (isFields(params) && typeof params.bond_denom === 'string') this.#bondDenom = params.bond_denom;
  }

  /** The staked tokens, in base units, which no account of a state before SDK 0.36 holds. */
  get pool(): { readonly denom: string; readonly amount: string } | undefined {
    if (!this.#pool || this.#bondDenom === undefined) return undefined;
    return { denom: this.#bondDenom, amount: String(BigInt(this.#pool.bonded) + BigInt(this.#pool.notBonded)) };
  }

  #addValidator(value: unknown): void {
    const fields = toFields(value);
    const { operator_address: operator, delegator_shares } = fields;
    const tokens = BigInt(toDigits(fields.tokens, '.tokens'));
    const tag = statusNumber(fields.status);
    if (tag === bonded) this.#bonded += tokens;
    else this.#notBonded += tokens;
    if (typeof operator !== 'string') return;
    const row = JSON.stringify({ ...fields, status: bondStatuses[tag] ?? fields.status });
    const validator: Validator = { key: toAddressKey(operator), row, tag, tokens, shares: 0n };
    this.#validators.set(operator, validator);
    if (tag === bonded && delegator_shares !== undefined)
      validator.shares = toShares(delegator_shares, '.delegator_shares');
  }

  /** `shares` stand at the top, or in `delegation` as some exports have it. */
  #addDelegation(value: unknown, voters: ReadonlySet<string> | undefined): void {
    const item = toFields(value);
    const delegation: Fields = isFields(item.delegation) ? item.delegation : item;
    const delegator = toText(delegation.delegator_address, '.delegator_address');
    const isCounted = (!voters || voters.has(delegator)) && this.#delegationCount <= mostDelegations;
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
    const delegation = toFields(value);
    for (const [index, item] of toList(delegation.entries, '.entries').entries()) {
      const path = `.entries[${index}]`;
      const entry = toFields(item, path);
      this.#notBonded += BigInt(toDigits(entry.balance, path, '.balance'));
      this.#sink?.unbonding(delegation, entry);
    }
  }
}

/** By name, or by the name or number of before SDK 0.40. */
function statusNumber(wire: unknown): number {
  const name = String(toEnumName(wire, 'BOND_STATUS_', bondStatuses));
  const index = typeof wire === 'number' ? wire : bondStatuses.indexOf(name);
  return index in bondStatuses ? index : 255;
}
