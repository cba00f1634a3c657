import type { Fields } from '../../chain/fields.ts';
import type { GovForm } from '../../chain/gov/proposal.ts';
import { decimalOne, divide, toShares } from '../decimals.ts';
import { toEnumName, toFields, toList } from '../scan/jsonValue.ts';
import { ValueError } from '../serviceErrors.ts';
import { toAddressKey, toAddressText } from '../stateAddresses.ts';
import type { KeyedRow } from '../table.ts';

/** The counts of a tally. The names of the vote options end in the same words. */
export const tallyNames = ['yes', 'abstain', 'no', 'no_with_veto'] as const;

type TallyName = (typeof tallyNames)[number];

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
interface Stakes {
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
    for (const { option, weight } of vote.options) results[option] += divide(power * weight, decimalOne);
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
      const power = divide(delegation.shares * validator.tokens * decimalOne, validator.shares);
      ownPower += power;
      add(vote, power);
    }
    if (own) powers.set(own, { power: ownPower, own: ownPower });
    if (ownPower > 0n && !own?.shares) others.push({ voter: vote.voter, power: ownPower });
  }
  for (const validator of new Set([...ownVotes.keys(), ...voted.keys()])) {
    if (validator.shares === 0n) continue;
    const left = validator.shares - (voted.get(validator) ?? 0n);
    const power = divide(left * validator.tokens * decimalOne, validator.shares);
    const { own } = powers.get(validator) ?? { own: 0n };
    powers.set(validator, { power: own + power, own });
    const vote = ownVotes.get(validator);
    if (vote) add(vote, power);
  }
  const count = (name: TallyName): string => String(results[name] / decimalOne);
  const fractions = tallyNames.filter((name) => results[name] % decimalOne !== 0n);
  const largest = others
    .toSorted((a, b) => (a.power < b.power ? 1 : -1))
    .slice(0, maxNamed)
    .map(({ voter, power }) => ({ voter, power: `${power / decimalOne}` }));
  const counts = { yes: count('yes'), abstain: count('abstain'), no: count('no'), no_with_veto: count('no_with_veto') };
  const named = [...powers].map(([validator, { power, own }]) => {
    return { operator: operators.get(validator) ?? '', power: `${power / decimalOne}`, own: `${own / decimalOne}` };
  });
  return { ...counts, fractions, votes: votes.length, largest, validators: named };
}
