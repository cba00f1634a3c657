import { bech32 } from '@scure/base';
import { escrowAddressBytes } from '../api/wireValues.ts';
import { type BalanceSummer, bodyOf, type Held } from './balances.ts';
import type { ListVisitor, Visitor } from './jsonScanner.ts';
import {
  type Fields,
  isFields,
  objectVisitor,
  rowsVisitor,
  toFields,
  toList,
  toText,
  valueVisitor,
} from './jsonValue.ts';
import { shorten, ValueError } from './serviceErrors.ts';
import { accountKinds, plainAccountTypes, wrappedAccounts } from './simdLayout.ts';
import { type Entry, type Table, toByteText, toTable } from './table.ts';
import { accountType, lockedOf, readVesting, unvestedOf, type Vesting, weightOf } from './vesting.ts';
import { toShares } from './votes.ts';

/** Where the coins of each denom are, and what is needed to find its largest holders. */
export interface Split {
  /** Key: denom. Row: docs/nodes.md#supply-split. */
  readonly denoms: Table;
  /** Accounts with a class of their own. Key: `bodyOf` the address. Row: `{"class","name"}`. */
  readonly accounts: Table;
  /** Where the balances are in the JSON. */
  readonly list: ListRange | undefined;
}

/** A list of balances, or of accounts with their coins (before SDK 0.40), from the offset `start` up to `end`. */
export interface ListRange {
  readonly kind: 'balances' | 'accounts';
  readonly start: number;
  readonly end: number;
}

/** A list that is read again, and what visits it. */
export interface ListAgain {
  readonly list: Pick<ListRange, 'start' | 'end'>;
  readonly visitor: Visitor;
}

/** What an account holds of one denom. */
export interface Holder {
  readonly address: string;
  readonly amount: string;
}

/** Of accounts whose class says least. */
export const lastRank = accountKinds.length;
const classes = ['module', 'escrow', 'contract', 'vesting_locked', 'vesting_free', 'other', 'residue'] as const;

interface Account {
  readonly kind: (typeof accountKinds)[number];
  /** Of the module, `transfer/channel-0` or the type of a vesting account that is not known; else "". */
  readonly name: string;
  /** Of a channel, on the other chain. */
  readonly counterparty?: string | undefined;
  readonly vesting?: Vesting;
}

interface Row {
  readonly class: (typeof classes)[number];
  readonly name: string;
  readonly counterparty?: string | undefined;
  amount: bigint;
}

/** Bodies of the usual module accounts, the same with every prefix: the first 20 bytes of the SHA-256 of the name. */
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

/** Characters of a name that is shown and written, with each denom that its account holds; the whole name gives the address. */
const longestName = 200;

/** A longer name has a mark where it is cut. */
function shownName(name: string): string {
  return shorten(name, longestName);
}

/** About how many bytes of memory an account takes without its texts and vesting, a denom, and what one account holds of one. */
const weights = { account: 150, denom: 300, held: 100 } as const;

/** Adds up balances by the class of their account, while a state is scanned and, where classes are known too late, once more. */
export class SplitReader {
  readonly #accounts = new Map<string, Account>();
  /** What each of them holds, by denom. What of it is locked is known with the time of the state. */
  #held = new Map<string, Map<Account, bigint>>();
  #balances: BalanceSummer;
  #isCounting = false;
  #isLate = false;
  readonly #maxMemory: number;
  /** Bytes of memory that accounts take, and what they hold. */
  #ofAccounts = 0;
  #ofHeld = 0;
  /** What accounts held by denom, when they became too many and were forgotten. */
  #forgotten: ReadonlyMap<string, bigint> | undefined;
  /** false of a state before SDK 0.36, where the distribution module has no account. */
  hasDistributionAccount = true;
  /** Decimals of the distribution module by denom, in units of 10^-18. */
  readonly #community = new Map<string, bigint>();
  readonly #rewards = new Map<string, bigint>();

  /** `maxMemory`: bytes that accounts may take with what they hold; beyond that they are forgotten, and there is no split. */
  constructor(balances: BalanceSummer, maxMemory: number) {
    this.#balances = balances;
    this.#maxMemory = maxMemory;
    for (const [body, name] of Object.entries(moduleBodies)) this.#classify(body, { kind: 'module', name });
  }

  /** An account became known after balances were counted. */
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

