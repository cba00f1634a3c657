import { addressFault } from '../../../chain/address.ts';
import { type Coin, readCoins } from '../../../chain/coin.ts';
import { bareName, isFields, ownValue } from '../../../chain/fields.ts';
import { whole } from '../../../chain/ratio.ts';
import { nanosecondsOf } from '../../fieldForms.ts';

/** The values that a module accepts for one of its parameters. */
export type ParamLimit =
  /** A decimal from 0 to 1. `isPositive` excludes 0. */
  | { readonly kind: 'share'; readonly isPositive: boolean }
  /** A decimal of any size that is not negative, such as the weight of a member. `isPositive` excludes 0. */
  | { readonly kind: 'weight'; readonly isPositive: boolean }
  | { readonly kind: 'whole'; readonly min: bigint; readonly max: bigint }
  /** The size of a block: from 1 byte to 100 MiB, or -1 for the largest. */
  | { readonly kind: 'blockSize' }
  /** A duration above 0, or with `mayBeZero` of at least 0. */
  | { readonly kind: 'period'; readonly mayBeZero?: boolean }
  /** The same as legacy parameters have it: digits, in nanoseconds (amino JSON). */
  | { readonly kind: 'nanoseconds' }
  | { readonly kind: 'denom' }
  /** At least one coin. Each denom stands once, in the order of their bytes, and each amount is positive. */
  | { readonly kind: 'coins' }
  /** One coin. Its amount may be 0. */
  | { readonly kind: 'coin' }
  /** A field that is no longer used. */
  | { readonly kind: 'zero' | 'empty' }
  /** An account of the chain, or "". */
  | { readonly kind: 'account' }
  /** At most 500 texts, none blank. `*` stands alone. `isUnique`: no text stands twice. */
  | { readonly kind: 'names'; readonly isUnique: boolean }
  /** At least one key type, all known to CometBFT. */
  | { readonly kind: 'keyTypes' };

/** Two parameters of a module. `larger` has to be above `smaller`, or may be equal. */
export interface ParamOrder {
  readonly larger: string;
  readonly smaller: string;
  readonly mayBeEqual: boolean;
}

/** The rules of one module. */
interface ModuleRules {
  /** By the path of the parameter: `block.max_bytes`. */
  readonly limits: Readonly<Record<string, ParamLimit>>;
  readonly orders?: readonly ParamOrder[];
}

const share: ParamLimit = { kind: 'share', isPositive: false };
const positiveShare: ParamLimit = { kind: 'share', isPositive: true };
const period: ParamLimit = { kind: 'period' };
const between = (min: bigint, max: bigint) => ({ kind: 'whole', min, max }) as const satisfies ParamLimit;
const zero = between(0n, 0n);
const uint32 = between(0n, 2n ** 32n - 1n);
const positiveUint32 = between(1n, 2n ** 32n - 1n);
const positiveInt64 = between(1n, 2n ** 63n - 1n);
const positiveUint64 = between(1n, 2n ** 64n - 1n);
/** `MaxBlockSizeBytes` of CometBFT (types/params.go). */
const maxBlockBytes = 104_857_600n;

/**
 * The rules by which each module validates new parameters, by package. Sources: cosmos/cosmos-sdk 0.53.8 and 0.50.15
 * (the same in both), x/gov/types/v1/params.go, x/{staking,slashing,mint,auth,bank,distribution}/types/params.go, that of
 * x/protocolpool (0.53 alone) and
 * x/{distribution,crisis}/keeper/msg_server.go; cometbft/cometbft 0.38 types/params.go; cosmos/ibc-go 8 and 10
 * modules/core/{02-client,03-connection,04-channel}/types/params.go, modules/apps/27-interchain-accounts/host/types/params.go.
 */
