import type { Node } from 'jsonc-parser';
import type { ChainFacts } from '../../chainFacts.ts';
import { type Draft, type DraftAction, itemsOf, member, nodeAt, textOf } from '../../draftText.ts';
import { type Finding, warning } from '../../finding.ts';

/**
 * Checks for power that the gov account gives away, and for what governance itself needs. A grantee executes messages as
 * the granter (x/authz/keeper/keeper.go, DispatchActions), who pays the fees of an allowance (x/auth/ante/fee.go).
 */
export function checkPower(draft: Draft, { govAccount }: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    const isOfGov = govAccount !== undefined && textOf(action.node, 'granter') === govAccount;
    switch (action.typeUrl) {
      case '/cosmos.authz.v1beta1.MsgGrant':
        return isOfGov ? grantFindings(action) : [];
      case '/cosmos.feegrant.v1beta1.MsgGrantAllowance':
        return isOfGov ? allowanceFindings(member(action.node, 'allowance')?.value) : [];
      case '/cosmos.circuit.v1.MsgTripCircuitBreaker':
        return tripFindings(action);
      default:
        return [];
    }
  });
}

/** Messages that spend, or that rule the chain, whatever their package. */
const powerful: ReadonlySet<string> = new Set([
  'MsgCommunityPoolSpend',
  'MsgCreateContinuousFund',
  'MsgExec',
  'MsgExecLegacyContent',
  'MsgGrant',
  'MsgGrantAllowance',
  'MsgMigrateContract',
  'MsgMultiSend',
  'MsgSend',
  'MsgSoftwareUpgrade',
  'MsgSudoContract',
  'MsgTransfer',
  'MsgUpdateAdmin',
  'MsgUpdateParams',
]);

/** A generic authorization has no limit (x/authz/generic_authorization.go). */
function grantFindings({ node }: DraftAction): readonly Finding[] {
  const authorization = nodeAt(node, 'grant.authorization');
  if (textOf(authorization, '@type') !== '/cosmos.authz.v1beta1.GenericAuthorization') return [];
  const type = member(authorization, 'msg')?.value;
  const name = String(type?.value).split('.').at(-1) ?? '';
  if (!type || !powerful.has(name)) return [];
  const end: unknown = nodeAt(node, 'grant.expiration')?.value;
  return [warning('grant-unlimited', type, { name, expires: typeof end === 'string' && end !== '' })];
}

/** An allowance without a limit of its own pays any fee (x/feegrant/basic_fee.go). */
function allowanceFindings(allowance: Node | undefined): readonly Finding[] {
  const type = member(allowance, '@type')?.value;
  const inner = member(allowance, 'allowance')?.value;
  if (inner) return allowanceFindings(inner);
  if (type?.value !== '/cosmos.feegrant.v1beta1.BasicAllowance') return [];
  if (itemsOf(member(allowance, 'spend_limit')?.value).length > 0) return [];
  const end: unknown = member(allowance, 'expiration')?.value.value;
  return [warning('grant-unlimited', type, { name: '', expires: typeof end === 'string' && end !== '' })];
}

/** Messages without which no proposal passes, or none could end what a circuit breaker stops. */
const govMessages: ReadonlySet<unknown> = new Set([
  '/cosmos.circuit.v1.MsgResetCircuitBreaker',
  '/cosmos.gov.v1.MsgDeposit',
  '/cosmos.gov.v1.MsgSubmitProposal',
  '/cosmos.gov.v1.MsgVote',
  '/cosmos.gov.v1beta1.MsgDeposit',
  '/cosmos.gov.v1beta1.MsgSubmitProposal',
  '/cosmos.gov.v1beta1.MsgVote',
]);

/** The router refuses disabled messages, those of proposals too (baseapp/msg_service_router.go). */
function tripFindings({ node }: DraftAction): readonly Finding[] {
  const type = itemsOf(member(node, 'msg_type_urls')?.value).find(({ value }) => govMessages.has(value));
  return type ? [warning('gov-stopped', type, { name: String(type.value).split('.').at(-1) ?? '' })] : [];
}
