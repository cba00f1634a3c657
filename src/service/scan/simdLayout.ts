/**
 * The memory and the texts of the WebAssembly engine, for both of its sides. `simdEngine.ts` imports this table. The build writes
 * it as constants and comparisons for AssemblyScript (`wasm/writeLayout.mjs`), so that no offset and no order stands twice.
 */

/** Pages of 64 KiB. Pages that are never used take no memory. */
export const memoryPages = 832;

/** Where each part of the memory begins, in bytes. A part ends where the next one begins. */
export const places = {
  /** The closing bracket of each open level, a byte each. */
  closing: 0x0010000,
  /** `row` or `account` records: coins, delegations or accounts that were read last. */
  rows: 0x0110000,
  /** The body of an address that the caller names. */
  body: 0x01f0000,
  /** The two numbers of a pair while it is looked up. */
  pair: 0x01f1000,
  /** The number of a name, from 1 on, by its hash, 4 bytes each. */
  slots: 0x0200000,
  /** `name` records. */
  names: 0x0400000,
  /** The texts of names. */
  texts: 0x1b00000,
  /** Twice `marksSize`: a bit for each hash of a mark, for balances and for delegations. */
  marks: 0x3000000,
  /** Bytes to be read, to the end of the memory. */
  input: 0x3200000,
} as const;

/** Offsets of the members of each record and its size, in bytes. Members have 4 bytes, but for `sum`. */
export const records = {
  /** A coin or a delegation. `value`: its amount or its shares. `account`: the number of the body of its address, or 0. */
  row: { address: 0, addressEnd: 4, name: 8, value: 12, valueEnd: 16, account: 20, size: 24 },
  /**
   * A denom, a validator, the body of an address, or a pair. `sum`: digits of base 10^18, 8 bytes each, the lowest first.
   * `rank`: of an account, from 1 on. A pair has the numbers of an account (or `rewardsAccount`) and of a denom, from 1 on.
   */
  name: {
    ...{ hash: 0, text: 4, textEnd: 8, slot: 12, sum: 16, holders: 80, rank: 84 },
    ...{ pairAccount: 88, pairDenom: 92, size: 96 },
  },
  /** The JSON of a member of an account. `level`: how deep it stands, from 1 on; 0 if the account does not have it. */
  field: { start: 0, end: 4, level: 8, size: 12 },
  /** A `field` for each of `accountFields`, then where the account before it ends, or 0, and how many were read before. */
  account: { fields: 0, endBefore: 96, countBefore: 100, size: 104 },
} as const;

/** The members of an account that are read, in the order of their records. */
export const accountFields = [
  '@type',
  'address',
  'name',
  'original_vesting',
  'delegated_vesting',
  'start_time',
  'end_time',
  'vesting_periods',
] as const;

/** The members that hold the account inside an account. */
export const nestedAccounts = ['base_account', 'base_vesting_account'] as const;

/**
 * The end of the names of members that hold the account that one of another type is wrapped around: `vesting_account`, `account`,
 * `Account`. The module leaves accounts with such a member to the caller, except for `nestedAccounts`.
 */
export const wrappedEnd = 'ccount';

/** Members of accounts before SDK 0.40 and of amino: the module leaves such accounts to the caller. */
export const otherAccountForms = ['coins', 'value', 'module_name'] as const;

/** Ends of the types of accounts without a class of their own: of the SDK, and of chains with the addresses of Ethereum. */
export const plainAccountTypes = ['BaseAccount', 'EthAccount'] as const;

/** The kinds of accounts in a split, in the order of its answer. An account of more than one kind is of the first. */
export const accountKinds = ['module', 'escrow', 'contract', 'vesting', 'other'] as const;

/** Numbers that both sides rely on. */
export const codes = {
  /** Added to the number of a name whose coin was not summed. */
  leftBit: 0x80000000,
  /** Stands for an account in pairs that sum the rewards of validators. */
  rewardsAccount: 0xffffff,
  /** Addresses are told apart by so many bytes, the last ones of their bodies. */
  markLength: 8,
  /** Characters of a body that has a mark and a name; one with fewer than `markLength` has neither. */
  longestBody: 341,
  /** Bytes of each of the two sets of marks. */
  marksSize: 0x80000,
  /** Characters of the checksum of a bech32 address. */
  checksumLength: 6,
  /** Digits of a whole number, and decimals of `Dec` of the SDK (math/dec.go). */
  maxDigits: 100,
  decimals: 18,
  /** Digits in each of the `sumDigits` digits of base 10^18 of a sum. */
  sumBase: 18,
  sumDigits: 8,
  /** Bytes from the start of an account within which its type ends, where it is skipped. */
  largestAccountHead: 512,
} as const;

/** Texts that the module compares bytes with, by the name of the comparison (`isAddressMember`). */
export const comparedTexts = {
  AddressMember: '"address"',
  AmountMember: '"amount"',
  CoinsMember: '"coins"',
  DenomMember: '"denom"',
  DelegatorMember: '"delegator_address"',
  ValidatorMember: '"validator_address"',
  SharesMember: '"shares"',
  RewardsMember: '"outstanding_rewards"',
  TypeMember: '"@type"',
  CompactBalance: '{"address":"',
  CompactCoins: '","coins":',
  CompactDenom: '{"denom":"',
  CompactAmount: '","amount":"',
  CompactCoinEnd: '"}',
  Null: 'null',
  True: 'true',
  False: 'false',
} as const;

/** Texts that the module finds before a position, by the name of the comparison (`endsWithModuleAccount`). */
export const comparedEnds = {
  BaseAccount: 'BaseAccount',
  EthAccount: 'EthAccount',
  ModuleAccount: 'ModuleAccount',
  Wrapped: wrappedEnd,
} as const;
