import { ValueError } from './errors.ts';
import type { ObjectVisitor, Visitor } from './jsonScanner.ts';
import { type Fields, isFields, rowsVisitor, toDigits, toFields, toList, toText, valueVisitor } from './jsonValue.ts';

/** Base units of the bond denom; undefined where the state does not hold what they follow from. */
export interface Staking {
  readonly bondedTokens: string | undefined;
  readonly notBondedTokens: string | undefined;
  /** What running votes stand at, by proposal id; undefined where votes, validators or delegations are not all known. */
  readonly tallies: Readonly<Record<string, LiveTally>> | undefined;
}

/** One vote: how much of the voter's weight goes to which option; weights in units of 10^-18. */
export interface Vote {
  readonly voter: string;
  readonly options: readonly { readonly option: VoteOption; readonly weight: bigint }[];
}

export type VoteOption = 'yes' | 'abstain' | 'no' | 'no_with_veto';

/** Whole tokens, as nodes answer them. */
export type LiveTally = Readonly<Record<VoteOption, string>>;

/** The votes that are known when staking is scanned; undefined where the gov module comes later. */
export type KnownVotes = ReadonlyMap<bigint, readonly Vote[]> | undefined;

interface Validator {
  readonly operator: string;
  readonly tokens: bigint;
  /** In units of 10^-18. */
  readonly shares: bigint;
}

interface Delegation {
  readonly validator: string;
  readonly shares: bigint;
}

const bonded: readonly unknown[] = ['BOND_STATUS_BONDED', 'Bonded', 2];
/** Only delegations of voters are collected; those of all delegators where the votes come later, and then not more than these. */
const mostDelegations = 300_000;

/** Collects the bonded total, and what running votes need, while `app_state.staking` is scanned. */
export class StakingReader {
  readonly #validators = new Map<string, Validator>();
  /** By delegator. */
  readonly #delegations = new Map<string, Delegation[]>();
  #delegationCount = 0;
  #bonded = 0n;
  #notBonded = 0n;
  #isExported = false;
  #unreadable = { validators: 0, delegations: 0, unbonding: 0 };
  #bondDenom: string | undefined;
  #pool: { readonly bonded: string; readonly notBonded: string } | undefined;

