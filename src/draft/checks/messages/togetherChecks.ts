import type { Node } from 'jsonc-parser';
import { whole } from '../../../chain/ratio.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { type Draft, type DraftAction, member, textOf } from '../../draftText.ts';
import { error, type Finding } from '../../finding.ts';
import { readDecimal } from '../params/paramRules.ts';

/** A thing that a chain has once for each value of a field. */
interface Single {
  readonly kind: 'allowance' | 'fund' | 'account';
  readonly field: string;
  readonly isTaken?: boolean;
}

const account: Single = { kind: 'account', field: 'to_address' };

/**
 * The things that messages make, or with `isTaken` take away, by their full type. Sources: x/feegrant/keeper/msg_server.go,
 * x/protocolpool/keeper/msg_server.go and x/auth/vesting/msg_server.go.
 */
const singles: ReadonlyMap<string, Single> = new Map([
  ['/cosmos.feegrant.v1beta1.MsgGrantAllowance', { kind: 'allowance', field: 'grantee' }],
  ['/cosmos.feegrant.v1beta1.MsgRevokeAllowance', { kind: 'allowance', field: 'grantee', isTaken: true }],
  ['/cosmos.protocolpool.v1.MsgCancelContinuousFund', { kind: 'fund', field: 'recipient', isTaken: true }],
  ['/cosmos.protocolpool.v1.MsgCreateContinuousFund', { kind: 'fund', field: 'recipient' }],
  ['/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount', account],
  ['/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount', account],
  ['/cosmos.vesting.v1beta1.MsgCreateVestingAccount', account],
]);

/** Checks messages that fail because of an earlier one, together, or because the chain has what they make. */
export function checkTogether(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return [
    ...repeatFindings(draft),
    ...fundFindings(draft),
    ...draft.actions.flatMap((action) => existsFindings(action, facts)),
  ];
}

/** Gives the address at which an action makes an account. */
export function madeAccount({ typeUrl, node }: DraftAction): Node | undefined {
  const single = singles.get(typeUrl);
  const value = single?.kind === 'account' ? member(node, single.field)?.value : undefined;
  return typeof value?.value === 'string' ? value : undefined;
}

/** Whether the chain has an account at an address. Undefined if that is not known. */
export function hasAccount(address: unknown, { accounts, moduleAccounts }: ChainFacts): boolean | undefined {
  const text = String(address);
  return moduleAccounts?.has(text) === true || accounts?.get(text);
}

/** A vesting account is made at a new address (x/auth/vesting/msg_server.go). */
function existsFindings(action: DraftAction, facts: ChainFacts): readonly Finding[] {
  const at = madeAccount(action);
  const field = singles.get(action.typeUrl)?.field ?? '';
  return at && hasAccount(at.value, facts) ? [error('message-value', at, { fault: 'exists', field })] : [];
}

function repeatFindings({ actions }: Draft): readonly Finding[] {
  /** Whether each thing is there after the messages so far. */
  const isThere = new Map<string, boolean>();
  return actions.flatMap(({ typeUrl, node }): readonly Finding[] => {
    const single = singles.get(typeUrl);
    const value = single && member(node, single.field)?.value;
    if (!value || typeof value.value !== 'string' || value.value === '') return [];
    const key = `${single.kind} ${value.value}`;
    const isMaking = !single.isTaken;
    const isAgain = isThere.get(key) === isMaking;
    isThere.set(key, isMaking);
    return isAgain ? [error('message-value', value, { fault: 'again', field: single.field })] : [];
  });
}

/** The funds of a chain get at most the whole pool, at any time. Those that exist are not known. */
function fundFindings({ actions }: Draft): readonly Finding[] {
  const shares = new Map<string, bigint>();
  let sum = 0n;
  for (const action of actions) {
    const recipient = textOf(action.node, 'recipient') ?? '';
    if (action.typeUrl === '/cosmos.protocolpool.v1.MsgCancelContinuousFund') {
      sum -= shares.get(recipient) ?? 0n;
      shares.delete(recipient);
    }
    const { at, share } = shareOf(action) ?? {};
    // One share above the whole is an error by itself, and so is a second fund of a recipient.
    if (!at || share === undefined || share > whole || shares.has(recipient)) continue;
    shares.set(recipient, share);
    sum += share;
    const text = `${sum / whole}.${String(sum % whole).padStart(18, '0')}`;
    if (sum > whole) return [error('message-value', at, { fault: 'shareSum', sum: text })];
  }
  return [];
}

function shareOf({ typeUrl, node }: DraftAction): { readonly at: Node; readonly share: bigint } | undefined {
  const isFund = typeUrl === '/cosmos.protocolpool.v1.MsgCreateContinuousFund';
  const at = isFund ? member(node, 'percentage')?.value : undefined;
  const share = readDecimal(at?.value);
  return at && share !== undefined && share > 0n ? { at, share } : undefined;
}
