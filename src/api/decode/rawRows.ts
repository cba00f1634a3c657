import type { Fields } from '../../chain/fields.ts';
import type { RawRow } from '../node.ts';
import { toStatus } from './proposalRows.ts';
import type { WireProposalRow } from './readReply.ts';

/** Makes a row that could be read. */
export function toRawRow(id: string, json: Fields): RawRow {
  return { id, json, faults: [] };
}

/** Makes the row of a proposal from the fields that could be read. */
export function toRawProposal(wire: WireProposalRow): RawRow {
  const id = `${wire.id}`;
  if (wire.form === 'unreadable')
    return { id, json: undefined, faults: [`proposal ${id}: ${wire.reason}`], status: 'unknown' };
  const faults = wire.faults.map(({ field, reason }) => `proposal ${id}: ${field}: ${reason}`);
  return { id, json: wire.proposal, faults, status: toStatus(wire.proposal.status) };
}
