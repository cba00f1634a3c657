import type { Fields } from '../../chain/fields.ts';
import { isParsedObject } from '../scan/jsonValue.ts';
import { wrappedEnd } from '../scan/simdLayout.ts';
import { innerVesting } from './vesting.ts';

/** The limit for accounts inside each other. */
const deepestLevel = 8;

/** True if the account holds another one that is no base account. */
export function isWrapped(account: Fields): boolean {
  return wrappedIn(account) !== undefined;
}

/** Gives the account that this one is wrapped around, in a member of any name that ends like `account`. */
function wrappedIn(account: Fields): unknown {
  for (const name in account)
    if (name.endsWith(wrappedEnd) && !isBase(name) && isParsedObject(account[name])) return account[name];
  return undefined;
}

function isBase(name: string): boolean {
  return /^(?:base_account|base_vesting_account|BaseAccount|BaseVestingAccount)$/.test(name);
}

/**
 * Gives the fields of an account, then those of the accounts inside it. Amino, vesting accounts and types of some
 * chains nest accounts.
 */
export function* levelsOf(value: unknown): Generator<Fields> {
  let account = value;
  let hasAddress = false;
  for (let depth = 0; depth < deepestLevel && isParsedObject(account); depth++) {
    yield account;
    hasAddress ||= typeof account.address === 'string';
    account = innerOf(account) ?? (hasAddress ? undefined : onlyAccountIn(account));
  }
}

/** Gives the account inside this one, by the name of its member. */
function innerOf(account: Fields): unknown {
  return (
    account.value ??
    account.BaseVestingAccount ??
    account.base_vesting_account ??
    account.BaseAccount ??
    account.base_account ??
    wrappedIn(account)
  );
}

/** Gives the only member of an account without an address that is like an account. */
function onlyAccountIn(account: Fields): unknown {
  const inner = Object.values(account).filter(isLikeAccount);
  return inner.length === 1 ? inner[0] : undefined;
}

function isLikeAccount(value: unknown): boolean {
  if (!isParsedObject(value)) return false;
  return typeof value.address === 'string' || isParsedObject(value.value) || Object.keys(value).some(isBase);
}

/**
 * Gives the fields of an account and of those inside it on one level. The fields of outer accounts count, except for
 * the type where an account passes on the vesting of the account inside it.
 */
export function flatten(value: unknown): Fields {
  const levels = [...levelsOf(value)];
  const [outer = {}] = levels;
  const type = innerVesting(outer, levels.slice(1));
  let fields: Fields = {};
  for (const level of levels) fields = { ...level, ...fields };
  // A member of any other name becomes one that `isWrapped` knows.
  const wrapper = levels.slice(0, -1).findIndex((level) => innerOf(level) === undefined);
  if (wrapper >= 0) fields = { ...fields, account: levels[wrapper + 1] };
  return type === undefined ? fields : { ...fields, '@type': type };
}
