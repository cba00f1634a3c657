/** One vote: how much of the voter's weight goes to which option; weights in units of 10^-18. */
export interface Vote {
  readonly voter: string;
  readonly options: readonly { readonly option: VoteOption; readonly weight: bigint }[];
}

export type VoteOption = 'yes' | 'abstain' | 'no' | 'no_with_veto';

/** Whole tokens, as nodes answer them. */
export type LiveTally = Readonly<Record<VoteOption, string>>;

/** A bonded validator; shares in units of 10^-18. */
export interface BondedValidator {
  readonly operator: string;
  readonly tokens: bigint;
  readonly shares: bigint;
}

export interface Delegation {
  readonly delegator: string;
  readonly validator: string;
  readonly shares: bigint;
}

const one = 10n ** 18n;

/**
 * The tally of a running vote as nodes compute it (x/gov/keeper/tally.go): who delegates and votes counts with the own
 * delegations, and a bonded validator that votes counts with all that is left.
 */
export function liveTally(
  votes: readonly Vote[],
  validators: ReadonlyMap<string, BondedValidator>,
  delegations: ReadonlyMap<string, readonly Delegation[]>,
): LiveTally {
  const results = { yes: 0n, abstain: 0n, no: 0n, no_with_veto: 0n };
  const add = (vote: Vote, power: bigint) => {
    for (const { option, weight } of vote.options) results[option] += divide(power * weight, one);
  };
  const byAccount = new Map([...validators.values()].map((validator) => [accountOf(validator.operator), validator]));
  const ownVotes = new Map<BondedValidator, Vote>();
  const voted = new Map<BondedValidator, bigint>();
  for (const vote of votes) {
    const own = byAccount.get(accountOf(vote.voter));
    if (own) ownVotes.set(own, vote);
    for (const delegation of delegations.get(vote.voter) ?? []) {
      const validator = validators.get(delegation.validator);
      if (!validator || validator.shares === 0n) continue;
      voted.set(validator, (voted.get(validator) ?? 0n) + delegation.shares);
      add(vote, divide(delegation.shares * validator.tokens * one, validator.shares));
    }
  }
  for (const [validator, vote] of ownVotes) {
    if (validator.shares === 0n) continue;
    const left = validator.shares - (voted.get(validator) ?? 0n);
    add(vote, divide(left * validator.tokens * one, validator.shares));
  }
  const whole = (amount: bigint) => String(amount / one);
  return {
    yes: whole(results.yes),
    abstain: whole(results.abstain),
    no: whole(results.no),
    no_with_veto: whole(results.no_with_veto),
  };
}

/** `"0.334"` → units of 10^-18. Undefined where it is no decimal number. */
export function toDecimal(text: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text);
  return match ? BigInt(`${match[1]}${(match[2] ?? '').padEnd(18, '0')}`) : undefined;
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
