// Wire → the model. The only file outside `api` that knows how a node writes things.
import type {
  WireChannel,
  WireCoin,
  WireHolder,
  WireMetadata,
  WireSplit,
  WireValidator,
  WireVote,
} from '../api/contract.ts';
import type { GovParamsReply, VotingPower } from '../api/node.ts';
import type { WireProposalRow } from '../api/readReply.ts';
import { type Fields, isFields, statusNames, toNanoseconds } from '../api/wireValues.ts';
import {
  type Channel,
  type Coin,
  type DenomMetadata,
  type DenomUnit,
  type Holder,
  readCoins,
  type SupplySplit,
  shownName,
  toRatio,
} from './coin.ts';
import { type Content, readContent } from './content/content.ts';
import { type GovParams, toSeconds } from './params.ts';
import {
  type Metadata,
  type ProposalRow,
  type ProposalStatus,
  statuses,
  type Tally,
  type Vote,
  type VoteOption,
  voteOptions,
} from './proposal.ts';
import type { VoteFacts } from './rules.ts';
import { parseJson } from './text.ts';
import type { BondStatus, Validator } from './validator.ts';

/** wire → ProposalRow, whatever the form; `height` is that of its page. */
export function toProposalRow(row: WireProposalRow, height?: bigint): ProposalRow {
  if (row.form === 'unreadable') return { kind: 'unreadable', id: row.id, reason: row.reason, height };
  const { form, id, proposal: wire, faults, raw } = row;
  const v1 = form === 'v1' ? row.proposal : undefined;
  const parts = form === 'v1' ? row.proposal.messages : row.proposal.content && [row.proposal.content];
  let read: readonly Content[] | undefined;
  const readContents = (): readonly Content[] => {
    read ??= (parts ?? []).map(readContent);
    return read;
  };
  const metadata = readMetadata(v1?.metadata ?? '');
  const stated = metadata?.kind === 'json' ? metadata : undefined;
  return {
    kind: 'proposal',
    id,
    status: toStatus(wire.status),
    wireStatus: String(wire.status),
    // SDK 0.46 has a title in its metadata only, gov v1beta1 in its content.
    title: v1?.title || stated?.title || readContents()[0]?.title,
    description: v1?.summary || stated?.summary || readContents()[0]?.description,
    // Decoded when they are asked for: most rows are shown by their title alone.
    get contents(): readonly Content[] {
      return readContents();
    },
    finalTally: toTally(wire.final_tally_result),
    submitTime: toTime(wire.submit_time),
    depositEndTime: toTime(wire.deposit_end_time),
    votingStartTime: toTime(wire.voting_start_time),
    votingEndTime: toTime(wire.voting_end_time),
    votingEndNanoseconds: toTime(wire.voting_end_time) && toNanoseconds(wire.voting_end_time ?? ''),
    totalDeposit: (wire.total_deposit ?? []).map(toCoin),
    form,
    proposer: v1?.proposer || undefined,
    metadata,
    // `is_expedited` is Sei's and Osmosis' of SDK 0.45.
    expedited: form === 'v1' ? row.proposal.expedited === true : row.proposal.is_expedited === true,
    statesExpedited: form === 'v1' || 'is_expedited' in raw,
    // A service gives proposals of an older state in the form of v1, with the titles that 0.46 does not have.
    isOf046: form === 'v1' && !('title' in raw),
    emergency: v1?.emergency === true,
    endorsed: v1?.endorsed === true,
    failedReason: v1?.failed_reason || undefined,
    raw,
    faults,
    height,
  };
}

