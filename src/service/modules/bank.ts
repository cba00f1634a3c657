import type { Fields } from '../../chain/fields.ts';
import { flatten, levelsOf } from '../holders/accountLevels.ts';
import {
  type BalanceSink,
  bodyOf,
  type Held,
  type LeftCoins,
  type PoolAccounts,
  poolBodies,
} from '../holders/balances.ts';
import type { ModuleAccountReader } from '../holders/moduleAccounts.ts';
import { addTo, type ListRange, lastRank, type SplitReader } from '../holders/split.ts';
import type { FastReader, ListVisitor, ObjectVisitor, Visitor } from '../scan/jsonScanner.ts';
import {
  objectVisitor,
  readCoin,
  rowsVisitor,
  toAmount,
  toFields,
  toList,
  toText,
  valueVisitor,
  withAmountText,
} from '../scan/jsonValue.ts';
import type { ScanEngine } from '../scan/scanEngine.ts';
import { shortenMiddle, ValueError } from '../serviceErrors.ts';
import { type KeyedTable, toByteText, toTable } from '../table.ts';
import type { StakingReader } from './staking.ts';

export interface Bank {
  /** The supply. The key is the denom, the row `{"denom","amount"}`. */
  readonly supply: KeyedTable;
  /** The metadata. The key is the base denom, the row the metadata as it came. */
  readonly metadata: KeyedTable;
  /** Whether the coins of a denom can be sent, by denom. Undefined if the state does not list it (before SDK 0.47). */
  readonly sendEnabled: KeyedTable | undefined;
}

/** The parts that receive balances and accounts while they are summed. */
interface BankListeners {
  readonly sink?: BalanceSink | undefined;
  readonly split?: SplitReader | undefined;
  readonly modules?: ModuleAccountReader | undefined;
}

/**
 * Collects the supply, the metadata and the sum of all balances while the bank module is scanned. Before SDK 0.40, its
 * neighbours are scanned too.
 */
export class BankReader {
  /** Amounts as JSON, by denom. */
  readonly #supply = new Map<string, string>();
  readonly #metadata = new Map<string, string>();
  #sendEnabled: KeyedTable | undefined;
  readonly #engine: ScanEngine;
  readonly #sink: BalanceSink | undefined;
  readonly #split: SplitReader | undefined;
  readonly #modules: ModuleAccountReader | undefined;
  /** The place of the balances in the file, once they have been read. */
  list: ListRange | undefined;
  /** The sums of accounts without a class of their own; undefined before `finish`. */
  others: ReadonlyMap<string, Held> | undefined;
  /** The supply as it is answered, without values that are no amounts. */
  readonly supply = new Map<string, bigint>();
  /** Any account of the chain, once one has been read. */
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

  /** True if the bank module alone has the supply, as in SDK 0.40 and later. */
  get isWhole(): boolean {
    return this.#hasBalances || (this.#supply.size > 0 && !this.#hasSupplyModule);
  }

  /** True if the accounts themselves hold the coins, as before SDK 0.40. */
  get hasAccounts(): boolean {
    return this.#hasAccounts;
  }

