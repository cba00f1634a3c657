import { type BalanceSummer, bodyOf, type Held } from './balances.ts';
import type { ListVisitor, ObjectVisitor, Visitor } from './jsonScanner.ts';
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
import { type Table, toByteText, toTable } from './table.ts';
import { lockedOf, readVesting, type Vesting } from './vesting.ts';
import { encodeAddress, toShares } from './votes.ts';

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
  readonly list: ListRange;
  readonly visitor: Visitor;
}

/** What an account holds of one denom. */
export interface Holder {
  readonly address: string;
  readonly amount: string;
}

/** In this order they stand in an answer; an account that is of more than one kind is of the first. */
const kinds = ['module', 'escrow', 'contract', 'vesting', 'other'] as const;
const classes = ['module', 'escrow', 'contract', 'vesting_locked', 'vesting_free', 'other', 'residue'] as const;

interface Account {
  readonly kind: (typeof kinds)[number];
  /** Of the module, `transfer/channel-0` or the type of a vesting account that is not known; else "". */
  readonly name: string;
  /** Of a channel, on the other chain. */
  readonly counterparty?: string;
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

/** Adds up balances by the class of their account, while a state is scanned and, where classes are known too late, once more. */
export class SplitReader {
  readonly #accounts = new Map<string, Account>();
  /** By denom, then by class and name. */
  #rows = new Map<string, Map<string, Row>>();
  #holders = new Map<string, number>();
  /** What is locked is known with the time of the state. */
  #vesting: { readonly vesting: Vesting; readonly denom: string; readonly amount: bigint }[] = [];
  #balances: BalanceSummer;
  #isCounting = false;
  /** An account became known after balances were counted. */
  isLate = false;
  /** Decimals of the distribution module by denom, in units of 10^-18. */
  readonly #community = new Map<string, bigint>();
  readonly #rewards = new Map<string, bigint>();

  constructor(balances: BalanceSummer) {
    this.#balances = balances;
    for (const [body, name] of Object.entries(moduleBodies)) this.#classify(body, { kind: 'module', name });
  }