const modules: Readonly<Record<string, ModuleRules>> = {
  'cosmos.gov.v1': {
    limits: {
      min_deposit: { kind: 'coins' },
      expedited_min_deposit: { kind: 'coins' },
      max_deposit_period: period,
      voting_period: period,
      expedited_voting_period: period,
      quorum: share,
      threshold: positiveShare,
      veto_threshold: positiveShare,
      expedited_threshold: positiveShare,
      min_initial_deposit_ratio: share,
      proposal_cancel_ratio: share,
      proposal_cancel_dest: { kind: 'account' },
    },
    orders: [
      { larger: 'expedited_threshold', smaller: 'threshold', mayBeEqual: false },
      { larger: 'voting_period', smaller: 'expedited_voting_period', mayBeEqual: false },
      { larger: 'expedited_min_deposit', smaller: 'min_deposit', mayBeEqual: false },
    ],
  },
  'cosmos.staking.v1beta1': {
    limits: {
      unbonding_time: period,
      max_validators: positiveUint32,
      max_entries: positiveUint32,
      historical_entries: uint32,
      bond_denom: { kind: 'denom' },
      min_commission_rate: share,
    },
  },
  'cosmos.slashing.v1beta1': {
    limits: {
      signed_blocks_window: positiveInt64,
      min_signed_per_window: share,
      downtime_jail_duration: period,
      slash_fraction_double_sign: share,
      slash_fraction_downtime: share,
    },
  },
  'cosmos.mint.v1beta1': {
    limits: {
      mint_denom: { kind: 'denom' },
      inflation_rate_change: share,
      inflation_max: share,
      inflation_min: share,
      goal_bonded: positiveShare,
      // SDK 0.53 refuses more than 63 bits. SDK 0.50 does not.
      blocks_per_year: positiveUint64,
    },
    orders: [{ larger: 'inflation_max', smaller: 'inflation_min', mayBeEqual: true }],
  },
  'cosmos.distribution.v1beta1': {
    limits: { community_tax: share, base_proposer_reward: { kind: 'zero' }, bonus_proposer_reward: { kind: 'zero' } },
  },
  'cosmos.bank.v1beta1': { limits: { send_enabled: { kind: 'empty' } } },
  'cosmos.crisis.v1beta1': { limits: { constant_fee: { kind: 'coin' } } },
  'cosmos.auth.v1beta1': {
    limits: {
      max_memo_characters: positiveUint64,
      tx_sig_limit: positiveUint64,
      tx_size_cost_per_byte: positiveUint64,
      sig_verify_cost_ed25519: positiveUint64,
      sig_verify_cost_secp256k1: positiveUint64,
    },
  },
  'cosmos.consensus.v1': {
    limits: {
      'block.max_bytes': { kind: 'blockSize' },
      'block.max_gas': between(-1n, 2n ** 63n - 1n),
      'evidence.max_age_num_blocks': positiveInt64,
      'evidence.max_age_duration': period,
      'evidence.max_bytes': between(0n, maxBlockBytes),
      'validator.pub_key_types': { kind: 'keyTypes' },
    },
    orders: [{ larger: 'block.max_bytes', smaller: 'evidence.max_bytes', mayBeEqual: true }],
  },
  'cosmos.protocolpool.v1': {
    limits: { distribution_frequency: positiveUint64 },
  },
  'ibc.core.channel.v1': {
    limits: {
      'upgrade_timeout.height.revision_number': zero,
      'upgrade_timeout.height.revision_height': zero,
      'upgrade_timeout.timestamp': positiveUint64,
    },
  },
  'ibc.core.client.v1': { limits: { allowed_clients: { kind: 'names', isUnique: true } } },
  'ibc.core.connection.v1': { limits: { max_expected_time_per_block: positiveUint64 } },
  'ibc.applications.interchain_accounts.host.v1': { limits: { allow_messages: { kind: 'names', isUnique: false } } },
};

