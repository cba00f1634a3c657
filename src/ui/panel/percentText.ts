import { percent, type Ratio, whole } from '../../chain/ratio.ts';
import type { BasisPoints } from './block.ts';

/** 6251 → `62.51 %`. */
export function percentText(points: BasisPoints): string {
  return `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')} %`;
}

/** A ratio in percent, cut after two digits; with all its digits where it would look like `limit` and is not. */
export function ratioText(ratio: Ratio, limit?: Ratio): string {
  const short = percent(ratio);
  if (limit === undefined || ratio === limit || short !== percent(limit)) return `${short} %`;
  const digits = (ratio * 100n).toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18).replace(/0+$/, '').padEnd(2, '0')} %`;
}

/** A ratio as hundredths of a percent, for drawing only. */
export function basisPoints(ratio: Ratio): BasisPoints {
  return Number((ratio * 10_000n) / whole);
}
