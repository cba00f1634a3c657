import type { Node } from 'jsonc-parser';
import type { ChainFacts } from '../../chainFacts.ts';
import { type Draft, type DraftAction, type Member, member } from '../../draftText.ts';
import { error, type Finding, warning } from '../../finding.ts';

/** Checks that the validators and proposals that messages name are there. */
export function checkReferences(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action) => [...operatorFindings(action, facts), ...cancelFindings(action, facts)]);
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

/** Gives the id of the proposal that an action cancels. */
export function cancelledProposal({ typeUrl, node }: DraftAction): Node | undefined {
  const id = typeUrl === '/cosmos.gov.v1.MsgCancelProposal' ? member(node, 'proposal_id')?.value : undefined;
  return id && /^\d{1,19}$/.test(String(id.value)) ? id : undefined;
}

/** Only an open proposal can be cancelled, and by its proposer alone (x/gov/keeper/proposal.go, CancelProposal). */
function cancelFindings(action: DraftAction, { proposals }: ChainFacts): readonly Finding[] {
  const at = cancelledProposal(action);
  const id = String(at?.value);
  const proposal = proposals?.get(id);
  if (!at || proposal === undefined) return [];
  const status = proposal?.status;
  const isOpen = status === 'deposit' || status === 'voting' || status === 'unknown';
  const closed = isOpen ? [] : [warning('proposal-closed', at, { id, status })];
  const by = member(action.node, 'proposer')?.value;
  const proposer = proposal?.proposer;
  if (typeof by?.value !== 'string' || by.value === '' || proposer === undefined || proposer === by.value)
    return closed;
  return [...closed, error('proposal-proposer', by, { id, proposer })];
}
