// The module: what it exports is called from simdEngine.ts. Positions are those of bytes in its memory; 64 bytes behind the
// bytes that it reads are 0.

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
import { addRewards, coins, find, isMarked, maxCoins, rankOf, readRewards } from './sum';

export { begin, skip } from './skip';
export {
  body,
  clear,
  coins,
  countOfCoins,
  countOfNames,
  countOfRows,
  leaveBalances,
  leaveDelegations,
  leaveUnmarked,
  names,
  sumBalances,
} from './sum';

/** Where bytes to be read are put, to the end of the memory. */
export const input: usize = 0x3200000;

// Names of members with their quotes, in pieces of 8 and 4 bytes that overlap.
const delegatorName: u64 = 0x746167656c656422; // "delegat
const validatorName: u64 = 0x746164696c617622; // "validat
const addressName: u64 = 0x65726464615f726f; // or_addre
const addressNameEnd: u32 = 0x22737365; // ess"
const sharesName: u64 = 0x2273657261687322; // "shares"

const maxWhole: usize = 100;
const maxDecimals: usize = 18;

/** Numbers of a delegation, 4 bytes each: as those of a coin, the validator in place of the denom. */
const rowSize: usize = 24;
/** Of delegations or of rewards. */
let plainCount: u32 = 0;

export function countOfPlain(): u32 {
  return plainCount;
}

/**
 * Reads delegations from the one at `from` on: objects of two addresses and shares, texts of ASCII without escapes. Returns the
 * end of the last one, or 0. Those whose delegator is marked are left to the caller.
 */
export function readDelegations(from: usize): usize {
  let done: usize = 0;
  let at = from;
  plainCount = 0;
  while (plainCount < maxCoins) {
    at = readDelegation(at, coins + plainCount * rowSize);
    if (at === 0) return done;
    plainCount++;
    done = at;
    at = space(at);
    if (load<u8>(at) !== comma) return done;
    at = space(at + 1);
  }
  return done;
}

const rewardsName: u64 = 0x6e61747374756f22; // "outstan
const rewardsNameMiddle: u64 = 0x7765725f676e6964; // ding_rew
const rewardsNameEnd: u64 = 0x2273647261776572; // rewards"

/**
 * Sums outstanding rewards from those of the validator at `from` on: objects of its address and of coins with 18 decimals, as
 * `sumBalances` reads balances. Returns the end of the last ones, or 0.
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
    const name = load<u64>(at);
    if (name === rewardsName && load<u64>(at, 8) === rewardsNameMiddle && load<u64>(at, 13) === rewardsNameEnd) {
      at = readRewards(afterColon(at + 21));
      seen = once(seen, 1);
    } else if (name === validatorName && load<u64>(at, 8) === addressName && load<u32>(at, 15) === addressNameEnd) {
      at = textEnd(textAt(at + 19)) + 1;
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
    const name = load<u64>(at);
    if (name === sharesName) {
      const shares = textAt(at + 8);
      at = decimalEnd(shares);
      store<usize>(row, shares, 12);
      store<usize>(row, at, 16);
      seen = once(seen, 1);
    } else {
      if (load<u64>(at, 8) !== addressName || load<u32>(at, 15) !== addressNameEnd) return 0;
      const address = textAt(at + 19);
      at = textEnd(address);
      if (at === 0) return 0;
      if (name === delegatorName) {
        if (isMarked(address, at, 1)) return 0;
        store<usize>(row, address);
        store<usize>(row, at, 4);
        seen = once(seen, 2);
      } else if (name === validatorName) {
        const number = find(address, at);
        if (number === 0) return 0;
        store<u32>(row, number - 1, 8);
        seen = once(seen, 4);
      } else return 0;
    }
    if (at === 0) return 0;
    at = space(at + 1);
    const byte = load<u8>(at);
    if (byte === closeBrace) return seen === 7 ? at + 1 : 0;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
}

/** Where the decimal number at `start` ends, at whose end a quote follows; or 0. */
function decimalEnd(start: usize): usize {
  const point = digitsAfter(start);
  if (start === 0 || point === start || point - start > maxWhole) return 0;
  let end = point;
  if (load<u8>(point) === 0x2e) {
    end = digitsAfter(point + 1);
    if (end === point + 1 || end - point - 1 > maxDecimals) return 0;
  }
  return load<u8>(end) === quote ? end : 0;
}

// Accounts.

const typeName: u32 = 0x79744022; // "@ty
const typeNameEnd: u32 = 0x22657079; // ype"

// The ends of the types of plain accounts, BaseAccount and EthAccount: two of 8 bytes that overlap.
const accountEnd: u64 = 0x746e756f63634165; // eAccount
const baseAccount: u64 = 0x6f63634165736142; // BaseAcco
const ethAccountEnd: u64 = 0x746e756f63634168; // hAccount
const ethAccount: u64 = 0x756f636341687445; // EthAccou
const largestHead: usize = 512;

