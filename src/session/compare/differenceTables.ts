import type { Table } from '../export.ts';
import type { ParamDifference, ProposalDifference, SupplyDifference } from './comparison.ts';

/** Denoms whose supply differs, in base units. */
export const supplyDifferences: Table<SupplyDifference> = {
  name: 'supply',
  columns: ['denom', 'change', 'left', 'right'],
  cells: ({ denom, change, left, right }) => [denom, change, `${left}`, `${right}`],
  json: ({ denom, change, left, right }) => ({ denom, change, left: `${left}`, right: `${right}` }),
};

/** Proposals that are not on both sides, or not the same; "" and null where a side does not have one. */
export const proposalDifferences: Table<ProposalDifference> = {
  name: 'proposals',
  columns: ['proposal_id', 'change', 'left_status', 'right_status', 'left_title', 'right_title'],
  cells: ({ id, change, left, right }) => [
    `${id}`,
    change,
    left?.status ?? '',
    right?.status ?? '',
    left?.title ?? '',
    right?.title ?? '',
  ],
  json: ({ id, change, left, right }) => ({
    proposal_id: `${id}`,
    change,
    left: left ? { status: left.status, title: left.title ?? null } : null,
    right: right ? { status: right.status, title: right.title ?? null } : null,
  }),
};

/** Gov parameters that differ; "" and null where a side does not state one. */
export const paramDifferences: Table<ParamDifference> = {
  name: 'params',
  columns: ['name', 'left', 'right'],
  cells: ({ name, left, right }) => [name, left ?? '', right ?? ''],
  json: ({ name, left, right }) => ({ name, left: left ?? null, right: right ?? null }),
};
