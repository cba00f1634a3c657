import type { Node } from 'jsonc-parser';
import type { ChainFacts, NamedProposal } from '../../chainFacts.ts';
import { type Draft, type DraftAction, type Member, member, textOf } from '../../draftText.ts';
import { error, type Finding, warning } from '../../finding.ts';
import { signerIn } from '../fields/messageTable.ts';
import { voteEnd } from '../upgrades/upgradeChecks.ts';

/** Checks that the validators, delegations and proposals that messages name are there. */
export function checkReferences(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return [
    ...draft.actions.flatMap((action) => [
      ...operatorFindings(action, facts),
      ...proposalFindings(action, facts),
      ...voteFindings(draft, action, facts),
    ]),
    ...delegationFindings(draft, facts),
  ];
}

const operatorFields = ['validator_address', 'validator_src_address', 'validator_dst_address'];

/** Gives the fields of an action that name existing validators. */
export function namedOperators({ package: module, name, node }: DraftAction): readonly Member[] {
  const isNaming = /^Msg(Delegate|Undelegate|BeginRedelegate|CancelUnbondingDelegation)$/.test(name);
  const isReward =
    module === 'cosmos.distribution.v1beta1' &&
    (name === 'MsgWithdrawDelegatorReward' || name === 'MsgDepositValidatorRewardsPool');
  if (!isReward && (module !== 'cosmos.staking.v1beta1' || !isNaming)) return [];
  return operatorFields.flatMap((field) => {
    const found = member(node, field);
    return found && typeof found.value.value === 'string' ? [found] : [];
  });
}

function operatorFindings(action: DraftAction, { operators }: ChainFacts): readonly Finding[] {
  if (!operators) return [];
  return namedOperators(action).flatMap(({ name, value }) =>
    operators.has(String(value.value)) ? [] : [warning('validator-unknown', value, { field: name })],
  );
}

/** The messages that take a stake away, or its rewards, by their full type, with the field of the validator. */
const takers: ReadonlyMap<string, string> = new Map([
  ['/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', 'validator_address'],
  ['/cosmos.staking.v1beta1.MsgBeginRedelegate', 'validator_src_address'],
  ['/cosmos.staking.v1beta1.MsgUndelegate', 'validator_address'],
]);

/** Gives the validator that an action takes a stake from. */
export function takenFrom({ typeUrl, node }: DraftAction): Node | undefined {
  const value = member(node, takers.get(typeUrl) ?? '')?.value;
  return typeof value?.value === 'string' ? value : undefined;
}

/**
 * Finds stakes that the gov account does not have (x/staking/keeper/delegation.go, x/distribution/keeper/delegation.go).
 * An earlier message may delegate them.
 */
function delegationFindings({ actions }: Draft, { delegations, operators }: ChainFacts): readonly Finding[] {
  if (!delegations) return [];
  const given = new Set<unknown>(delegations);
  return actions.flatMap((action): readonly Finding[] => {
    const from = takenFrom(action);
    const isKnown = from && operators?.has(String(from.value)) !== false;
    const missing = isKnown && !given.has(from.value) ? [warning('delegation-unknown', from, {})] : [];
    const isGiving = /^\/cosmos\.staking\.v1beta1\.Msg(Delegate|BeginRedelegate)$/.test(action.typeUrl);
    const to = member(action.node, action.name === 'MsgDelegate' ? 'validator_address' : 'validator_dst_address');
    if (isGiving) given.add(to?.value.value);
    return missing;
  });
}

const namingProposals = /^\/cosmos\.gov\.v1(beta1)?\.Msg(CancelProposal|Deposit|Vote|VoteWeighted)$/;

/** Gives the id of the proposal that an action cancels, votes on, or deposits on. */
export function namedProposal({ typeUrl, node }: DraftAction): Node | undefined {
  const id = namingProposals.test(typeUrl) ? member(node, 'proposal_id')?.value : undefined;
  return id && /^\d{1,19}$/.test(String(id.value)) ? id : undefined;
}

/**
 * Only an open proposal takes deposits, and only one in its voting period takes votes (x/gov/keeper/vote.go, deposit.go).
 * An open one can be canceled by its proposer alone (proposal.go, CancelProposal).
 */
function proposalFindings(action: DraftAction, { proposals }: ChainFacts): readonly Finding[] {
  const at = namedProposal(action);
  const id = String(at?.value);
  const proposal = proposals?.get(id);
  if (!at || proposal === undefined) return [];
  const status = proposal?.status;
  const isEarly = status === 'deposit' && /^MsgVote/.test(action.name);
  const isOpen = (status === 'deposit' && !isEarly) || status === 'voting' || status === 'unknown';
  const closed = isOpen ? [] : [warning('proposal-closed', at, { id, status })];
  const by = member(action.node, 'proposer')?.value;
  const proposer = proposal?.proposer;
  if (typeof by?.value !== 'string' || by.value === '' || proposer === undefined || proposer === by.value)
    return closed;
  return [...closed, error('proposal-proposer', by, { id, proposer })];
}

/** Finds a proposal that is open today, and whose vote ends before one that begins now. */
function voteFindings(draft: Draft, action: DraftAction, facts: ChainFacts): readonly Finding[] {
  const at = facts.proposals?.size ? namedProposal(action) : undefined;
  const id = String(at?.value);
  const proposal = at && facts.proposals?.get(id);
  const [last, end] = proposal ? [lastTime(proposal, facts), voteEnd(draft, facts)] : [];
  return at && last && end && last < end
    ? [warning('proposal-closed', at, { id, status: 'voting', ends: { last, end } })]
    : [];
}

/**
 * The time by which voting ends. An expedited proposal that does not pass goes on as a regular one (x/gov/abci.go,
 * EndBlocker).
 */
function lastTime(proposal: NamedProposal, { govParams }: ChainFacts): Date | undefined {
  const { status, votingStartTime, votingEndTime, expedited } = proposal;
  if (status !== 'voting' || !expedited) return status === 'voting' ? votingEndTime : undefined;
  const seconds = govParams?.votingPeriod;
  return votingStartTime && seconds !== undefined ? new Date(votingStartTime.getTime() + seconds * 1000) : undefined;
}

/** Whether messages name things that no source is asked about: authorizations, groups, and tokens of x/nft. */
export function untold(
  { actions, inner }: Draft,
  { govAccount }: ChainFacts,
): Readonly<Record<'grants' | 'groups' | 'nfts', boolean>> {
  const isForeign = ({ node, typeUrl }: DraftAction): boolean => {
    const signer = textOf(node, signerIn(typeUrl.slice(1)) ?? '');
    return signer !== undefined && signer !== govAccount;
  };
  const isExecuted = actions.some(({ typeUrl }) => typeUrl === '/cosmos.authz.v1beta1.MsgExec');
  return {
    grants: isExecuted && govAccount !== undefined && inner.some((one) => one.kind === 'message' && isForeign(one)),
    groups: actions.some(
      ({ package: of, name }) => of === 'cosmos.group.v1' && !/^MsgCreateGroup(WithPolicy)?$/.test(name),
    ),
    nfts: actions.some(({ typeUrl }) => typeUrl === '/cosmos.nft.v1beta1.MsgSend'),
  };
}
