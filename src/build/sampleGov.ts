import { depositDrafts } from './drafts/depositDrafts.ts';
import { failedDrafts } from './drafts/failedDrafts.ts';
import { passedContracts } from './drafts/passedContracts.ts';
import { passedMoney } from './drafts/passedMoney.ts';
import { passedWords } from './drafts/passedWords.ts';
import { rejectedDrafts } from './drafts/rejectedDrafts.ts';
import { votingChanges } from './drafts/votingChanges.ts';
import { votingWords } from './drafts/votingWords.ts';
import { accountAddress } from './sampleAddresses.ts';
import { bondDenom } from './sampleCoins.ts';
import { bondedTokens } from './sampleStaking.ts';
import { shiftedTime } from './sampleTime.ts';
import type { EndedDraft, LiveDraft, SampleCoin, SampleVote } from './sampleTypes.ts';
import { sampleVotes } from './sampleVotes.ts';
import { type SeededRandom, seededRandom } from './seededRandom.ts';

const periodHours = 14 * 24;
const minDeposit = 500_000_000n;
const lastId = 1047;
const emptyTally = { yes: '0', abstain: '0', no: '0', no_with_veto: '0' };

/** A proposal with its times in hours from T0, before it has an id. */
interface Dated {
  readonly draft: EndedDraft | LiveDraft;
  readonly submit: number;
  readonly votingStart: number | undefined;
}

/** x/gov of the export: proposals in every status, deposits and votes of the live ones only, as on a chain. */
export function sampleGov() {
  const random = seededRandom(52);
  const dated = [
    ...endedProposals(random),
    ...[...votingWords(), ...votingChanges(), ...depositDrafts()].map((draft) => dateLive(draft, random)),
  ].sort((a, b) => a.submit - b.submit);
  const ids = sparseIds(dated.length, random);
  const rows = dated.map((one, index) => toRow(one, ids[index] ?? 0, random));
  return {
    starting_proposal_id: String(lastId + 1),
    deposits: rows.flatMap((row) => row.deposits),
    votes: rows.flatMap((row) => sampleVotes(row.proposal.proposal_id, row.proposal.status, random)),
    proposals: rows.map((row) => row.proposal),
    deposit_params: { min_deposit: [{ denom: bondDenom, amount: String(minDeposit) }], max_deposit_period: '1209600s' },
    voting_params: { voting_period: '1209600s' },
    tally_params: {
      quorum: '0.334000000000000000',
      threshold: '0.500000000000000000',
      veto_threshold: '0.334000000000000000',
    },
  };
}

/** One of each group in turn, so that subjects mix and the order within a group stays; the last ended six hours ago. */
function endedProposals(random: SeededRandom): Dated[] {
  const groups = [...passedWords(), ...passedMoney(), ...passedContracts(), ...rejectedDrafts(), failedDrafts()];
  const longest = Math.max(...groups.map((group) => group.length));
  const oldestFirst = Array.from({ length: longest }, (_, turn) =>
    groups.flatMap((group) => group.slice(turn, turn + 1)),
  );
  return oldestFirst
    .flat()
    .reverse()
    .map((draft, age) => dateVote(draft, -(6 + 20 * age + 3 * age * age), random));
}

const dateVote = (draft: EndedDraft | LiveDraft, end: number, random: SeededRandom): Dated => ({
  draft,
  votingStart: end - periodHours,
  submit: end - periodHours - random.below(160) / 10,
});

const dateLive = (draft: LiveDraft, random: SeededRandom): Dated =>
  draft.status === 'VOTING_PERIOD'
    ? dateVote(draft, draft.endsInHours, random)
    : { draft, votingStart: undefined, submit: draft.endsInHours - periodHours };

/** Ids with gaps; 992 and 1018 are there because their page keys carry `+` and `/` (contract-facts section 1). */
function sparseIds(count: number, random: SeededRandom): number[] {
  const ids = new Set([1, 2, 3, 992, 1018, lastId]);
  while (ids.size < count) ids.add(1 + random.below(lastId));
  return [...ids].sort((a, b) => a - b);
}

function toRow({ draft, submit, votingStart }: Dated, id: number, random: SeededRandom) {
  const jitter = random.below(1_800_000);
  const time = (hours: number) => shiftedTime(hours, jitter, id);
  const deposits = draft.status === 'DEPOSIT_PERIOD' ? partDeposits(random) : fullDeposits(random);
  const none = '0001-01-01T00:00:00Z';
  const proposal = {
    proposal_id: String(id),
    content: draft.content,
    status: `PROPOSAL_STATUS_${draft.status}`,
    final_tally_result: 'vote' in draft ? tally(draft.vote, random) : emptyTally,
    submit_time: time(submit),
    deposit_end_time: time(submit + periodHours),
    total_deposit: total(deposits),
    voting_start_time: votingStart === undefined ? none : time(votingStart),
    voting_end_time: votingStart === undefined ? none : time(votingStart + periodHours),
  };
  return { proposal, deposits: 'vote' in draft ? [] : toDeposits(String(id), deposits) };
}

/** Yes gets some odd units on top, unless the numbers have to meet a limit exactly. */
function tally({ turnout, shares, exact }: SampleVote, random: SeededRandom) {
  const part = (share: number) => (bondedTokens * BigInt(turnout) * BigInt(share)) / 1_000_000n;
  const [yes, abstain, no, veto] = shares;
  const extra = exact ? 0n : random.digits(8);
  return {
    yes: String(part(yes) + extra),
    abstain: String(part(abstain)),
    no: String(part(no)),
    no_with_veto: String(part(veto)),
  };
}

const fullDeposits = (random: SeededRandom) => {
  const first = random.digits(9) % minDeposit;
  return first < 20_000_000n ? [minDeposit] : [first, minDeposit - first + BigInt(random.below(3)) * 10_000_000n];
};

/** From nothing at all to seven eighths of the minimum, by one or two depositors. */
const partDeposits = (random: SeededRandom) => {
  const eighth = minDeposit / 8n;
  const eighths = BigInt(random.below(8));
  return eighths > 4n ? [eighths * eighth - 5_000_000n, 5_000_000n] : eighths > 0n ? [eighths * eighth] : [];
};

const total = (amounts: readonly bigint[]): SampleCoin[] =>
  amounts.length === 0 ? [] : [{ denom: bondDenom, amount: String(amounts.reduce((sum, one) => sum + one, 0n)) }];

const toDeposits = (id: string, amounts: readonly bigint[]) =>
  amounts
    .map((amount, index) => ({
      proposal_id: id,
      depositor: accountAddress(`holder ${(Number(id) + index * 5) % 12}`),
      amount: total([amount]),
    }))
    .sort((a, b) => (a.depositor < b.depositor ? -1 : 1));