  /** Starts to count again, with all accounts that are known now. */
  restart(balances: BalanceSummer): void {
    this.#balances = balances;
    this.#rows = new Map();
    this.#holders = new Map();
    this.#vesting = [];
    this.#isCounting = false;
    this.isLate = false;
    for (const body of this.#accounts.keys()) balances.leave(body);
  }

  /** An account of the auth module, as `flatten` gives it. Throws `ValueError` where its vesting cannot be read: it counts as another one. */
  readAccount(account: Fields): void {
    const { address } = account;
    const wasLate = this.isLate;
    const type = account['@type'] ?? account.type;
    if (typeof address !== 'string' || typeof type !== 'string') return;
    const body = bodyOf(address);
    const name = type.slice(Math.max(type.lastIndexOf('.'), type.lastIndexOf('/')) + 1);
    if (name === 'ModuleAccount')
      this.#classify(body, { kind: 'module', name: typeof account.name === 'string' ? account.name : '' });
    else if (account.original_vesting !== undefined) {
      this.#classify(body, { kind: 'other', name: type });
      const vesting = readVesting(name, account);
      if (vesting) this.#classify(body, { kind: 'vesting', name: '', vesting });
    }
    // Before SDK 0.40 its coins come with it.
    if (Array.isArray(account.coins)) this.isLate = wasLate;
  }

  /** The class of the account whose address has this body; undefined for one like most. */
  accountOf(body: string): Account | undefined {
    this.#isCounting = true;
    return this.#accounts.get(body);
  }

  add({ kind, name, counterparty, vesting }: Account, denom: string, amount: bigint): void {
    if (amount > 0n) this.#holders.set(denom, (this.#holders.get(denom) ?? 0) + 1);
    if (vesting) this.#vesting.push({ vesting, denom, amount });
    else if (kind !== 'vesting') this.#addTo(denom, { class: kind, name, counterparty, amount });
  }

  /** Modules beside auth and bank that tell accounts apart; undefined for any other. */
  visitor(module: string): ObjectVisitor | undefined {
    if (module === 'ibc') {
      const clients = rowsVisitor((row) => {
        const id = toText(toFields(row).client_id, '.client_id');
        this.#noteEscrow(`transfer/${id}`);
      });
      const channels = rowsVisitor((row) => this.#readChannel(toFields(row)));
      return objectVisitor({
        client_genesis: objectVisitor({ clients }),
        channel_genesis: objectVisitor({ channels }),
      });
    }
    if (module === 'wasm') {
      const contract_address = valueVisitor((address) =>
        this.#classify(bodyOf(toText(address, '')), { kind: 'contract', name: '' }),
      );
      const contract = objectVisitor({ contract_address });
      return objectVisitor({ contracts: { kind: 'list', element: () => contract } });
    }
    return undefined;
  }

  /** `distribution.outstanding_rewards`. */
  rewards(): ListVisitor {
    return rowsVisitor((row) => addDecimals(this.#rewards, toFields(row).outstanding_rewards));
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
    const { hash } = process.getBuiltinModule('node:crypto');
    const bytes = hash('sha256', `ics20-1\0${name}`, 'buffer').subarray(0, 20);
    this.#classify(bodyOf(encodeAddress('a', bytes)), {
      kind: 'escrow',
      name,
      ...(counterparty === undefined ? {} : { counterparty }),
    });
  }

  #classify(body: string, account: Account): void {
    const known = this.#accounts.get(body);
    if (body === '' || (known && kinds.indexOf(known.kind) <= kinds.indexOf(account.kind))) return;
    this.#accounts.set(body, account);
    this.#balances.leave(body);
    if (this.#isCounting) this.isLate = true;
  }

  /** What all accounts of a class of their own hold, by denom. */
  totals(): Map<string, bigint> {
    const totals = new Map([...this.#rows].map(([denom, rows]) => [denom, sumOf(rows.values())]));
    for (const { denom, amount } of this.#vesting) totals.set(denom, (totals.get(denom) ?? 0n) + amount);
    return totals;
  }

  /** `others`: what all other accounts hold. `now`: the time of the state. */
  finish(supply: ReadonlyMap<string, bigint>, others: ReadonlyMap<string, Held>, now: Date): Omit<Split, 'list'> {
    for (const [denom, { amount, holders }] of others) {
      this.#addTo(denom, { class: 'other', name: '', amount });
      this.#holders.set(denom, (this.#holders.get(denom) ?? 0) + holders);
    }
    const vestings = new Map<string, { locked: bigint; all: bigint }>();
    for (const { vesting, denom, amount } of this.#vesting) {
      const sums = vestings.get(denom) ?? { locked: 0n, all: 0n };
      vestings.set(denom, sums);
      sums.locked += lockedOf(vesting, denom, amount, now);
      sums.all += amount;
    }
    for (const [denom, { locked, all }] of vestings) {
      this.#addTo(denom, { class: 'vesting_locked', name: '', amount: locked });
      this.#addTo(denom, { class: 'vesting_free', name: '', amount: all - locked });
    }
    const denoms = [...new Set([...supply.keys(), ...this.#rows.keys()])];
    const accounts = [...this.#accounts].map(([body, { kind, name }]) => {
      return { key: toByteText(body), row: JSON.stringify({ class: kind, name }) };
    });
    const rows = denoms.map((denom) => {
      return { key: toByteText(denom), row: JSON.stringify(this.#toAnswer(denom, supply.get(denom) ?? 0n)) };
    });
    return { denoms: toTable(rows), accounts: toTable(accounts) };
  }

  #toAnswer(denom: string, supply: bigint): Fields {
    const rows = [...(this.#rows.get(denom)?.values() ?? [])].filter(({ amount }) => amount > 0n);
    rows.sort(byClass);
    const residue = supply - sumOf(rows);
    const all: readonly Row[] = [...rows, { class: 'residue', name: '', amount: residue }];
    const parts = this.#community.has(denom) || this.#rewards.has(denom);
    return {
      denom,
      supply: String(supply),
      holders: String(this.#holders.get(denom) ?? 0),
      classes: all.map(({ amount, ...row }) => ({ ...row, amount: String(amount) })),
      ...(parts ? { distribution: this.#partsOf(denom) } : {}),
    };
  }

  /** What the distribution account holds, as its module keeps it; dust is what is left of whole base units. */
  #partsOf(denom: string): Fields {
    const [pool, rewards] = [this.#community.get(denom) ?? 0n, this.#rewards.get(denom) ?? 0n];
    const held = this.#rows.get(denom)?.get('module distribution')?.amount ?? 0n;
    return {
      community_pool: toDecimals(pool),
      outstanding_rewards: toDecimals(rewards),
      dust: toDecimals(held * unit - pool - rewards),
    };
  }

  #addTo(denom: string, row: Row): void {
    const rows = this.#rows.get(denom) ?? new Map<string, Row>();
    this.#rows.set(denom, rows);
    const key = `${row.class} ${row.name}`;
    const known = rows.get(key);
    if (known) known.amount += row.amount;
    else rows.set(key, row);
  }
}

function byClass(one: Row, other: Row): number {
  const order = classes.indexOf(one.class) - classes.indexOf(other.class);
  if (order !== 0) return order;
  if (one.amount !== other.amount) return one.amount > other.amount ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}

function sumOf(rows: Iterable<Row>): bigint {
  let sum = 0n;
  for (const { amount } of rows) sum += amount;
  return sum;
}

/** 1 in units of 10^-18. */
const unit = 10n ** 18n;

function addDecimals(sums: Map<string, bigint>, coins: unknown): void {
  for (const [index, item] of toList(coins, '').entries()) {
    const { denom, amount } = toFields(item, `[${index}]`);
    const name = toText(denom, `[${index}].denom`);
    sums.set(name, (sums.get(name) ?? 0n) + toShares(amount, `[${index}].amount`));
  }
}

function toDecimals(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(19, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

/** The fields of an account and of the accounts inside it, the outer ones first: amino and every kind of vesting nest them. */
export function flatten(value: unknown): Fields {
  let fields: Fields = {};
  let account = value;
  for (let depth = 0; depth < 5 && isFields(account); depth++) {
    fields = { ...account, ...fields };
    account =
      account.value ??
      account.BaseVestingAccount ??
      account.base_vesting_account ??
      account.BaseAccount ??
      account.base_account;
  }
  return fields;
}
