import { isFields } from './content.ts';
import { formatJson } from './jsonText.ts';

/** A planned upgrade of the chain's software. */
export interface UpgradePlan {
  readonly name: string;
  /** The height at which the chain stops; undefined where the plan names a time instead (old chains). */
  readonly height: bigint | undefined;
  readonly time: string | undefined;
  /** Free text, often JSON that says where the binaries are. */
  readonly info: string;
  /** `info` laid out, where it is JSON. */
  readonly infoJson: string | undefined;
  /** The download addresses in `info`, by platform (`linux/amd64`). */
  readonly binaries: readonly { readonly platform: string; readonly url: string }[];
}

/** The plan of a SoftwareUpgradeProposal or MsgSoftwareUpgrade; undefined where it has another shape. */
export function readPlan(plan: unknown): UpgradePlan | undefined {
  if (!isFields(plan) || typeof plan.name !== 'string') return undefined;
  const { name, height: stop = '0', time: when = '', info = '' } = plan;
  if (typeof stop !== 'string' || !/^\d+$/.test(stop) || typeof when !== 'string' || typeof info !== 'string')
    return undefined;
  const height = BigInt(stop) || undefined;
  const time = when === '' || when.startsWith('0001-01-01') ? undefined : when;
  const infoJson = formatJson(info);
  const binaries = infoJson === undefined ? [] : readBinaries(JSON.parse(info));
  return { name, height, time, info, infoJson, binaries };
}

function readBinaries(info: unknown): UpgradePlan['binaries'] {
  if (!isFields(info) || !isFields(info.binaries)) return [];
  return Object.entries(info.binaries).flatMap(([platform, url]) =>
    typeof url === 'string' ? [{ platform, url }] : [],
  );
}
