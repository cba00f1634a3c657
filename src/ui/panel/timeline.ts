import type { Proposal } from '../../chain/proposal.ts';
import type { Block, TimelineStep } from './block.ts';
import type { Translate } from './proposalFacts.ts';

/** Submitted, deposit ends, voting starts and ends: done or to come at `now`, the source's own time. */
export function toTimeline(proposal: Proposal, now: Date, t: Translate): Block {
  const ended = proposal.status === 'passed' || proposal.status === 'rejected' || proposal.status === 'failed';
  const voting = proposal.status === 'voting';
  const step = (label: string, at: Date | undefined, done: boolean, missing: string): TimelineStep => {
    const state = done ? 'done' : at ? 'todo' : 'none';
    return {
      label,
      state,
      stateLabel: state === 'done' ? t('done') : state === 'todo' ? t('to come') : t('not known'),
      ...(at ? { at: at.toISOString() } : { note: missing }),
      ...(state === 'todo' ? { countdown: true } : {}),
    };
  };
  const early = (at: Date | undefined) =>
    at && proposal.votingStartTime && at > proposal.votingStartTime ? { note: t('complete before that') } : {};
  const past = (at: Date | undefined) => at !== undefined && at.getTime() <= now.getTime();
  const notSaid = t('time not stated');
  return {
    kind: 'timeline',
    steps: [
      step(t('Submitted'), proposal.submitTime, past(proposal.submitTime) || ended || voting, notSaid),
      {
        ...step(
          t('Deposit period ends'),
          proposal.depositEndTime,
          ended || voting || past(proposal.depositEndTime),
          notSaid,
        ),
        ...early(proposal.depositEndTime),
      },
      step(
        t('Voting starts'),
        proposal.votingStartTime,
        ended || voting || past(proposal.votingStartTime),
        proposal.status === 'deposit' ? t('when the deposit is complete') : notSaid,
      ),
      step(
        t('Voting ends'),
        proposal.votingEndTime,
        ended || past(proposal.votingEndTime),
        proposal.status === 'deposit' ? t('after the voting period') : notSaid,
      ),
    ],
  };
}
