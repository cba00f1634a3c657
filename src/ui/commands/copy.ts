import * as vscode from 'vscode';
import type { Coin } from '../../chain/coin.ts';
import type { Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { plain } from '../plain.ts';
import { flash } from '../report.ts';
import type { ProposalsNode } from '../trees/proposalsTree.ts';
import type { SupplyNode } from '../trees/supplyTree.ts';
import { type RowKey, readRows, rowsInStores } from './args.ts';
import { askDenom, askProposalId, loadCoin } from './lookUp.ts';

/** What the views have selected, for commands that were not called on a row. */
export interface Selection {
  proposals(): readonly ProposalsNode[];
  supply(): readonly SupplyNode[];
}

type Rows = readonly RowKey[] | undefined;

/** Copies the ids of the given or selected proposals, else of one that is asked for; one a line. */
export async function copyProposalId(given: Rows, selection: Selection, { session }: ActiveSession): Promise<void> {
  const rows = rowsInStores(session, given ?? readRows(undefined, selection.proposals()) ?? []);
  const ids = rows.flatMap((row) => (row.kind === 'proposal' ? [row.id] : []));
  const asked = given || ids.length > 0 ? undefined : await askProposalId();
  await copy([...ids, ...(asked === undefined ? [] : [asked])].map(String));
}

/** Copies denoms: of the given rows, of the selection, else one that is asked for. */
export async function copyDenom(given: Rows, selection: Selection, { session }: ActiveSession): Promise<void> {
  const denoms = coinsOf(session, given ?? readRows(undefined, selection.supply()) ?? []).map(({ denom }) => denom);
  const asked = given || denoms.length > 0 ? undefined : await askDenom();
  await copy([...denoms, ...(asked === undefined ? [] : [asked])]);
}

/** Copies exact amounts in base units; asks for a denom, and the chain for its supply, without a row. */
export async function copyAmount(given: Rows, selection: Selection, active: ActiveSession): Promise<void> {
  const coins = coinsOf(active.session, given ?? readRows(undefined, selection.supply()) ?? []);
  const asked = given || coins.length > 0 ? undefined : await askDenom();
  if (asked !== undefined) coins.push(await loadCoin(active, asked));
  await copy(coins.map(({ amount }) => amount.toString()));
}

/** The loaded coins that rows name, in their order. */
export function coinsOf({ supply }: Session, rows: readonly RowKey[]): Coin[] {
  const keys = rows.flatMap((row) => (row.kind === 'coin' ? [row.denom] : []));
  if (keys.length === 0) return [];
  const coins = new Map(supply.pager.rows.map((coin) => [coin.denom, coin]));
  return keys.flatMap((denom) => coins.get(denom) ?? []);
}

async function copy(lines: readonly string[]): Promise<void> {
  const [only] = lines;
  if (only === undefined) return;
  await vscode.env.clipboard.writeText(lines.join('\n'));
  const what = lines.length === 1 ? plain(only) : vscode.l10n.t('{0} lines', lines.length);
  flash(vscode.l10n.t('Copied {0}', what));
}
