import { coins, find, isMarked, mostCoins, space, textAt, textEnd } from './sum';
import { quote } from './vectors';

const comma: u8 = 0x2c;
const openBrace: u8 = 0x7b;
const closeBrace: u8 = 0x7d;

// Names of members with their quotes, in pieces of 8 and 4 bytes that overlap.
const delegatorName: u64 = 0x746167656c656422; // "delegat
const validatorName: u64 = 0x746164696c617622; // "validat
const addressName: u64 = 0x65726464615f726f; // or_addre
const addressNameEnd: u32 = 0x22737365; // ess"
const sharesName: u64 = 0x2273657261687322; // "shares"

const mostWhole: usize = 100;
const mostDecimals: usize = 18;

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
  while (delegationCount < mostCoins) {
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
  if (start === 0 || point === start || point - start > mostWhole) return 0;
  let end = point;
  if (load<u8>(point) === 0x2e) {
    end = digitsAfter(point + 1);
    if (end === point + 1 || end - point - 1 > mostDecimals) return 0;
  }
  return load<u8>(end) === quote ? end : 0;
}

function digitsAfter(start: usize): usize {
  let at = start;
  while (load<u8>(at) - 0x30 <= 9) at++;
  return at;
}
