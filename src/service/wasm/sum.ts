import {
  bodyPlace,
  checksumLength,
  isAddressMember,
  isAmountMember,
  isCoinsMember,
  isCompactAmount,
  isCompactBalance,
  isCompactCoinEnd,
  isCompactCoins,
  isCompactDenom,
  isDenomMember,
  leftBit,
  lengthAddressMember,
  lengthAmountMember,
  lengthCoinsMember,
  lengthCompactAmount,
  lengthCompactBalance,
  lengthCompactCoinEnd,
  lengthCompactCoins,
  lengthCompactDenom,
  lengthDenomMember,
  longestBody,
  markLength,
  marksPlace,
  marksSize,
  nameHash,
  nameHolders,
  namePairAccount,
  namePairDenom,
  nameRank,
  nameSize,
  nameSlot,
  nameSum,
  namesPlace,
  nameText,
  nameTextEnd,
  pairPlace,
  rewardsAccount,
  rowAccount,
  rowAddress,
  rowAddressEnd,
  rowName,
  rowSize,
  rowsPlace,
  rowValue,
  rowValueEnd,
  slotsPlace,
  sumBase,
  textsPlace,
} from '../../../dist/simdLayout';
import {
  afterColon,
  amountEndOf,
  bitOf,
  closeBrace,
  closeBracket,
  comma,
  hashOf,
  isSame,
  numberAt,
  once,
  openBrace,
  openBracket,
  space,
  textAt,
  textEnd,
} from './skip';

/** The number of records that `rows` has space for. */
export const maxRows: u32 = 16_384;
/** The coins of a row that the module reads. A row with more coins is left to the caller. */
const maxInRow: u32 = 4096;

/** The number of slots. Names are found by open addressing. */
const slotMask: u32 = (1 << 19) - 1;
/**
 * The number of slots that a search looks at. A name that has none of them is left to the caller, so that no choice of
 * names makes the search slow.
 */
const maxProbes: u32 = 32;

const maxNames: u32 = 150_000;
/** The number of names after which no more bodies and pairs become names, so that denoms find space. */
const maxBeforeBody: u32 = 75_000;
const maxBeforePair: u32 = 120_000;
/** 10 to the power of `sumBase`. */
const sumLimit: u64 = 1_000_000_000_000_000_000;

let nameCount: u32 = 0;
let hasMarks = false;
/** A body without a mark was named: every address that may have such a body is left to the caller. */
let hasUnmarked = false;
/** A body that is left to the caller did not become a name. */
let hasNameless = false;
let nextText: usize = textsPlace;
let coinCount: u32 = 0;
let rowCount: u32 = 0;
/** The row that is being read. */
let address: usize = 0;
let addressEnd: usize = 0;

export function countOfNames(): u32 {
  return nameCount;
}

export function countOfCoins(): u32 {
  return coinCount;
}

export function countOfRows(): u32 {
  return rowCount;
}

/** Forgets all names and marks. */
export function clear(): void {
  for (let number: u32 = 0; number < nameCount; number++)
    store<u32>(load<usize>(namesPlace + number * nameSize, nameSlot), 0);
  memory.fill(namesPlace, 0, nameCount * nameSize);
  if (hasMarks) memory.fill(marksPlace, 0, 2 * marksSize);
  hasMarks = false;
  hasUnmarked = false;
  nameCount = 0;
  hasNameless = false;
  nextText = textsPlace;
}

/**
 * Leaves the balances of an address to the caller. Its body has `length` bytes at `bodyPlace`. `rank` is the rank of
 * its account; accounts of the same or a higher rank add nothing to it.
 */
export function leaveBalances(length: usize, rank: u32): void {
  mark(length, 0);
  const number = nameCount < maxBeforeBody ? find(bodyPlace, bodyPlace + length) : 0;
  if (number === 0) {
    hasNameless = true;
    return;
  }
  const name = namesPlace + (number - 1) * nameSize;
  const known = load<u32>(name, nameRank);
  if (known === 0 || rank < known) store<u32>(name, rank, nameRank);
}