  /** An account of the auth module, as `flatten` gives it. Throws `ValueError` where its vesting cannot be read: it counts as another one. */
  readAccount(account: Fields): void {
    const { address, name: moduleName = account.module_name } = account;
    const wasLate = this.#isLate;
    const type = accountType(account);
    if (typeof address !== 'string' || type === undefined) return;
    const body = bodyOf(address);
    const name = type.slice(Math.max(type.lastIndexOf('.'), type.lastIndexOf('/')) + 1);
    if (name === 'ModuleAccount')
      this.#classify(body, { kind: 'module', name: typeof moduleName === 'string' ? shownName(moduleName) : '' });
    else if (account.original_vesting !== undefined && !this.#isKnown(body, 'vesting')) {
      let vesting: Vesting | undefined;
      try {
        vesting = readVesting(name, account);
      } finally {
        this.#classify(
          body,
          vesting ? { kind: 'vesting', name: '', vesting } : { kind: 'other', name: shownName(type) },
        );
      }
    } else if (isWrapped(account) && !plainAccountTypes.some((plain) => name.endsWith(plain)))
      this.#classify(body, { kind: 'other', name: shownName(type) });
    // Before SDK 0.40 its coins come with it.
    if (Array.isArray(account.coins)) this.#isLate = wasLate;
  }

  /** The class of the account whose address has this body; undefined for one like most. */
  accountOf(body: string): Account | undefined {
    this.#isCounting = true;
    return this.#accounts.get(body);
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

  /** Keeps the sums alone where accounts take too much: other modules are read in what is left. */
  #limitMemory(): void {
    if (this.#ofAccounts + this.#ofHeld <= this.#maxMemory) return;
    this.#forgotten ??= this.totals();
    this.#accounts.clear();
    this.#held.clear();
  }

  /** `ibc.client_genesis.clients`. */
  clients(): ListVisitor {
    return rowsVisitor((row) => {
      const id = toText(toFields(row).client_id, '.client_id');
      this.#noteEscrow(`transfer/${id}`);
    });
  }

  /** `ibc.channel_genesis.channels`. */
  channels(): ListVisitor {
    return rowsVisitor((row) => this.#readChannel(toFields(row)));
  }

  /** `wasm.contracts`. */
  contracts(): ListVisitor {
    const contract_address = valueVisitor((address) =>
      this.#classify(bodyOf(toText(address, '')), { kind: 'contract', name: '' }),
    );
    const contract = objectVisitor({ contract_address });
    return { kind: 'list', element: (): Visitor => contract };
  }

  /** `distribution.outstanding_rewards`. */
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

  /** `distribution.fee_pool.community_pool`. */
  readCommunityPool(coins: unknown): void {
    addDecimals(this.#community, coins);
  }

  #readChannel(channel: Fields): void {
    const port = toText(channel.port_id, '.port_id');
    const id = toText(channel.channel_id, '.channel_id');
    const { port_id = '', channel_id = '' } = isFields(channel.counterparty) ? channel.counterparty : {};
    this.#noteEscrow(`${port}/${id}`, channel_id === '' ? undefined : `${port_id}/${channel_id}`);
  }

  /** The account of a channel, or of a client since IBC v2 (modules/apps/transfer/types/keys.go). */
  #noteEscrow(name: string, counterparty?: string): void {
    const other = counterparty === undefined ? undefined : shownName(counterparty);
    this.#classify(toBody(escrowAddressBytes(name)), { kind: 'escrow', name: shownName(name), counterparty: other });
  }

  /** Whether the account has this class, or one before. */
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

  /** What all accounts of a class of their own hold, by denom. */
  totals(): Map<string, bigint> {
    return new Map(this.#forgotten ?? [...this.#held].map(([denom, held]) => [denom, sumOf(held.values())]));
  }

  /**
   * `others`: what all other accounts hold. `now`: the time of the state. `space`: bytes that the rows may have, beyond which they
   * are not made; throws `ValueError` then, and where accounts were forgotten.
   */
  finish(
    supply: ReadonlyMap<string, bigint>,
    others: ReadonlyMap<string, Held>,
    now: Date,
    space: number,
  ): Omit<Split, 'list'> {
    if (this.#forgotten)
      throw new ValueError(
        `Vesting accounts, contracts and other accounts with a class need more than ${Math.round(this.#maxMemory / 1024 ** 2)} MiB`,
      );
    let left = space;
    const toEntry = (key: string, json: string): Entry => {
      const row = Buffer.from(json);
      left -= row.length + key.length;
      if (left < 0) throw new ValueError('Its rows have no place beside those of the modules before');
      return { key: toByteText(key), row };
    };
    const notVested = this.#notVested(now);
    const denoms = new Set([...supply.keys(), ...this.#held.keys(), ...others.keys()]);
    const rows = [...denoms].map((denom) => {
      const answer = this.#toAnswer(denom, supply.get(denom) ?? 0n, others.get(denom), now);
      const unvested = notVested.get(denom);
      return toEntry(denom, JSON.stringify({ ...answer, ...(unvested ? { not_vested: `${unvested}` } : {}) }));
    });
    const nameless = new Map(accountKinds.map((kind) => [kind, JSON.stringify({ class: kind, name: '' })]));
    const accounts = [...this.#accounts].map(([body, { kind, name }]) => {
      const row = (name === '' ? nameless.get(kind) : undefined) ?? JSON.stringify({ class: kind, name });
      return toEntry(body, row);
    });
    return { denoms: toTable(rows), accounts: toTable(accounts) };
  }

  /** By denom. Of accounts without a balance too, which may have delegated all of it. */
  #notVested(now: Date): ReadonlyMap<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const { vesting } of this.#accounts.values())
      if (vesting) for (const [denom, amount] of unvestedOf(vesting, now)) addTo(sums, denom, amount);
    return sums;
  }

  #toAnswer(denom: string, supply: bigint, others: Held | undefined, now: Date): Fields {
    const { rows, holders } = this.#classesOf(denom, others, now);
    const held = rows.filter(({ amount }) => amount > 0n).sort(byClass);
    const residue: Row = { class: 'residue', name: '', amount: supply - sumOf(held.map(({ amount }) => amount)) };
    const parts = this.#community.has(denom) || this.#rewards.has(denom);
    return {
      denom,
      supply: String(supply),
      holders: String(holders),
      classes: [...held, residue].map(({ amount, ...row }) => ({ ...row, amount: String(amount) })),
      ...(parts ? { distribution: this.#partsOf(denom, held) } : {}),
    };
  }

  /** The classes that accounts hold the denom in, in any order and those without any too, and how many accounts do. */
  #classesOf(
    denom: string,
    others: Held | undefined,
    now: Date,
  ): { readonly rows: readonly Row[]; readonly holders: number } {
    const rows = new Map<string, Row>([['other ', { class: 'other', name: '', amount: others?.amount ?? 0n }]]);
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
    const ofVesting: readonly Row[] = [
      { class: 'vesting_locked', name: '', amount: locked },
      { class: 'vesting_free', name: '', amount: free },
    ];
    return { rows: [...rows.values(), ...ofVesting], holders };
  }

  /** What the distribution account holds, as its module keeps it; dust is what is left of whole base units, where it has an account. */
  #partsOf(denom: string, rows: readonly Row[]): Fields {
    const [pool, rewards] = [this.#community.get(denom) ?? 0n, this.#rewards.get(denom) ?? 0n];
    const held = rows.find((row) => row.class === 'module' && row.name === 'distribution')?.amount ?? 0n;
    return {
      community_pool: toDecimals(pool),
      outstanding_rewards: toDecimals(rewards),
      ...(this.hasDistributionAccount ? { dust: toDecimals(held * unit - pool - rewards) } : {}),
    };
  }
}

function rankOf(kind: Account['kind']): number {
  return accountKinds.indexOf(kind) + 1;
}

const bech32Characters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** The body of the addresses that stand for `bytes`: without a checksum, which would take most of the time. */
function toBody(bytes: Uint8Array): string {
  return bech32
    .toWords(bytes)
    .map((word) => bech32Characters[word])
    .join('');
}

function byClass(one: Row, other: Row): number {
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

/** 1 in units of 10^-18. */
const unit = 10n ** 18n;

function addDecimals(sums: Map<string, bigint>, coins: unknown): void {
  for (const [index, item] of toList(coins, '').entries()) {
    const { denom, amount } = toFields(item, `[${index}]`);
    const name = toText(denom, `[${index}].denom`);
    addTo(sums, name, toShares(amount, `[${index}].amount`));
  }
}

/** Adds to the sum of a key, which is 0 before. */
export function addTo<Key>(sums: Map<Key, bigint>, key: Key, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

function toDecimals(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(19, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

const deepestAccount = 8;

/** Whether the account has another one inside it that is no base account. */
function isWrapped(account: Fields): boolean {
  return wrappedAccounts.some((name) => isFields(account[name]));
}

/** The fields of an account, then of the accounts inside it: amino, every kind of vesting and types of some chains nest them. */
export function* levelsOf(value: unknown): Generator<Fields> {
  let account = value;
  for (let depth = 0; depth < deepestAccount && isFields(account); depth++) {
    yield account;
    const level = account;
    account =
      account.value ??
      account.BaseVestingAccount ??
      account.base_vesting_account ??
      account.BaseAccount ??
      account.base_account ??
      wrappedAccounts.map((name) => level[name]).find((inner) => isFields(inner));
  }
}

/** The fields of an account and of those inside it, on one level: those of the outer ones count. */
export function flatten(value: unknown): Fields {
  let fields: Fields = {};
  for (const level of levelsOf(value)) fields = { ...level, ...fields };
  return fields;
}
