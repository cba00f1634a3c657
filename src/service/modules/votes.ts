import type { Fields } from '../../chain/fields.ts';
import type { GovForm } from '../../chain/gov/proposal.ts';
import { toEnumName, toFields, toFraction, toList, toText } from '../scan/jsonValue.ts';
import { ValueError } from '../serviceErrors.ts';
import { toAddressKey, toAddressText } from '../stateAddresses.ts';
import type { KeyedRow } from '../table.ts';

/** The counts of a tally. The names of the vote options end in the same words. */
export const tallyNames = ['yes', 'abstain', 'no', 'no_with_veto'] as const;

export type TallyName = (typeof tallyNames)[number];

/**
 * One vote of a state, with the weight of each option in units of 10^-18. The key is `toAddressKey` of the voter. The
 * row is the vote as it came, with `option` before SDK 0.46 and with `metadata` since (docs/nodes.md#votes).
 */
export interface StateVote extends KeyedRow {
  readonly voter: string;
  readonly options: readonly { readonly option: TallyName; readonly weight: bigint }[];
}

/** A validator. The key is `toAddressKey` of the operator. */
export interface StateValidator extends KeyedRow {
  readonly tokens: bigint;
  /** The shares in units of 10^-18; 0 if the validator is not bonded, so that votes with it count for nothing. */
  shares: bigint;
}

export interface Delegation {
  /** The address of the operator. */
  readonly validator: string;
  /** The shares in units of 10^-18. */
  readonly shares: bigint;
}

const optionPrefix = 'VOTE_OPTION_';

const optionNames = tallyNames.map((name) => optionPrefix + name.toUpperCase());

/** One as a multiple of 10^-18: the weight of a vote with one option. */
export const wholeVote = 10n ** 18n;

const wholeWeight = '1.000000000000000000';

/**
 * The limit for the options of a vote. The SDK has four. Each option counts with every delegation of the voter, and is
 * a row of the table of votes.
 */
const maxOptions = 16;

/**
 * Reads a vote of the gov module. Unknown options count for nothing. Throws `ValueError` if the vote cannot be counted.
 */
export function readVote(wire: Fields, id: bigint): StateVote {
  const voter = toAddressText(wire.voter, '.voter');
  const option = toEnumName(wire.option, optionPrefix, optionNames);
  const form = 'option' in wire ? { option, ...('options' in wire ? { options: wire.options } : {}) } : undefined;
  const row = { proposal_id: String(id), voter, ...(form ?? { options: wire.options, metadata: wire.metadata ?? '' }) };
  const stated = statedOptions(row);
  if (stated.length > maxOptions) throw new ValueError(`More than ${maxOptions} options`, '.options');
  const weighted = stated.flatMap((item, index) => {
    const path = `.options[${index}]`;
    const { option, weight } = toFields(item, path);
    const share = toShares(weight, `${path}.weight`);
    const known = tallyNames.find((_, at) => optionNames[at] === option);
    return known ? [{ option: known, weight: share }] : [];
  });
  return { voter, key: toAddressKey(voter), options: weighted, row: JSON.stringify(row) };
}

/** Gives the weighted options of a vote (SDK 0.43 and later), or its one earlier `option`. */
export function statedOptions({ option, options }: Fields): readonly unknown[] {
  const weighted = toList(options, '.options');
  const hasOne = typeof option === 'string' && option !== 'VOTE_OPTION_UNSPECIFIED';
  return weighted.length === 0 && hasOne ? [{ option, weight: wholeWeight }] : weighted;
}

/** Gives the row of a vote as a form of gov answers it. A state of SDK 0.46 and later has no `option` to answer. */
export function toVoteReply(row: Fields, form: GovForm): Fields {
  const { proposal_id, voter, metadata = '', options } = row;
  switch (form) {
    case 'v1':
      return { proposal_id, voter, options: statedOptions(row), metadata };
    case 'v1beta1':
      return 'option' in row ? row : { proposal_id, voter, option: 'VOTE_OPTION_UNSPECIFIED', options };
    default:
      return form satisfies never;
  }
}

/** The voting power: `validators` by operator, `delegations` by delegator. */
export interface Stakes {
  readonly validators: ReadonlyMap<string, StateValidator>;
  readonly delegations: ReadonlyMap<string, readonly Delegation[]>;
}

/** The limit for delegations that are counted. The delegations of a voter count once for each of its votes. */
const maxCounted = 3_000_000;

/** A tally in whole tokens, as digits. */
type LiveTally = Readonly<Record<TallyName, string>> & {
  /** The options whose decimals are cut. */
  readonly fractions: readonly TallyName[];
  readonly votes: number;
  /** The accounts with the most power of their own, without those of bonded validators. */
  readonly largest: readonly VoterPower[];
  /** The bonded validators that voted, or of which delegators voted. */
  readonly validators: readonly ValidatorPower[];
};

