import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import type { ExportFormat } from '../../session/export.ts';
import { listOfOwner, listOfRow, lists } from '../../session/lists.ts';
import { type ListName, listNames, type Session } from '../../session/session.ts';
import type { ExportChoice } from '../exportFile.ts';

// What commands are given: by rows and menus, by key bindings, and by links and other extensions, which may give anything.

/** What is selected in the view of a list, for commands that are called without a row. */
export type Selection = (list: ListName) => readonly unknown[];

/** The kinds of rows, and the member of each that identifies it. */
const identities: ReadonlyMap<string, string> = new Map([
  ['group', 'group'],
  ['more', 'owner'],
  ['notice', 'owner'],
  ['endpoint', 'sourceId'],
  ['watchEntry', 'key'],
  ...Object.values(lists).map(({ row }): [string, string] => [row.kind, row.member]),
]);

/** A row of a view. `key`: a group or another owner of rows, the key of a row of a list, a source id, a watched entry's key. */
export interface RowKey {
  readonly kind: string;
  readonly key: string;
}

/** One row; undefined for anything else. */
export function readRow(value: unknown): RowKey | undefined {
  const kind = member(value, 'kind');
  const path = typeof kind === 'string' ? identities.get(kind) : undefined;
  if (typeof kind !== 'string' || path === undefined) return undefined;
  const given = path.split('.').reduce(member, value);
  const key = textOf(typeof given === 'bigint' ? `${given}` : given);
  return key === undefined ? undefined : { kind, key };
}

/** The rows that a menu was opened on; undefined without an argument, where the selection is meant. */
export function readRows(node: unknown, nodes?: unknown): readonly RowKey[] | undefined {
  const given: readonly unknown[] = Array.isArray(nodes) && nodes.length > 0 ? nodes : [node ?? undefined];
  return given[0] === undefined ? undefined : given.flatMap((one) => readRow(one) ?? []);
}

/** What a row stands for or belongs to: the owner of rows; "" where a row of a list may have several, and for rows of other views. */
export function ownerOf({ kind, key }: RowKey): string {
  if (kind === 'group' || kind === 'more' || kind === 'notice') return key;
  const owners = listOfRow(kind)?.owners ?? [];
  return owners.length === 1 ? (owners[0] ?? '') : '';
}

/** The rows of lists, and owners of rows, that a session knows, in the order given. */
export function rowsInStores({ stores }: Session, rows: readonly RowKey[]): readonly RowKey[] {
  const finders = new Map(Object.values(lists).map((list) => [list.row.kind, list.finder(stores)]));
  return rows.filter((row) => {
    const find = finders.get(row.kind);
    return find ? find(row.key) !== undefined : listOfOwner(ownerOf(row)) !== undefined;
  });
}

/** The list whose view a key binding names. */
export function readList(value: unknown): ListName | undefined {
  return listNames.find((name) => name === value);
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