/** Numbers of an account that is picked, 4 bytes each: of each field where its JSON starts and ends, and its level from 1 on. */
const fieldSize: usize = 12;
const typeField: usize = 0;
const addressField: usize = 1;
const nameField: usize = 2;
const originalField: usize = 3;
const fieldCount: usize = 8;
/** Then where the account before it ends, or 0, and how many were read before. */
const endBefore: usize = fieldCount * fieldSize;
const countBefore: usize = endBefore + 4;
const accountSize: usize = countBefore + 4;
const maxPicked: u32 = 3000;
const noField: i32 = -1;
const nestedField: i32 = -2;
const otherForm: i32 = -3;
// The end of the type of a module's account, and the ranks of accounts that the caller knows.
const moduleAccount: u64 = 0x6341656c75646f4d; // ModuleAc
const moduleRank: u32 = 1;
const vestingRank: u32 = 4;

/** Levels of an account and of the accounts inside it. */
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
 * Skips accounts that hold nothing to be known, from the one at `from` on, and with `picks` reads others into `coins`.
 * Returns the end of the last one, or 0.
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
      const row = coins + pickedCount * accountSize;
      at = pick(at, row);
      if (at === 0) return done;
      if (!addsNothing(row)) {
        store<usize>(row, done, endBefore);
        store<u32>(row, accountCount, countBefore);
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

/** The end of the account at `start`, or 0: it has a type, an address and no member that is not plainly written. */
function pick(start: usize, row: usize): usize {
  memory.fill(row, 0, endBefore);
  const end = pickMembers(start, row, 1);
  const type = row + typeField * fieldSize;
  if (end === 0 || load<u32>(type, 8) !== 1 || !isText(type) || !isText(row + addressField * fieldSize)) return 0;
  const name = row + nameField * fieldSize;
  return load<u32>(name, 8) === 0 || isText(name) ? end : 0;
}

/** The account has no class of its own, or the caller knows it with that class or one before. */
function addsNothing(row: usize): bool {
  const typeEnd = load<usize>(row, 4) - 1;
  const isModule = load<u64>(typeEnd - 8) === accountEnd && load<u64>(typeEnd - 13) === moduleAccount;
  const isVesting = load<u32>(row + originalField * fieldSize, 8) !== 0;
  if (!isModule && !isVesting) return true;
  const address = row + addressField * fieldSize;
  const rank = rankOf(load<usize>(address) + 1, load<usize>(address, 4) - 1);
  return rank !== 0 && rank <= (isModule ? moduleRank : vestingRank);
}

function isText(field: usize): bool {
  return load<u32>(field, 8) !== 0 && load<u8>(load<usize>(field)) === quote;
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
    } else if (field !== otherForm) {
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

/** The member of the outer account counts; false where an account has it twice. */
function keep(field: usize, start: usize, end: usize, level: u32): bool {
  const known = load<u32>(field, 8);
  if (known === level) return false;
  if (known !== 0 && known < level) return true;
  store<usize>(field, start);
  store<usize>(field, end, 4);
  store<u32>(field, level, 8);
  return true;
}

/** Which field the name is of: `SimdSkipper` has them in the same order. */
function fieldOf(name: usize, length: usize): i32 {
  const first = load<u64>(name);
  const last = load<u64>(name + length - 8);
  switch (<i32>length) {
    case 4:
      return <u32>first === 0x656d616e ? <i32>nameField : noField; // name
    case 5:
      if (first << 24 === 0x6570797440000000) return <i32>typeField; // @type
      // coins and value, of accounts before SDK 0.40
      return first << 24 === 0x736e696f63000000 || first << 24 === 0x65756c6176000000 ? otherForm : noField;
    case 7:
      return first === 0x2273736572646461 ? <i32>addressField : noField; // address"
    case 8:
      return first === 0x656d69745f646e65 ? 6 : noField; // end_time
    case 10:
      return first === 0x69745f7472617473 && load<u16>(name, 8) === 0x656d ? 5 : noField; // start_ti, me
    case 11:
      return first === 0x6f63634165736142 ? otherForm : noField; // BaseAcco, of amino
    case 12:
      return first === 0x6363615f65736162 && load<u32>(name, 8) === 0x746e756f ? nestedField : noField; // base_acc, ount
    case 15:
      return first === 0x5f676e6974736576 && last === 0x73646f697265705f ? 7 : noField; // vesting_, _periods
    case 16:
      return first === 0x6c616e696769726f && last === 0x676e69747365765f ? 3 : noField; // original, _vesting
    case 17:
      return first === 0x65746167656c6564 && last === 0x676e69747365765f ? 4 : noField; // delegate, _vesting
    case 18:
      return first === 0x7473655665736142 ? otherForm : noField; // BaseVest, of amino
    case 20:
      return first === 0x7365765f65736162 && last === 0x746e756f6363615f ? nestedField : noField; // base_ves, _account
    default:
      return noField;
  }
}

function isPlain(start: usize): bool {
  if (load<u8>(start) !== openBrace) return false;
  const name = space(start + 1);
  if (load<u32>(name) !== typeName || load<u32>(name, 3) !== typeNameEnd) return false;
  const type = textAt(name + 7);
  const end = textEnd(type);
  if (end === 0 || end - start >= largestHead || end - type < 10) return false;
  const last = load<u64>(end - 8);
  if (last === accountEnd) return load<u64>(end - 11) === baseAccount;
  return last === ethAccountEnd && load<u64>(end - 10) === ethAccount;
}
