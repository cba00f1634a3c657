import type { GovParamsReply } from '../../api/node.ts';
import { type Coin, readCoins } from '../../chain/coin.ts';
import { toGovParams } from '../../chain/params.ts';
import { type Ratio, whole } from '../../chain/ratio.ts';

/**
 * Gov parameters by their field names of gov v1 (x/gov/types/v1, Params), each as one text that is the same whatever form
 * it came in: shares as decimals (`0.334`), periods in seconds (`172800s`), coins as `10uatom,5uosmo` by denom. What this
 * extension does not know is as it came. Empty where nothing is stated.
 */
export function paramValues(reply: GovParamsReply | undefined): Map<string, string> {
  const known = toGovParams(reply);
  const values = new Map(Object.entries(reply?.v1 ?? {}).flatMap(toPlainEntry));
  const put = (name: string, text: string | undefined) => text !== undefined && values.set(name, text);
  put('quorum', ratioText(known.quorum));
  put('threshold', ratioText(known.threshold));
  put('veto_threshold', ratioText(known.vetoThreshold));
  put('expedited_threshold', ratioText(known.expeditedThreshold));
  put('min_deposit', coinsText(known.minDeposit));
  put('expedited_min_deposit', coinsText(known.expeditedMinDeposit));
  put('max_deposit_period', periodText(known.maxDepositPeriod));
  put('voting_period', periodText(known.votingPeriod));
  put('expedited_voting_period', periodText(known.expeditedVotingPeriod));
  return values;
}

function toPlainEntry([name, value]: [string, unknown]): [string, string][] {
  if (value === null || value === undefined) return [];
  return [[name, coinsText(Array.isArray(value) ? readCoins(value) : undefined) ?? plainText(value)]];
}

/** Texts as they are, but for the zeros that end a decimal: `0.500000000000000000` is `0.5`. */
function plainText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value;
}

function ratioText(ratio: Ratio | undefined): string | undefined {
  if (ratio === undefined) return undefined;
  const fraction = (ratio % whole).toString().padStart(18, '0');
  return `${ratio / whole}.${fraction}`.replace(/\.?0+$/, '');
}

function periodText(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : `${seconds}s`;
}

function coinsText(coins: readonly Coin[] | undefined): string | undefined {
  return (
    coins &&
    [...coins]
      .sort((a, b) => (a.denom < b.denom ? -1 : 1))
      .map(({ denom, amount }) => `${amount}${denom}`)
      .join(',')
  );
}
