import * as vscode from 'vscode';
import type { ActiveSession } from '../activeSession.ts';
import type { ProposalsNode } from '../trees/proposalsTree.ts';
import type { SupplyNode } from '../trees/supplyTree.ts';
import { askDenom, askProposalId, loadCoin } from './lookUp.ts';

/** What the views have selected, for commands that were not called on a row. */
export interface Selection {
  proposals(): readonly ProposalsNode[];
  supply(): readonly SupplyNode[];
}

/** Copies the ids of the given or selected rows, else of one that is asked for; one a line. */
export async function copyProposalId(node: ProposalsNode | undefined, selection: Selection): Promise<void> {
  const nodes = node ? [node] : selection.proposals();
  const ids = nodes.flatMap((row) => (row.kind === 'proposal' ? [row.id] : []));
  if (ids.length === 0) {
    const asked = await askProposalId();
    if (asked === undefined) return;
    ids.push(asked);
  }
  await copy(ids.map(String));
}

/** Copies denoms: of the given row, of the selection, else one that is asked for. */
export async function copyDenom(node: SupplyNode | undefined, selection: Selection): Promise<void> {
  const denoms = coins(node, selection).map((coin) => coin.denom);
  if (denoms.length === 0) {
    const asked = await askDenom();
    if (asked === undefined) return;
    denoms.push(asked);
  }
  await copy(denoms);
}

/** Copies exact amounts in base units; asks for a denom, and the chain for its supply, without a row. */
export async function copyAmount(
  node: SupplyNode | undefined,
  selection: Selection,
  active: ActiveSession,
): Promise<void> {
  const rows = [...coins(node, selection)];
  if (rows.length === 0) {
    const asked = await askDenom();
    if (asked === undefined) return;
    rows.push(await loadCoin(active, asked));
  }
  await copy(rows.map((coin) => coin.amount.toString()));
}

function coins(node: SupplyNode | undefined, selection: Selection) {
  const nodes = node ? [node] : selection.supply();
  return nodes.flatMap((row) => (row.kind === 'coin' ? [row.coin] : []));
}

async function copy(lines: readonly string[]): Promise<void> {
  await vscode.env.clipboard.writeText(lines.join('\n'));
  const what = lines.length === 1 ? (lines[0] ?? '') : vscode.l10n.t('{0} lines', lines.length);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', what), 3000);
}
