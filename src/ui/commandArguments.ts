import * as vscode from 'vscode';
import { member } from '../api/errors.ts';
import { statusGroups } from '../chain/proposal.ts';
import type { ExportFormat } from '../session/export.ts';
import type { Session } from '../session/session.ts';
import type { ExportChoice } from './exportFile.ts';
import { supplyOwner } from './trees/rows.ts';

// What commands are given: by rows and menus, by key bindings, and by links and other extensions, which may give anything.

export type ViewName = 'proposals' | 'supply';

/** What is selected in the views, for commands that are called without a row. */
export type Selection = Readonly<Record<ViewName, () => readonly unknown[]>>;

const identities = [
  ['group', 'group'],
  ['proposal', 'id'],
  ['coin', 'coin'],
  ['more', 'owner'],
  ['notice', 'owner'],
  ['endpoint', 'sourceId'],
  ['watchSource', 'sourceId'],
  ['watchEntry', 'key'],
] as const;

/** A row of a view. `key`: a group or another list, the digits of a proposal's id, a denom, a source id, a watched entry's key. */
export interface RowKey {
  readonly kind: (typeof identities)[number][0];
  readonly key: string;
}

/** The groups that a row may name. */
export const proposalGroups = [...statusGroups, 'other', 'unreadable'] as const;

/** One row; undefined for anything else. */
export function readRow(value: unknown): RowKey | undefined {
  const [kind, name] = identities.find(([known]) => known === member(value, 'kind')) ?? [];
  if (kind === undefined) return undefined;
  const given = member(value, name);
  const key = textOf(kind === 'coin' ? member(given, 'denom') : typeof given === 'bigint' ? `${given}` : given);
  return key === undefined ? undefined : { kind, key };
}

/** The rows that a menu was opened on; undefined without an argument, where the selection is meant. */
export function readRows(node: unknown, nodes?: unknown): readonly RowKey[] | undefined {
  const given: readonly unknown[] = Array.isArray(nodes) && nodes.length > 0 ? nodes : [node ?? undefined];
  return given[0] === undefined ? undefined : given.flatMap((one) => readRow(one) ?? []);
}

/** The list that a row stands for or belongs to: a group of proposals, or `supplyOwner`; "" for rows of other views. */
export function ownerOf({ kind, key }: RowKey): string {
  if (kind === 'coin') return supplyOwner;
  return kind === 'group' || kind === 'more' || kind === 'notice' ? key : '';
}

/** The rows of Proposals and Supply that the stores of a session hold, in the order given. */
export function rowsInStores({ proposals, supply }: Session, rows: readonly RowKey[]): readonly RowKey[] {
  const denoms = new Set([supply.staking, ...supply.pager.rows].map((coin) => coin?.denom));
  return rows.filter((row) => {
    if (row.kind === 'proposal')
      return /^[1-9]\d{0,19}$/.test(row.key) && proposals.known(BigInt(row.key)) !== undefined;
    if (row.kind === 'coin') return denoms.has(row.key);
    const owner = ownerOf(row);
    return proposalGroups.some((group) => group === owner) || (owner === supplyOwner && row.kind !== 'group');
  });
}

/** The view that a key binding names. */
export function readView(value: unknown): ViewName | undefined {
  return (['proposals', 'supply'] as const).find((view) => view === value);
}

/** A text that a key binding gives: an id, a denom, a text to search for. */
export function readText(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  return text === undefined || /\p{Cc}/u.test(text) ? undefined : text;
}

/** The files that the explorer's menu was opened on: all selected ones, or the one. */
export function readFiles(uri: unknown, uris: unknown): vscode.Uri[] {
  const all: readonly unknown[] = Array.isArray(uris) ? uris : [uri];
  return all.filter((one) => one instanceof vscode.Uri);
}

/** `{"scope": "everything", "format": "csv"}`, `{"scope": "tables", "format": "parquet"}`; undefined for anything else. */
export function readExport(value: unknown): ExportChoice | undefined {
  const tables = (['parquet', 'ndjson'] as const).find((known) => known === member(value, 'format'));
  if (tables && member(value, 'scope') === 'tables') return { scope: 'tables', format: tables };
  const scope = (['loaded', 'matching', 'everything'] as const).find((known) => known === member(value, 'scope'));
  const format = readFormat(value);
  return scope && format && { scope, format };
}

/** The format that a row or a key binding names. */
export function readFormat(value: unknown): ExportFormat | undefined {
  return (['csv', 'json'] as const).find((known) => known === member(value, 'format'));
}

/** No id, denom or address is longer. */
const longest = 4096;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}