/**
 * From now on, stops before balances whose address may have a body that is too short or too long for `leaveBalances`.
 */
export function leaveUnmarked(): void {
  hasUnmarked = true;
}

/** Leaves the delegations of the address with that body to the caller, and those of a few others with the same hash. */
export function leaveDelegations(length: usize): void {
  mark(length, 1);
}

function mark(length: usize, place: usize): void {
  const bit = bitOf(load<u64>(bodyPlace + length - markLength));
  const byte = marksPlace + place * marksSize + (bit >> 3);
  const flag: u32 = 1 << (bit & 7);
  hasMarks = true;
  store<u8>(byte, load<u8>(byte) | flag);
}

/** True if the address may be left to the caller. `place` is 0 for balances, 1 for delegations. */
export function isMarked(start: usize, end: usize, place: usize): bool {
  if (end - start < markLength + checksumLength) return false;
  const bit = bitOf(load<u64>(end - markLength - checksumLength));
  return ((load<u8>(marksPlace + place * marksSize + (bit >> 3)) >> <u8>(bit & 7)) & 1) !== 0;
}

/** True if the body of the address may be one without a mark. Bodies contain no 1, so few others match. */
function isUnmarked(start: usize, end: usize): bool {
  if (end - start < markLength + checksumLength || end - start > longestBody + checksumLength) return true;
  for (let at = end - markLength - checksumLength; at < end; at++) if (load<u8>(at) === 0x31) return true;
  return false;
}

/** Gives the number of the body of an address whose account has a rank; 0 for any other. */
function accountOf(start: usize, end: usize): u32 {
  if (end - start <= checksumLength) return 0;
  let from = end;
  while (from > start && load<u8>(from - 1) !== 0x31) from--;
  const number = from < end - checksumLength ? lookUp(from, end - checksumLength, false) : 0;
  return number !== 0 && load<u32>(namesPlace + (number - 1) * nameSize, nameRank) !== 0 ? number : 0;
}

/** Gives the number of the account with this address if the caller has named one; otherwise 0. */
export function rankOf(start: usize, end: usize): u32 {
  const number = accountOf(start, end);
  return number === 0 ? 0 : load<u32>(namesPlace + (number - 1) * nameSize, nameRank);
}

/**
 * Sums the balances from the one at `from` on: objects of an address and of coins, with members in any order and texts
 * of ASCII without escapes. Returns the end of the last one, or 0. Balances of accounts with a rank are summed by
 * account. `rowsPlace` has the coins of other addresses that are left to the caller, which are not summed; with
 * `keeps`, it has all coins.
 */
export function sumBalances(from: usize, keeps: bool): usize {
  let done: usize = 0;
  let at = from;
  rowCount = 0;
  coinCount = 0;
  let first: u32 = 0;
  while (true) {
    const row = at;
    at = readCompact(row, first + maxInRow);
    if (at === 0) {
      coinCount = first;
      at = readBalance(row, first + maxInRow);
    }
    if (hasUnmarked && at !== 0 && isUnmarked(address, addressEnd)) at = 0;
    const isMarkedOne = at !== 0 && isMarked(address, addressEnd, 0);
    const account = isMarkedOne ? accountOf(address, addressEnd) : 0;
    const isLeft = account !== 0 || (isMarkedOne && hasNameless);
    // A left account that holds nothing does not show among the coins.
    if (at === 0 || (isLeft && coinCount === first)) {
      coinCount = first;
      return done;
    }
    let hasLeft = false;
    for (let coin = rowsPlace + first * rowSize; coin < rowsPlace + coinCount * rowSize; coin += rowSize) {
      const denom = load<u32>(coin, rowName) + 1;
      const sum = isLeft ? pairOf(account, denom) : denom;
      if (sum === 0) leaveCoin(coin, account);
      else addCoin(coin, sum);
      hasLeft = hasLeft || sum === 0;
    }
    if (keeps || hasLeft) first = coinCount;
    else coinCount = first;
    rowCount++;
    done = at;
    at = space(at);
    if (load<u8>(at) !== comma || coinCount + maxInRow > maxRows) return done;
    at = space(at + 1);
  }
}

