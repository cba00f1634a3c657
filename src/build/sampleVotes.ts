import { accountAddress } from './sampleAddresses.ts';
import { sampleValidators } from './sampleStaking.ts';
import type { SeededRandom } from './seededRandom.ts';

const options = ['YES', 'YES', 'YES', 'NO', 'ABSTAIN', 'YES', 'NO_WITH_VETO', 'NO'];
const voters = [
  ...sampleValidators.filter((one) => one.bonded).map((one) => one.name),
  ...Array.from({ length: 12 }, (_, index) => `holder ${index}`),
];

/** Votes on one proposal, by voter; a tenth of them is split, and then the deprecated `option` is unspecified (SDK 0.43+). */
export function sampleVotes(id: string, status: string, random: SeededRandom) {
  if (status !== 'PROPOSAL_STATUS_VOTING_PERIOD') return [];
  return random
    .shuffle(voters)
    .slice(0, 3 + random.below(15))
    .map((name) => toVote(id, accountAddress(name), random))
    .sort((a, b) => (a.voter < b.voter ? -1 : 1));
}

function toVote(id: string, voter: string, random: SeededRandom) {
  const weighted = (option: string, weight: string) => ({ option: `VOTE_OPTION_${option}`, weight });
  if (random.below(10) === 0) {
    const split = [weighted('YES', '0.700000000000000000'), weighted('ABSTAIN', '0.300000000000000000')];
    return { proposal_id: id, voter, option: 'VOTE_OPTION_UNSPECIFIED', options: split };
  }
  const option = options[random.below(options.length)] ?? 'YES';
  return {
    proposal_id: id,
    voter,
    option: `VOTE_OPTION_${option}`,
    options: [weighted(option, '1.000000000000000000')],
  };
}
