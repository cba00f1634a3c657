import * as vscode from 'vscode';
import { statusNames } from '../../api/statusNames.ts';
import type { Coin } from '../../chain/coin.ts';
import { type ProposalRow, statusGroups, wireStatus } from '../../chain/proposal.ts';
import { type Table, toCurl, tsvLine, withQuery } from '../../session/export.ts';
import { proposalsTable, supplyTable } from '../../session/exportTables.ts';
import type { Session } from '../../session/session.ts';
import { type PickItem, pickOne } from '../ask.ts';
import { flash, showInfo } from '../report.ts';
import { servedInProcess } from '../words.ts';
import { type RowKey, readRows, rowsInStores } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import { coinsOf } from './copy.ts';

export type CopyForm = 'tsv' | 'json' | 'curl';

/**
 * Copies rows of one view: lines for a spreadsheet with a head line, JSON with exact amounts, or a command for each that
 * reads it. Without rows given it takes the selection, of the view that a key binding names; without one it asks.
 */
export async function copyRows(
  context: CommandContext,
  form: CopyForm,
  given: readonly RowKey[] | undefined,
  view: 'proposals' | 'supply' | undefined,
): Promise<void> {
  const chosen = given ?? selected(context, view);
  const { session } = context.active;
  const rows = rowsInStores(session, chosen.length > 0 || given ? chosen : await askRows(context));
  if (rows.length === 0) return;
  const proposals = proposalRows(session, rows);
  const coins = coinsOf(session, rows);
  if (form === 'curl') return copyCommands(context, rows);
  if (proposals.length > 0) return put(toText(proposalsTable, proposals, form), proposals.length);
  const table = supplyTable((denom) => session.supply.unit(denom));
  if (coins.length > 0) return put(toText(table, coins, form), coins.length);
  flash(vscode.l10n.t('There are no rows to copy'));
}

/** A group stands for its loaded rows; a row that is selected beside its group counts once. */
function proposalRows({ proposals }: Session, keys: readonly RowKey[]): readonly ProposalRow[] {
  const rows = keys.flatMap((key): readonly (ProposalRow | undefined)[] => {
    if (key.kind === 'proposal') return [proposals.known(key.id)];
    return key.kind === 'group' ? proposals.rows(key.group) : [];
  });
  return [...new Set(rows)].filter((row) => row !== undefined);
}

function toText<Row extends ProposalRow | Coin>(table: Table<Row>, rows: readonly Row[], form: 'tsv' | 'json'): string {
  if (form === 'json') return `${JSON.stringify(rows.map(table.json), undefined, 2)}\n`;
  return [table.columns, ...rows.map(table.cells)].map(tsvLine).join('');
}

async function put(text: string, count: number): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  const what = count === 1 ? vscode.l10n.t('Copied 1 row') : vscode.l10n.t('Copied {0} rows', count);
  flash(what);
}

/** The selection that is meant: of the view that is named, else of the only view that has one. */
function selected({ selection }: CommandContext, view: 'proposals' | 'supply' | undefined): readonly RowKey[] {
  const [proposals, supply] = [readRows(undefined, selection.proposals()), readRows(undefined, selection.supply())];
  if (view) return (view === 'proposals' ? proposals : supply) ?? [];
  return proposals && supply ? [] : (proposals ?? supply ?? []);
}

async function askRows({ active, selection }: CommandContext): Promise<readonly RowKey[]> {
  const { proposals, supply } = active.session;
  const groups = proposals.shownGroups.filter((group) => proposals.rows(group).length > 0);
  const loaded = groups.reduce((sum, group) => sum + proposals.rows(group).length, 0);
  const choices: (PickItem & { readonly rows: () => readonly RowKey[] })[] = [
    {
      label: vscode.l10n.t('Selected rows of Proposals'),
      description: `${selection.proposals().length}`,
      rows: () => readRows(undefined, selection.proposals()) ?? [],
    },
    {
      label: vscode.l10n.t('Selected rows of Supply'),
      description: `${selection.supply().length}`,
      rows: () => readRows(undefined, selection.supply()) ?? [],
    },
    {
      label: vscode.l10n.t('Loaded proposals'),
      description: `${loaded}`,
      rows: () => groups.map((group) => ({ kind: 'group', group })),
    },
    {
      label: vscode.l10n.t('Loaded supply'),
      description: `${supply.shown.length}`,
      rows: () => supply.shown.map(({ denom }) => ({ kind: 'coin', denom })),
    },
  ];
  const title = vscode.l10n.t('Copy which rows?');
  const some = choices.filter(({ description }) => description !== '0');
  if (some.length === 0) {
    flash(vscode.l10n.t('No row is loaded yet'));
    return [];
  }
  return (await pickOne(some, { title }))?.rows() ?? [];
}

async function copyCommands({ active, credentials }: CommandContext, rows: readonly RowKey[]): Promise<void> {
  const { session } = active;
  if (session.source.kind !== 'http') return void showInfo(servedInProcess());
  const node = await session.node();
  const header = (await credentials.get(session.source.id))?.name;
  const { voter, depositor } = session.proposals.filter;
  const names: readonly string[] = statusNames;
  const urls = rows.map((row) => {
    if (row.kind === 'proposal') return node.urlOf({ proposal: row.id });
    if (row.kind === 'coin') return node.urlOf({ denom: row.denom });
    const group = row.kind === 'group' ? statusGroups.find((known) => known === row.group) : undefined;
    if (row.kind !== 'group' && (row.kind !== 'more' || row.owner === 'supply')) return node.urlOf('supply');
    const status = group && wireStatus[group];
    const number = status && names.indexOf(status);
    // Many nodes take the number only (contract-facts section 3).
    const proposal_status = node.dialect.status === 'name' ? status : number?.toString();
    return withQuery(node.urlOf('proposals'), { proposal_status, voter, depositor, 'pagination.reverse': 'true' });
  });
  await put(`${[...new Set(urls)].map((url) => toCurl(url, header)).join('\n')}\n`, urls.length);
}
