import { type BalanceSink, type BalanceSummer, type PoolAccounts, poolBodies, poolOf } from './balances.ts';
import type { ListVisitor, ObjectVisitor } from './jsonScanner.ts';
import {
  isFields,
  objectVisitor,
  rowsVisitor,
  toAmount,
  toCoin,
  toFields,
  toList,
  toText,
  valueVisitor,
} from './jsonValue.ts';
import { shorten, ValueError } from './serviceErrors.ts';
import type { StakingReader } from './staking.ts';
import { type Table, toByteText, toTable } from './table.ts';

export interface Bank {
  /** Key: denom. Row: `{"denom","amount"}`. */
  readonly supply: Table;
  /** Key: base denom. Row: the metadata as it came. */
  readonly metadata: Table;
}

/** Collects supply, metadata and the sum of all balances while the bank module and, before SDK 0.40, its neighbours are scanned. */
export class BankReader {
  /** The amount as JSON, by denom. */
  readonly #supply = new Map<string, string>();
  readonly #metadata = new Map<string, string>();
  readonly #balances: BalanceSummer;
  readonly #sink: BalanceSink | undefined;
  /** Any account of the chain, as far as one has been read. */
  address: string | undefined;
  readonly pools: PoolAccounts = {};
  #parsed = 0;
  #hasBalances = false;
  #hasAccounts = false;
  #hasSupplyModule = false;

  constructor(balances: BalanceSummer, sink: BalanceSink | undefined) {
    this.#balances = balances;
    this.#sink = sink;
    for (const body of poolBodies) balances.leave(body);
  }

  /** Whether the bank module alone has the supply; before SDK 0.40 it has not. */
  get isWhole(): boolean {
    return this.#hasBalances || (this.#supply.size > 0 && !this.#hasSupplyModule);
  }

