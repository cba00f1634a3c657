import { type Coin, type DenomUnit, displayAmount, groupDigits } from '../chain/coin.ts';
import type { ProposalStatus } from '../chain/proposal.ts';
import { percent, type Ratio } from '../chain/ratio.ts';

// How values are written, the same in rows, panels and notifications. Without the editor, so that it runs in plain Node:
// what needs a translation takes `t`.

/** Translates a text: `vscode.l10n.t`, or its plain English in tests. `{0}` stands for a value. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** `1,234.5 ATOM` where the unit is known, else the base units with their denom; exact either way. */
export function amountText(coin: Coin, unit: DenomUnit | undefined): string {
  return unit
    ? `${displayAmount(coin.amount, unit.exponent)} ${unit.symbol}`
    : `${groupDigits(coin.amount)} ${coin.denom}`.trim();
}

/** Both ends of an address tell it apart. */
export function shortAddress(address: string): string {
  return address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-5)}`;
}

/** Hundredths of a percent: 6251 → `62.51 %`. */
export function percentText(points: number): string {
  return `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')} %`;
}

/** A ratio in percent, cut after two digits; with all its digits where it would look like `limit` and is not. */
export function ratioText(ratio: Ratio, limit?: Ratio): string {
  const short = percent(ratio);
  if (limit === undefined || ratio === limit || short !== percent(limit)) return `${short} %`;
  const digits = (ratio * 100n).toString().padStart(19, '0');
  const decimals = digits.slice(-18).replace(/(?<!0)0+$/, '');
  return `${digits.slice(0, -18)}.${decimals.padEnd(2, '0')} %`;
}

/** The status of a proposal; one that the contract does not name is shown as it is on the wire. */
export function statusName(status: ProposalStatus, wireStatus: string, t: Translate): string {
  return {
    deposit: t('Deposit period'),
    voting: t('Voting period'),
    passed: t('Passed'),
    rejected: t('Rejected'),
    failed: t('Failed'),
    vetoed: t('Vetoed'),
    unspecified: t('No status'),
    unknown: t('Status {0}', wireStatus),
  }[status];
}

/** A ratio in percent with all its digits, as a parameter states it: `33.4 %`, `0.0001 %`. */
export function exactRatioText(ratio: Ratio): string {
  return `${displayAmount(ratio, 16)} %`;
}

/** The words for one, or those for another number: `1 request`, `2 requests`, `0 requests`. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** A span of time in words, to the second: `14 days`, `1 day 12 h`, `1 h 30 s`. */
export function periodText(seconds: number, t: Translate): string {
  const days = Math.floor(seconds / 86_400);
  const parts: readonly [number, string][] = [
    [days, plural(days, t('1 day'), t('{0} days', days))],
    [Math.floor(seconds / 3_600) % 24, t('{0} h', Math.floor(seconds / 3_600) % 24)],
    [Math.floor(seconds / 60) % 60, t('{0} min', Math.floor(seconds / 60) % 60)],
    [seconds % 60, t('{0} s', seconds % 60)],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([, text]) => text);
  return shown.length === 0 ? t('{0} s', 0) : shown.join(' ');
}

/** The largest unit of a span of milliseconds, for rows with little space: `3 h`, `11 d`. */
export function briefDuration(milliseconds: number, t: Translate): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes >= 1440) return t('{0} d', Math.floor(minutes / 1440));
  if (minutes >= 60) return t('{0} h', Math.floor(minutes / 60));
  return minutes > 0 ? t('{0} min', minutes) : t('< 1 min');
}

const scales = ['', ' K', ' M', ' B', ' T'];

/** An amount for rows with little space, cut and not rounded: `413.4 M`, `12.5`; from 10^15 on `1.2e18`. */
export function shortAmount(amount: bigint, exponent: number): string {
  const [integer = '', fraction = ''] = displayAmount(amount, exponent).replaceAll(',', '').split('.');
  const power = integer.length - 1;
  const tenth = (digits: string) => (/^[1-9]/.test(digits) ? `.${digits.charAt(0)}` : '');
  if (power >= 15) return `${integer.charAt(0)}${tenth(integer.slice(1))}e${power}`;
  if (power >= 3) {
    const head = integer.length - 3 * Math.floor(power / 3);
    return `${integer.slice(0, head)}${tenth(integer.slice(head))}${scales[Math.floor(power / 3)]}`;
  }
  // Two digits behind the point, or as many as it takes to show one that is not zero.
  const shown = integer === '0' ? Math.max(2, fraction.search(/[1-9]/) + 1) : 2;
  const digits = fraction.slice(0, shown).replace(/0$/, '');
  return Number(digits) > 0 ? `${integer}.${digits}` : integer;
}

/** A command for a POSIX shell that reads an address. `header` names the user's own; its value, a secret, is a placeholder. */
export function toCurl(url: string, height: string | undefined, header: string | undefined): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const headers = [
    'Accept: application/json',
    ...(height === undefined ? [] : [`x-cosmos-block-height: ${height}`]),
    ...(header === undefined ? [] : [`${header}: YOUR-CREDENTIAL`]),
  ];
  return ['curl -sS', ...headers.map((line) => `-H ${quoted(line)}`), quoted(url)].join(' ');
}
