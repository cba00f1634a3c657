import { begin, skip } from './skip';
import { space, textAt, textEnd } from './sum';

const comma: u8 = 0x2c;
const openBrace: u8 = 0x7b;
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
