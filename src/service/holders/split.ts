import { bech32 } from '@scure/base';
import { escrowAddressBytes } from '../../api/hashes.ts';
import type { Fields } from '../../chain/fields.ts';
import { decimalOne, toDecimals, toShares } from '../decimals.ts';
import type { ListVisitor, Visitor } from '../scan/jsonScanner.ts';
import {
  isParsedObject,
  objectVisitor,
  rowsVisitor,
  toFields,
  toList,
  toText,
  valueVisitor,
} from '../scan/jsonValue.ts';
import { accountKinds, plainAccountTypes } from '../scan/simdLayout.ts';
import { shortenMiddle, ValueError } from '../serviceErrors.ts';
import { type KeyedRow, type KeyedTable, toByteText, toTable } from '../table.ts';
import { isWrapped } from './accountLevels.ts';
import { type BalanceSummer, bodyOf, type Held } from './balances.ts';
import {
  accountType,
  endOf,
  lockedOf,
  readVesting,
  unvestedOf,
  type Vesting,
  type VestingTotals,
  vestingTotals,
  weightOf,
} from './vesting.ts';

/** The split of every denom into classes of accounts, with the data that a search for its largest holders needs. */
export interface Split {
  /** The split. The key is the denom, the row is described in docs/nodes.md#supply-split. */
  readonly denoms: KeyedTable;
  /** Accounts with a class of their own. The key is `bodyOf` the address, the row `{"class","name","vesting_end"}`. */
  readonly accounts: KeyedTable;
  /** The place of the balances in the JSON. */
  readonly list: ListRange | undefined;
}

/** A list of balances, or of accounts with their coins (before SDK 0.40), from the offset `start` to `end`. */
export interface ListRange {
  readonly kind: 'balances' | 'accounts';
  readonly start: number;
  readonly end: number;
}

/** A list that is read again, and its visitor. */
export interface ListAgain {
  readonly list: Pick<ListRange, 'start' | 'end'>;
  readonly visitor: Visitor;
}

/** The amount of one denom in one account. */
export interface AccountAmount {
  readonly address: string;
  readonly amount: string;
}

/** One coin of an account. */
export interface HeldCoin extends AccountAmount {
  readonly denom: string;
}

/** The rank of the last class. An account of several classes counts in the first of them. */
export const lastRank = accountKinds.length;
const classes = ['module', 'escrow', 'contract', 'vesting_locked', 'vesting_free', 'other', 'residue'] as const;

interface Account {
  readonly kind: (typeof accountKinds)[number];
  /** The name of the module, `transfer/channel-0` or the unknown type of a vesting account; otherwise "". */
  readonly name: string;
  /** The channel on the other chain. */
  readonly counterparty?: string | undefined;
  readonly vesting?: Vesting;
}

interface SplitAmount {
  readonly class: (typeof classes)[number];
  readonly name: string;
  readonly counterparty?: string | undefined;
  amount: bigint;
}

/**
 * The bodies of the usual module accounts: the first 20 bytes of the SHA-256 of the name. They are the same with every
 * prefix.
 */
const moduleBodies: Readonly<Record<string, string>> = {
  fl48vsnmsdzcv85q5d2q4z5ajdha8yu3: 'bonded_tokens_pool',
  tygms3xhhs3yv487phx3dw4a95jn7t7l: 'not_bonded_tokens_pool',
  jv65s3grqf6v6jl3dp4t6c9t9rk99cd8: 'distribution',
  '0d07y265gmmuvt4z0w9aw880jnsr700j': 'gov',
  m3h30wlvsf8llruxtpukdvsy0km2kum8: 'mint',
  '7xpfvakm2amg962yls6f84z3kell8c5l': 'fee_collector',
  yl6hdjhmkf37639730gffanpzndzdpmh: 'transfer',
  purnwdrhg477r0evks8t5ah7c8thvrss: 'protocolpool',
  '39js96huvt800a0rprnsdqrj3ymjdlwa': 'protocolpool_escrow',
};

/**
 * The characters of a name that are shown and written, with each denom of its account. The whole name gives the
 * address.
 */
const longestName = 200;

/** Cuts a long name and marks the cut. */
function cutName(name: string): string {
  return shortenMiddle(name, longestName);
}

/**
 * Estimates of memory in bytes: an account without its texts and vesting, a denom, and the amount of one denom in one
 * account.
 */
const weights = { account: 150, denom: 300, held: 100 } as const;

/**
 * Adds up balances by the class of their account during the scan. If classes are known too late, it counts once more.
 */
