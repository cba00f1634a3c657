import type { EndedDraft, SampleContent, SampleVote } from '../sampleTypes.ts';

const ended =
  (status: EndedDraft['status']) =>
  (content: SampleContent, [turnout, ...shares]: readonly [number, ...SampleVote['shares']]): EndedDraft => ({
    status,
    content,
    vote: { turnout, shares },
  });

/** Drafts by how they ended: the content, then the turnout and the shares of `SampleVote`. */
export const passed = ended('PASSED');
export const rejected = ended('REJECTED');
export const failed = ended('FAILED');

/** The same with numbers that are left as they are, to meet a limit to the unit. */
export const toTheUnit = (draft: EndedDraft): EndedDraft => ({ ...draft, vote: { ...draft.vote, exact: true } });