  /** `app_state.bank`. */
  bank(end: () => void): ObjectVisitor {
    const denom_metadata = rowsVisitor((row) =>
      this.#metadata.set(toText(toFields(row).base, '.base'), JSON.stringify(row)),
    );
    return objectVisitor({ supply: this.#supplyList(), balances: this.#balanceList(), denom_metadata }, end);
  }

  /** `app_state.supply` (SDK 0.36–0.39); its first releases wrote `{supply: {total}}` (#4852). */
  supplyModule(): ObjectVisitor {
    this.#hasSupplyModule = true;
    const list = this.#supplyList();
    return objectVisitor({ supply: { ...objectVisitor({ total: list }), otherwise: list } });
  }

  /** `app_state.accounts` (until 0.37) or `app_state.auth.accounts` (0.38, 0.39); of later versions only the first is read. */
  accounts(): ObjectVisitor {
    let isLater = false;
    const visitor = valueVisitor((value) => {
      const { address, coins } = readAccount(value);
      this.address ??= address;
      isLater = coins === undefined;
      if (!coins) return;
      this.#hasAccounts = true;
      this.#addCoins(coins, address);
    });
    // An object of this name is a module of SDK 0.52.
    return { ...objectVisitor({}), otherwise: { kind: 'list', element: () => (isLater ? undefined : visitor) } };
  }

  /** The module as it has been read. `onNotice` is called with how the supply came about, where that is not plain. */
  finish({ pool, hasStake }: Pick<StakingReader, 'pool' | 'hasStake'>, onNotice: (text: string) => void): Bank {
    const isStated = this.#supply.size > 0;
    const totals = this.#balances.totals();
    if (!isStated && hasStake && this.#hasAccounts && !this.#hasBalances && !this.#hasSupplyModule) {
      if (pool) totals.set(pool.denom, pool.amount);
      onNotice(
        pool
          ? `This state has no supply module: the supply of ${shorten(pool.denom, 24)} is that of the staking pool, the others are the sum of the accounts.`
          : 'This state has no supply module: the supply is the sum of the accounts, without tokens that are staked.',
      );
    }
    const sums = new Map([...totals].map(([denom, amount]) => [denom, `"${amount}"`]));
    if (isStated && (this.#parsed > 0 || this.#hasAccounts)) noteDifferences(this.#supply, sums, onNotice);
    const metadata = [...this.#metadata].map(([base, row]) => ({ key: toByteText(base), row }));
    const supply = [...(isStated ? this.#supply : sums)].map(([denom, amount]) => {
      return { key: toByteText(denom), row: `{"denom":${JSON.stringify(denom)},"amount":${amount}}` };
    });
    return { supply: toTable(supply), metadata: toTable(metadata) };
  }

  #supplyList(): ListVisitor {
    return rowsVisitor((row) => {
      const coin = toFields(row);
      const denom = toText(coin.denom, '.denom');
      if (this.#supply.has(denom))
        throw new ValueError(`The supply of "${shorten(denom, 40)}" is there twice`, '.denom');
      // An amount that is none is answered as it is.
      this.#supply.set(denom, JSON.stringify(coin.amount ?? null));
      this.#supply.set(denom, `"${toAmount(coin.amount, '')}"`);
    });
  }

  #balanceList(): ListVisitor {
    const parsed = rowsVisitor((row) => {
      this.#parsed++;
      const { address, coins } = toFields(row);
      const known = typeof address === 'string' ? address : undefined;
      this.address ??= known;
      this.#addCoins(coins, known);
    });
    const balances = this.#balances;
    return {
      ...parsed,
      fast: {
        // The first one is parsed for its address.
        read: (bytes, start) => (this.#parsed === 0 ? -1 : balances.read(bytes, start, this.#sink)),
        get count() {
          return balances.count;
        },
      },
      end: () => {
        this.#hasBalances = true;
      },
    };
  }

  /** Where the coins of the account belong if it is that of a staking pool. */
  #poolOf(address: string): Map<string, string> | undefined {
    const name = poolOf(address);
    if (name === undefined) return undefined;
    this.pools[name] ??= new Map();
    return this.pools[name];
  }

  /** Adds every coin that can be read; throws `ValueError` for the first that cannot. */
  #addCoins(coins: unknown, address = ''): void {
    let fault: unknown;
    const pool = this.#poolOf(address);
    for (const [index, item] of toList(coins, '.coins').entries())
      try {
        const { denom, amount } = toCoin(item, `.coins[${index}]`);
        this.#balances.add(denom, amount);
        pool?.set(denom, amount);
        this.#sink?.add(address, denom, amount);
      } catch (error) {
        if (!(error instanceof ValueError)) throw error;
        fault ??= error;
      }
    if (fault) throw fault;
  }
}

type Amounts = ReadonlyMap<string, string>;

function noteDifferences(supply: Amounts, sums: Amounts, onNotice: (text: string) => void): void {
  const stated = [...supply.keys()].filter((denom) => supply.get(denom) !== (sums.get(denom) ?? '"0"'));
  const denoms = [...stated, ...[...sums.keys()].filter((denom) => !supply.has(denom))].sort();
  if (denoms.length === 0) return;
  const shown = denoms.slice(0, 5).map((denom) => shorten(denom, 24));
  const more = denoms.length > 5 ? ` and ${denoms.length - 5} more` : '';
  onNotice(
    `The supply is not the sum of the balances for ${shown.join(', ')}${more}; the supply is shown as the file states it.`,
  );
}

/**
 * The coins of an account of before SDK 0.40: `{address, coins}`, or `{type, value}` around it, with the base account one or two
 * levels deeper in vesting accounts. Undefined where the account is of a later version and holds no coins at all.
 */
function readAccount(value: unknown): { address: string | undefined; coins: readonly unknown[] | undefined } {
  let address: string | undefined;
  let coins: readonly unknown[] | undefined;
  let isLater = false;
  let account = value;
  for (let depth = 0; depth < 5 && isFields(account); depth++) {
    if (typeof account.address === 'string') address ??= account.address;
    isLater ||= coins === undefined && '@type' in account;
    if (Array.isArray(account.coins)) coins ??= account.coins;
    account =
      account.value ??
      account.BaseVestingAccount ??
      account.base_vesting_account ??
      account.BaseAccount ??
      account.base_account;
  }
  return { address, coins: isLater ? undefined : (coins ?? []) };
}
