// The WebAssembly module, called from simdEngine.ts. Positions count bytes of its memory. The 64 bytes after the input
// are 0.

import {
  accountCountBefore,
  accountEndBefore,
  accountSize,
  addressField,
  decimals,
  endsWithBaseAccount,
  endsWithEthAccount,
  endsWithModuleAccount,
  endsWithWrapped,
  fieldEnd,
  fieldLevel,
  fieldOf,
  fieldSize,
  fieldStart,
  isDelegatorMember,
  isRewardsMember,
  isSharesMember,
  isTypeMember,
  isValidatorMember,
  largestAccountHead,
  lengthDelegatorMember,
  lengthEthAccount,
  lengthRewardsMember,
  lengthSharesMember,
  lengthTypeMember,
  lengthValidatorMember,
  maxDigits,
  nameField,
  nestedField,
  originalVestingField,
  otherForm,
  rowAddress,
  rowAddressEnd,
  rowName,
  rowSize,
  rowsPlace,
  rowValue,
  rowValueEnd,
  typeField,
  vestingRank,
} from '../../../dist/simdLayout';
import {
  afterColon,
  begin,
  closeBrace,
  comma,
  digitsAfter,
  once,
  openBrace,
  quote,
  skip,
  space,
  textAt,
  textEnd,
  valueEnd,
} from './skip';
import { addRewards, find, isMarked, maxRows, rankOf, readRewards } from './sum';

export { begin, skip } from './skip';
export {
  clear,
  countOfCoins,
  countOfNames,
  countOfRows,
  leaveBalances,
  leaveDelegations,
  leaveUnmarked,
  sumBalances,
} from './sum';

/** The count of delegations or rewards that were read. */
let plainCount: u32 = 0;

export function countOfPlain(): u32 {
  return plainCount;
}

/**
 * Reads delegations from the one at `from` on: objects of two addresses and shares, in texts of ASCII without escapes.
 * Returns the end of the last one, or 0. Delegations of a marked delegator are left to the caller.
 */
export function readDelegations(from: usize): usize {
  let done: usize = 0;
  let at = from;
  plainCount = 0;
  while (plainCount < maxRows) {
    at = readDelegation(at, rowsPlace + plainCount * rowSize);
    if (at === 0) return done;
    plainCount++;
    done = at;
    at = space(at);
    if (load<u8>(at) !== comma) return done;
    at = space(at + 1);
  }
  return done;
}

/**
 * Sums outstanding rewards from those of the validator at `from` on: objects of its address and of coins with 18
 * decimals, read as `sumBalances` reads balances. Returns the end of the last one, or 0.
 */
export function sumRewards(from: usize): usize {
  let done: usize = 0;
  let at = from;
  plainCount = 0;
  while (true) {
    at = readReward(at);
    if (at === 0 || !addRewards()) return done;
    plainCount++;
    done = at;
    at = space(at);
    if (load<u8>(at) !== comma) return done;
    at = space(at + 1);
  }
}

