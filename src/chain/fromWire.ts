import type { WireProposalRow } from '../api/readReply.ts';
import { isFields } from '../api/wireValues.ts';
import { toCoin } from './coin.ts';
import { readContent } from './content/content.ts';
import { parseJson } from './json.ts';
import { type Metadata, type ProposalRow, toStatus, toTally } from './proposal.ts';

/** wire → ProposalRow, whatever the form. */
export function toProposalRow(row: WireProposalRow): ProposalRow {
  if (row.form === 'unreadable') return { kind: 'unreadable', id: row.id, reason: row.reason };
  const { form, id, proposal: wire, faults, raw } = row;
  const v1 = form === 'v1' ? row.proposal : undefined;
  const parts = form === 'v1' ? row.proposal.messages : row.proposal.content && [row.proposal.content];
  const contents = (parts ?? []).map(readContent);
  const metadata = readMetadata(v1?.metadata ?? '');
  const stated = metadata?.kind === 'json' ? metadata : undefined;
  return {
    kind: 'proposal',
    id,
    status: toStatus(wire.status),
    wireStatus: String(wire.status),
    // SDK 0.46 has a title in its metadata only, gov v1beta1 in its content.
    title: v1?.title || stated?.title || contents[0]?.title,
    description: v1?.summary || stated?.summary || contents[0]?.description,
    contents,
    finalTally: toTally(wire.final_tally_result),
    submitTime: toTime(wire.submit_time),
    depositEndTime: toTime(wire.deposit_end_time),
    votingStartTime: toTime(wire.voting_start_time),
    votingEndTime: toTime(wire.voting_end_time),
    totalDeposit: (wire.total_deposit ?? []).map(toCoin),
    form,
    proposer: v1?.proposer || undefined,
    metadata,
    // `is_expedited` is Sei's and Osmosis' of SDK 0.45.
    expedited: form === 'v1' ? row.proposal.expedited === true : row.proposal.is_expedited === true,
    emergency: v1?.emergency === true,
    endorsed: v1?.endorsed === true,
    failedReason: v1?.failed_reason || undefined,
    raw,
    faults,
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
  const stated = (name: string) => {
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
