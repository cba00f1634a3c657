// The one place where the recordings meet the code of the extension that reads a chain and works out verdicts.
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { openNode } from '../../src/api/open.ts';
import type { RuleName } from '../../src/chain/gov/rules.ts';
import type { Verdict } from '../../src/chain/gov/verdict.ts';
import { judge } from '../support/judge.ts';
import type { Decision, RecordedProposal, Recording } from './recording.ts';
import { startReplay } from './replay.ts';

/** The verdict of the extension on a vote in the last block before its end, and the decision of the chain. */
export interface Comparison {
  readonly proposal: RecordedProposal;
  readonly decision: Decision;
  /** In the words of `expectedVerdict`; `unreadable: …` where the proposal could not be read. */
  readonly ours: string;
  readonly expected: string;
  /** The fate of the deposits by the extension, in the words of `Decision.deposits`. Undefined if it states none. */
  readonly deposits: string | undefined;
}

/** Compares all votes of a recording, the first rounds of expedited ones as well. */
export async function compareVerdicts(recording: Recording): Promise<readonly Comparison[]> {
  const votes = recording.decisions.filter(({ result }) =>
    /^(proposal_(passed|rejected|failed)|expedited)/.test(result),
  );
  const comparisons: Comparison[] = [];
  for (const height of new Set(votes.map((decision) => decision.height))) {
    const replay = await startReplay(recording, { latest: height - 1 });
    const node = openNode({ baseUrl: parseBaseUrl(replay.url), segment: 'cosmos' });
    try {
      for (const decision of votes.filter((vote) => vote.height === height)) {
        const proposal = recording.proposals.find(({ id }) => id === decision.id);
        if (!proposal) throw new Error(`Proposal ${decision.id} is not one of the script.`);
        const unreadable = (error: unknown) => ({ ours: `unreadable: ${error}`, deposits: undefined });
        const said = await verdictOf(node, decision.id).catch(unreadable);
        comparisons.push({ proposal, decision, ...said, expected: expectedVerdict(proposal, decision) });
      }
      if (replay.missing.length > 0) throw new Error(`Not recorded: ${[...new Set(replay.missing)].join(', ')}`);
    } finally {
      await node.dispose();
      await replay.stop();
    }
  }
  return comparisons;
}

/** `passes`, `fails by quorum`, `fails by veto, goes on as regular`, `too close: veto`. */
function expectedVerdict({ expected }: RecordedProposal, { result }: Decision): string {
  if (expected?.close) return `too close: ${expected.close}`;
  if (result === 'expedited_proposal_rejected') return `fails by ${expected?.firstRound}, goes on as regular`;
  return result === 'proposal_rejected' ? `fails by ${expected?.rule}` : 'passes';
}

/**
 * The verdicts of the extension on the proposals of the script whose votes have ended, by key: `passed`, `rejected by quorum`, or
 * `rejected by one of quorum, threshold`; and what it says became of their deposits.
 */
export async function verdictsAfterwards(recording: Recording): Promise<ReadonlyMap<string, Said>> {
  const replay = await startReplay(recording);
  const node = openNode({ baseUrl: parseBaseUrl(replay.url) });
  try {
    const ended = recording.proposals.filter(({ expected }) => /passed|rejected|failed/.test(expected?.end ?? ''));
    const verdicts = new Map<string, Said>();
    for (const { id, key } of ended) verdicts.set(key, await verdictOf(node, id));
    return verdicts;
  } finally {
    await node.dispose();
    await replay.stop();
  }
}

type Said = Pick<Comparison, 'ours' | 'deposits'>;

/** The extension's verdict in the words of `expectedVerdict`. */
async function verdictOf(node: ReturnType<typeof openNode>, id: number): Promise<Said> {
  const row = await node.proposal(BigInt(id));
  if (row.kind === 'unreadable') throw new Error(row.reason);
  const { verdict } = await judge(node, row, new Date());
  return { ours: wordsOf(verdict), deposits: verdict.deposits?.effect };
}

function wordsOf({ outcome, becomesRegular, missing, contradicting }: Verdict): string {
  const nameOf = (rule: RuleName) => (rule === 'notAllAbstain' ? 'allAbstain' : rule);
  switch (outcome.kind) {
    case 'wouldPass':
      return 'passes';
    case 'wouldFail':
      return `fails by ${nameOf(outcome.rule)}${becomesRegular ? ', goes on as regular' : ''}`;
    case 'tooClose':
      return `too close: ${nameOf(outcome.rule)}`;
    case 'rejected':
      return `rejected by ${outcome.rule ? '' : 'one of '}${outcome.candidates.map(nameOf).join(', ')}`;
    default:
      return [
        outcome.kind,
        ...missing.map((input) => `without ${input}`),
        ...contradicting.map((rule) => `not ${rule}`),
      ].join();
  }
}