export class SplitReader {
  readonly #accounts = new Map<string, Account>();
  /** The amounts of each account, by denom. The locked part is known once the time of the state is. */
  #held = new Map<string, Map<Account, bigint>>();
  #balances: BalanceSummer;
  #isCounting = false;
  #isLate = false;
  readonly #maxMemory: number;
  /** The memory of accounts and their amounts, in bytes. */
  #ofAccounts = 0;
  #ofHeld = 0;
  /** The sums by denom of accounts that became too many and were forgotten. */
  #forgotten: ReadonlyMap<string, bigint> | undefined;
  /** False for a state before SDK 0.36, where the distribution module has no account. */
  hasDistributionAccount = true;
  /** The decimals of the distribution module by denom, in units of 10^-18. */
  readonly #community = new Map<string, bigint>();
  readonly #rewards = new Map<string, bigint>();
  /** The denoms of accounts with an unknown vesting schedule. */
  readonly #vestsOtherwise = new Set<string>();

  /**
   * `maxMemory` limits the bytes of accounts and their amounts. Beyond it they are forgotten, and there is no split.
   */
  constructor(balances: BalanceSummer, maxMemory: number) {
    this.#balances = balances;
    this.#maxMemory = maxMemory;
    for (const [body, name] of Object.entries(moduleBodies)) this.#classify(body, { kind: 'module', name });
  }

  /** True if an account became known after balances were counted. */
  get isLate(): boolean {
    return this.#isLate && this.#forgotten === undefined;
  }