/** Rules of legacy parameters that differ from those of the package (cosmos/cosmos-sdk 0.46.16), by subspace. */
const legacyModules: Readonly<Record<string, Readonly<Record<string, ParamLimit>>>> = {
  gov: {
    'votingparams.voting_period': period,
    'tallyparams.quorum': share,
    'tallyparams.threshold': positiveShare,
    'tallyparams.veto_threshold': positiveShare,
    'depositparams.max_deposit_period': period,
  },
  distribution: { communitytax: share, baseproposerreward: share, bonusproposerreward: share },
  bank: {},
  baseapp: {
    'BlockParams.max_bytes': positiveInt64,
    'BlockParams.max_gas': between(-1n, 2n ** 63n - 1n),
    'EvidenceParams.max_age_num_blocks': positiveInt64,
    'EvidenceParams.max_age_duration': period,
    'EvidenceParams.max_bytes': between(0n, 2n ** 63n - 1n),
  },
};

/** The limits of a legacy parameter. The path is "" for the parameter itself, otherwise that of a field inside it. */
export function legacyLimits(subspace: string, key: string): readonly (readonly [path: string, limit: ParamLimit])[] {
  const own = ownValue(legacyModules, subspace);
  const limits = own ?? rulesOf(`cosmos.${subspace}.v1beta1`).limits;
  return Object.entries(limits).flatMap(([name, limit]) => {
    const [first = '', ...inner] = name.split('.');
    const written = limit.kind === 'period' ? ({ kind: 'nanoseconds' } as const) : limit;
    return bareName(first) === bareName(key) ? [[inner.join('.'), written] as const] : [];
  });
}

/** The legacy parameters whose limits rest on the named source alone: the node took all values that it was asked about. */
const legacyBySource: readonly string[] = ['staking/historical_entries'];

/** A limit of the tables. */
export interface HeldRule {
  /** A package, or the subspace of a legacy parameter. */
  readonly owner: string;
  readonly isLegacy: boolean;
  /** The path of the parameter, such as `block.max_bytes`. */
  readonly field: string;
  readonly limit: ParamLimit;
  /** A node has refused a value by this rule, or the rule rests on the named source alone. */
  readonly heldBy: 'node' | 'source';
}

/** Gives all limits of the tables, those of legacy parameters too. */
export function heldRules(): readonly HeldRule[] {
  const own = Object.entries(modules).flatMap(([owner, { limits }]) =>
    Object.entries(limits).map(([field, limit]): HeldRule => {
      return { owner, isLegacy: false, field, limit, heldBy: 'node' };
    }),
  );
  // Modules that came later have no legacy parameters.
  const shared = own.flatMap((rule) => {
    const [, subspace = ''] = /^cosmos\.(\w+)\.v1beta1$/.exec(rule.owner) ?? [];
    return subspace === '' || Object.hasOwn(legacyModules, subspace) ? [] : [{ ...rule, owner: subspace }];
  });
  const listed = Object.entries(legacyModules).flatMap(([owner, limits]) =>
    Object.entries(limits).map(([field, limit]) => ({ owner, field, limit })),
  );
  const legacy = [...shared, ...listed].map((rule): HeldRule => {
    const isBySource = legacyBySource.includes(`${rule.owner}/${rule.field}`);
    return { ...rule, isLegacy: true, heldBy: isBySource ? 'source' : 'node' };
  });
  return [...own, ...legacy];
}

/** The rules of a package. Empty for an unknown module. */
export function rulesOf(module: string): ModuleRules {
  return ownValue(modules, module) ?? { limits: {} };
}

/** True if the JSON of a message can hold a value of this limit. A value beyond the range of its type cannot be read. */
export function isReadable(limit: ParamLimit, value: unknown): boolean {
  const number = limit.kind === 'whole' ? readWhole(value) : undefined;
  if (limit.kind !== 'whole' || number === undefined) return true;
  const isUnsigned = limit.max === uint32.max || limit.max === positiveUint64.max;
  return isUnsigned ? number >= 0n && number <= limit.max : number >= -(2n ** 63n) && number < 2n ** 63n;
}

