import {
  type BalanceSink,
  type BalanceSummer,
  bodyOf,
  type Held,
  type LeftCoins,
  type PoolAccounts,
  poolBodies,
} from './balances.ts';
import type { FastReader, ListVisitor, ObjectVisitor, Visitor } from './jsonScanner.ts';
import {
  type Fields,
  objectVisitor,
  rowsVisitor,
  toAmount,
  toCoin,
  toFields,
  toList,
  toText,
  valueVisitor,
  withAmountText,
} from './jsonValue.ts';
import type { ModuleAccountReader } from './moduleAccounts.ts';
import { shorten, ValueError } from './serviceErrors.ts';
import type { Skipper } from './skipper.ts';
import { addTo, flatten, type ListRange, lastRank, levelsOf, type SplitReader } from './split.ts';
import type { DelegationReader, StakingReader } from './staking.ts';
import { type Table, toByteText, toTable } from './table.ts';

export interface Bank {
  /** Key: denom. Row: `{"denom","amount"}`. */
  readonly supply: Table;
  /** Key: base denom. Row: the metadata as it came. */
  readonly metadata: Table;
}

/** What goes over the bytes of a state; the two see the same chunks. */
export interface ScanEngine {
  readonly skipper: Skipper;
  readonly balances: BalanceSummer;
  /** Absent where delegations are parsed one by one. */
  readonly delegations?: DelegationReader;
}

/** What hears of balances and accounts beside the sums. */
export interface BankListeners {
  readonly sink?: BalanceSink | undefined;
  readonly split?: SplitReader | undefined;
  readonly modules?: ModuleAccountReader | undefined;
}

/** Collects supply, metadata and the sum of all balances while the bank module and, before SDK 0.40, its neighbours are scanned. */
export class BankReader {
  /** The amount as JSON, by denom. */
  readonly #supply = new Map<string, string>();
  readonly #metadata = new Map<string, string>();
  readonly #engine: ScanEngine;
  readonly #sink: BalanceSink | undefined;
  readonly #split: SplitReader | undefined;
  readonly #modules: ModuleAccountReader | undefined;
  /** Where the balances are, as far as they have been read. */
  list: ListRange | undefined;
  /** What accounts hold that have no class of their own; undefined before `finish`. */
  others: ReadonlyMap<string, Held> | undefined;
  /** The supply as it is answered, without what is no amount. */
  readonly supply = new Map<string, bigint>();
  /** Any account of the chain, as far as one has been read. */
  address: string | undefined;
  readonly pools: PoolAccounts = {};
  #parsed = 0;
  #hasBalances = false;
  #hasAccounts = false;
  #hasSupplyModule = false;

  constructor(engine: ScanEngine, { sink, split, modules }: BankListeners) {
    this.#engine = engine;
    this.#sink = sink;
    this.#split = split;
    this.#modules = modules;
    for (const body of poolBodies.keys()) engine.balances.leave(body, lastRank);
  }

  /** Whether the bank module alone has the supply; before SDK 0.40 it has not. */
  get isWhole(): boolean {
    return this.#hasBalances || (this.#supply.size > 0 && !this.#hasSupplyModule);
  }

