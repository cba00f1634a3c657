import type { Proposal } from '../../chain/proposal.ts';
import type { Tone } from './block.ts';
import type { Translate } from './proposalFacts.ts';

/** The status in words; a status that the contract does not name is shown as it came. */
export function statusWords(proposal: Proposal, t: Translate): { readonly label: string; readonly tone: Tone } {
  switch (proposal.status) {
    case 'deposit':
      return { label: t('Deposit period'), tone: 'plain' };
    case 'voting':
      return { label: t('Voting period'), tone: 'plain' };
    case 'passed':
      return { label: t('Passed'), tone: 'good' };
    case 'rejected':
      return { label: t('Rejected'), tone: 'bad' };
    case 'failed':
      return { label: t('Failed'), tone: 'bad' };
    case 'unspecified':
      return { label: t('No status'), tone: 'warning' };
    case 'unknown':
      return { label: t('Status {0}', proposal.wireStatus), tone: 'warning' };
    default:
      return proposal.status satisfies never;
  }
}
