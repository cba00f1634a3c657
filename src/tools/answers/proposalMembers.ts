import { addressFault, toAccount } from '../../chain/address.ts';
import type { Fields } from '../../chain/fields.ts';
import { type Proposal, periodEnd, type UnreadableProposal } from '../../chain/gov/proposal.ts';
import type { VoteInput } from '../../chain/gov/rules.ts';
import { validatorPrefix } from '../../reads/proposalReads.ts';
import type { Session } from '../../session/session.ts';
import { addressFaultText } from '../../words/errorWords.ts';
import { plainEnglish } from '../../words/language.ts';
import { inputWords } from '../../words/verdictWords.ts';
import { ToolError } from '../question/toolError.ts';
import type { ToolInput } from '../question/toolInput.ts';
import { timeOf, untrusted } from './answer.ts';

/** Gives the facts of a proposal that both tools answer. Undefined means unknown. */
export function proposalMembers(proposal: Proposal): Fields {
  const { id, status, wireStatus: word, title, expedited, submitTime, votingEndTime, failedReason } = proposal;
  const isNamed = status !== 'unknown' && status !== 'unspecified';
  return {
    id: `${id}`,
    status: isNamed ? status : undefined,
    ...(isNamed ? {} : { untrusted_status: untrusted(word) }),
    ...(status === 'failed' ? { untrusted_failed_reason: failedReason && untrusted(failedReason) } : {}),
    untrusted_title: title ? untrusted(title) : undefined,
    ...(expedited ? { expedited } : {}),
    submit_time: timeOf(submitTime),
    [status === 'deposit' ? 'deposit_end_time' : 'voting_end_time']: timeOf(periodEnd(proposal) ?? votingEndTime),
  };
}

/** The reasons why members are null. */
export const reasons = {
  status: 'not a status of the gov module',
  untrusted_title: 'the proposal has no title',
  untrusted_description: 'the proposal has none',
  untrusted_failed_reason: 'the chain reports none',
  minimum: 'the gov parameters of the source are not available',
  missing: 'the gov parameters of the source are not available',
  noVotes: 'in the deposit period',
  effect: 'the rules that decide it are not known',
  effect_if_minimum_is_missed: 'the rules that decide it are not known',
} as const;

/** Gives the row of a proposal that the node cannot give. */
export function unreadableRow({ id, reason }: UnreadableProposal): Fields {
  return { id: `${id}`, status: null, unknown: { status: 'unreadable' }, untrusted_reason: untrusted(reason) };
}

/** Tells why a share is not known. */
export function missingText(missing: readonly VoteInput[], isOpen: boolean): string {
  const words = missing.map((input) =>
    input === 'bonded' && !isOpen ? 'the voting power when voting ended is not known' : inputWords(input, plainEnglish),
  );
  return words.join(' ') || 'its total is zero';
}

/**
 * Checks the address of an account. Throws a `ToolError` for anything else. `name` is the name of the parameter,
 * `prefix` that of the chain's accounts.
 */
export function checkAccount(name: string, address: string | undefined, prefix?: string): void {
  const fault = address === undefined ? undefined : addressFault(address, prefix);
  if (!fault) return;
  const what = fault.kind === 'prefix' && !fault.role ? 'is from another chain' : 'is not an account address';
  throw new ToolError('input', `"${name}" ${what}. ${addressFaultText(fault, plainEnglish)}.`);
}

/**
 * Gives the account that a parameter names by its address, or by that of its operator. Throws a `ToolError` for anything
 * else.
 */
export function accountIn(input: ToolInput, name: string): string | undefined {
  const named = input.text(name);
  if (named === undefined) return undefined;
  const read = toAccount(named);
  if ('address' in read) return read.address;
  checkAccount(name, named);
  return named;
}

/** Checks that addresses are those of accounts of this chain, if the chain shows the prefix of its accounts. */
export async function checkOwnAccounts(session: Session, name: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  const prefix = await validatorPrefix(session).catch(() => undefined);
  for (const address of addresses) checkAccount(name, address, prefix);
}