/** The value that a missing parameter has. */
const zeros: Readonly<Record<ParamLimit['kind'], unknown>> = {
  share: '0',
  weight: '0',
  whole: '0',
  blockSize: '0',
  period: '0s',
  nanoseconds: '0',
  denom: '',
  coins: [],
  coin: { denom: '', amount: '0' },
  zero: '0',
  empty: [],
  account: '',
  names: [],
  keyTypes: [],
};

/** True if a module refuses its parameters without this one, or without the object of this path. */
export function refusesZero(module: string, path: string): boolean {
  return Object.entries(rulesOf(module).limits).some(([field, limit]) => {
    const isMissing = field === path || field.startsWith(`${path}.`);
    return isMissing && (isDecimalText(module, field) || keepsTo(limit, zeros[limit.kind]) !== true);
  });
}

/**
 * The share of the minimum that each deposit has to have. x/gov does not check it with its other parameters, and since
 * SDK 0.50 takes no deposit without it (AddDeposit in x/gov/keeper/deposit.go).
 */
export const depositRatio = 'min_deposit_ratio';

/**
 * True for a decimal that is plain text. A missing one is "", which is no number: LegacyNewDecFromStr fails on it where
 * it would take 0 (ValidateBasic in x/gov/types/v1/params.go of SDK 0.47 to 0.53).
 */
export function isDecimalText(module: string, path: string): boolean {
  if (module !== 'cosmos.gov.v1') return false;
  return path === depositRatio || rulesOf(module).limits[path]?.kind === 'share';
}

/**
 * Whether a JSON value is within a limit. Undefined if the value is not of the kind of the limit. `prefix` is that of
 * the chain's account addresses.
 */
export function keepsTo(limit: ParamLimit, value: unknown, prefix?: string): boolean | undefined {
  switch (limit.kind) {
    case 'share': {
      const ratio = readDecimal(value);
      return ratio === undefined ? undefined : ratio <= whole && (limit.isPositive ? ratio > 0n : ratio >= 0n);
    }
    case 'weight':
      return typeof value === 'string' ? isWeight(value, limit.isPositive) : undefined;
    case 'whole': {
      const number = readWhole(value);
      return number === undefined ? undefined : number >= limit.min && number <= limit.max;
    }
    case 'blockSize': {
      const size = readWhole(value);
      return size === undefined ? undefined : size === -1n || (size > 0n && size <= maxBlockBytes);
    }
    case 'nanoseconds':
      return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? BigInt(value) > 0n : undefined;
    case 'period': {
      const nanoseconds = readPeriod(value);
      return nanoseconds === undefined
        ? undefined
        : nanoseconds > 0n || (nanoseconds === 0n && limit.mayBeZero === true);
    }
    case 'denom':
      return typeof value === 'string' ? isDenom(value) : undefined;
    case 'coins':
      return areCoins(value);
    case 'coin':
      return readCoins([value])?.every(({ denom }) => isDenom(denom)) ?? (isFields(value) ? false : undefined);
    case 'zero':
      return readDecimal(value) === undefined ? undefined : readDecimal(value) === 0n;
    case 'empty':
      return Array.isArray(value) ? value.length === 0 : undefined;
    case 'account':
      return typeof value === 'string' ? value === '' || addressFault(value, prefix) === undefined : undefined;
    case 'names':
      return areNames(value, limit.isUnique);
    case 'keyTypes':
      return Array.isArray(value) ? value.length > 0 && value.every((type) => keyTypes.has(type)) : undefined;
    default:
      return limit satisfies never;
  }
}

/** Whether two values are in an order. Both are of the kind of `limit`. Undefined if they cannot be compared. */
export function isInOrder(
  limit: ParamLimit,
  { mayBeEqual }: ParamOrder,
  larger: unknown,
  smaller: unknown,
): boolean | undefined {
  if (limit.kind === 'coins') {
    const [coins, others] = [readCoins(larger), readCoins(smaller)];
    return coins && others && exceeds(coins, others);
  }
  const [above, below] = [numberOf(limit, larger), numberOf(limit, smaller)];
  if (above === undefined || below === undefined) return undefined;
  return above > below || (mayBeEqual && above === below);
}

