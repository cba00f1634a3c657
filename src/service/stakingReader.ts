import { parseKept, toDigits, toFields, toList } from './keptValue.ts';
import type { ObjectWant, Take, Want } from './scanner.ts';
import type { Staking } from './state.ts';

const bonded: readonly unknown[] = ['BOND_STATUS_BONDED', 'Bonded', 2];

/** Collects the bonded total while `app_state.staking` is scanned (decision 28). */
export class StakingReader {
  #bonded = 0n;
  #notBonded = 0n;
  #exported = false;

  want(end: () => void): ObjectWant {
    return { kind: 'object', member: (key) => this.#member(key), end };
  }

  finish(): Staking {
    if (!this.#exported) return { bondedTokens: undefined, notBondedTokens: undefined };
    return { bondedTokens: String(this.#bonded), notBondedTokens: String(this.#notBonded) };
  }

  #member(key: string): Want | undefined {
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
      default:
        return undefined;
    }
  }

  readonly #addValidator: Take = (bytes, start, end) => {
    const validator = toFields(parseKept(bytes, start, end), '');
    const tokens = BigInt(toDigits(validator.tokens, '.tokens'));
    if (bonded.includes(validator.status)) this.#bonded += tokens;
    else this.#notBonded += tokens;
  };

  /** Tokens on their way out stand in the not-bonded pool (x/staking/keeper/pool.go). */
  readonly #addUnbonding: Take = (bytes, start, end) => {
    const { entries } = toFields(parseKept(bytes, start, end), '');
    toList(entries, '.entries').forEach((entry, index) => {
      const path = `.entries[${index}]`;
      this.#notBonded += BigInt(toDigits(toFields(entry, path).balance, `${path}.balance`));
    });
  };
}
