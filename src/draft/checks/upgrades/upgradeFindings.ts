import type { Digest } from '../../../api/download.ts';
import type { ProposedPlan } from '../../chainFacts.ts';
import type { FailTime } from '../failTime.ts';

/** Findings about upgrade plans: the details of each, by its code. */
export interface UpgradeFindings {
  'upgrade-plan': { readonly field: 'name' | 'height' | 'time' | 'upgraded_client_state' };
  'upgrade-height-past': { readonly asked: bigint; readonly height: bigint; readonly fails: FailTime };
  'upgrade-height-early': { readonly asked: bigint; readonly earliest: bigint; readonly blockSeconds: number };
  /** `seconds` is the expected time from the end of a vote that starts now to the block. */
  'upgrade-height-soon': { readonly asked: bigint; readonly seconds: number };
  /** `when` is the time that is expected for the height. */
  'upgrade-height-far': { readonly asked: bigint; readonly when: Date };
  /** `proposal` planned it, where the chain does not say whether it was applied. */
  'upgrade-applied': { readonly name: string; readonly height: bigint; readonly proposal?: bigint | undefined };
  /** Other open proposals plan upgrades. */
  'upgrade-open': { readonly plans: readonly ProposedPlan[] };
  /** A file of an upgrade plan. Reported only by the command that downloads it. */
  'upgrade-binary': { readonly platform: string; readonly outcome: BinaryOutcome };
  'upgrade-info': InfoFault;
}

/** A fault in the info of an upgrade plan. */
export type InfoFault =
  | { readonly fault: 'json' | 'checksum' }
  /** The algorithm of a checksum is broken, or cosmovisor does not know it. */
  | { readonly fault: 'digest'; readonly digest: string; readonly isKnown: boolean }
  /** There are binaries for these platforms only, and most validators run another one. */
  | { readonly fault: 'platform'; readonly platforms: readonly string[] };

/** The reason for which a file of an upgrade plan is not downloaded. */
export type UncheckedFileReason = 'getter' | 'scheme' | 'checksum' | 'address';

/** The result of a download. */
export type BinaryOutcome =
  | { readonly kind: 'matches'; readonly bytes: number; readonly hosts: readonly string[] }
  | { readonly kind: 'differs'; readonly digest: Digest; readonly found: string; readonly hosts: readonly string[] }
  /** No checksum was stated that it could be compared with. */
  | { readonly kind: 'read'; readonly found: string; readonly bytes: number; readonly hosts: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unchecked'; readonly reason: UncheckedFileReason };
