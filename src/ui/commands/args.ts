import * as vscode from 'vscode';
import { isStatusGroup, type ProposalGroup, statusGroups } from '../../chain/proposal.ts';
import type { ExportFormat } from '../../session/export.ts';
import { readId } from '../../session/search.ts';
import type { Session } from '../../session/session.ts';
import { supplyOwner } from '../trees/supplyTree.ts';

// What a command is called with comes from menus and key bindings, but also from links in documents and from other
// extensions. It is read here and nowhere else. Rows are read as keys, to be looked up in the stores: nothing else of
// them is used. No form names a file to be written.

/** What names a row of a view. */
export type RowKey =
  | { readonly kind: 'group'; readonly group: ProposalGroup }
  | { readonly kind: 'proposal'; readonly id: bigint }
  | { readonly kind: 'coin'; readonly denom: string }
  | { readonly kind: 'more' | 'notice'; readonly owner: string }
  | { readonly kind: 'watchSource'; readonly sourceId: string }
  | { readonly kind: 'watchEntry'; readonly key: string };

/** Which rows of a view an export holds, and its form. */
export interface ExportChoice {
  /** `loaded`: the rows that the view shows. `matching`: every row behind the view that its filter lets through. */
  readonly scope: 'loaded' | 'matching' | 'everything';
  readonly format: ExportFormat;
}

/** Whether a command was called with nothing: from the palette, or from the title of a view without a row that has the focus. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** One row; undefined for what is none. */
export function readRow(value: unknown): RowKey | undefined {
  const kind = member(value, 'kind');
  switch (kind) {
    case 'group': {
      const group = ([...statusGroups, 'other', 'unreadable'] as const).find((one) => one === member(value, 'group'));
      return group && { kind, group };
    }
    case 'proposal': {
      const given = member(value, 'id');
      const id = typeof given === 'bigint' ? readId(`${given}`) : readId(textOf(given) ?? '');
      return id === undefined ? undefined : { kind, id };
    }
    case 'coin': {
      const denom = textOf(member(member(value, 'coin'), 'denom'));
      return denom === undefined ? undefined : { kind, denom };
    }
    case 'more':
    case 'notice': {
      const owner = textOf(member(value, 'owner'));
      return owner === undefined ? undefined : { kind, owner };
    }
    case 'watchSource': {
      const sourceId = textOf(member(value, 'sourceId'));
      return sourceId === undefined ? undefined : { kind, sourceId };
    }
    case 'watchEntry': {
      const key = textOf(member(value, 'key'));
      return key === undefined ? undefined : { kind, key };
    }
    default:
      return undefined;
  }
}

/**
 * The rows that a menu was opened on: all that are selected, or the one. Undefined where nothing was given; what is given
 * and is no row is left out, so that it never means the selection.
 */
export function readRows(node: unknown, nodes?: unknown): readonly RowKey[] | undefined {
  const given: readonly unknown[] = Array.isArray(nodes) && nodes.length > 0 ? nodes : isAbsent(node) ? [] : [node];
  return given.length === 0 ? undefined : given.flatMap((one) => readRow(one) ?? []);
}

/** The rows of the two views that the stores of a session hold, in the order given. */
export function rowsInStores({ proposals, supply }: Session, rows: readonly RowKey[]): readonly RowKey[] {
  const denoms = new Set(rows.some(({ kind }) => kind === 'coin') ? supply.pager.rows.map(({ denom }) => denom) : []);
  return rows.filter((row) => {
    switch (row.kind) {
      case 'proposal':
        return proposals.known(row.id) !== undefined;
      case 'coin':
        return denoms.has(row.denom);
      case 'group':
        return true;
      case 'more':
      case 'notice':
        return row.owner === supplyOwner || isStatusGroup(row.owner);
      case 'watchSource':
      case 'watchEntry':
        return false;
      default:
        return row satisfies never;
    }
  });
}

/** The view that a key binding names. */
export function readView(value: unknown): 'proposals' | 'supply' | undefined {
  return (['proposals', 'supply'] as const).find((view) => view === value);
}

/** A text that a key binding gives: an id, a denom, what to look for. */
export function readText(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  return text === undefined || /\p{Cc}/u.test(text) ? undefined : text;
}

/** The files that the explorer's menu was opened on: all that are selected, or the one. */
export function readFiles(uri: unknown, uris: unknown): vscode.Uri[] {
  const all: readonly unknown[] = Array.isArray(uris) ? uris : [uri];
  return all.filter((one) => one instanceof vscode.Uri);
}

/** `{"scope": "everything", "format": "csv"}`; undefined for anything else. Where to write is always asked. */
export function readExport(value: unknown): ExportChoice | undefined {
  const scope = (['loaded', 'matching', 'everything'] as const).find((known) => known === member(value, 'scope'));
  const format = readFormat(value);
  return scope && format && { scope, format };
}

/** The format alone. */
export function readFormat(value: unknown): ExportFormat | undefined {
  return (['csv', 'json'] as const).find((known) => known === member(value, 'format'));
}

/** A member of an object that is not trusted. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Longer ones name nothing that there is. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 4096 ? value : undefined;
}
