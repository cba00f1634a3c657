import { heightFault, isApiError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { type Deposit, descending } from '../chain/coin.ts';
import type { Fields } from '../chain/fields.ts';
import type { Proposal } from '../chain/gov/proposal.ts';
import { maxDepositors, readAllDeposits } from '../reads/proposalReads.ts';
import type { Session } from '../session/session.ts';
import { type Asker, addressOf, amountsOf } from './answers/answer.ts';
import { denomAmountSchema, listOf, membersOf, rarely, text } from './answers/answerSchema.ts';

/** The schema of a depositor with its deposit. */
export const depositorSchema = membersOf({
  address: text,
  untrusted_address: rarely(text),
  deposit: listOf(denomAmountSchema),
});

/** Gives a depositor with its deposit. */
export function depositorRow({ depositor, coins }: Deposit, session: Session, asker: Asker): Fields {
  return { ...addressOf(depositor), deposit: amountsOf(coins, session, asker) };
}

/** Reads the depositors of a proposal, the largest first. Gives a text if they cannot be known. */
export async function readDepositors(
  node: ChainNode,
  { id, status, height }: Proposal,
  signal: AbortSignal,
): Promise<readonly Deposit[] | string> {
  if (status !== 'deposit' && status !== 'voting')
    return 'deposits on a proposal that has ended are returned or burned';
  const pinned = height === undefined ? node : node.at(height);
  const found = await readAllDeposits(pinned, id, signal).catch(async (error: unknown) => {
    if (!isApiError(error)) throw error;
    // A node may refuse the height that it has just answered at.
    return heightFault(error) === undefined ? undefined : readAllDeposits(node, id, signal);
  });
  if (found === 'tooMany') return `there are more than ${maxDepositors}, too many to read`;
  const most = ({ coins: [coin] }: Deposit): bigint => coin?.amount ?? 0n;
  return found?.toSorted((a, b) => descending(most(a), most(b))) ?? 'the source does not list deposits';
}
