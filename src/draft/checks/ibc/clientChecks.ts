import type { Node } from 'jsonc-parser';
import type { IbcClient } from '../../../api/node.ts';
import { type Fields, isFields } from '../../../chain/fields.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { type Draft, type DraftAction, member } from '../../draftText.ts';
import { error, type Finding, warning } from '../../finding.ts';
import { readPeriod } from '../params/paramRules.ts';
import { voteEnd } from '../upgrades/upgradeChecks.ts';
import type { RecoveryFault } from './ibcFindings.ts';

const fields = ['subject_client_id', 'substitute_client_id'] as const;

/** The ids of IBC clients in a recovery: the subject, then the substitute. Empty for other actions. */
export function clientIds(action: DraftAction): readonly Node[] {
  if (!isRecovery(action)) return [];
  return fields.flatMap((field) => {
    const value = member(action.node, field)?.value;
    return value && typeof value.value === 'string' && isClientId(value.value) ? [value] : [];
  });
}

function isRecovery({ typeUrl, node }: DraftAction): boolean {
  if (typeUrl === '/ibc.core.client.v1.MsgRecoverClient') return true;
  return typeUrl === '/ibc.core.client.v1.ClientUpdateProposal' && member(node, 'subject_client_id') !== undefined;
}

/** ClientIdentifierValidator of ibc-go (modules/core/24-host/validate.go), without the IDs of channels and connections. */
function isClientId(text: string): boolean {
  return /^(?!(?:channel|connection)-)[a-zA-Z0-9.+_\-#[\]<>]{9,64}$/.test(text);
}

/** The type in the id of a client: `07-tendermint` of `07-tendermint-12` (ParseClientIdentifier of ibc-go). */
function clientType(id: string): string | undefined {
  return /^(\d\d-[a-z]+)-\d{1,20}$/.exec(id)?.[1];
}

/**
 * Checks the recovery of a client in the order of ibc-go: ValidateBasic, then RecoverClient (modules/core/02-client).
 */
export function checkClients(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    if (!isRecovery(action)) return [];
    const [subject, substitute] = fields.map((field) => member(action.node, field)?.value);
    if (!subject || !substitute) return [];
    const broken = [subject, substitute].filter(({ value }) => typeof value === 'string' && !isClientId(value));
    if (broken.length > 0) return broken.map((node) => error('client-recovery', node, { fault: 'id' }));
    if (subject.value === substitute.value) return [error('client-recovery', substitute, { fault: 'same' })];
    const [own, other] = [substitute, subject].map(({ value }) => clientType(String(value)));
    if (own !== undefined && other !== undefined && own !== other)
      return [error('client-recovery', substitute, { fault: 'differs', field: 'client type', own, other })];
    const fault = stateFault(draft, facts, subject, substitute);
    return fault ? [fault] : [];
  });
}

/** The first reason for which the chain refuses the recovery, judged by the states of both clients. */
function stateFault(draft: Draft, facts: ChainFacts, subject: Node, substitute: Node): Finding | undefined {
  const [from, to] = [subject, substitute].map(({ value }) => facts.clients?.get(String(value)));
  if (from === null) return error('client-recovery', subject, { fault: 'missing' });
  if (from?.status === 'Active') return error('client-recovery', subject, { fault: 'active' });
  if (to === null) return error('client-recovery', substitute, { fault: 'missing' });
  if (!from || !to) return undefined;
  const [height, needed] = [heightOf(to.state), heightOf(from.state)];
  if (height && needed && !isAbove(height, needed)) {
    const [own, other] = [height, needed].map((one) => one.join('-'));
    return error('client-recovery', substitute, { fault: 'height', own: own ?? '', other: other ?? '' });
  }
  if (to.status !== 'Active') return error('client-recovery', substitute, { fault: 'inactive', status: to.status });
  return stateDifference(facts, from, to, substitute) ?? expiry(draft, facts, to, substitute);
}

type Height = readonly [revision: bigint, height: bigint];

function heightOf(state: Fields): Height | undefined {
  const stated = isFields(state.latest_height) ? state.latest_height : {};
  const [revision, height] = [stated.revision_number ?? '0', stated.revision_height].map((one) => String(one));
  const isWhole = (text: string | undefined): text is string => /^\d{1,20}$/.test(text ?? '');
  return isWhole(revision) && isWhole(height) ? [BigInt(revision), BigInt(height)] : undefined;
}

function isAbove([revision, height]: Height, [otherRevision, other]: Height): boolean {
  return revision > otherRevision || (revision === otherRevision && height > other);
}

/**
 * Fields that may differ (IsMatchingClientState of modules/light-clients/07-tendermint). Flags are deprecated and may
 * differ too.
 */
const mayDiffer = new Set([
  'latest_height',
  'frozen_height',
  'trusting_period',
  'chain_id',
  'allow_update_after_expiry',
  'allow_update_after_misbehaviour',
]);

function stateDifference(facts: ChainFacts, from: IbcClient, to: IbcClient, at: Node): Finding | undefined {
  const names = Object.keys({ ...from.state, ...to.state });
  const differing = names.filter((name) => JSON.stringify(from.state[name]) !== JSON.stringify(to.state[name]));
  // Other kinds of clients have rules of their own.
  const isTendermint = textOfField(from.state, '@type') === '/ibc.lightclients.tendermint.v1.ClientState';
  const [first] = isTendermint || differing.includes('@type') ? differing.filter((name) => !mayDiffer.has(name)) : [];
  if (first !== undefined) return error('client-recovery', at, differenceOf(first, from, to));
  // Older versions also require the same trusting period. The version of ibc-go depends on the app, so this is a
  // warning.
  const isOld = differing.includes('trusting_period') && isTendermint && isSince(facts, 'expedited') !== true;
  return isOld ? warning('client-recovery', at, differenceOf('trusting_period', from, to)) : undefined;
}

function differenceOf(field: string, from: IbcClient, to: IbcClient): RecoveryFault {
  const [own, other] = [to, from].map(({ state }) => textOfField(state, field));
  return { fault: 'differs', field, own: own ?? '', other: other ?? '' };
}

function textOfField(state: Fields, name: string): string {
  const value = state[name];
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/**
 * Warns of a client that expires before the vote ends. A client expires if it is not updated within its trusting
 * period.
 */
function expiry(draft: Draft, facts: ChainFacts, { state, updated }: IbcClient, at: Node): Finding | undefined {
  const period = readPeriod(state.trusting_period);
  const end = voteEnd(draft, facts);
  const last = updated ?? facts.time;
  if (period === undefined || !end || !last) return undefined;
  const expires = new Date(last.getTime() + Number(period / 1_000_000n));
  return expires < end ? warning('client-recovery', at, { fault: 'expires', expires, end }) : undefined;
}

/** Whether the state of a client that the action names is not known. */
export function isClientUnknown(action: DraftAction, facts: ChainFacts): boolean {
  return clientIds(action).some(({ value }) => facts.clients?.get(String(value)) === undefined);
}
