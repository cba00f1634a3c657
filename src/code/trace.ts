import { hash } from 'node:crypto';
import type { DenomTrace } from '../chain/coin.ts';

/** A port by ICS 24, of any length that a chain accepts, and a channel as ibc-go numbers it. */
const hop = /^[\w.+\-#[\]<>]{2,128}\/channel-\d{1,20}\//;

/** Splits `transfer/channel-141/uosmo` as ibc-go does. Undefined for a text without a path or base. */
export function readTrace(text: string): DenomTrace | undefined {
  if (text.length > maxTrace || /[^!-~]/.test(text)) return undefined;
  let rest = text;
  for (let found = hop.exec(rest); found; found = hop.exec(rest)) rest = rest.slice(found[0].length);
  return rest === text || rest === '' ? undefined : { path: text.slice(0, -rest.length - 1), base: rest };
}

/** Longer texts are not written by people. */
const maxTrace = 1024;

export function traceText({ path, base }: DenomTrace): string {
  return `${path}/${base}`;
}

/** The denom of a trace, `ibc/27394FB0…` (ibc-go, `Denom.IBCDenom`). The same on every chain. */
export function ibcDenomOf(trace: string): string {
  return `ibc/${hash('sha256', trace, 'hex').toUpperCase()}`;
}

/** The hash of an `ibc/` denom: 64 digits in upper case. Undefined for other denoms. */
export function ibcHashOf(denom: string): string | undefined {
  return /^ibc\/([\dA-Fa-f]{64})$/.exec(denom)?.[1]?.toUpperCase();
}

/** The numbers of the channels, first that on the coin's current chain. Undefined if a port is not `transfer`. */
export function channelsOf({ path }: DenomTrace): readonly number[] | undefined {
  const pairs = path.split('/channel-');
  const numbers = pairs.slice(1).map((text) => Number.parseInt(text, 10));
  const isTransfer = pairs[0] === 'transfer' && pairs.slice(1, -1).every((text) => /^\d+\/transfer$/.test(text));
  return isTransfer ? numbers : undefined;
}
