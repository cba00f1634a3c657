import type { ObjectWant, Take, Want } from './jsonScanner.ts';
import { isFields, parseKept, toDigits, toFields, toList } from './keptValue.ts';
import { type BondedValidator, type Delegation, liveTally, type Staking, toDecimal, type Vote } from './state.ts';

const bonded: readonly unknown[] = ['BOND_STATUS_BONDED', 'Bonded', 2];
/** Delegations are kept only of those who vote; of everybody where the votes come later, and then not more than these. */
const mostDelegations = 300_000;

/** The votes that are known when staking is scanned; undefined where the gov module comes later. */
export type KnownVotes = ReadonlyMap<bigint, readonly Vote[]> | undefined;

/** Collects the bonded total (decision 28), and what running votes need, while `app_state.staking` is scanned. */
export class StakingReader {
  readonly #validators = new Map<string, BondedValidator>();
  readonly #delegations = new Map<string, Delegation[]>();
  #kept = 0;
  #bonded = 0n;
  #notBonded = 0n;
  #exported = false;

  want(votes: KnownVotes, end: () => void): ObjectWant {
    const voters = votes && new Set([...votes.values()].flat().map((vote) => vote.voter));
    return { kind: 'object', member: (key) => this.#member(key, voters), end };
  }

  finish(votes: KnownVotes): Staking {
    if (!this.#exported) return { bondedTokens: undefined, notBondedTokens: undefined, tallies: undefined };
    const tallies = [...(votes ?? [])].map(([id, own]) => [id, liveTally(own, this.#validators, this.#delegations)]);
    return {
      bondedTokens: String(this.#bonded),
      notBondedTokens: String(this.#notBonded),
      tallies: this.#kept > mostDelegations ? undefined : Object.fromEntries(tallies),
    };
  }

  #member(key: string, voters: ReadonlySet<string> | undefined): Want | undefined {
    switch (key) {
      case 'exported':
        return {
          kind: 'value',
          value: (bytes, start, end) => {
            this.#exported = parseKept(bytes, start, end) === true;
          },
        };
      case 'validators':
        return { kind: 'list', element: this.#addValidator };
      case 'unbonding_delegations':
        return { kind: 'list', element: this.#addUnbonding };
      case 'delegations':
        if (voters?.size === 0) return undefined;
        return {
          kind: 'list',
          element: (bytes, start, end) => this.#addDelegation(parseKept(bytes, start, end), voters),
        };
      default:
        return undefined;
    }
  }

  readonly #addValidator: Take = (bytes, start, end) => {
    const validator = toFields(parseKept(bytes, start, end), '');
    const tokens = BigInt(toDigits(validator.tokens, '.tokens'));
    if (!bonded.includes(validator.status)) {
      this.#notBonded += tokens;
      return;
    }
    this.#bonded += tokens;
    const { operator_address: operator, delegator_shares: text } = validator;
    const shares = typeof text === 'string' ? toDecimal(text) : undefined;
    if (typeof operator === 'string' && shares) this.#validators.set(operator, { operator, tokens, shares });
  };

  /** `shares` stand at the top, or in `delegation` as some exports have it. */
  #addDelegation(value: unknown, voters: ReadonlySet<string> | undefined): void {
    const item = toFields(value, '');
    const {
      delegator_address: delegator,
      validator_address: validator,
      shares: text,
    } = isFields(item.delegation) ? item.delegation : item;
    const shares = typeof text === 'string' ? toDecimal(text) : undefined;
    if (typeof delegator !== 'string' || typeof validator !== 'string' || shares === undefined) return;
    if ((voters && !voters.has(delegator)) || this.#kept > mostDelegations) return;
    this.#kept++;
    const delegation = { delegator, validator, shares };
    const known = this.#delegations.get(delegator);
    if (known) known.push(delegation);
    else this.#delegations.set(delegator, [delegation]);
  }

  /** Tokens on their way out stand in the not-bonded pool (x/staking/keeper/pool.go). */
  readonly #addUnbonding: Take = (bytes, start, end) => {
    const { entries } = toFields(parseKept(bytes, start, end), '');
    toList(entries, '.entries').forEach((entry, index) => {
      const path = `.entries[${index}]`;
      this.#notBonded += BigInt(toDigits(toFields(entry, path).balance, `${path}.balance`));
    });
  };
}
