import type { Reply } from './contract.ts';

const digits = /^\d+$/;

/** Whether `value` is a reply of the supply list, for sure; where it says no, the schema in contract.ts decides. */
export function isSupplyReply(value: unknown): value is Reply<'supply'> {
  if (!isRecord(value) || !Array.isArray(value.supply) || !value.supply.every(isCoin)) return false;
  const page = value.pagination;
  if (page === undefined || page === null) return true;
  if (!isRecord(page)) return false;
  return isAbsentOr(page.next_key, () => true) && isAbsentOr(page.total, (total) => digits.test(total));
}

function isCoin(coin: unknown): boolean {
  return (
    isRecord(coin) && typeof coin.denom === 'string' && typeof coin.amount === 'string' && digits.test(coin.amount)
  );
}

function isAbsentOr(value: unknown, check: (text: string) => boolean): boolean {
  return value === undefined || value === null || (typeof value === 'string' && check(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