  /** Starts to count again, with all accounts that are known now. */
  restart(balances: BalanceSummer): void {
    this.#balances = balances;
    this.#held = new Map();
    this.#ofHeld = 0;
    this.#isCounting = false;
    this.#isLate = false;
    for (const [body, { kind }] of this.#accounts) balances.leave(body, rankOf(kind));
  }

  /**
   * Reads an account of the auth module in the form that `flatten` gives. Throws `ValueError` if its vesting cannot be
   * read; it then counts as another account.
   */
  readAccount(account: Fields): void {
    const { address, name: moduleName = account.module_name } = account;
    const wasLate = this.#isLate;
    const type = accountType(account);
    if (typeof address !== 'string' || type === undefined) return;
    const body = bodyOf(address);
    const name = type.slice(Math.max(type.lastIndexOf('.'), type.lastIndexOf('/')) + 1);
    // The engines skip accounts of these types, or hand them over, by where they are cut.
    const isPlain = plainAccountTypes.some((plain) => name.endsWith(plain));
    if (name === 'ModuleAccount')
      this.#classify(body, { kind: 'module', name: typeof moduleName === 'string' ? cutName(moduleName) : '' });
    else if (!isPlain && account.original_vesting !== undefined && !this.#isKnown(body, 'vesting')) {
      let vesting: Vesting | undefined;
      try {
        vesting = readVesting(name, account);
      } finally {
        if (!vesting) this.#noteOtherVesting(account.original_vesting);
        this.#classify(body, vesting ? { kind: 'vesting', name: '', vesting } : { kind: 'other', name: cutName(type) });
      }
    } else if (!isPlain && isWrapped(account)) this.#classify(body, { kind: 'other', name: cutName(type) });
    // Before SDK 0.40, an account comes with its coins.
    if (Array.isArray(account.coins)) this.#isLate = wasLate;
  }

  #noteOtherVesting(coins: unknown): void {
    for (const coin of Array.isArray(coins) ? coins : []) {
      const denom = isParsedObject(coin) ? coin.denom : undefined;
      if (typeof denom !== 'string' || this.#vestsOtherwise.has(denom)) continue;
      this.#vestsOtherwise.add(denom);
      this.#ofAccounts += weights.denom + denom.length;
    }
  }

  /** Gives the account whose address has this body; undefined for an account without a class of its own. */
  accountOf(body: string): Account | undefined {
    this.#isCounting = true;
    return this.#accounts.get(body);
  }

  /** Sums the vesting of a denom. Undefined if an account vests it by a schedule that is not known, or too many vest. */
  vestingBy(denom: string, until: Date): VestingTotals | undefined {
    if (this.#forgotten || this.#vestsOtherwise.has(denom)) return undefined;
    const schedules = [...this.#accounts.values()].flatMap(({ vesting }) => vesting ?? []);
    return vestingTotals(schedules, denom, until);
  }

  add(account: Account, denom: string, amount: bigint): void {
    let held = this.#held.get(denom);
    if (!held) {
      held = new Map();
      this.#held.set(denom, held);
      this.#ofHeld += weights.denom + denom.length;
    }
    const { size } = held;
    addTo(held, account, amount);
    if (held.size > size) this.#ofHeld += weights.held;
    this.#limitMemory();
  }

  /** Keeps only the sums if accounts take too much memory, so that other modules can be read. */
  #limitMemory(): void {
    if (this.#ofAccounts + this.#ofHeld <= this.#maxMemory) return;
    this.#forgotten ??= this.totals();
    this.#accounts.clear();
    this.#held.clear();
  }

  /** Visits `ibc.client_genesis.clients`. */
  clients(): ListVisitor {
    return rowsVisitor((row) => {
      const id = toText(toFields(row).client_id, '.client_id');
      this.#noteEscrow(`transfer/${id}`);
    });
  }

  /** Visits `ibc.channel_genesis.channels`. */
  channels(): ListVisitor {
    return rowsVisitor((row) => this.#readChannel(toFields(row)));
  }

  /** Visits `wasm.contracts`. */
  contracts(): ListVisitor {
    const contract_address = valueVisitor((address) =>
      this.#classify(bodyOf(toText(address, '')), { kind: 'contract', name: '' }),
    );
    const contract = objectVisitor({ contract_address });
    return { kind: 'list', element: (): Visitor => contract };
  }

  /** Visits `distribution.outstanding_rewards`. */
  rewards(): ListVisitor {
    const balances = this.#balances;
    return {
      ...rowsVisitor((row) => addDecimals(this.#rewards, toFields(row).outstanding_rewards)),
      fast: {
        read: (bytes, start): number => balances.readRewards(bytes, start),
        get count(): number {
          return balances.count;
        },
      },
      end: (): void => {
        for (const [denom, amount] of balances.rewards()) addTo(this.#rewards, denom, amount);
      },
    };
  }

  /** Reads `distribution.fee_pool.community_pool`. */
  readCommunityPool(coins: unknown): void {
    addDecimals(this.#community, coins);
  }

  #readChannel(channel: Fields): void {
    const port = toText(channel.port_id, '.port_id');
    const id = toText(channel.channel_id, '.channel_id');
    const { port_id = '', channel_id = '' } = isParsedObject(channel.counterparty) ? channel.counterparty : {};
    this.#noteEscrow(`${port}/${id}`, channel_id === '' ? undefined : `${port_id}/${channel_id}`);
  }

  /** Notes the account of a channel, or of a client since IBC v2 (modules/apps/transfer/types/keys.go). */
  #noteEscrow(name: string, counterparty?: string): void {
    const other = counterparty === undefined ? undefined : cutName(counterparty);
    this.#classify(toBody(escrowAddressBytes(name)), { kind: 'escrow', name: cutName(name), counterparty: other });
  }

  /** True if the account has this class, or one that comes before it. */
  #isKnown(body: string, kind: Account['kind']): boolean {
    const known = this.#accounts.get(body);
    return known !== undefined && rankOf(known.kind) <= rankOf(kind);
  }

  #classify(body: string, account: Account): void {
    if (body === '' || this.#forgotten || this.#isKnown(body, account.kind)) return;
    this.#accounts.set(body, account);
    this.#balances.leave(body, rankOf(account.kind));
    if (this.#isCounting) this.#isLate = true;
    const { name, counterparty = '', vesting } = account;
    const texts = body.length + name.length + counterparty.length;
    this.#ofAccounts += weights.account + texts + (vesting ? weightOf(vesting) : 0);
    this.#limitMemory();
  }

  /** Sums the accounts with a class of their own, by denom. */
  totals(): Map<string, bigint> {
    return new Map(this.#forgotten ?? [...this.#held].map(([denom, held]) => [denom, sumOf(held.values())]));
  }

  /**
   * Makes the rows. `others` are the sums of all other accounts, `now` is the time of the state, and `space` limits the
   * bytes of the rows. Throws `ValueError` beyond that limit, and if accounts were forgotten.
   */
  finish(
    supply: ReadonlyMap<string, bigint>,
    others: ReadonlyMap<string, Held>,
    now: Date,
    space: number,
  ): Omit<Split, 'list'> {
    if (this.#forgotten)
      throw new ValueError(
        `Vesting accounts, contracts and other categorized accounts need more than ${Math.round(this.#maxMemory / 1024 ** 2)} MiB`,
      );
    let left = space;
    const toEntry = (key: string, json: string): KeyedRow => {
      const row = Buffer.from(json);
      left -= row.length + key.length;
      if (left < 0)
        throw new ValueError('Its rows and those of earlier modules need more memory than the limit allows');
      return { key: toByteText(key), row };
    };
    const notVested = this.#notVested(now);
    const denoms = new Set([...supply.keys(), ...this.#held.keys(), ...others.keys()]);
    const rows = [...denoms].map((denom) => {
      const answer = this.#toAnswer(denom, supply.get(denom) ?? 0n, others.get(denom), now);
      const unvested = notVested.get(denom);
      const isKnown = !this.#vestsOtherwise.has(denom);
      const stated = isKnown ? unvested && { not_vested: `${unvested}` } : { not_vested: null };
      return toEntry(denom, JSON.stringify({ ...answer, ...stated }));
    });
    const nameless = new Map(accountKinds.map((kind) => [kind, JSON.stringify({ class: kind, name: '' })]));
    const accounts = [...this.#accounts].map(([body, { kind, name, vesting }]) => {
      const end = vesting && endOf(vesting);
      const own = name === '' && end === undefined ? nameless.get(kind) : undefined;
      return toEntry(body, own ?? JSON.stringify({ class: kind, name, vesting_end: end?.toString() }));
    });
    return { denoms: toTable(rows), accounts: toTable(accounts) };
  }

  /**
   * Sums the coins that have not vested, by denom. Accounts without a balance count too, since they may have delegated
   * everything.
   */
  #notVested(now: Date): ReadonlyMap<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const { vesting } of this.#accounts.values())
      if (vesting) for (const [denom, amount] of unvestedOf(vesting, now)) addTo(sums, denom, amount);
    return sums;
  }

  #toAnswer(denom: string, supply: bigint, others: Held | undefined, now: Date): Fields {
    const { rows, holders } = this.#classesOf(denom, others, now);
    const held = rows.filter(({ amount }) => amount > 0n).sort(byClass);
    const residue: SplitAmount = {
      class: 'residue',
      name: '',
      amount: supply - sumOf(held.map(({ amount }) => amount)),
    };
    const parts = this.#community.has(denom) || this.#rewards.has(denom);
    return {
      denom,
      supply: String(supply),
      holders: String(holders),
      classes: [...held, residue].map(({ amount, ...row }) => ({ ...row, amount: String(amount) })),
      ...(parts ? { distribution: this.#partsOf(denom, held) } : {}),
    };
  }

  /** Gives the classes that hold the denom, in any order and including empty ones, and the number of their accounts. */
  #classesOf(
    denom: string,
    others: Held | undefined,
    now: Date,
  ): { readonly rows: readonly SplitAmount[]; readonly holders: number } {
    const rows = new Map<string, SplitAmount>([['other ', { class: 'other', name: '', amount: others?.amount ?? 0n }]]);
    let [holders, locked, free] = [others?.holders ?? 0, 0n, 0n];
    for (const [{ kind, name, counterparty, vesting }, amount] of this.#held.get(denom) ?? []) {
      if (amount > 0n) holders++;
      if (vesting) {
        const kept = lockedOf(vesting, denom, amount, now);
        locked += kept;
        free += amount - kept;
      } else if (kind !== 'vesting') {
        const key = `${kind} ${name}`;
        const known = rows.get(key);
        if (known) known.amount += amount;
        else rows.set(key, { class: kind, name, counterparty, amount });
      }
    }
    const ofVesting: readonly SplitAmount[] = [
      { class: 'vesting_locked', name: '', amount: locked },
      { class: 'vesting_free', name: '', amount: free },
    ];
    return { rows: [...rows.values(), ...ofVesting], holders };
  }

  /**
   * Gives the parts of the distribution account as its module keeps them. Dust is the fraction that is left of whole
   * base units, if there is an account.
   */
  #partsOf(denom: string, rows: readonly SplitAmount[]): Fields {
    const [pool, rewards] = [this.#community.get(denom) ?? 0n, this.#rewards.get(denom) ?? 0n];
    const held = rows.find((row) => row.class === 'module' && row.name === 'distribution')?.amount ?? 0n;
    return {
      community_pool: toDecimals(pool),
      outstanding_rewards: toDecimals(rewards),
      ...(this.hasDistributionAccount ? { dust: toDecimals(held * decimalOne - pool - rewards) } : {}),
    };
  }
}

function rankOf(kind: Account['kind']): number {
  return accountKinds.indexOf(kind) + 1;
}

const bech32Characters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** Gives the body of an address with these bytes. It leaves out the checksum, which would take most of the time. */
function toBody(bytes: Uint8Array): string {
  return bech32
    .toWords(bytes)
    .map((word) => bech32Characters[word])
    .join('');
}

function byClass(one: SplitAmount, other: SplitAmount): number {
  const order = classes.indexOf(one.class) - classes.indexOf(other.class);
  if (order !== 0) return order;
  if (one.amount !== other.amount) return one.amount > other.amount ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}

function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

function addDecimals(sums: Map<string, bigint>, coins: unknown): void {
  for (const [index, item] of toList(coins, '').entries()) {
    const { denom, amount } = toFields(item, `[${index}]`);
    const name = toText(denom, `[${index}].denom`);
    addTo(sums, name, toShares(amount, `[${index}].amount`));
  }
}

/** Adds to the sum of a key, which starts at 0. */
export function addTo<Key>(sums: Map<Key, bigint>, key: Key, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}
