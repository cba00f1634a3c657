import type { WireVote } from '../api/contract.ts';

/** `unknown`: an option that this version does not know. */
export const voteOptions = ['yes', 'abstain', 'no', 'noWithVeto', 'unknown'] as const;
export type VoteOption = (typeof voteOptions)[number];

/** Part of a vote. `weight`: its share of the voter's power as a decimal from 0 to 1, as the voter wrote it (`1`, `0.50`). */
export interface VotePart {
  readonly option: VoteOption;
  readonly weight: string;
}

/** A vote as its weighted options, in the order of the chain; one with weight 1 unless it was split. */
export type Vote = readonly VotePart[];

/** `VOTE_OPTION_…` and its number (proto/cosmos/gov/v1/gov.proto of the SDK). */
const options: Readonly<Record<string, VoteOption>> = {
  VOTE_OPTION_YES: 'yes',
  VOTE_OPTION_ABSTAIN: 'abstain',
  VOTE_OPTION_NO: 'no',
  VOTE_OPTION_NO_WITH_VETO: 'noWithVeto',
  1: 'yes',
  2: 'abstain',
  3: 'no',
  4: 'noWithVeto',
};

/** Reads `options`; `option`, which is always unspecified since 0.46, only where there are none (docs/nodes.md#votes). */
export function toVote({ option, options: parts }: WireVote): Vote {
  const read = (value: string | number, weight: string): VotePart => ({ option: options[value] ?? 'unknown', weight });
  if (parts?.length) return parts.map((part) => read(part.option, part.weight));
  return option === undefined ? [] : [read(option, '1')];
}
