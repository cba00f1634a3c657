import { type Coin, groupDigits, readCoins } from '../../chain/coin.ts';
import { showControls } from '../../chain/text.ts';
import { listText, sentencesText, type Translate } from '../../words/language.ts';
import { durationText, utcMinute } from '../../words/time.ts';
import { amountText } from '../../words/values.ts';
import type { ChainFacts } from '../chainFacts.ts';
import type { WantedForm } from '../fieldForms.ts';
import type { FailTime } from './failTime.ts';
import type { ParamLimit } from './params/paramRules.ts';

/** A sentence for each code of a family of findings. */
export type Sentences<F> = { readonly [C in keyof F]: (details: F[C], t: Translate) => string };

/** Says when a chain refuses a value. */
function failText(time: FailTime, t: Translate): string {
  const texts: Readonly<Record<FailTime, string>> = {
    submission: t('The chain does not accept the proposal.'),
    execution: t('The chain accepts the proposal, but the message would fail when it is executed after the vote.'),
    either: t('The chain does not accept the proposal, or the message would fail when it is executed after the vote.'),
  };
  return texts[time];
}

/** Adds to a sentence about a value when the chain refuses it. */
export function failingText(said: string, time: FailTime, t: Translate): string {
  return sentencesText([said, failText(time, t)], t);
}

/** Words the form that a value needs, with an example, as the end of a sentence. */
export function formText(wanted: WantedForm, t: Translate): string {
  const whole = (min: string, max: string): string => t('a whole number from {0} to {1}, digits only', min, max);
  const texts: Readonly<Record<WantedForm, string>> = {
    text: t('a string in double quotes'),
    number: t('a whole number in quotes, such as "100"'),
    'whole number': t('a whole number, such as 100'),
    list: t('a list in square brackets'),
    object: t('an object in braces'),
    'true or false': t('true or false, without quotes'),
    duration: t('a duration of at most 292 years, such as "1209600s"'),
    nanoseconds: nanosecondsText(t),
    decimal: t('a decimal number in quotes, such as "0.5"'),
    time: t('a time, such as "2026-01-31T12:00:00Z"'),
    base64: t('bytes as base64, such as "AGFzbQ=="'),
    u32: whole('0', groupDigits(2n ** 32n - 1n)),
    u64: whole('0', groupDigits(2n ** 64n - 1n)),
    i64: whole(groupDigits(-(2n ** 63n)), groupDigits(2n ** 63n - 1n)),
    amount: t('a whole number of base units in quotes, such as "1000000"'),
    'positive amount': t('a whole number of base units above 0 in quotes, such as "1000000"'),
    coins: t('a list of coins, such as [{"denom": "stake", "amount": "1000000"}]'),
  };
  return texts[wanted];
}

/** Words the form of durations in legacy parameters. */
export function nanosecondsText(t: Translate): string {
  return t('a duration above 0 in nanoseconds, digits only and in quotes, such as "172800000000000" for 2 days');
}

/** Words the values that a parameter accepts, as the end of a sentence. */
export function limitText(limit: ParamLimit, t: Translate): string {
  switch (limit.kind) {
    case 'share':
      return limit.isPositive
        ? t('a decimal number above 0 and at most 1, such as "0.5"')
        : t('a decimal number from 0 to 1, such as "0.5"');
    case 'weight':
      return limit.isPositive
        ? t('a number above 0 in quotes, such as "1"')
        : t('a number of at least 0 in quotes, such as "1"');
    case 'whole':
      if (limit.min === limit.max) return groupDigits(limit.min);
      return t('a whole number from {0} to {1}', groupDigits(limit.min), groupDigits(limit.max));
    case 'blockSize':
      return t('a number of bytes from 1 to 104,857,600, or -1 for the maximum size');
    case 'nanoseconds':
      return nanosecondsText(t);
    case 'period':
      return limit.mayBeZero
        ? t('a duration of at least 0, such as "3600s"')
        : t('a duration above 0, such as "1209600s"');
    case 'denom':
      return t('a denom of 3 to 128 characters (letters, digits, / : . _ -) that starts with a letter');
    case 'coins':
      return t(
        'a list of coins such as {"denom": "stake", "amount": "1"}, sorted by denom, with no duplicate denoms and all amounts above 0',
      );
    case 'coin':
      return t('a coin such as {"denom": "stake", "amount": "1"}');
    case 'zero':
      return t('0 (no longer used)');
    case 'empty':
      return t('an empty list (no longer used)');
    case 'account':
      return t('an account address of this chain, or empty');
    case 'names':
      return limit.isUnique
        ? t('a list of at most 500 unique names, none of them empty, or only "*"')
        : t('a list of at most 500 names, none of them empty, or only "*"');
    case 'keyTypes':
      return t('a list of key types: ed25519, secp256k1');
    default:
      return limit satisfies never;
  }
}

/** A text of the file on one line, at most `limit` characters long. */
export function shown(text: string, limit = 80): string {
  const line = showControls(text.slice(0, limit).replace(/\s+/g, ' '));
  return text.length > limit ? `${line}…` : line;
}

/** A coin in base units with its denom. */
export function coinText({ amount, denom }: Coin): string {
  return `${groupDigits(amount)} ${shown(denom)}`;
}

/** Coins in base units with their denoms. */
export function coins(list: readonly Coin[], t: Translate): string {
  return listText(
    list.map((one) => coinText(one)),
    t,
  );
}

/** Writes a number without the zeros behind its decimals, and groups long whole numbers and amounts of coins. */
export function numberText(value: string): string {
  const [, amount, denom] = /^(\d{1,40})([a-z].*)$/i.exec(value) ?? [];
  if (amount !== undefined && denom !== undefined) return coinText({ amount: BigInt(amount), denom });
  const text = /^\d{1,40}\.\d{1,18}$/.test(value) ? value.replace(/\.?(?<!0)0+$/, '') : value;
  return /^\d{5,30}$/.test(text) ? groupDigits(BigInt(text)) : shown(text);
}

/** A value of a parameter: the start of its JSON text, or the amounts of its coins, each with its unit. */
export type ParamText = string | readonly string[];

/** The most coins of a value that are named. */
const maxCoins = 5;

/** Reads a value for a sentence. Amounts are exact, in display units where the chain states them (`units`). */
export function paramText(value: unknown, units: ChainFacts['units']): ParamText {
  const list = readCoins(Array.isArray(value) ? value : [value]) ?? [];
  if (list.length === 0) return shown(typeof value === 'string' ? value : JSON.stringify(value), 60);
  const amounts = list.slice(0, maxCoins).map((coin) => shown(amountText(coin, units?.get(coin.denom)?.unit), 160));
  return list.length > maxCoins ? [...amounts, '…'] : amounts;
}

/** A value of a parameter: durations in words (`21 days`), numbers as `numberText` writes them, coins as a list. */
export function todayText(value: ParamText, t: Translate): string {
  if (typeof value !== 'string') return listText(value, t);
  const [, seconds] = /^"?(\d{1,12})s"?$/.exec(value) ?? [];
  if (seconds !== undefined) return durationText(Number(seconds) * 1000, 'exact', t);
  return numberText(value);
}

/** A time to the minute, in UTC. */
export function minuteText(time: Date): string {
  return `${utcMinute(time)} UTC`;
}
