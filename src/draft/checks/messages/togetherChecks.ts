import type { Node } from 'jsonc-parser';
import { whole } from '../../../chain/ratio.ts';
import { type Draft, type DraftAction, member } from '../../draftText.ts';
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

/** Checks messages that fail because of an earlier one, or together. */
export function checkTogether(draft: Draft): readonly Finding[] {
  return [...repeatFindings(draft), ...fundFindings(draft)];
}

function repeatFindings({ actions }: Draft): readonly Finding[] {
  const made = new Set<string>();
  return actions.flatMap(({ typeUrl, node }): readonly Finding[] => {
    const single = singles.get(typeUrl);
    const value = single && member(node, single.field)?.value;
    if (!value || typeof value.value !== 'string' || value.value === '') return [];
    const key = `${single.kind} ${value.value}`;
    const isMade = made.has(key);
    if (single.isTaken) made.delete(key);
    else made.add(key);
    return isMade && !single.isTaken ? [error('message-value', value, { fault: 'again', field: single.field })] : [];
  });
}

/** The funds of a chain get at most the whole pool. Those that exist are not known. */
function fundFindings({ actions }: Draft): readonly Finding[] {
  const shares = actions.flatMap((action) => shareOf(action));
  const sum = shares.reduce((all, { share }) => all + share, 0n);
  const last = shares.at(-1);
  // One share above the whole is an error by itself.
  if (!last || sum <= whole || shares.some(({ share }) => share > whole)) return [];
  const text = `${sum / whole}.${String(sum % whole).padStart(18, '0')}`;
  return [error('message-value', last.at, { fault: 'shareSum', sum: text })];
}

function shareOf({ typeUrl, node }: DraftAction): readonly { readonly at: Node; readonly share: bigint }[] {
  const isFund = typeUrl === '/cosmos.protocolpool.v1.MsgCreateContinuousFund';
  const at = isFund ? member(node, 'percentage')?.value : undefined;
  const share = readDecimal(at?.value);
  return at && share !== undefined && share > 0n ? [{ at, share }] : [];
}
