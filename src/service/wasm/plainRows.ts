import { begin, quote, skip } from './skip';
import { coins, find, isMarked, maxCoins, space, textAt, textEnd } from './sum';

const comma: u8 = 0x2c;
const openBrace: u8 = 0x7b;
const closeBrace: u8 = 0x7d;

// Names of members with their quotes, in pieces of 8 and 4 bytes that overlap.
const delegatorName: u64 = 0x746167656c656422; // "delegat
const validatorName: u64 = 0x746164696c617622; // "validat
const addressName: u64 = 0x65726464615f726f; // or_addre
const addressNameEnd: u32 = 0x22737365; // ess"
const sharesName: u64 = 0x2273657261687322; // "shares"

const maxWhole: usize = 100;
const maxDecimals: usize = 18;

/** Numbers of a delegation, 4 bytes each: as those of a coin, the validator in place of the denom. */
const rowSize: usize = 20;
let delegationCount: u32 = 0;

export function countOfDelegations(): u32 {
  return delegationCount;
}

/**
 * Reads delegations from the one at `from` on: objects of two addresses and shares, texts of ASCII without escapes. Returns the
 * end of the last one, or 0. Those whose delegator is marked are left to the caller.
 */
export function readDelegations(from: usize): usize {
  let done: usize = 0;
  let at = from;
  delegationCount = 0;
  while (delegationCount < maxCoins) {
    at = readDelegation(at, coins + delegationCount * rowSize);
    if (at === 0) return done;
    delegationCount++;
    done = at;
    at = space(at);
    if (load<u8>(at) !== comma) return done;
    at = space(at + 1);
  }
  return done;
}

function readDelegation(start: usize, row: usize): usize {
  if (load<u8>(start) !== openBrace) return 0;
  let at = space(start + 1);
  let seen = 0;
  while (true) {
    const name = load<u64>(at);
    if (name === sharesName) {
      const shares = textAt(at + 8);
      at = decimalEnd(shares);
      store<usize>(row, shares, 12);
      store<usize>(row, at, 16);
      seen += 1;
    } else {
      if (load<u64>(at, 8) !== addressName || load<u32>(at, 15) !== addressNameEnd) return 0;
      const address = textAt(at + 19);
      at = textEnd(address);
      if (at === 0) return 0;
      if (name === delegatorName) {
        if (isMarked(address, at, 1)) return 0;
        store<usize>(row, address);
        store<usize>(row, at, 4);
        seen += 4;
      } else if (name === validatorName) {
        const number = find(address, at);
        if (number === 0) return 0;
        store<u32>(row, number - 1, 8);
        seen += 16;
      } else return 0;
    }
    if (at === 0) return 0;
    at = space(at + 1);
    const byte = load<u8>(at);
    if (byte === closeBrace) return seen === 21 ? at + 1 : 0;
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

function digitsAfter(start: usize): usize {
  let at = start;
  while (load<u8>(at) - 0x30 <= 9) at++;
  return at;
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

let accountCount: u32 = 0;

export function countOfAccounts(): u32 {
  return accountCount;
}

/** Skips accounts that hold nothing to be known, from the one at `from` on. Returns the end of the last one, or 0. */
export function skipAccounts(from: usize, end: usize, limit: i32): usize {
  let done: usize = 0;
  let at = from;
  accountCount = 0;
  while (isPlain(at)) {
    begin(false, false);
    const next = skip(at, end, limit);
    if (next < 0 || <usize>next > end) break;
    accountCount++;
    done = <usize>next;
    at = space(done);
    if (load<u8>(at) !== comma) break;
    at = space(at + 1);
  }
  return done;
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