interface ValidatorPower {
  readonly operator: string;
  /**
   * The weight that its vote has, or would have, in whole tokens, cut: the tokens of those delegators that did not vote,
   * and those that its own account has delegated.
   */
  readonly power: string;
  /** The part of `power` that its own account has delegated. */
  readonly own: string;
}

interface VoterPower {
  readonly voter: string;
  /** In whole tokens, cut. */
  readonly power: string;
}

/** The limit for the voters that are named beside a tally. */
const maxNamed = 10;

/** Counts the votes on each proposal, by its id. Beyond the limit of delegations, it gives their number instead. */
export function liveTallies(
  votes: ReadonlyMap<bigint, readonly StateVote[]>,
  stakes: Stakes,
): number | Readonly<Record<string, LiveTally>> {
  const { validators, delegations } = stakes;
  let counted = 0;
  for (const own of votes.values()) for (const { voter } of own) counted += delegations.get(voter)?.length ?? 0;
  if (counted > maxCounted) return counted;
  const byKey = new Map([...validators.values()].map((validator) => [validator.key, validator]));
  const operators = new Map([...validators].map(([operator, validator]) => [validator, operator]));
  return Object.fromEntries([...votes].map(([id, own]) => [id, liveTally(own, { ...stakes, byKey, operators })]));
}

/** The voting power, with ways back to it. */
interface NamedStakes extends Stakes {
  /** The validators by the addresses of their accounts. */
  readonly byKey: ReadonlyMap<string, StateValidator>;
  readonly operators: ReadonlyMap<StateValidator, string>;
}

/** Counts in whole tokens as nodes do (docs/nodes.md#rules). */
function liveTally(votes: readonly StateVote[], { validators, delegations, byKey, operators }: NamedStakes): LiveTally {
  const results = { yes: 0n, abstain: 0n, no: 0n, no_with_veto: 0n };
  const add = (vote: StateVote, power: bigint): void => {
    for (const { option, weight } of vote.options) results[option] += divide(power * weight, wholeVote);
  };
  const ownVotes = new Map<StateValidator, StateVote>();
  const voted = new Map<StateValidator, bigint>();
  const powers = new Map<StateValidator, { readonly power: bigint; readonly own: bigint }>();
  const others: { readonly voter: string; readonly power: bigint }[] = [];
  for (const vote of votes) {
    const own = byKey.get(vote.key);
    if (own) ownVotes.set(own, vote);
    let ownPower = 0n;
    for (const delegation of delegations.get(vote.voter) ?? []) {
      const validator = validators.get(delegation.validator);
      if (!validator || validator.shares === 0n) continue;
      voted.set(validator, (voted.get(validator) ?? 0n) + delegation.shares);
      const power = divide(delegation.shares * validator.tokens * wholeVote, validator.shares);
      ownPower += power;
      add(vote, power);
    }
    if (own) powers.set(own, { power: ownPower, own: ownPower });
    if (ownPower > 0n && !own?.shares) others.push({ voter: vote.voter, power: ownPower });
  }
  for (const validator of new Set([...ownVotes.keys(), ...voted.keys()])) {
    if (validator.shares === 0n) continue;
    const left = validator.shares - (voted.get(validator) ?? 0n);
    const power = divide(left * validator.tokens * wholeVote, validator.shares);
    const { own } = powers.get(validator) ?? { own: 0n };
    powers.set(validator, { power: own + power, own });
    const vote = ownVotes.get(validator);
    if (vote) add(vote, power);
  }
  const whole = (name: TallyName): string => String(results[name] / wholeVote);
  const fractions = tallyNames.filter((name) => results[name] % wholeVote !== 0n);
  const largest = others
    .toSorted((a, b) => (a.power < b.power ? 1 : -1))
    .slice(0, maxNamed)
    .map(({ voter, power }) => ({ voter, power: `${power / wholeVote}` }));
  const counts = { yes: whole('yes'), abstain: whole('abstain'), no: whole('no'), no_with_veto: whole('no_with_veto') };
  const named = [...powers].map(([validator, { power, own }]) => {
    return { operator: operators.get(validator) ?? '', power: `${power / wholeVote}`, own: `${own / wholeVote}` };
  });
  return { ...counts, fractions, votes: votes.length, largest, validators: named };
}

const mostShares = 10n ** 118n;

/** Reads a decimal number such as `"0.334"`, or a fraction (`63/2`) rounded half to even, in units of 10^-18. */
export function toShares(value: unknown, path: string): bigint {
  const text = toText(value, path);
  const fraction = toFraction(text);
  const shares = fraction && divide(fraction.dividend * wholeVote, fraction.divisor);
  if (shares !== undefined && shares < mostShares) return shares;
  if (!/^\d{1,100}(?:\.\d{1,18})?$/.test(text)) throw new ValueError('Expected a decimal number', path);
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(18, '0'));
}

/** Writes units of 10^-18 as a number with 18 decimals: `0.334000000000000000`. */
export function toDecimals(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(19, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

/** Divides and rounds half to even, as the decimals of the SDK do (math/dec.go). */
export function divide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
