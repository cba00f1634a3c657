import { hash } from 'node:crypto';

/** Where a coin of another chain came along, and its name there: ICS 20, "denomination trace". */
export interface Trace {
  /** `transfer/channel-141`, or several of such pairs, the last channel first. */
  readonly path: string;
  readonly base: string;
}

/** A port of ICS 24, of any length that a chain takes, and a channel as ibc-go numbers them. */
const hop = /^[\w.+\-#[\]<>]{2,128}\/channel-\d{1,20}\//;

/** Splits `transfer/channel-141/uosmo`, as ibc-go does; undefined for a text that has no path or no base. */
export function readTrace(text: string): Trace | undefined {
  if (text.length > maxTrace || /[^!-~]/.test(text)) return undefined;
  let rest = text;
  for (let found = hop.exec(rest); found; found = hop.exec(rest)) rest = rest.slice(found[0].length);
  return rest === text || rest === '' ? undefined : { path: text.slice(0, -rest.length - 1), base: rest };
}

/** Longer ones are no denoms that a person has written. */
const maxTrace = 1024;

export function traceText({ path, base }: Trace): string {
  return `${path}/${base}`;
}

/** `ibc/27394FB0…`: the denom that stands for a trace (ibc-go, `Denom.IBCDenom`). It is the same on every chain. */
export function ibcDenomOf(trace: string): string {
  return `ibc/${hash('sha256', trace, 'hex').toUpperCase()}`;
}

/** The 64 digits of an `ibc/` denom in upper case; undefined for another text. */
export function hashOf(denom: string): string | undefined {
  return /^ibc\/([\dA-Fa-f]{64})$/.exec(denom)?.[1]?.toUpperCase();
}

/** The numbers of the channels, that of the chain on which the coin stands first; undefined where a port is another one. */
export function channelsOf({ path }: Trace): readonly number[] | undefined {
  const pairs = path.split('/channel-');
  const numbers = pairs.slice(1).map((text) => Number.parseInt(text, 10));
  const isTransfer = pairs[0] === 'transfer' && pairs.slice(1, -1).every((text) => /^\d+\/transfer$/.test(text));
  return isTransfer ? numbers : undefined;
}
