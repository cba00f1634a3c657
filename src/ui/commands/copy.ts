import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import { tableText } from '../../session/export.ts';
import { type AnyList, listOfOwner, listOfRow, lists } from '../../session/lists.ts';
import { type ListName, listNames, type Session, type Stores } from '../../session/session.ts';
import { plural } from '../../words/language.ts';
import { pickOne } from '../ask.ts';
import { ownerOf, type RowKey, readRows, rowsInStores, type Selection } from '../commandArguments.ts';
import { curlCommands } from '../exportFile.ts';
import { listViews } from '../listViews.ts';
import { flash } from '../report.ts';
import type { Credentials } from '../settings.ts';

type Rows = readonly RowKey[];

/** Cells, JSON and cURL commands are of whole rows; the others are one exact value of each, by its name in the list. */
export type CopyForm = 'tsv' | 'json' | 'curl' | { readonly list: ListName; readonly value: string };

interface CopyParts {
  readonly selection: Selection;
  readonly credentials: Credentials;
}

/** Copies rows of one view: those given, else the selection (of `view`, where it is named), else those that are asked for. */
export async function copyRows(
  session: Session,
  form: CopyForm,
  { given, view }: { readonly given: Rows | undefined; readonly view: ListName | undefined },
  { selection, credentials }: CopyParts,
): Promise<void> {
  const { stores } = session;
  const rows = rowsInStores(session, given ?? selectedRows(selection, view) ?? (await askRows(stores, selection)));
  if (rows.length === 0) return;
  if (form === 'curl') return copyCurl(session, rows, credentials);
  if (typeof form !== 'string') {
    const list = lists[form.list];
    return copyLines(rowsOf(list, stores, rows).flatMap((row) => list.values(row)[form.value] ?? []));
  }
  for (const list of Object.values(lists)) {
    const found = rowsOf(list, stores, rows);
    if (found.length > 0) return copyText(tableText(list.table(stores), found, form), found.length);
  }
  flash(vscode.l10n.t('There are no rows to copy'));
}

async function copyLines(lines: readonly string[]): Promise<void> {
  const [first] = lines;
  if (first === undefined) return flash(vscode.l10n.t('There are no rows to copy'));
  await vscode.env.clipboard.writeText(lines.join('\n'));
  flash(
    vscode.l10n.t('Copied {0}', lines.length === 1 ? escapeForUi(first) : vscode.l10n.t('{0} lines', lines.length)),
  );
}

/** A group means its loaded rows; a row that is selected together with its group counts once. */
function rowsOf(list: AnyList, stores: Stores, keys: Rows): readonly unknown[] {
  const find = list.finder(stores);
  const rows = keys.flatMap(({ kind, key }): readonly unknown[] => {
    if (kind === list.row.kind) return [find(key)];
    return kind === 'group' && list.owners.includes(key) ? list.shown(stores, key) : [];
  });
  return [...new Set(rows)].filter((row) => row !== undefined);
}

async function copyText(text: string, rows: number): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  flash(plural(rows, vscode.l10n.t('Copied 1 row'), vscode.l10n.t('Copied {0} rows', rows)));
}

/** The selection of a view or, where none is named, of the only view that has one. */
function selectedRows(selection: Selection, view: ListName | undefined): Rows | undefined {
  if (view) return readRows(undefined, selection(view));
  const [only, ...others] = listNames.flatMap((name) => {
    const rows = readRows(undefined, selection(name));
    return rows ? [rows] : [];
  });
  return others.length > 0 ? undefined : only;
}

async function askRows(stores: Stores, selection: Selection): Promise<Rows> {
  const choices = Object.values(lists).map((list) => {
    const selected = readRows(undefined, selection(list.name));
    const texts = listViews[list.name].texts();
    return selected
      ? { label: texts.selected, rows: selected }
      : { label: texts.loaded, rows: loadedRows(list, stores) };
  });
  const items = choices.filter(({ rows }) => rows.length > 0);
  if (items.length === 0) flash(vscode.l10n.t('No row is loaded yet'));
  const chosen = items.length > 0 ? await pickOne(items, { title: vscode.l10n.t('Copy which rows?') }) : undefined;
  return chosen?.rows ?? [];
}

/** The rows of a list or, where they are in groups, those that hold any. */
function loadedRows(list: AnyList, stores: Stores): Rows {
  if (list.owners.length === 1) return list.shown(stores).map((row) => ({ kind: list.row.kind, key: list.keyOf(row) }));
  const owners = list.owners.filter((owner) => list.pager(stores, owner) && list.shown(stores, owner).length > 0);
  return owners.map((key) => ({ kind: 'group', key }));
}

async function copyCurl(session: Session, rows: Rows, credentials: Credentials): Promise<void> {
  const resources = rows.flatMap((row) => {
    const list = listOfRow(row.kind);
    if (list) return [list.readableRow(row.key)];
    const owner = ownerOf(row);
    const owning = listOfOwner(owner);
    return owning ? [owning.readableList(session.stores, owner)] : [];
  });
  const commands = await curlCommands(session, resources, credentials);
  if (commands.length > 0) await copyText(`${[...new Set(commands)].join('\n')}\n`, commands.length);
}