/** Finds the end of the list of decimal coins at `start`, or 0. `addRewards` adds them. */
export function readRewards(start: usize): usize {
  coinCount = 0;
  return readCoins(start, maxInRow, true);
}

/** Adds all coins. Returns false if one has no space. */
export function addRewards(): bool {
  const end = rowsPlace + coinCount * rowSize;
  for (let coin = rowsPlace; coin < end; coin += rowSize) {
    const sum = pairOf(rewardsAccount, load<u32>(coin, rowName) + 1);
    if (sum === 0) return false;
    store<u32>(coin, sum, rowAccount);
  }
  for (let coin = rowsPlace; coin < end; coin += rowSize) addCoin(coin, load<u32>(coin, rowAccount));
  return true;
}

/** Reads a balance as exporters write it, without white space. Returns 0 for any other balance. */
function readCompact(start: usize, maxCoins: u32): usize {
  if (!isCompactBalance(start)) return 0;
  address = start + lengthCompactBalance;
  addressEnd = textEnd(address);
  if (!isCompactCoins(addressEnd)) return 0;
  const at = readCoins(addressEnd + lengthCompactCoins, maxCoins, false);
  return load<u8>(at) === closeBrace ? at + 1 : 0;
}

/** Finds the end of the balance at `start`, or 0, which is no position of a text. Adds its coins to `rowsPlace`. */
function readBalance(start: usize, maxCoins: u32): usize {
  if (load<u8>(start) !== openBrace) return 0;
  let at = space(start + 1);
  let seen: u32 = 0;
  while (true) {
    if (isAddressMember(at)) {
      address = textAt(at + lengthAddressMember);
      addressEnd = textEnd(address);
      at = addressEnd + 1;
      seen = once(seen, 1);
    } else if (isCoinsMember(at)) {
      at = readCoins(afterColon(at + lengthCoinsMember), maxCoins, false);
      seen = once(seen, 2);
    } else return 0;
    at = space(at);
    const byte = load<u8>(at);
    if (byte === closeBrace) return seen === 3 ? at + 1 : 0;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
}

function readCoins(start: usize, maxCoins: u32, isDecimal: bool): usize {
  if (load<u8>(start) !== openBracket) return 0;
  let at = space(start + 1);
  if (load<u8>(at) === closeBracket) return at + 1;
  while (true) {
    if (coinCount === maxCoins) return 0;
    at = space(readCoin(at, isDecimal));
    const byte = load<u8>(at);
    if (byte === closeBracket) return at + 1;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
}

function readCoin(start: usize, isDecimal: bool): usize {
  if (load<u8>(start) !== openBrace) return 0;
  const coin = rowsPlace + coinCount * rowSize;
  if (isCompactDenom(start)) {
    const denom = start + lengthCompactDenom;
    const denomEnd = textEnd(denom);
    if (isCompactAmount(denomEnd)) {
      const amount = denomEnd + lengthCompactAmount;
      const amountEnd = amountEndOf(amount, isDecimal);
      const number = find(denom, denomEnd);
      if (number === 0 || !isCompactCoinEnd(amountEnd)) return 0;
      store<u32>(coin, number - 1, rowName);
      store<usize>(coin, amount, rowValue);
      store<usize>(coin, amountEnd, rowValueEnd);
      coinCount++;
      return amountEnd + lengthCompactCoinEnd;
    }
  }
  let at = space(start + 1);
  let seen: u32 = 0;
  while (true) {
    if (isDenomMember(at)) {
      const denom = textAt(at + lengthDenomMember);
      const denomEnd = textEnd(denom);
      const number = denomEnd === 0 ? 0 : find(denom, denomEnd);
      if (number === 0) return 0;
      store<u32>(coin, number - 1, rowName);
      at = denomEnd + 1;
      seen = once(seen, 1);
    } else if (isAmountMember(at)) {
      const amount = textAt(at + lengthAmountMember);
      const amountEnd = amountEndOf(amount, isDecimal);
      store<usize>(coin, amount, rowValue);
      store<usize>(coin, amountEnd, rowValueEnd);
      at = amountEnd + 1;
      seen = once(seen, 2);
    } else return 0;
    at = space(at);
    const byte = load<u8>(at);
    if (byte === closeBrace) break;
    if (byte !== comma) return 0;
    at = space(at + 1);
  }
  if (seen !== 3) return 0;
  coinCount++;
  return at + 1;
}

/** Gives the number of the name, from 1 on, and makes it if it is new. 0 if it has no space. */
export function find(start: usize, end: usize): u32 {
  return lookUp(start, end, true);
}

/** Gives the number of the name for the amount of a denom in an account; 0 without an account or without space. */
function pairOf(account: u32, denom: u32): u32 {
  if (account === 0) return 0;
  store<u32>(pairPlace, account);
  store<u32>(pairPlace, denom, 4);
  const number = lookUp(pairPlace, pairPlace + 8, nameCount < maxBeforePair);
  if (number === 0) return 0;
  const name = namesPlace + (number - 1) * nameSize;
  store<u32>(name, account, namePairAccount);
  store<u32>(name, denom, namePairDenom);
  return number;
}

function lookUp(start: usize, end: usize, adds: bool): u32 {
  const length = end - start;
  const hash = hashOf(start, length);
  for (let probe: u32 = 0; probe < maxProbes; probe++) {
    const slot = slotsPlace + (((hash + probe) & slotMask) << 2);
    const number = load<u32>(slot);
    if (number === 0) return adds ? addName(start, length, hash, slot) : 0;
    const name = namesPlace + (number - 1) * nameSize;
    if (load<u32>(name, nameHash) !== hash) continue;
    const text = load<usize>(name, nameText);
    if (load<usize>(name, nameTextEnd) - text === length && isSame(text, start, length)) return number;
  }
  return 0;
}

function addName(start: usize, length: usize, hash: u32, slot: usize): u32 {
  if (nameCount === maxNames || length > marksPlace - nextText) return 0;
  const name = namesPlace + nameCount * nameSize;
  nameCount++;
  memory.copy(nextText, start, length);
  store<u32>(name, hash, nameHash);
  store<usize>(name, nextText, nameText);
  nextText += length;
  store<usize>(name, nextText, nameTextEnd);
  store<usize>(name, slot, nameSlot);
  store<u32>(slot, nameCount);
  return nameCount;
}

function leaveCoin(coin: usize, account: u32): void {
  store<usize>(coin, address, rowAddress);
  store<usize>(coin, addressEnd, rowAddressEnd);
  store<u32>(coin, load<u32>(coin, rowName) | leftBit, rowName);
  store<u32>(coin, account, rowAccount);
}

/** Adds to the sum of the name with this number. */
function addCoin(coin: usize, number: u32): void {
  const start = load<usize>(coin, rowValue);
  store<usize>(coin, address, rowAddress);
  store<usize>(coin, addressEnd, rowAddressEnd);
  const name = namesPlace + (number - 1) * nameSize;
  let place = name + nameSum;
  let carry: u64 = 0;
  let any: u64 = 0;
  for (let end = load<usize>(coin, rowValueEnd); end > start || carry !== 0; place += 8) {
    const first = end - start > sumBase ? end - sumBase : start;
    const digits = numberAt(first, end);
    const sum = load<u64>(place) + digits + carry;
    carry = sum >= sumLimit ? 1 : 0;
    store<u64>(place, carry !== 0 ? sum - sumLimit : sum);
    any |= digits;
    end = load<u8>(first - 1) === 0x2e ? first - 1 : first;
  }
  if (any !== 0) store<u32>(name, load<u32>(name, nameHolders) + 1, nameHolders);
}
