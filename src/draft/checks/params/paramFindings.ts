import type { FailTime } from '../failTime.ts';
import type { ParamText } from '../valueWords.ts';
import type { ParamLimit, ParamOrder } from './paramRules.ts';

/** Findings about parameters: the details of each, by its code. */
export interface ParamFindings {
  'params-incomplete': { readonly missing: readonly MissingParam[]; readonly fails: FailTime };
  /** Parameters are given, but today's are not known, so that nothing shows whether one is missing. */
  'params-empty': { readonly module: string };
  'param-value': { readonly field: string; readonly limit: ParamLimit; readonly fails: FailTime };
  'param-order': ParamOrder & { readonly fails: FailTime };
  'vote-extensions': VoteExtensionFault;
  /** A type of IBC clients that ibc-go does not have. `name` is undefined if no type is allowed. */
  'client-types': { readonly name: string | undefined; readonly meant: string | undefined };
  unchanged: { readonly what: 'params' | 'legacy'; readonly name: string };
  /**
   * `meant` is the key, or with `isSubspace` the subspace, that was most likely meant. `inside` is the field of its
   * value that the key stands for.
   */
  'legacy-param-unknown': {
    readonly subspace: string;
    readonly key: string;
    readonly meant: string | undefined;
    readonly isSubspace?: boolean | undefined;
    readonly inside?: string | undefined;
  };
  'legacy-param-moved': { readonly subspace: string; readonly key: string };
  'legacy-value-type': { readonly today: string };
}

/** A parameter that a message leaves out, with today's value. `isRefused` is true if its module refuses zero. */
export interface MissingParam {
  readonly name: string;
  readonly today: ParamText;
  readonly isRefused: boolean;
}

/**
 * `enabled` is the height since which vote extensions are on. `earliest` is the height that is expected when the vote
 * ends.
 */
export type VoteExtensionFault =
  | { readonly fault: 'negative' }
  | { readonly fault: 'past'; readonly height: bigint }
  | { readonly fault: 'enabled'; readonly enabled: bigint }
  | { readonly fault: 'early'; readonly earliest: bigint };
