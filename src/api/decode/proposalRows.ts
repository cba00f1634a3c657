import type { Content } from '../../chain/content/content.ts';
import { readContent } from '../../chain/content/content.ts';
import { type ProposalRow, type ProposalStatus, readProposalMetadata, statuses } from '../../chain/gov/proposal.ts';
import type { ReplyInfo } from '../pages.ts';
import { statusNames, toNanoseconds } from '../wireValues.ts';
import { toCoin } from './coinRows.ts';
import type { WireProposalRow } from './readReply.ts';
import { toTally } from './voteRows.ts';

/** Reads a ProposalRow of any form. Height and date are those of its reply. */
export function toProposalRow(row: WireProposalRow, { height, date }: ReplyInfo = {}): ProposalRow {
  if (row.form === 'unreadable') return { kind: 'unreadable', id: row.id, reason: row.reason, height, date };
  const { form, id, proposal: wire, faults, raw } = row;
  const v1 = form === 'v1' ? row.proposal : undefined;
  const parts = form === 'v1' ? row.proposal.messages : row.proposal.content && [row.proposal.content];
  let read: readonly Content[] | undefined;
  const readContents = (): readonly Content[] => {
    read ??= (parts ?? []).map(readContent);
    return read;
  };
  const metadata = readProposalMetadata(v1?.metadata ?? '');
  const stated = metadata?.kind === 'json' ? metadata : undefined;
  return {
    kind: 'proposal',
    id,
    status: toStatus(wire.status),
    wireStatus: String(wire.status),
    // SDK 0.46 has the title only in the metadata, gov v1beta1 only in the content.
    title: v1?.title || stated?.title || readContents()[0]?.title,
    description: v1?.summary || stated?.summary || readContents()[0]?.description,
    // Decoded when they are asked for, because most rows are shown by their title alone.
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
    // Sei and Osmosis of SDK 0.45 have `is_expedited`.
    expedited: form === 'v1' ? row.proposal.expedited === true : row.proposal.is_expedited === true,
    statesExpedited: form === 'v1' || 'is_expedited' in raw,
    // A service gives proposals of an older state in the form of v1, with the titles that 0.46 lacks, and no proposer.
    isStoredAsV1: form === 'v1' && (!('title' in raw) || Boolean(v1?.proposer)),
    emergency: v1?.emergency === true,
    endorsed: v1?.endorsed === true,
    failedReason: v1?.failed_reason || undefined,
    raw,
    faults,
    height,
    date,
  };
}

/** Reads a time of RFC 3339. Null, absent, unreadable and the zero time `0001-01-01T00:00:00Z` give undefined. */
function toTime(wire: string | null | undefined): Date | undefined {
  if (!wire || wire.startsWith('0001-01-01')) return undefined;
  const time = new Date(wire);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Reads a status by its name, or by its number if the SDK has it. */
export function toStatus(wire: string | number): ProposalStatus {
  if (wire === 'PROPOSAL_STATUS_VETOED') return 'vetoed';
  const names: readonly string[] = statusNames;
  const isNumber = typeof wire === 'number' || /^\d+$/.test(wire);
  return statuses[isNumber ? Number(wire) : names.indexOf(wire)] ?? 'unknown';
}
