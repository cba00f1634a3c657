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
  quote,
  space,
  textAt,
  textEnd,
} from './skip';

// Names of members with their quotes, as numbers of 4 and 8 bytes: two of 4 that overlap make one of 7.
const addressName: u64 = 0x7373657264646122; // "address
const amountName: u64 = 0x22746e756f6d6122; // "amount"
const coinsName: u32 = 0x696f6322; // "coi
const coinsNameEnd: u32 = 0x22736e69; // ins"
const denomName: u32 = 0x6e656422; // "den
const denomNameEnd: u32 = 0x226d6f6e; // nom"

const compactStart: u64 = 0x736572646461227b; // {"addres
const compactStartEnd: u32 = 0x223a2273; // s":"
const compactCoins: u64 = 0x736e696f63222c22; // ","coins
const compactCoinsEnd: u16 = 0x3a22; // ":
const compactDenom: u64 = 0x226d6f6e6564227b; // {"denom"
const compactDenomEnd: u16 = 0x223a; // :"
const compactAmount: u64 = 0x6e756f6d61222c22; // ","amoun
const compactAmountEnd: u32 = 0x223a2274; // t":"
const compactCoinEnd: u16 = 0x7d22; // "}

/** Of the coins that were read last: `coinSize` bytes each. */
export const coins: usize = 0x0110000;
const coinSize: usize = 24;
/** Set in the number of a denom whose coin was not summed, since its address is left to the caller. */
const leftBit: u32 = 0x8000_0000;
/** Of a coin that was not summed: the number of the body of its address, or 0. */
const accountAt: usize = 20;
export const maxCoins: u32 = 16_384;
/** A row with more coins is left to the caller. */
const maxInRow: u32 = 4096;

/** Where the body of an address is put for `leave`. */
export const body: usize = 0x01f0000;

/** Twice: a bit for each hash of a mark, the 8 bytes before the checksum of an address that is left to the caller. */
const marks: usize = 0x3000000;
const marksSize: usize = 0x0080000;
const markLength: usize = 8;
const checksumLength: usize = 6;
/** Bodies that are shorter than a mark, or longer than this, have no mark and no name. */
const longestBody: usize = 341;

/** The number of a name, from 1 on, by its hash; open addressing. Names are denoms, validators, and bodies of addresses. */
const slots: usize = 0x0200000;
const slotMask: u32 = (1 << 19) - 1;
/** A name without a slot among these is left to the caller, so that no choice of names makes the search slow. */
const maxProbes: u32 = 32;

/**
 * Of each name: its hash, where its text starts and ends, its slot, eight digits of base 10^18 of what was summed, its holders,
 * the rank of its account, from 1 on, and the two numbers of a pair.
 */
export const names: usize = 0x0400000;
const nameSize: usize = 96;
const maxNames: u32 = 150_000;
/** With so many no more bodies, and no more pairs, become names: denoms have to find place. */
const maxBeforeBody: u32 = 75_000;
const maxBeforePair: u32 = 120_000;
const limbsAt: usize = 16;
const holdersAt: usize = 80;
const rankAt: usize = 84;
/** A name may be a pair: its text are the numbers of an account, or `rewards`, and of a denom, which are here, too. */
const pairAt: usize = 88;
const rewards: u32 = 0xffffff;
const pair: usize = 0x01f1000;
const limb: u64 = 1_000_000_000_000_000_000;
const limbDigits: usize = 18;
const texts: usize = 0x1b00000;
const textsEnd: usize = 0x3000000;

let nameCount: u32 = 0;
let hasMarks = false;
/** A body without a mark is left to the caller: whatever may have such a body is. */
let hasUnmarked = false;
/** A body that is left to the caller did not become a name. */
let hasNameless = false;
let nextText: usize = texts;
let coinCount: u32 = 0;
let rowCount: u32 = 0;
/** Of the row that is being read. */
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
  for (let number: u32 = 0; number < nameCount; number++) store<u32>(load<usize>(names + number * nameSize, 12), 0);
  memory.fill(names, 0, nameCount * nameSize);
  if (hasMarks) memory.fill(marks, 0, 2 * marksSize);
  hasMarks = false;
  hasUnmarked = false;
  nameCount = 0;
  hasNameless = false;
  nextText = texts;
}

/**
 * Leaves the coins of balances to the caller, of the address whose body has `length` bytes at `body`. `rank`: of its account, to
 * whom those of a higher one, and of the same, add nothing.
 */
export function leaveBalances(length: usize, rank: u32): void {
  mark(length, 0);
  const number = nameCount < maxBeforeBody ? find(body, body + length) : 0;
  if (number === 0) {
    hasNameless = true;
    return;
  }
  const name = names + (number - 1) * nameSize;
  const known = load<u32>(name, rankAt);
  if (known === 0 || rank < known) store<u32>(name, rank, rankAt);
}

