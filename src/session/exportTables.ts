import { type Coin, type DenomUnit, displayAmount } from '../chain/coin.ts';
import type { ProposalRow } from '../chain/proposal.ts';
import type { Table } from './export.ts';

/**
 * Proposals: as a table the facts of a row (no description, which is long and has lines), as JSON the proposal as it came.
 * The tally is the final one, zeros until the vote has ended. An unreadable proposal has its id and the node's reason.
 */
export const proposalsTable: Table<ProposalRow> = {
  name: 'proposals',
  columns: [
    'proposal_id',
    'status',
    'title',
    'types',
    'submit_time',
    'deposit_end_time',
    'voting_start_time',
    'voting_end_time',
    'total_deposit',
    'yes',
    'abstain',
    'no',
    'no_with_veto',
    'proposer',
    'expedited',
    'failed_reason',
  ],
  cells: (row) => {
    if (row.kind === 'unreadable') return [`${row.id}`, 'unreadable', ...Array<string>(13).fill(''), row.reason];
    const { finalTally: tally } = row;
    const votes = tally ? [tally.yes, tally.abstain, tally.no, tally.noWithVeto].map(String) : ['', '', '', ''];
    const times = [row.submitTime, row.depositEndTime, row.votingStartTime, row.votingEndTime].map(timeText);
    const types = row.contents.map(({ typeUrl }) => typeUrl).join(' ');
    return [
      `${row.id}`,
      row.wireStatus,
      row.title ?? '',
      types,
      ...times,
      coinsText(row.totalDeposit),
      ...votes,
      row.proposer ?? '',
      `${row.expedited}`,
      row.failedReason ?? '',
    ];
  },
  json: (row) => (row.kind === 'proposal' ? row.raw : { proposal_id: `${row.id}`, unreadable: row.reason }),
};

function timeText(time: Date | undefined): string {
  return time?.toISOString() ?? '';
}

/** `10uatom,5ibc/…`: coins as the SDK writes them (types/coin.go), in their order or sorted by denom. */
export function coinsText(coins: readonly Coin[], order?: 'sorted'): string {
  const listed = order ? coins.toSorted((a, b) => (a.denom < b.denom ? -1 : 1)) : coins;
  return listed.map(({ denom, amount }) => `${amount}${denom}`).join(',');
}

/** Denoms with their amounts in base units, exact; beside them the display unit, where the chain or the registry states one. */
export function supplyTable(unitOf: (denom: string) => DenomUnit | undefined): Table<Coin> {
  return {
    name: 'supply',
    columns: ['denom', 'amount', 'symbol', 'exponent', 'display_amount'],
    cells: ({ denom, amount }) => {
      const unit = unitOf(denom);
      if (!unit) return [denom, `${amount}`, '', '', ''];
      const shown = displayAmount(amount, unit.exponent).replaceAll(',', '');
      return [denom, `${amount}`, unit.symbol, `${unit.exponent}`, shown];
    },
    json: ({ denom, amount }) => ({ denom, amount: `${amount}` }),
  };
}