  /** Whether accounts hold coins themselves, as before SDK 0.40. */
  get hasAccounts(): boolean {
    return this.#hasAccounts;
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

  /**
   * `app_state.accounts` (until 0.37) or `app_state.auth.accounts` (0.38, 0.39); of later versions the first is read, and those
   * that have a class of their own.
   */
  accounts(): ObjectVisitor {
    let isLater = false;
    const split = this.#split;
    const visitor = valueVisitor((value) => {
      const { address, coins } = readAccount(value);
      this.address ??= address;
      isLater = coins === undefined;
      const account = flatten(value);
      this.#modules?.read(account);
      try {
        split?.readAccount(account);
      } finally {
        if (coins) {
          this.#hasAccounts = true;
          this.#addCoins(coins.map(withAmountText), address);
        }
      }
    });
    const { skipper } = this.#engine;
    const use = split && ((account: Fields): boolean => this.#useAccount(account, split));
    const fast: FastReader = {
      read: (bytes, start) => (isLater ? skipper.skipAccounts(bytes, start, use) : -1),
      get count(): number {
        return skipper.count;
      },
    };
    const list: ListVisitor = {
      kind: 'list',
      element: () => (isLater && !split && !this.#modules ? undefined : visitor),
      fast,
      end: (start, end) => {
        if (!isLater) this.list ??= { kind: 'accounts', start, end };
      },
    };
    // An object of this name is a module of SDK 0.52.
    return { ...objectVisitor({}), otherwise: list };
  }

  /** false where it cannot be read. */
  #useAccount(account: Fields, split: SplitReader): boolean {
    if (typeof account.address === 'string') this.address ??= account.address;
    try {
      split.readAccount(account);
      return true;
    } catch (error) {
      if (error instanceof ValueError) return false;
      throw error;
    }
  }

  /** What visits a list of this kind. */
  listOf(kind: ListRange['kind']): Visitor {
    return kind === 'balances' ? this.#balanceList() : this.accounts();
  }

  /** The module as it has been read. `onNotice` is called with how the supply came about, where that is not plain. */
  finish({ pool, hasStake }: Pick<StakingReader, 'pool' | 'hasStake'>, onNotice: (text: string) => void): Bank {
    const isStated = this.#supply.size > 0;
    const totals = this.sum();
    if (!isStated && hasStake && this.#hasAccounts && !this.#hasBalances && !this.#hasSupplyModule) {
      if (pool) totals.set(pool.denom, BigInt(pool.amount));
      onNotice(
        pool
          ? `This state has no supply module: the supply of ${shorten(pool.denom, 24)} is that of the staking pool, the others are the sum of the accounts.`
          : 'This state has no supply module: the supply is the sum of the accounts, without tokens that are staked.',
      );
    }
    const sums = new Map([...totals].map(([denom, amount]) => [denom, `"${amount}"`]));
    if (isStated && (this.#parsed > 0 || this.#hasAccounts)) noteDifferences(this.#supply, sums, onNotice);
    for (const [denom, amount] of isStated ? this.#supply : sums)
      if (/^"\d+"$/.test(amount)) this.supply.set(denom, BigInt(amount.slice(1, -1)));
    const metadata = [...this.#metadata].map(([base, row]) => ({ key: toByteText(base), row }));
    const supply = [...(isStated ? this.#supply : sums)].map(([denom, amount]) => {
      return { key: toByteText(denom), row: `{"denom":${JSON.stringify(denom)},"amount":${amount}}` };
    });
    return { supply: toTable(supply), metadata: toTable(metadata) };
  }

  /** What all accounts hold, by denom; to be called once. */
  sum(): Map<string, bigint> {
    this.others = this.#engine.balances.totals(this.#addCoin);
    const sums = this.#split?.totals() ?? new Map<string, bigint>();
    for (const [denom, { amount }] of this.others) addTo(sums, denom, amount);
    return sums;
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
    const { balances } = this.#engine;
    return {
      ...parsed,
      fast: {
        // The first one is parsed for its address.
        read: (bytes, start): number =>
          this.#parsed === 0 ? -1 : balances.read(bytes, start, this.#addCoin, this.#sink),
        get count(): number {
          return balances.count;
        },
      },
      end: (start, end): void => {
        this.#hasBalances = true;
        this.list = { kind: 'balances', start, end };
      },
    };
  }

  /** Where the coins of the account belong if it is that of a staking pool. */
  #poolOf(body: string): Map<string, bigint> | undefined {
    const name = poolBodies.get(body);
    if (name === undefined) return undefined;
    this.pools[name] ??= new Map();
    return this.pools[name];
  }

  /** Coins of an account that has a class of its own, is of a staking pool, or neither. */
  readonly #addCoin: LeftCoins = (body, denom, amount) => {
    const account = this.#split?.accountOf(body);
    if (account) this.#split?.add(account, denom, amount);
    else this.#engine.balances.add(denom, amount);
    const pool = this.#poolOf(body);
    if (pool) addTo(pool, denom, amount);
  };

  /** Adds every coin that can be read; throws `ValueError` for the first that cannot. */
  #addCoins(coins: unknown, address = ''): void {
    let fault: unknown;
    // The account of a pool that holds nothing is known, too.
    const body = bodyOf(address);
    this.#poolOf(body);
    // Accounts of which a class is heard from now on are late, also where this one holds nothing.
    this.#split?.accountOf(body);
    for (const [index, item] of toList(coins, '.coins').entries())
      try {
        const { denom, amount } = toCoin(item, `.coins[${index}]`);
        this.#addCoin(body, denom, BigInt(amount));
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
  for (const account of levelsOf(value)) {
    if (typeof account.address === 'string') address ??= account.address;
    isLater ||= coins === undefined && '@type' in account;
    if (Array.isArray(account.coins)) coins ??= account.coins;
  }
  return { address, coins: isLater ? undefined : (coins ?? []) };
}