/** Stops from now on before balances whose address may have a body that is too short or too long for `leaveBalances`. */
export function leaveUnmarked(): void {
  hasUnmarked = true;
}

/** Leaves the delegations of the address with that body to the caller, and those of few others with the same hash. */
export function leaveDelegations(length: usize): void {
  mark(length, 1);
}

function mark(length: usize, place: usize): void {
  const bit = bitOf(load<u64>(body + length - markLength));
  const byte = marks + place * marksSize + (bit >> 3);
  const flag: u32 = 1 << (bit & 7);
  hasMarks = true;
  store<u8>(byte, load<u8>(byte) | flag);
}

/** Whether the address may be left to the caller; `place`: 0 for balances, 1 for delegations. */
export function isMarked(start: usize, end: usize, place: usize): bool {
  if (end - start < markLength + checksumLength) return false;
  const bit = bitOf(load<u64>(end - markLength - checksumLength));
  return ((load<u8>(marks + place * marksSize + (bit >> 3)) >> <u8>(bit & 7)) & 1) !== 0;
}

/** Whether the body of the address may be one without a mark. Bodies have no 1, so that few others are among them. */
function isUnmarked(start: usize, end: usize): bool {
  if (end - start < markLength + checksumLength || end - start > longestBody + checksumLength) return true;
  for (let at = end - markLength - checksumLength; at < end; at++) if (load<u8>(at) === 0x31) return true;
  return false;
}

/** The number of the body of the address, which is of an account with a rank; 0 for any other. */
function accountOf(start: usize, end: usize): u32 {
  if (end - start <= checksumLength) return 0;
  let from = end;
  while (from > start && load<u8>(from - 1) !== 0x31) from--;
  const number = from < end - checksumLength ? lookUp(from, end - checksumLength, false) : 0;
  return number !== 0 && load<u32>(names + (number - 1) * nameSize, rankAt) !== 0 ? number : 0;
}

/** Of the account with this address, as far as the caller has named one; or 0. */
export function rankOf(start: usize, end: usize): u32 {
  const number = accountOf(start, end);
  return number === 0 ? 0 : load<u32>(names + (number - 1) * nameSize, rankAt);
}

/**
 * Sums the balances from the one at `from` on: objects of an address and of coins, their members in any order, texts of ASCII
 * without escapes. Returns the end of the last one that was read, or 0. What accounts with a rank hold is summed by account.
 * `coins` has the coins of other addresses that are left to the caller, which are not summed; with `keeps` all coins.
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
    // One that is left and holds nothing is not seen among the coins.
    if (at === 0 || (isLeft && coinCount === first)) {
      coinCount = first;
      return done;
    }
    let hasLeft = false;
    for (let coin = coins + first * coinSize; coin < coins + coinCount * coinSize; coin += coinSize) {
      const denom = load<u32>(coin, 8) + 1;
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
    if (load<u8>(at) !== comma || coinCount + maxInRow > maxCoins) return done;
    at = space(at + 1);
  }
}

/** The end of the list of decimal coins at `start`, or 0. `addRewards` adds them. */
export function readRewards(start: usize): usize {
  coinCount = 0;
  return readCoins(start, maxInRow, true);
}

/** Adds all of them, or returns false where there is no place for one. */
export function addRewards(): bool {
  const end = coins + coinCount * coinSize;
  for (let coin = coins; coin < end; coin += coinSize) {
    const sum = pairOf(rewards, load<u32>(coin, 8) + 1);
    if (sum === 0) return false;
    store<u32>(coin, sum, accountAt);
  }
  for (let coin = coins; coin < end; coin += coinSize) addCoin(coin, load<u32>(coin, accountAt));
  return true;
}

/** As exporters write a balance without white space; 0 for any other. */
function readCompact(start: usize, maxCoins: u32): usize {
  if (load<u64>(start) !== compactStart || load<u32>(start, 8) !== compactStartEnd) return 0;
  address = start + 12;
  addressEnd = textEnd(address);
  if (load<u64>(addressEnd) !== compactCoins || load<u16>(addressEnd, 8) !== compactCoinsEnd) return 0;
  const at = readCoins(addressEnd + 10, maxCoins, false);
  return load<u8>(at) === closeBrace ? at + 1 : 0;
}

