import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import { statusGroups } from '../../chain/proposal.ts';
import type { ExportFormat } from '../../session/export.ts';
import type { SourceMemory } from '../../session/memory.ts';
import type { Session, Sessions } from '../../session/session.ts';
import type { ActiveSession, FilterMemory } from '../activeSession.ts';
import type { Documents } from '../documents.ts';
import type { ProposalPanels } from '../panel/panels.ts';
import type { Report } from '../report.ts';
import type { Credentials, Settings } from '../settings.ts';
import { supplyOwner } from '../trees/rows.ts';
import type { ExportChoice, ViewName } from './exportView.ts';

/** An entry of the table of commands. */
export interface Command {
  /** Without `chainInspector.`; one that begins with `_` is internal: registered, but not in the manifest. */
  readonly id: string;
  readonly failure: string;
  /** Links and other extensions give arguments: only the functions below read them; none names a file to write. */
  readonly run: (first: unknown, second: unknown) => Promise<void> | void;
}

/** What is selected in the views, for commands that are called without a row. */
export type Selection = Readonly<Record<ViewName, () => readonly unknown[]>>;

/** Commands of the watch list, without `chainInspector.`; one that begins with `_` is not in the manifest. */
export const watchCommands = [
  'watch',
  'watchById',
  'unwatch',
  'watchEverything',
  'stopWatchingEverything',
  'mute',
  'unmute',
  'editWatchRules',
  'refreshWatchList',
  'myVoters',
  '_openWatched',
  '_showWatchNews',
] as const;
export type WatchCommand = (typeof watchCommands)[number];

/** What commands work on. */
export interface CommandContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly report: Report;
  readonly log: vscode.LogOutputChannel;
  readonly panels: ProposalPanels;
  readonly selection: Selection;
  readonly credentials: Credentials;
  readonly dialects: SourceMemory;
  readonly documents: Documents;
  readonly filters: FilterMemory;
  readonly runWatch: (id: WatchCommand, first: unknown, second: unknown) => Promise<void>;
  /** Not synced: recent destinations and addresses. */
  readonly globalState: vscode.Memento;
  /** Folder of the bundle: presets and denoms are there. */
  readonly distPath: string;
  /** Name and version of the extension and of the editor, for reports. */
  readonly extension: string;
}

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