/** RFC 3339 → Date; null, absent, unreadable and the zero time `0001-01-01T00:00:00Z` are absent. */
function toTime(wire: string | null | undefined): Date | undefined {
  if (!wire || wire.startsWith('0001-01-01')) return undefined;
  const time = new Date(wire);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The metadata of a proposal; undefined where it has none. */
export function readMetadata(text: string): Metadata | undefined {
  if (text.trim() === '') return undefined;
  if (text === 'ipfs://CID') return { kind: 'placeholder', text };
  if (/^(?:ipfs|https?):\/\/\S+$/.test(text)) return { kind: 'link', text };
  const json = parseJson(text);
  if (!isFields(json)) return { kind: 'text', text };
  const stated = (name: string): string | undefined => {
    const value = json[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  // One text in SDK 0.46, a list in later versions.
  const authors: unknown[] = Array.isArray(json.authors) ? json.authors : [json.authors];
  return {
    kind: 'json',
    text,
    title: stated('title'),
    summary: stated('summary'),
    details: stated('details'),
    authors: authors.filter((author) => typeof author === 'string').filter((author) => author !== ''),
    forumUrl: stated('proposal_forum_url'),
    voteContext: stated('vote_option_context'),
  };
}

/** A status by its name, or by its number where it is one of the SDK's. */
export function toStatus(wire: string | number): ProposalStatus {
  if (wire === 'PROPOSAL_STATUS_VETOED') return 'vetoed';
  const names: readonly string[] = statusNames;
  const isNumber = typeof wire === 'number' || /^\d+$/.test(wire);
  return statuses[isNumber ? Number(wire) : names.indexOf(wire)] ?? 'unknown';
}

/** A tally in any form. Undefined where it is not understood, which is not a tally of zeros. */
export function toTally(wire: unknown): Tally | undefined {
  if (!isFields(wire)) return undefined;
  const power = toCount(wire.power);
  const tally: Partial<Record<VoteOption, bigint>> = {};
  for (const [name, value] of Object.entries(wire)) {
    const plain = name.replace(/_count$/, '').replace('no_with_veto', 'noWithVeto');
    const option = voteOptions.find((known) => known === plain);
    const count = toCount(value);
    if (option === undefined && (count === 0n || !/_count$/.test(name))) continue;
    if (option === undefined || count === undefined) return undefined;
    tally[option] = count;
  }
  const { yes, abstain, no, noWithVeto = 0n } = tally;
  if (yes === undefined || abstain === undefined || no === undefined) return undefined;
  return { yes, abstain, no, noWithVeto, ...(power === undefined ? {} : { power }) };
}

function toCount(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d{1,100}$/.test(value) ? BigInt(value) : undefined;
}

/** In the order of `voteOptions`, which are numbered from 1 on the wire (proto/cosmos/gov/v1/gov.proto of the SDK). */
const castNames = ['VOTE_OPTION_YES', 'VOTE_OPTION_ABSTAIN', 'VOTE_OPTION_NO', 'VOTE_OPTION_NO_WITH_VETO'];

/** Reads `options`; `option`, which is always unspecified since 0.46, only where there are none (docs/nodes.md#votes). */
export function toVote({ option, options: parts }: WireVote): Vote {
  const read = (value: string | number, weight: string): Vote[number] => {
    const at = castNames.indexOf(String(value));
    return { option: voteOptions[at < 0 ? Number(value) - 1 : at] ?? 'unknown', weight };
  };
  if (parts?.length) return parts.map((part) => read(part.option, part.weight));
  return option === undefined ? [] : [read(option, '1')];
}

/** A proposal as the contract has it, for tables that hold it so. */
export interface TableProposal {
  readonly id: bigint;
  readonly status: ProposalStatus;
  /** Undefined where it cannot be read. */
  readonly row: Readonly<Record<string, unknown>> | undefined;
  /** One sentence for each of its fields that cannot be read, or for the whole. */
  readonly faults: readonly string[];
}

/** wire → TableProposal. */
export function toTableProposal(wire: WireProposalRow): TableProposal {
  const { id } = wire;
  if (wire.form === 'unreadable') {
    return { id, status: 'unknown', row: undefined, faults: [`proposal ${id}: ${wire.reason}`] };
  }
  const faults = wire.faults.map(({ field, reason }) => `proposal ${id}: ${field}: ${reason}`);
  return { id, status: toStatus(wire.proposal.status), row: wire.proposal, faults };
}

/** wire → Coin; the schema has checked that `amount` is digits. */
export function toCoin(wire: WireCoin): Coin {
  return { denom: wire.denom, amount: BigInt(wire.amount) };
}

/** wire → SupplySplit of a state. */
export function toSupplySplit({
  denom,
  supply,
  holders,
  classes,
  not_vested,
  distribution: parts,
}: WireSplit): SupplySplit {
  return {
    denom,
    supply: BigInt(supply),
    origin: 'state',
    rows: classes.map(({ counterparty, ...row }) => ({
      ...row,
      name: shownName(row.name),
      ...(counterparty === undefined ? {} : { counterparty: shownName(counterparty) }),
      amount: BigInt(row.amount),
    })),
    holders: BigInt(holders),
    notVested: BigInt(not_vested ?? 0),
    distribution: parts && {
      communityPool: toUnits(parts.community_pool),
      rewards: toUnits(parts.outstanding_rewards),
      dust: parts.dust === undefined ? undefined : toUnits(parts.dust),
    },
    gaps: [],
  };
}

/** A decimal of 18 digits in units of 10^-18. */
function toUnits(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

/** wire → Holder. */
export function toHolder(wire: WireHolder): Holder {
  return { ...wire, name: shownName(wire.name), amount: BigInt(wire.amount) };
}

/** wire → Channel. */
export function toChannel({ state, port_id, channel_id, counterparty: other }: WireChannel): Channel {
  return {
    name: `${port_id}/${channel_id}`,
    counterparty: other?.channel_id ? `${other.port_id ?? ''}/${other.channel_id}` : undefined,
    isOpenTransfer: port_id === 'transfer' && state === 'STATE_OPEN',
  };
}

/** wire → DenomMetadata. */
export function toDenomMetadata(wire: WireMetadata): DenomMetadata {
  return {
    base: wire.base,
    name: wire.name ?? undefined,
    symbol: wire.symbol ?? undefined,
    display: wire.display ?? undefined,
    description: wire.description ?? undefined,
    units: wire.denom_units ?? [],
    unit: toDenomUnit(wire),
  };
}

/** The display unit that metadata states for its base denom; undefined where it states none or contradicts itself. */
export function toDenomUnit(metadata: WireMetadata): DenomUnit | undefined {
  const units = metadata.denom_units ?? [];
  const display = units.find((unit) => unit.denom === metadata.display);
  const base = units.find((unit) => unit.denom === metadata.base);
  if (!display || (base && base.exponent !== 0)) return undefined;
  const { exponent } = display;
  if (!Number.isInteger(exponent) || exponent < 0 || exponent > 77) return undefined;
  return { symbol: metadata.symbol || metadata.display || metadata.base, exponent, source: 'chain' };
}

const bondStatuses: ReadonlyMap<unknown, BondStatus> = new Map([
  ['BOND_STATUS_BONDED', 'bonded'],
  ['BOND_STATUS_UNBONDING', 'unbonding'],
  ['BOND_STATUS_UNBONDED', 'unbonded'],
]);

/** wire → Validator; the schema has checked that `tokens` is digits. */
export function toValidator(wire: WireValidator): Validator {
  return {
    operator: wire.operator_address,
    moniker: wire.description?.moniker ?? '',
    tokens: BigInt(wire.tokens),
    status: bondStatuses.get(wire.status) ?? 'unknown',
    jailed: wire.jailed === true,
    commission: toRatio(wire.commission?.commission_rates?.rate),
  };
}

/** What a node gives about its votes → what verdicts need. */
export function toVoteFacts(
  gov: GovParamsReply | undefined,
  power: VotingPower | undefined,
  sdkVersion: string | undefined,
): VoteFacts {
  return {
    params: toGovParams(gov),
    bonded: power?.total === undefined ? undefined : BigInt(power.total),
    power: power?.module,
    sdkVersion,
  };
}

/** Gov parameters in any form (docs/nodes.md#gov-params). A group of v1beta1 that is all zeros is unknown. */
export function toGovParams(reply: GovParamsReply | undefined): GovParams {
  const v1: Fields = { ...reply?.v1, ...reply?.quorums };
  const tally = asked(reply?.tally, ['quorum', 'threshold', 'veto_threshold', 'veto']);
  const deposit = asked(reply?.deposit, ['min_deposit', 'max_deposit_period']);
  const voting = asked(reply?.voting, ['voting_period']);
  return {
    quorum: toRatio(v1.quorum) ?? toRatio(tally.quorum),
    threshold: toRatio(v1.threshold) ?? toRatio(tally.threshold),
    vetoThreshold: toRatio(v1.veto_threshold) ?? toRatio(tally.veto_threshold) ?? toRatio(tally.veto),
    expeditedThreshold: toRatio(v1.expedited_threshold) ?? toRatio(tally.expedited_threshold),
    expeditedQuorum: toRatio(tally.expedited_quorum),
    lawQuorum: toRatio(v1.law_quorum),
    lawThreshold: toRatio(v1.law_threshold),
    amendmentQuorum: toRatio(v1.constitution_amendment_quorum),
    amendmentThreshold: toRatio(v1.constitution_amendment_threshold),
    minDeposit: readMinimum(v1.min_deposit) ?? readMinimum(deposit.min_deposit),
    expeditedMinDeposit: readMinimum(v1.expedited_min_deposit) ?? readMinimum(deposit.min_expedited_deposit),
    minDepositRatio: toRatio(v1.min_deposit_ratio),
    minInitialDepositRatio: toRatio(v1.min_initial_deposit_ratio),
    maxDepositPeriod: readPeriod(v1.max_deposit_period) ?? readPeriod(deposit.max_deposit_period),
    votingPeriod: readPeriod(v1.voting_period) ?? readPeriod(voting.voting_period),
    expeditedVotingPeriod: readPeriod(v1.expedited_voting_period) ?? readPeriod(voting.expedited_voting_period),
    quorumTimeout: readPeriod(v1.quorum_timeout),
    burnVoteQuorum: readFlag(v1.burn_vote_quorum),
    burnVoteVeto: readFlag(v1.burn_vote_veto),
    burnDepositPrevote: readFlag(v1.burn_proposal_deposit_prevote),
    burnNoThreshold: toRatio(v1.burn_deposit_no_threshold),
    cancelRatio: toRatio(v1.proposal_cancel_ratio),
    cancelDestination: typeof v1.proposal_cancel_dest === 'string' ? v1.proposal_cancel_dest : undefined,
    lowThresholdFunctions: readTexts(v1.low_threshold_functions),
  };
}

function asked(group: Fields | undefined, names: readonly string[]): Fields {
  return group && names.some((name) => !isZero(group[name])) ? group : {};
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value !== 'string' || value === '' || /^[0.]+s?$/.test(value);
}

/** Coins of a parameter; an empty list is as good as none (a proposal always costs something). */
function readMinimum(value: unknown): readonly Coin[] | undefined {
  const coins = readCoins(value);
  return coins?.length ? coins : undefined;
}

/** Zero is not a period. */
function readPeriod(value: unknown): number | undefined {
  return toSeconds(value) || undefined;
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
