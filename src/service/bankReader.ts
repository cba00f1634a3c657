import type { ListWant, ObjectWant, Want } from './jsonScanner.ts';
import { isFields, parseKept, parseStrictly, toCoin, toFields, toList, toText } from './keptValue.ts';
import { type Entry, toByteText, toTable } from './paging.ts';
import { CoinSum, PlainBalance } from './plainBalance.ts';
import type { Bank } from './state.ts';
import { MisfitError, shortName } from './stateErrors.ts';

/** So many balances are parsed as a whole first: reading them byte by byte is slow until the engine has compiled it. */
const worthReading = 16;

/** Collects the supply, the metadata and the sum of all balances while the bank module (and, before SDK 0.40, its neighbours) are scanned. */
export class BankReader {
  readonly #supply = new Map<string, string>();
  readonly #metadata = new Map<string, string>();
  readonly #balances = new CoinSum();
  readonly #plain = new PlainBalance();
  #parsed = 0;
  #address: string | undefined;
  #hasSupply = false;
  #hasBalances = false;

  /** Whether the bank module alone says the supply; before SDK 0.40 it does not. */
  get isWhole(): boolean {
    return this.#hasSupply || this.#hasBalances;
  }

  /** One of those that hold balances, as far as they have been read. */
  get address(): string | undefined {
    return this.#address;
  }

  /** `app_state.bank`. */
  want(end: () => void): ObjectWant {
    return { kind: 'object', member: (key) => this.#member(key), end };
  }

  /** `app_state.supply` (SDK 0.36–0.39). */
  wantSupplyModule(): ObjectWant {
    return { kind: 'object', member: (key) => (key === 'supply' ? this.#wantSupply() : undefined) };
  }

  /** `app_state.accounts` (until 0.37) or `app_state.auth.accounts` (0.38, 0.39); of a later SDK only the first is looked at. */
  wantAccounts(): ListWant {
    let later = false;
    return {
      kind: 'list',
      isEnough: () => later,
      element: (bytes, start, end) => {
        later = !addAminoAccount(this.#balances, bytes, start, end);
        if (!later) this.#hasBalances = true;
      },
    };
  }

  /** The part as it is known now. */
  finish(): Bank {
    const coins = this.#supply.size > 0 ? this.#supply : this.#balances.totals();
    const supply = [...coins].map(([denom, amount]) => coinEntry(denom, amount));
    const metadata = [...this.#metadata].map(([base, row]) => ({ key: toByteText(base), row }));
    return { supply: toTable(supply), metadata: toTable(metadata) };
  }

  /** What is odd about the part: a supply that is not the sum of the balances. */
  notices(): readonly string[] {
    if (this.#supply.size === 0 || !this.#hasBalances) return [];
    return differenceNotice(differences(this.#supply, this.#balances.totals()));
  }

  #member(key: string): Want | undefined {
    switch (key) {
      case 'supply':
        return this.#wantSupply();
      case 'balances':
        return {
          kind: 'list',
          quick: (bytes, start, end) =>
            this.#parsed < worthReading ? -1 : this.#plain.add(this.#balances, bytes, start, end),
          element: (bytes, start, end) => {
            this.#hasBalances = true;
            this.#parsed++;
            const address = addBalance(this.#balances, bytes, start, end);
            if (typeof address === 'string') this.#address ??= address;
          },
        };
      case 'denom_metadata':
        return { kind: 'list', element: (bytes, start, end) => this.#addMetadata(bytes, start, end) };
      default:
        return undefined;
    }
  }

  #wantSupply(): ListWant {
    this.#hasSupply = true;
    return {
      kind: 'list',
      element: (bytes, start, end) => {
        const coin = toCoin(parseKept(bytes, start, end), '');
        if (this.#supply.has(coin.denom))
          throw new MisfitError(`The supply of "${shortName(coin.denom)}" is there twice`, '.denom');
        this.#supply.set(coin.denom, coin.amount);
      },
    };
  }

  #addMetadata(bytes: Buffer, start: number, end: number): void {
    const metadata = parseStrictly(bytes, start, end);
    this.#metadata.set(toText(metadata.base, '.base'), JSON.stringify(metadata));
  }
}

/** Without anything that JSON escapes, and ASCII. */
const plainDenom = /^[\w:/.-]*$/;

function coinEntry(denom: string, amount: string): Entry {
  const isPlain = plainDenom.test(denom);
  const name = isPlain ? `"${denom}"` : JSON.stringify(denom);
  return { key: isPlain ? denom : toByteText(denom), row: `{"denom":${name},"amount":"${amount}"}` };
}

function differences(supply: ReadonlyMap<string, string>, sums: ReadonlyMap<string, string>): string[] {
  const stated = [...supply.keys()].filter((denom) => supply.get(denom) !== (sums.get(denom) ?? '0'));
  return [...stated, ...[...sums.keys()].filter((denom) => !supply.has(denom))].sort();
}

function differenceNotice(denoms: readonly string[]): string[] {
  if (denoms.length === 0) return [];
  const shown = denoms.slice(0, 5).join(', ');
  const more = denoms.length > 5 ? ` and ${denoms.length - 5} more` : '';
  return [`The supply is not the sum of the balances for ${shown}${more}; the supply is shown as the file states it.`];
}

/** Adds the coins of one balance (`{address, coins: [{denom, amount}]}`) to `sum`. Returns whose it is. */
export function addBalance(sum: CoinSum, bytes: Buffer, start: number, end: number): unknown {
  const balance = parseKept(bytes, start, end);
  addCoins(sum, balance);
  return isFields(balance) ? balance.address : undefined;
}

function addCoins(sum: CoinSum, value: unknown): void {
  const balance = toFields(value, '');
  toList(balance.coins, '.coins').forEach((item, index) => {
    const coin = toCoin(item, `.coins[${index}]`);
    sum.add(coin.denom, coin.amount);
  });
}

/**
 * Adds the coins of one account of before SDK 0.40: `{coins}`, or `{type, value}` around it, with the base account one or
 * two levels deeper in vesting accounts. False where the element is of a later SDK and holds no coins at all.
 */
export function addAminoAccount(sum: CoinSum, bytes: Buffer, start: number, end: number): boolean {
  let account: unknown = parseKept(bytes, start, end);
  for (let depth = 0; depth < 5 && isFields(account); depth++) {
    if ('@type' in account) return false;
    if (Array.isArray(account.coins)) {
      addCoins(sum, account);
      return true;
    }
    account = account.value ?? account.BaseVestingAccount ?? account.BaseAccount ?? account.base_account;
  }
  return true;
}