  visitor(votes: KnownVotes, end: () => void): ObjectVisitor {
    const voters = votes && new Set([...votes.values()].flat().map((vote) => vote.voter));
    return { kind: 'object', member: (name) => this.#member(name, voters), end };
  }

  /**
   * The module as it has been read. Bonded tokens are the sum over the validators of an export; a genesis that was not exported
   * names them in its pool, if at all.
   */
  finish(votes: KnownVotes): Staking {
    if (!this.#isExported)
      return { bondedTokens: this.#pool?.bonded, notBondedTokens: this.#pool?.notBonded, tallies: undefined };
    const { validators, delegations, unbonding } = this.#unreadable;
    const isTallied = votes && validators + delegations === 0 && this.#delegationCount <= mostDelegations;
    const tallies = [...(votes ?? [])].map(([id, own]) => [id, liveTally(own, this.#validators, this.#delegations)]);
    return {
      bondedTokens: validators === 0 ? String(this.#bonded) : undefined,
      notBondedTokens: validators + unbonding === 0 ? String(this.#notBonded) : undefined,
      tallies: isTallied ? Object.fromEntries(tallies) : undefined,
    };
  }

  readParams(params: unknown): void {
    if (isFields(params) && typeof params.bond_denom === 'string') this.#bondDenom = params.bond_denom;
  }

  /** The bond denom and all of its tokens, as the pool of before SDK 0.36 counts them. */
  get pool(): { readonly denom: string; readonly amount: string } | undefined {
    if (!this.#pool || this.#bondDenom === undefined) return undefined;
    return { denom: this.#bondDenom, amount: String(BigInt(this.#pool.bonded) + BigInt(this.#pool.notBonded)) };
  }

  #member(name: string, voters: ReadonlySet<string> | undefined): Visitor | undefined {
    switch (name) {
      case 'exported':
        return valueVisitor((value) => {
          this.#isExported = value === true;
        });
      case 'pool':
        return valueVisitor((value) => {
          const { bonded_tokens, not_bonded_tokens } = toFields(value);
          this.#pool = {
            bonded: toDigits(bonded_tokens, '.bonded_tokens'),
            notBonded: toDigits(not_bonded_tokens, '.not_bonded_tokens'),
          };
        });
      case 'validators':
        return rowsVisitor(
          (value) => this.#addValidator(value),
          () => this.#unreadable.validators++,
        );
      case 'unbonding_delegations':
        return rowsVisitor(
          (value) => this.#addUnbonding(value),
          () => this.#unreadable.unbonding++,
        );
      case 'delegations':
        if (voters?.size === 0) return undefined;
        return rowsVisitor(
          (value) => this.#addDelegation(value, voters),
          () => this.#unreadable.delegations++,
        );
      default:
        return undefined;
    }
  }

  #addValidator(value: unknown): void {
    const { tokens: text, status, operator_address: operator, delegator_shares } = toFields(value);
    const tokens = BigInt(toDigits(text, '.tokens'));
    if (!bonded.includes(status)) {
      this.#notBonded += tokens;
      return;
    }
    this.#bonded += tokens;
    if (typeof operator !== 'string' || delegator_shares === undefined) return;
    this.#validators.set(operator, { operator, tokens, shares: toShares(delegator_shares, '.delegator_shares') });
  }

  /** `shares` stand at the top, or in `delegation` as some exports have it. */
  #addDelegation(value: unknown, voters: ReadonlySet<string> | undefined): void {
    const item = toFields(value);
    const delegation: Fields = isFields(item.delegation) ? item.delegation : item;
    const delegator = toText(delegation.delegator_address, '.delegator_address');
    if ((voters && !voters.has(delegator)) || this.#delegationCount > mostDelegations) return;
    const validator = toText(delegation.validator_address, '.validator_address');
    const shares = toShares(delegation.shares, '.shares');
    this.#delegationCount++;
    const known = this.#delegations.get(delegator);
    if (known) known.push({ validator, shares });
    else this.#delegations.set(delegator, [{ validator, shares }]);
  }

  /** Tokens that are being unbonded stand in the not-bonded pool (x/staking/keeper/pool.go). */
  #addUnbonding(value: unknown): void {
    for (const [index, entry] of toList(toFields(value).entries, '.entries').entries()) {
      const path = `.entries[${index}]`;
      this.#notBonded += BigInt(toDigits(toFields(entry, path).balance, path, '.balance'));
    }
  }
}

/** 1 in units of 10^-18: the weight of a vote with one option. */
export const wholeVote = 10n ** 18n;

const voteOptions: Readonly<Record<string, VoteOption>> = {
  VOTE_OPTION_YES: 'yes',
  VOTE_OPTION_ABSTAIN: 'abstain',
  VOTE_OPTION_NO: 'no',
  VOTE_OPTION_NO_WITH_VETO: 'no_with_veto',
  Yes: 'yes',
  Abstain: 'abstain',
  No: 'no',
  NoWithVeto: 'no_with_veto',
};

/** The weighted options of a vote (0.43+), or its one `option` of before; options of other names count for nothing. */
export function readVoteOptions(vote: Fields): Vote['options'] {
  const options = toList(vote.options, '.options');
  if (options.length === 0) {
    const option = typeof vote.option === 'string' ? voteOptions[vote.option] : undefined;
    return option ? [{ option, weight: wholeVote }] : [];
  }
  return options.flatMap((item, index) => {
    const path = `.options[${index}]`;
    const { option, weight } = toFields(item, path);
    const known = typeof option === 'string' ? voteOptions[option] : undefined;
    const share = toShares(weight, `${path}.weight`);
    return known ? [{ option: known, weight: share }] : [];
  });
}

/**
 * The tally of a running vote as nodes compute it (docs/nodes.md#rules): who delegates and votes counts with the own
 * delegations, and a bonded validator that votes counts with all that is left.
 */
function liveTally(
  votes: readonly Vote[],
  validators: ReadonlyMap<string, Validator>,
  delegations: ReadonlyMap<string, readonly Delegation[]>,
): LiveTally {
  const results = { yes: 0n, abstain: 0n, no: 0n, no_with_veto: 0n };
  const add = (vote: Vote, power: bigint) => {
    for (const { option, weight } of vote.options) results[option] += divide(power * weight, wholeVote);
  };
  const byAccount = new Map([...validators.values()].map((validator) => [accountOf(validator.operator), validator]));
  const ownVotes = new Map<Validator, Vote>();
  const voted = new Map<Validator, bigint>();
  for (const vote of votes) {
    const own = byAccount.get(accountOf(vote.voter));
    if (own) ownVotes.set(own, vote);
    for (const delegation of delegations.get(vote.voter) ?? []) {
      const validator = validators.get(delegation.validator);
      if (!validator || validator.shares === 0n) continue;
      voted.set(validator, (voted.get(validator) ?? 0n) + delegation.shares);
      add(vote, divide(delegation.shares * validator.tokens * wholeVote, validator.shares));
    }
  }
  for (const [validator, vote] of ownVotes) {
    if (validator.shares === 0n) continue;
    const left = validator.shares - (voted.get(validator) ?? 0n);
    add(vote, divide(left * validator.tokens * wholeVote, validator.shares));
  }
  const whole = (amount: bigint) => String(amount / wholeVote);
  return {
    yes: whole(results.yes),
    abstain: whole(results.abstain),
    no: whole(results.no),
    no_with_veto: whole(results.no_with_veto),
  };
}

/** `"0.334"` → units of 10^-18. Undefined where it is no decimal number. */
function toDecimal(text: string): bigint | undefined {
  const match = /^(\d{1,100})(?:\.(\d{1,18}))?$/.exec(text);
  return match ? BigInt(`${match[1]}${(match[2] ?? '').padEnd(18, '0')}`) : undefined;
}

/** A decimal number, in units of 10^-18. */
export function toShares(value: unknown, path: string): bigint {
  const shares = toDecimal(toText(value, path));
  if (shares === undefined) throw new ValueError('Expected a decimal number', path);
  return shares;
}

/** The letters of the address itself, which an account and its validator share whatever their prefixes. */
function accountOf(address: string): string {
  return address.slice(address.lastIndexOf('1') + 1, -6);
}

/** Half to even, like the decimals of the SDK (math/dec.go). */
function divide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