/** The end of the balance at `start`, or 0, which is no position of any text. Its coins are added to `coins`. */
function readBalance(start: usize, maxCoins: u32): usize {
  if (load<u8>(start) !== openBrace) return 0;
  let at = space(start + 1);
  let seen: u32 = 0;
  while (true) {
    if (load<u64>(at) === addressName && load<u8>(at, 8) === quote) {
      address = textAt(at + 9);
      addressEnd = textEnd(address);
      at = addressEnd + 1;
      seen = once(seen, 1);
    } else if (load<u32>(at) === coinsName && load<u32>(at, 3) === coinsNameEnd) {
      at = readCoins(afterColon(at + 7), maxCoins, false);
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
  const coin = coins + coinCount * coinSize;
  if (load<u64>(start) === compactDenom && load<u16>(start, 8) === compactDenomEnd) {
    const denom = start + 10;
    const denomEnd = textEnd(denom);
    if (load<u64>(denomEnd) === compactAmount && load<u32>(denomEnd, 8) === compactAmountEnd) {
      const amountEnd = amountEndOf(denomEnd + 12, isDecimal);
      const number = find(denom, denomEnd);
      if (number === 0 || load<u16>(amountEnd) !== compactCoinEnd) return 0;
      store<u32>(coin, number - 1, 8);
      store<u32>(coin, <u32>(denomEnd + 12), 12);
      store<u32>(coin, <u32>amountEnd, 16);
      coinCount++;
      return amountEnd + 2;
    }
  }
  let at = space(start + 1);
  let seen: u32 = 0;
  while (true) {
    if (load<u32>(at) === denomName && load<u32>(at, 3) === denomNameEnd) {
      const denom = textAt(at + 7);
      const denomEnd = textEnd(denom);
      const number = denomEnd === 0 ? 0 : find(denom, denomEnd);
      if (number === 0) return 0;
      store<u32>(coin, number - 1, 8);
      at = denomEnd + 1;
      seen = once(seen, 1);
    } else if (load<u64>(at) === amountName) {
      const amount = textAt(at + 8);
      const amountEnd = amountEndOf(amount, isDecimal);
      store<u32>(coin, <u32>amount, 12);
      store<u32>(coin, <u32>amountEnd, 16);
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

/** The number of the name, from 1 on; it is made where it is new. 0 where there is no place for it. */
export function find(start: usize, end: usize): u32 {
  return lookUp(start, end, true);
}

/** The number of the name of what an account holds of a denom; 0 for no account, and where there is no place for it. */
function pairOf(account: u32, denom: u32): u32 {
  if (account === 0) return 0;
  store<u32>(pair, account);
  store<u32>(pair, denom, 4);
  const number = lookUp(pair, pair + 8, nameCount < maxBeforePair);
  if (number !== 0) store<u64>(names + (number - 1) * nameSize, load<u64>(pair), pairAt);
  return number;
}

function lookUp(start: usize, end: usize, adds: bool): u32 {
  const length = end - start;
  const hash = hashOf(start, length);
  for (let probe: u32 = 0; probe < maxProbes; probe++) {
    const slot = slots + (((hash + probe) & slotMask) << 2);
    const number = load<u32>(slot);
    if (number === 0) return adds ? addName(start, length, hash, slot) : 0;
    const name = names + (number - 1) * nameSize;
    if (load<u32>(name) !== hash) continue;
    const text = load<usize>(name, 4);
    if (load<usize>(name, 8) - text === length && isSame(text, start, length)) return number;
  }
  return 0;
}

function addName(start: usize, length: usize, hash: u32, slot: usize): u32 {
  if (nameCount === maxNames || length > textsEnd - nextText) return 0;
  const name = names + nameCount * nameSize;
  nameCount++;
  memory.copy(nextText, start, length);
  store<u32>(name, hash);
  store<usize>(name, nextText, 4);
  nextText += length;
  store<usize>(name, nextText, 8);
  store<usize>(name, slot, 12);
  store<u32>(slot, nameCount);
  return nameCount;
}

function leaveCoin(coin: usize, account: u32): void {
  store<usize>(coin, address);
  store<usize>(coin, addressEnd, 4);
  store<u32>(coin, load<u32>(coin, 8) | leftBit, 8);
  store<u32>(coin, account, accountAt);
}

/** Adds it to the sum of the name with this number. */
function addCoin(coin: usize, number: u32): void {
  const start = load<usize>(coin, 12);
  store<usize>(coin, address);
  store<usize>(coin, addressEnd, 4);
  const name = names + (number - 1) * nameSize;
  let place = name + limbsAt;
  let carry: u64 = 0;
  let any: u64 = 0;
  for (let end = load<usize>(coin, 16); end > start || carry !== 0; place += 8) {
    const first = end - start > limbDigits ? end - limbDigits : start;
    const digits = numberAt(first, end);
    const sum = load<u64>(place) + digits + carry;
    carry = sum >= limb ? 1 : 0;
    store<u64>(place, carry !== 0 ? sum - limb : sum);
    any |= digits;
    end = load<u8>(first - 1) === 0x2e ? first - 1 : first;
  }
  if (any !== 0) store<u32>(name, load<u32>(name, holdersAt) + 1, holdersAt);
}
