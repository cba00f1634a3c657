import * as vscode from 'vscode';
import { readMember } from '../../chain/fields.ts';
import { type AnyList, type ListName, type Lists, listOfOwner, listOfRow } from '../../lists/lists.ts';
import type { ExportFormat } from '../../reads/export.ts';
import type { Session } from '../../session/session.ts';
import type { ExportChoice } from '../exportFile.ts';

// The arguments of commands. They come from rows, menus and key bindings, and also from links and other extensions,
// which may pass anything.

/** The selected rows in the view of a list, for commands that are called without a row. */
export type Selection = (list: ListName) => readonly unknown[];

/** The member that identifies a row, by the kind of the row. Rows of other kinds have a `key`. */
const identities: ReadonlyMap<string, string> = new Map([
  ['group', 'group'],
  ['more', 'owner'],
  ['notice', 'owner'],
  ['endpoint', 'sourceId'],
]);

/**
 * A row of a view. `key` is one of these: a group or another owner of rows, the key of a row, a source id, or the key
 * of a watched entry.
 */
export interface RowKey {
  readonly kind: string;
  readonly key: string;
}

/** Reads a row. Undefined for any other value. */
export function readRowKey(value: unknown): RowKey | undefined {
  const kind = shortText(readMember(value, 'kind'));
  const key = kind === undefined ? undefined : shortText(readMember(value, identities.get(kind) ?? 'key'));
  return kind === undefined || key === undefined ? undefined : { kind, key };
}

/** The rows that a menu was opened on. Undefined without an argument, so that the selection counts. */
export function readRowKeys(node: unknown, nodes?: unknown): readonly RowKey[] | undefined {
  const given: readonly unknown[] = Array.isArray(nodes) && nodes.length > 0 ? nodes : [node ?? undefined];
  return given[0] === undefined ? undefined : given.flatMap((one) => readRowKey(one) ?? []);
}

/**
 * The owner of rows that a row is or belongs to. "" for rows of other views, and for rows that may have several owners.
 */
export function ownerOf(lists: Lists, { kind, key }: RowKey): string {
  if (kind === 'group' || kind === 'more' || kind === 'notice') return key;
  const owners = listOfRow(lists, kind)?.owners ?? [];
  return owners.length === 1 ? (owners[0] ?? '') : '';
}

/** The rows and owners that a session has loaded, in the given order. */
export function loadedRows({ lists }: Session, rows: readonly RowKey[]): readonly RowKey[] {
  const finders = new Map(Object.values<AnyList>(lists).map((list) => [list.rowKind, list.finder()]));
  return rows.filter((row) => {
    const find = finders.get(row.kind);
    return find ? find(row.key) !== undefined : listOfOwner(lists, ownerOf(lists, row)) !== undefined;
  });
}

/** Reads the name of a list that a key binding passes. Undefined for any other value. */
export function readList(lists: Lists, value: unknown): ListName | undefined {
  return Object.values<AnyList>(lists).find(({ name }) => name === value)?.name;
}

/** Reads a text that a key binding passes: an id, a denom, or a text to search for. */
export function readText(value: unknown): string | undefined {
  const text = shortText(value)?.trim();
  return text === undefined || /\p{Cc}/u.test(text) ? undefined : text;
}

/** The files that the menu of the explorer was opened on: all selected files, or one. */
export function readFiles(uri: unknown, uris: unknown): vscode.Uri[] {
  const all: readonly unknown[] = Array.isArray(uris) ? uris : [uri];
  return all.filter((one) => one instanceof vscode.Uri);
}

/**
 * Reads `{"scope": "everything", "format": "csv"}` or `{"scope": "tables", "format": "parquet"}`. Undefined for any
 * other value.
 */
export function readExport(value: unknown): ExportChoice | undefined {
  const tables = (['parquet', 'ndjson'] as const).find((known) => known === readMember(value, 'format'));
  if (tables && readMember(value, 'scope') === 'tables') return { scope: 'tables', format: tables };
  const scope = (['loaded', 'matching', 'everything'] as const).find((known) => known === readMember(value, 'scope'));
  const format = readFormat(value);
  return scope && format && { scope, format };
}

/** Reads the format that a row or a key binding passes. */
export function readFormat(value: unknown): ExportFormat | undefined {
  return (['csv', 'json'] as const).find((known) => known === readMember(value, 'format'));
}

/** No id, denom or address is longer. */
const longest = 4096;

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}
