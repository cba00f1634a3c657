import type { Vote } from '../../chain/gov/tally.ts';
import { wordOf } from './answer.ts';
import { membersOf, rarely, text, textOrList } from './answerSchema.ts';

/** The schema of a vote: `not voted`, or the options with their weights. */
export const castVoteSchema = textOrList(membersOf({ option: rarely(text), weight: rarely(text) }));

/** Gives a vote, or that there is none. */
export function voteAnswer(vote: Vote | undefined): unknown {
  return vote?.map(({ option, weight }) => ({ option: wordOf(option), weight })) ?? 'not voted';
}