function numberOf({ kind }: ParamLimit, value: unknown): bigint | undefined {
  if (kind === 'share') return readDecimal(value);
  if (kind === 'period') return readPeriod(value);
  return kind === 'blockSize' && readWhole(value) === -1n ? maxBlockBytes : readWhole(value);
}

/** Whether any coin exceeds the others. The opposite of `IsAllLTE` of the SDK's coins. */
function exceeds(coins: readonly Coin[], others: readonly Coin[]): boolean {
  const amounts = new Map(others.map(({ denom, amount }) => [denom, amount]));
  return coins.some(({ denom, amount }) => amount > (amounts.get(denom) ?? 0n));
}

/** ABCIPubKeyTypesToNames of CometBFT 0.38 (types/params.go). */
const keyTypes: ReadonlySet<unknown> = new Set(['ed25519', 'secp256k1']);

/** sdk.ValidateDenom (types/coin.go). */
function isDenom(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(text);
}

/** NewPositiveDecFromString and NewNonNegativeDecFromString of x/group/internal/math/dec.go. */
function isWeight(text: string, isPositive: boolean): boolean {
  const [, digits = ''] = (text.length <= 200 && /^\+?(\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?$/.exec(text)) || [];
  return digits !== '' && (!isPositive || /[1-9]/.test(digits));
}

function areCoins(value: unknown): boolean | undefined {
  if (!Array.isArray(value)) return undefined;
  const coins = readCoins(value);
  if (!coins) return undefined;
  return (
    coins.length > 0 &&
    coins.every(({ denom }, at) => at === 0 || (coins[at - 1]?.denom ?? '') < denom) &&
    coins.every(({ denom, amount }) => isDenom(denom) && amount > 0n)
  );
}

function areNames(value: unknown, isUnique: boolean): boolean | undefined {
  if (!Array.isArray(value)) return undefined;
  const isBlank = value.some((name) => typeof name !== 'string' || name.trim() === '');
  const isTwice = isUnique && new Set(value).size < value.length;
  return value.length <= 500 && !isBlank && !isTwice && !(value.includes('*') && value.length > 1);
}

/** Reads a decimal in units of 10^-18, as LegacyNewDecFromStr (cosmossdk.io/math). Undefined for other values. */
export function readDecimal(value: unknown): bigint | undefined {
  const [, sign, digits = '', decimals = ''] =
    (typeof value === 'string' && /^(-?)(\d{1,100})(?:\.(\d{1,18}))?$/.exec(value)) || [];
  if (sign === undefined) return undefined;
  const amount = BigInt(digits + decimals.padEnd(18, '0'));
  return sign === '-' ? -amount : amount;
}

/** Reads a whole number, given as a number or as digits. Undefined for other values. */
export function readWhole(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,100}$/.test(value) ? BigInt(value) : undefined;
}

/**
 * Reads a duration in nanoseconds: `1209600s`, `336h0m0s`, or bare nanoseconds as in x/params. Undefined for other
 * values.
 */
export function readPeriod(value: unknown): bigint | undefined {
  const number = readWhole(value);
  if (number !== undefined || typeof value !== 'string') return number;
  if (!/^-?(\d{1,15}(\.\d{1,9})?(ns|us|µs|ms|s|m|h))+$/.test(value)) return undefined;
  const parts = value.matchAll(/(\d{1,15})(?:\.(\d{1,9}))?(ns|us|µs|ms|s|m|h)/g);
  let sum = 0n;
  for (const [, digits = '0', decimals = '', unit = 's'] of parts) {
    sum += (BigInt(digits + decimals.padEnd(9, '0')) * (nanosecondsOf[unit] ?? 0n)) / 1_000_000_000n;
  }
  return value.startsWith('-') ? -sum : sum;
}