function readReward(start: usize): usize {
  if (load<u8>(start) !== openBrace) return 0;
  let at = space(start + 1);
  let seen: u32 = 0;
  while (true) {
    if (isRewardsMember(at)) {
      at = readRewards(afterColon(at + lengthRewardsMember));
      seen = once(seen, 1);
    } else if (isValidatorMember(at)) {
      at = textEnd(textAt(at + lengthValidatorMember)) + 1;
      seen = once(seen, 2);
    } else return 0;
    at = space(at);
    const byte = load<u8>(at);
    if (byte === closeBrace) return seen === 3 ? at + 1 : 0;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
}

function readDelegation(start: usize, row: usize): usize {
  if (load<u8>(start) !== openBrace) return 0;
  let at = space(start + 1);
  let seen: u32 = 0;
  while (true) {
    if (isSharesMember(at)) {
      const shares = textAt(at + lengthSharesMember);
      at = decimalEnd(shares);
      store<usize>(row, shares, rowValue);
      store<usize>(row, at, rowValueEnd);
      seen = once(seen, 1);
    } else if (isDelegatorMember(at)) {
      const address = textAt(at + lengthDelegatorMember);
      at = textEnd(address);
      if (at === 0 || isMarked(address, at, 1)) return 0;
      store<usize>(row, address, rowAddress);
      store<usize>(row, at, rowAddressEnd);
      seen = once(seen, 2);
    } else if (isValidatorMember(at)) {
      const address = textAt(at + lengthValidatorMember);
      at = textEnd(address);
      const number = at === 0 ? 0 : find(address, at);
      if (number === 0) return 0;
      store<u32>(row, number - 1, rowName);
      seen = once(seen, 4);
    } else return 0;
    if (at === 0) return 0;
    at = space(at + 1);
    const byte = load<u8>(at);
    if (byte === closeBrace) return seen === 7 ? at + 1 : 0;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
}

/** Finds the end of the decimal number at `start`, where a quote must follow; or 0. */
function decimalEnd(start: usize): usize {
  const point = digitsAfter(start);
  if (start === 0 || point === start || point - start > maxDigits) return 0;
  let end = point;
  if (load<u8>(point) === 0x2e) {
    end = digitsAfter(point + 1);
    if (end === point + 1 || end - point - 1 > decimals) return 0;
  }
  return load<u8>(end) === quote ? end : 0;
}

// Accounts.

const maxPicked: u32 = 3000;
/** The levels of an account and of the accounts inside it. */
const deepestBase: u32 = 5;

let accountCount: u32 = 0;
let pickedCount: u32 = 0;

export function countOfAccounts(): u32 {
  return accountCount;
}

export function countOfPicked(): u32 {
  return pickedCount;
}

/**
 * Skips accounts that hold nothing of interest, from the one at `from` on. With `picks`, it reads others into
 * `rowsPlace`. Returns the end of the last one, or 0.
 */
export function skipAccounts(from: usize, end: usize, limit: i32, picks: bool): usize {
  let done: usize = 0;
  let at = from;
  accountCount = 0;
  pickedCount = 0;
  while (true) {
    if (isPlain(at)) {
      begin(false, false);
      const next = skip(at, end, limit);
      if (next < 0 || <usize>next > end) return done;
      at = <usize>next;
    } else {
      if (!picks || pickedCount === maxPicked) return done;
      const row = rowsPlace + pickedCount * accountSize;
      at = pick(at, row);
      // A module account has further fields than those that are picked.
      if (at === 0 || isModule(row)) return done;
      if (!addsNothing(row)) {
        store<usize>(row, done, accountEndBefore);
        store<u32>(row, accountCount, accountCountBefore);
        pickedCount++;
      }
    }
    accountCount++;
    done = at;
    at = space(done);
    if (load<u8>(at) !== comma) return done;
    at = space(at + 1);
  }
}

/**
 * Finds the end of the account at `start`, or 0. The account has a type, an address and only members that are written
 * plainly.
 */
function pick(start: usize, row: usize): usize {
  memory.fill(row, 0, accountEndBefore);
  const end = pickMembers(start, row, 1);
  const type = row + typeField * fieldSize;
  if (end === 0 || load<u32>(type, fieldLevel) !== 1 || !isText(type) || !isText(row + addressField * fieldSize))
    return 0;
  const name = row + nameField * fieldSize;
  return load<u32>(name, fieldLevel) === 0 || isText(name) ? end : 0;
}

/** True if the account has no class of its own, or if the caller knows it with that class or an earlier one. */
function addsNothing(row: usize): bool {
  if (load<u32>(row + originalVestingField * fieldSize, fieldLevel) === 0) return true;
  const address = row + addressField * fieldSize;
  const rank = rankOf(load<usize>(address, fieldStart) + 1, load<usize>(address, fieldEnd) - 1);
  return rank !== 0 && rank <= vestingRank;
}

function isModule(row: usize): bool {
  return endsWithModuleAccount(load<usize>(row + typeField * fieldSize, fieldEnd) - 1);
}

function isText(field: usize): bool {
  return load<u32>(field, fieldLevel) !== 0 && load<u8>(load<usize>(field, fieldStart)) === quote;
}

function pickMembers(start: usize, row: usize, level: u32): usize {
  if (level > deepestBase || load<u8>(start) !== openBrace) return 0;
  let at = space(start + 1);
  let isNested = false;
  while (true) {
    const nameEnd = load<u8>(at) === quote ? textEnd(at + 1) : 0;
    if (nameEnd === 0) return 0;
    const field = fieldOf(at + 1, nameEnd - at - 1);
    const value = afterColon(nameEnd + 1);
    let end: usize = 0;
    if (field === nestedField) {
      if (!isNested) end = pickMembers(value, row, level + 1);
      isNested = true;
    } else if (field !== otherForm && !endsWithWrapped(nameEnd)) {
      end = valueEnd(value, 0);
      if (field >= 0 && !keep(row + field * fieldSize, value, end, level)) return 0;
    }
    if (end === 0) return 0;
    at = space(end);
    const byte = load<u8>(at);
    if (byte === closeBrace) return at + 1;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
}

/** Notes a member. The outer account's member counts. Returns false if an account has the member twice. */
function keep(field: usize, start: usize, end: usize, level: u32): bool {
  const known = load<u32>(field, fieldLevel);
  if (known === level) return false;
  if (known !== 0 && known < level) return true;
  store<usize>(field, start, fieldStart);
  store<usize>(field, end, fieldEnd);
  store<u32>(field, level, fieldLevel);
  return true;
}

function isPlain(start: usize): bool {
  if (load<u8>(start) !== openBrace) return false;
  const name = space(start + 1);
  if (!isTypeMember(name)) return false;
  const type = textAt(name + lengthTypeMember);
  const end = textEnd(type);
  if (end === 0 || end - start >= largestAccountHead || end - type < lengthEthAccount) return false;
  return endsWithBaseAccount(end) || endsWithEthAccount(end);
}