  /** Visits `app_state.bank`. */
  bank(end: () => void): ObjectVisitor {
    const denom_metadata = rowsVisitor((row) =>
      this.#metadata.set(toText(toFields(row).base, '.base'), JSON.stringify(row)),
    );
    return objectVisitor({ supply: this.#supplyList(), balances: this.#balanceList(), denom_metadata }, end);
  }

  /** Reads `app_state.bank.send_enabled` (SDK 0.47 and later). A list with a row of another form counts as not stated. */
  readSendEnabled(list: readonly unknown[]): void {
    const rows = list.flatMap((item) => {
      const { denom, enabled = false } = toFields(item);
      if (typeof denom !== 'string' || typeof enabled !== 'boolean') return [];
      return [{ key: toByteText(denom), row: JSON.stringify({ denom, enabled }) }];
    });
    if (rows.length === list.length) this.#sendEnabled = toTable(rows);
  }

  /** Visits `app_state.supply` (SDK 0.36 to 0.39). Its first releases wrote `{supply: {total}}` (#4852). */
  supplyModule(): ObjectVisitor {
    this.#hasSupplyModule = true;
    const list = this.#supplyList();
    return objectVisitor({ supply: { ...objectVisitor({ total: list }), otherwise: list } });
  }

  /**
   * Visits `app_state.accounts` (SDK 0.37 and earlier) or `app_state.auth.accounts` (0.38 and later). Since 0.40,
   * accounts hold no coins: only the first account and those with a class of their own are read.
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
    // In SDK 0.52, a module has this name.
    return { ...objectVisitor({}), otherwise: list };
  }

  /** Reads an account. Returns false if it cannot be read. */
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

  /** Gives the visitor for a list of this kind. */
  listOf(kind: ListRange['kind']): Visitor {
    return kind === 'balances' ? this.#balanceList() : this.accounts();
  }

  /** Ends the scan. Calls `onNotice` with how the supply was found, unless it is stated plainly. */
  finish({ pool, hasStake }: Pick<StakingReader, 'pool' | 'hasStake'>, onNotice: (text: string) => void): Bank {
    const isStated = this.#supply.size > 0;
    const totals = this.sum();
    if (!isStated && hasStake && this.#hasAccounts && !this.#hasBalances && !this.#hasSupplyModule) {
      if (pool) totals.set(pool.denom, BigInt(pool.amount));
      onNotice(
        pool
          ? `This state has no supply module: the supply of ${shortenMiddle(pool.denom, 24)} is taken from the staking pool, and other supplies are the sums of all account balances.`
          : 'This state has no supply module: the supply is the sum of all account balances, not including staked tokens.',
      );
    } else if (!isStated && totals.size > 0)
      onNotice('This state lists no supply: the supply shown is the sum of all balances.');
    const sums = new Map([...totals].map(([denom, amount]) => [denom, `"${amount}"`]));
    if (isStated && (this.#parsed > 0 || this.#hasAccounts)) noteDifferences(this.#supply, sums, onNotice);
    for (const [denom, amount] of isStated ? this.#supply : sums)
      if (/^"\d+"$/.test(amount)) this.supply.set(denom, BigInt(amount.slice(1, -1)));
    const metadata = [...this.#metadata].map(([base, row]) => ({ key: toByteText(base), row }));
    const supply = [...(isStated ? this.#supply : sums)].map(([denom, amount]) => {
      return { key: toByteText(denom), row: `{"denom":${JSON.stringify(denom)},"amount":${amount}}` };
    });
    return { supply: toTable(supply), metadata: toTable(metadata), sendEnabled: this.#sendEnabled };
  }

  /** Sums all accounts by denom. Call it once. */
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
        throw new ValueError(`The supply of "${shortenMiddle(denom, 40)}" appears twice`, '.denom');
      // An invalid amount is answered as it is.
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
        // The first balance is parsed for its address.
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

  /** Gives the sums of the staking pool that the account belongs to, if any. */
  #poolOf(body: string): Map<string, bigint> | undefined {
    const name = poolBodies.get(body);
    if (name === undefined) return undefined;
    this.pools[name] ??= new Map();
    return this.pools[name];
  }

  /** Adds coins of an account: to its class, to a staking pool, or to the others. */
  readonly #addCoin: LeftCoins = (body, denom, amount) => {
    const account = this.#split?.accountOf(body);
    if (account) this.#split?.add(account, denom, amount);
    else this.#engine.balances.add(denom, amount);
    const pool = this.#poolOf(body);
    if (pool) addTo(pool, denom, amount);
  };

  /** Adds every coin that can be read. Throws `ValueError` for the first one that cannot. */
  #addCoins(coins: unknown, address = ''): void {
    let fault: unknown;
    // A pool account counts as known even if it holds nothing.
    const body = bodyOf(address);
    this.#poolOf(body);
    // From now on, a class for this account comes too late, even if the account holds nothing.
    this.#split?.accountOf(body);
    for (const [index, item] of toList(coins, '.coins').entries())
      try {
        const { denom, amount } = readCoin(item, `.coins[${index}]`);
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
  const shown = denoms.slice(0, 5).map((denom) => shortenMiddle(denom, 24));
  const more = denoms.length > 5 ? ` and ${denoms.length - 5} more` : '';
  onNotice(
    `The supply does not match the sum of the balances for ${shown.join(', ')}${more}. It is shown as stated in the file.`,
  );
}

/**
 * Reads the coins of an account before SDK 0.40: `{address, coins}`, or `{type, value}` around it. Vesting accounts
 * hold the base account one or two levels deeper. Undefined for an account of a later version, which holds no coins.
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
