import { type ChainFacts, isSince } from '../chainFacts.ts';
import type { DraftAction } from '../draftText.ts';

/** The time at which a chain refuses a value. `either` depends on a version that is not known. */
export type FailTime = 'submission' | 'execution' | 'either';

/**
 * Gives the time at which a chain refuses a value. Legacy contents are tried at submission. So are messages that check
 * themselves: up to SDK 0.47 all of them, later those of ibc-go and CosmWasm (x/gov/keeper/proposal.go).
 */
export function failTime(facts: ChainFacts, { isLegacy, package: module }: DraftAction): FailTime {
  if (isLegacy || /^(ibc|cosmwasm)\./.test(module)) return 'submission';
  const isLater = isSince(facts, 'expedited');
  return isLater === undefined ? 'either' : isLater ? 'execution' : 'submission';
}

/** The time at which a message fails that only its execution judges. Contents are tried when they are submitted. */
export function triedTime(isTried: boolean): FailTime {
  return isTried ? 'submission' : 'execution';
}
