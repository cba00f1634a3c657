import * as vscode from 'vscode';
import type { Coin } from '../../chain/coin.ts';
import { isStatusGroup, type ProposalRow, wireStatus } from '../../chain/proposal.ts';
import { proposalsTable, supplyTable, type Table, tsvLine } from '../../session/export.ts';
import type { Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import { plural } from '../../words/language.ts';
import { servedInProcess } from '../../words/listWords.ts';
import { plain } from '../../words/plain.ts';
import { toCurl } from '../../words/values.ts';
import { pickOne } from '../ask.ts';
import {
  ownerOf,
  proposalGroups,
  type RowKey,
  readRows,
  rowsInStores,
  type Selection,
  type ViewName,
} from '../commandArguments.ts';
import { flash, showInfo } from '../report.ts';
import type { Credentials } from '../settings.ts';
import { supplyOwner } from '../trees/rows.ts';

type Rows = readonly RowKey[];

/** Cells, JSON and cURL commands are of whole rows; the others are one exact value of each, amounts in base units. */
export type CopyForm = 'tsv' | 'json' | 'curl' | 'id' | 'denom' | 'amount';

interface CopyParts {
  readonly selection: Selection;
  readonly credentials: Credentials;
}

/** Copies rows of one view: those given, else the selection (of `view`, where it is named), else those that are asked for. */
export async function copyRows(
  session: Session,
  form: CopyForm,
  given: Rows | undefined,
  view: ViewName | undefined,
  { selection, credentials }: CopyParts,
): Promise<void> {
  const rows = rowsInStores(session, given ?? selectedRows(selection, view) ?? (await askRows(session, selection)));
  if (rows.length === 0) return;
  const coins = coinsOf(session, rows);
  if (form === 'curl') return copyCurl(session, rows, credentials);
  if (form === 'id') return copyLines(rows.flatMap(({ kind, key }) => (kind === 'proposal' ? [key] : [])));
  if (form === 'denom') return copyLines(coins.map(({ denom }) => denom));
  if (form === 'amount') return copyLines(coins.map(({ amount }) => `${amount}`));
  const proposals = proposalsOf(session, rows);
  if (proposals.length > 0) return copyText(toText(proposalsTable, proposals, form), proposals.length);
  const table = supplyTable((denom) => session.supply.unit(denom));
  if (coins.length > 0) return copyText(toText(table, coins, form), coins.length);
  flash(vscode.l10n.t('There are no rows to copy'));
}

async function copyLines(lines: readonly string[]): Promise<void> {
  const [first] = lines;
  if (first === undefined) return flash(vscode.l10n.t('There are no rows to copy'));
  await vscode.env.clipboard.writeText(lines.join('\n'));
  flash(vscode.l10n.t('Copied {0}', lines.length === 1 ? plain(first) : vscode.l10n.t('{0} lines', lines.length)));
}

/** A group means its loaded rows; a row that is selected together with its group counts once. */
function proposalsOf({ proposals }: Session, keys: Rows): readonly ProposalRow[] {
  const rows = keys.flatMap((key): readonly (ProposalRow | undefined)[] => {
    if (key.kind === 'proposal') return [proposals.known(BigInt(key.key))];
    const group = proposalGroups.find((known) => key.kind === 'group' && known === key.key);
    return group ? proposals.rows(group) : [];
  });
  return [...new Set(rows)].filter((row) => row !== undefined);
}

function coinsOf({ supply }: Session, rows: Rows): readonly Coin[] {
  const coins = new Map([supply.staking, ...supply.pager.rows].map((coin) => [coin?.denom, coin]));
  return rows.flatMap((row) => (row.kind === 'coin' ? (coins.get(row.key) ?? []) : []));
}

function toText<Row extends ProposalRow | Coin>(table: Table<Row>, rows: readonly Row[], form: 'tsv' | 'json'): string {
  if (form === 'json') return `${JSON.stringify(rows.map(table.json), undefined, 2)}\n`;
  return [table.columns, ...rows.map(table.cells)].map(tsvLine).join('');
}

async function copyText(text: string, rows: number): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  flash(plural(rows, vscode.l10n.t('Copied 1 row'), vscode.l10n.t('Copied {0} rows', rows)));
}

function selectedRows(selection: Selection, view: ViewName | undefined): Rows | undefined {
  if (view) return readRows(undefined, selection[view]());
  const [proposals, supply] = [selectedRows(selection, 'proposals'), selectedRows(selection, 'supply')];
  return proposals && supply ? undefined : (proposals ?? supply);
}

async function askRows({ proposals, supply }: Session, selection: Selection): Promise<Rows> {
  const [ofProposals, ofSupply] = [selectedRows(selection, 'proposals'), selectedRows(selection, 'supply')];
  const groups = proposals.shownGroups.filter((group) => proposals.rows(group).length > 0);
  const loadedGroups: Rows = groups.map((group) => ({ kind: 'group', key: group }));
  const loadedCoins: Rows = supply.shown.map(({ denom }) => ({ kind: 'coin', key: denom }));
  const choices = [
    ofProposals
      ? { label: vscode.l10n.t('Selected rows of Proposals'), rows: ofProposals }
      : { label: vscode.l10n.t('Loaded proposals'), rows: loadedGroups },
    ofSupply
      ? { label: vscode.l10n.t('Selected rows of Supply'), rows: ofSupply }
      : { label: vscode.l10n.t('Loaded supply'), rows: loadedCoins },
  ];
  const items = choices.filter(({ rows }) => rows.length > 0);
  if (items.length === 0) flash(vscode.l10n.t('No row is loaded yet'));
  const chosen = items.length > 0 ? await pickOne(items, { title: vscode.l10n.t('Copy which rows?') }) : undefined;
  return chosen?.rows ?? [];
}

async function copyCurl(session: Session, rows: Rows, credentials: Credentials): Promise<void> {
  const { source } = session;
  if (source.kind !== 'http') return void showInfo(servedInProcess(vscode.l10n.t));
  const node = await session.node();
  const header = (await credentials.get(presentId(source)))?.name;
  const urls = rows.map((row) => {
    if (row.kind === 'proposal') return node.urlOf({ proposal: BigInt(row.key) });
    if (row.kind === 'coin') return node.urlOf({ denom: row.key });
    const owner = ownerOf(row);
    if (owner === supplyOwner) return node.urlOf('supply');
    const status = isStatusGroup(owner) ? wireStatus[owner] : undefined;
    return node.urlOf({ proposals: { ...session.proposals.filter, status } });
  });
  const commands = [...new Set(urls)].map((url) => toCurl(url, source.at?.height, header));
  await copyText(`${commands.join('\n')}\n`, urls.length);
}
