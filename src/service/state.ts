import type { Fields } from './keptValue.ts';
import type { Table } from './paging.ts';

/** What a state file says of itself. */
export interface Head {
  /** "" where the file does not say (a bare `app_state`). */
  readonly chainId: string;
  /** `initial_height`: the height that the chain starts or goes on with. */
  readonly height: string | undefined;
  /** `genesis_time`, RFC 3339. */
  readonly time: string | undefined;
  readonly appName: string | undefined;
}

export interface Bank {
  /** Key: denom. Row: `{"denom","amount"}`. */
  readonly supply: Table;
  /** Key: base denom. Row: the metadata as it came. */
  readonly metadata: Table;
}

export interface Gov {
  /** Key: id, 8 bytes, big-endian. Row: the proposal in the form that the state holds it in. */
  readonly proposals: Table;
  /** Number in `statusNames`, by position in `proposals`. */
  readonly statuses: Uint8Array<ArrayBuffer>;
  /** 1 = v1, 0 = v1beta1, by position in `proposals`. */
  readonly forms: Uint8Array<ArrayBuffer>;
  /** Key: address. Row: list of positions in `proposals`. */
  readonly voters: Table;
  readonly depositors: Table;
  /** JSON of the params in the v1 form (SDK 0.47+), of an older state only the fields that it knows; undefined where it holds none. */
  readonly params: string | undefined;
  /** Address of the gov module; "" where no address of the state tells the chain's prefix. */
  readonly authority: string;
  /** Latest moment that a proposal speaks of as past: no state is older than what it holds. Milliseconds, or undefined. */
  readonly latest: number | undefined;
}

/** Base units of the bond denom. Undefined where the genesis was not exported (decision 28). */
export interface Staking {
  readonly bondedTokens: string | undefined;
  readonly notBondedTokens: string | undefined;
  /** What running votes stand at, by proposal id; undefined where the delegations could not be kept. */
  readonly tallies: Readonly<Record<string, LiveTally>> | undefined;
}

/** Genesis params by module, as JSON. */
export type Params = Readonly<Record<string, string>>;

/** The indexed content of a state file. */
export interface State {
  readonly head: Head;
  readonly bank: Bank;
  readonly gov: Gov;
  readonly staking: Staking;
  readonly params: Params;
}

export type PartName = keyof State;

export const partNames: readonly PartName[] = ['head', 'bank', 'gov', 'staking', 'params'];

/** A state while it is being read: each part is there as soon as its module has been read whole (decision 27), or never. */
export class StateParts {
  readonly #parts: Partial<State>;
  readonly #failures = new Map<PartName, Error>();
  #changed = Promise.withResolvers<void>();

  constructor(parts: Partial<State> = {}) {
    this.#parts = { ...parts };
  }

  /** The part, or undefined where it is not there, for whatever reason. */
  peek<P extends PartName>(name: P): State[P] | undefined {
    return this.#parts[name];
  }

  /** The part, or undefined where it is not read yet. Throws why it cannot be read. */
  get<P extends PartName>(name: P): State[P] | undefined {
    const part = this.peek(name);
    const failure = part === undefined ? this.#failures.get(name) : undefined;
    if (failure) throw failure;
    return part;
  }

  /** Resolves with the next change: a part that is there now, or one that never will be. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }

  put(parts: Partial<State>): void {
    Object.assign(this.#parts, parts);
    this.#announce();
  }

  /** Says that `name`, or every part that is still missing, will never be there. */
  fail(error: Error, name?: PartName): void {
    const names = name ? [name] : partNames;
    for (const missing of names)
      if (this.#parts[missing] === undefined && !this.#failures.has(missing)) this.#failures.set(missing, error);
    this.#announce();
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

/** All buffers of `parts`, to be handed to another thread instead of copied. */
export function buffersOf(parts: Partial<State>): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner);
  };
  visit(parts);
  return [...found];
}

const partOfModule: Readonly<Record<string, PartName>> = {
  bank: 'bank',
  supply: 'bank',
  accounts: 'bank',
  auth: 'bank',
  gov: 'gov',
  staking: 'staking',
};

/** Which module or field of the head `path` leads into, and which part is read from there, if any. */
export function toStatePlace(path: string): { readonly name: string; readonly part: PartName | undefined } {
  const inside = path.replace(/^(result\.)?(genesis\.)?(app_state\.)?/, '');
  const name = /^\w*/.exec(inside)?.[0] ?? '';
  return { name, part: headFields.includes(name) ? 'head' : partOfModule[name] };
}

/** All that answers need of the head; what comes after them changes nothing in it but the name of the program. */
export const earlyHead = ['chain_id', 'genesis_time', 'initial_height'];
/** The fields that say something of the state as a whole. */
export const headFields = ['chain_id', 'genesis_time', 'initial_height', 'app_name'];

/** The head from its fields. `rebase`: the state's own time becomes this moment. */
export function toHead(fields: Fields, rebase?: Date): Head {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const height = String(fields.initial_height ?? '');
  const time = text(fields.genesis_time);
  return {
    chainId: text(fields.chain_id) ?? '',
    height: /^\d+$/.test(height) ? height : undefined,
    time: time !== undefined && rebase ? rebase.toISOString() : time,
    appName: text(fields.app_name),
  };
}

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
