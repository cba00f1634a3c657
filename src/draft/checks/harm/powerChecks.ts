import type { Node } from 'jsonc-parser';
import type { ChainFacts } from '../../chainFacts.ts';
import { type Draft, type DraftAction, itemsOf, member, nodeAt, textOf } from '../../draftText.ts';
import { type Finding, warning } from '../../finding.ts';

/**
 * Checks for power that the gov account gives away, and for what governance itself needs. A grantee executes messages as
 * the granter (x/authz/keeper/keeper.go, DispatchActions), who pays the fees of an allowance (x/auth/ante/fee.go). The
 * admin of a contract can migrate it, and so can governance, whoever the admin is (x/wasm/keeper/authz_policy.go of wasmd).
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
      case '/cosmwasm.wasm.v1.MsgUpdateAdmin':
      case '/cosmwasm.wasm.v1.UpdateAdminProposal':
        return adminFindings(action, govAccount);
      case '/cosmwasm.wasm.v1.MsgClearAdmin':
      case '/cosmwasm.wasm.v1.ClearAdminProposal':
        return clearFindings(action);
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

/**
 * A generic authorization has no limit (x/authz/generic_authorization.go). A grant without an expiration has no end
 * (x/authz/authorization_grant.go).
 */
function grantFindings({ node }: DraftAction): readonly Finding[] {
  const authorization = nodeAt(node, 'grant.authorization');
  const kind = member(authorization, '@type')?.value;
  const end = nodeAt(node, 'grant.expiration');
  const expires = typeof end?.value === 'string' && end.value !== '';
  const isGeneric = kind?.value === '/cosmos.authz.v1beta1.GenericAuthorization';
  const type = isGeneric ? member(authorization, 'msg')?.value : undefined;
  const name = String(type?.value).split('.').at(-1) ?? '';
  if (type && powerful.has(name)) return [warning('grant-unlimited', type, { name, expires })];
  const at = end ?? kind;
  return at && !expires ? [warning('grant-unlimited', at, { name: undefined, expires })] : [];
}

/** Finds a new admin other than the gov account. The check of fields names an empty one. */
function adminFindings({ node }: DraftAction, govAccount: string | undefined): readonly Finding[] {
  const admin = member(node, 'new_admin')?.value;
  const isOther = typeof admin?.value === 'string' && admin.value !== '' && admin.value !== govAccount;
  return admin && isOther && govAccount !== undefined ? [warning('contract-admin', admin, { isCleared: false })] : [];
}

function clearFindings({ node }: DraftAction): readonly Finding[] {
  const contract = member(node, 'contract')?.value;
  return contract ? [warning('contract-admin', contract, { isCleared: true })] : [];
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
