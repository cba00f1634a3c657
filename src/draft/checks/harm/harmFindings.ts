import type { Coin } from '../../../chain/coin.ts';
import type { Ratio } from '../../../chain/ratio.ts';
import type { ParamText } from '../valueWords.ts';

/** Findings about changes that pass and harm the chain: the details of each, by its code. */
export interface HarmFindings {
  /**
   * `name` is one of these: the package whose parameters are set twice, the upgrade plan that is replaced or cancelled,
   * the legacy parameter that is changed twice, the denom whose setting is, or the type of the message that stands there twice.
   */
  'message-undone': {
    readonly by: 'params' | 'plan' | 'cancellation' | 'change' | 'setting' | 'same';
    readonly name: string;
  };
  /** An open proposal sets a parameter that the draft sets, too. `asked` is the value of the draft. */
  'params-open': {
    readonly id: bigint;
    readonly field: string;
    readonly proposed: ParamText;
    readonly asked: ParamText;
    readonly isToday: boolean;
  };
  /**
   * `supply` is how much of the new denom exists, and `bonded` how much of today's denom is staked. Undefined if not
   * known.
   */
  'denom-changed': {
    readonly field: string;
    readonly today: string;
    readonly asked: string;
    readonly supply: bigint | undefined;
    readonly bonded: bigint | undefined;
  };
  /** `isPaid` is true if the denom is to be paid with. */
  'denom-unissued': { readonly field: string; readonly denom: string; readonly isPaid: boolean };
  'deposit-over-supply': { readonly field: string; readonly asked: Coin; readonly supply: bigint };
  /** `count` of `of` bonded validators fall out. `share` is their share of all stake. */
  'validators-out': { readonly count: number; readonly of: number; readonly share: Ratio };
  'names-dropped': { readonly field: string; readonly names: readonly string[] };
  'param-extreme': { readonly field: string; readonly effect: Extreme; readonly asked: string; readonly today: string };
  /** `factor` is rounded down, unless it `isExact`. */
  'value-jump': {
    readonly field: string;
    readonly asked: string;
    readonly today: string;
    readonly factor: bigint;
    readonly isExact: boolean;
  };
  'period-cut': { readonly field: string; readonly seconds: number; readonly today: number };
  /** Both in seconds. */
  'evidence-age': { readonly unbonding: number; readonly evidence: number };
  /**
   * A grantee could act as the gov account. `name` is that of the message, or "" for fees. It is undefined for a grant
   * that only lacks an end.
   */
  'grant-unlimited': { readonly name: string | undefined; readonly expires: boolean };
  /** A contract gets another admin than the gov account, or none. */
  'contract-admin': { readonly isCleared: boolean };
  /** A circuit breaker stops a message that proposals need. */
  'gov-stopped': { readonly name: string };
  /** `denom` can no longer be sent. If absent, this holds for all denoms without a setting of their own. */
  'sends-off': { readonly field: string; readonly denom?: string | undefined };
}

/** The effect of a value at the end of its range. */
export type Extreme =
  | 'noQuorum'
  | 'highQuorum'
  | 'highCommission'
  | 'fullQuorum'
  | 'oneNo'
  | 'noVeto'
  | 'noHistory'
  | 'noRewards'
  | 'oneEntry'
  | 'neverJailed'
  | 'everyBlock'
  | 'noSlash'
  | 'wholeStake'
  | 'doubled'
  | 'allTaxed'
  | 'noEvidence'
  | 'freeChecks'
  | 'openUpload'
  | 'anyMessage'
  | 'noGas'
  | 'noGasLimit'
  | 'oneSignature';
