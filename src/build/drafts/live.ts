import type { LiveDraft, SampleContent } from '../sampleTypes.ts';

const live =
  (status: LiveDraft['status']) =>
  (endsInHours: number, content: SampleContent): LiveDraft => ({ status, content, endsInHours });

/** Drafts of live proposals: the hours from T0 to the end of the period, then the content. */
export const voting = live('VOTING_PERIOD');
export const deposit = live('DEPOSIT_PERIOD');
export const day = 24;
