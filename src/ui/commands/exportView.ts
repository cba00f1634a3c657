import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError, isAbort } from '../../api/errors.ts';
import { emptyPage, type Page } from '../../api/pages.ts';
import type { Coin } from '../../chain/coin.ts';
import { statusGroups } from '../../chain/proposal.ts';
import { hasText } from '../../chain/supplyStore.ts';
import { type Exported, type ExportFormat, exportRows } from '../../session/export.ts';
import { proposalsTable, supplyTable } from '../../session/exportTables.ts';
import { isFiltering } from '../../session/filter.ts';
import { readProposals, readSupply } from '../../session/readAll.ts';
import type { Session } from '../../session/session.ts';
import { pickOne, withProgress } from '../ask.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';
import type { ExportChoice } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import { filterText } from './filterMemory.ts';

/**
 * Writes the rows of a view, or everything behind it, to a file: asks which, unless a key binding says so, and always
 * where; shows how far it is, and says what came of it.
 */
export async function exportView(
  context: CommandContext,
  view: 'proposals' | 'supply',
  given: ExportChoice | undefined,
): Promise<void> {
  const hold = context.sessions.hold(context.active.session.source);
  try {
    const { session } = hold;
    const choice = given ?? (await askExport(session, view));
    const file = choice && (await askExportFile(session.source.name, view, choice.format));
    if (choice && file) await exportTo(session, view, choice, file.fsPath);
  } finally {
    await hold.release();
  }
}

/** Writes to a file that the user has chosen, without a question. */
export async function exportTo(
  session: Session,
  view: 'proposals' | 'supply',
  choice: ExportChoice,
  path: string,
): Promise<void> {
  const title = vscode.l10n.t('Exporting {0}', nameOf(view));
  const exported = await withProgress(title, async (signal, report) => {
    const total = countBehind(session, view);
    const onProgress = (rows: number) =>
      report(total && choice.scope === 'everything' ? vscode.l10n.t('{0} of {1}', rows, total) : `${rows}`);
    const job = { path, format: choice.format, source: session.source.id || session.source.name, onProgress };
    const work = view === 'proposals' ? proposalsJob(session, choice, signal) : supplyJob(session, choice, signal);
    try {
      return await work(job);
    } catch (error) {
      if (!isAbort(error) || !signal.aborted) throw error;
      return undefined;
    }
  });
  void tellExport(exported, path);
}

interface Place {
  readonly path: string;
  readonly format: ExportFormat;
  readonly source: string;
  readonly onProgress: (rows: number) => void;
}

function proposalsJob(
  session: Session,
  { scope }: ExportChoice,
  signal: AbortSignal,
): (place: Place) => Promise<Exported> {
  const { proposals } = session;
  return async (place) => {
    const pages =
      scope === 'loaded'
        ? loadedProposals(session)
        : readProposals(proposals, await session.node(), scope === 'matching' ? proposals.filter : {}, signal);
    return exportRows({ ...place, table: proposalsTable, pages });
  };
}

async function* loadedProposals({ proposals }: Session) {
  for (const group of proposals.shownGroups) yield pageOf(proposals.rows(group), proposals.pager(group).height);
  if (!proposals.filter.statuses) yield pageOf(proposals.rows('other'), undefined);
  yield pageOf(proposals.rows('unreadable'), undefined);
}

function supplyJob(
  session: Session,
  { scope }: ExportChoice,
  signal: AbortSignal,
): (place: Place) => Promise<Exported> {
  const { supply } = session;
  return async (place) => {
    if (scope !== 'loaded') await supply.loadUnits().catch(() => undefined);
    const unitOf = (denom: string) => supply.unit(denom);
    const { text } = supply.view;
    const pages =
      scope === 'loaded'
        ? onePage(pageOf(supply.shown, supply.pager.height))
        : readSupply(supply, await session.node(), signal);
    const keep = scope === 'matching' ? ({ denom }: Coin) => hasText(denom, text, unitOf) : undefined;
    return exportRows({ ...place, table: supplyTable(unitOf), pages, keep });
  };
}

async function* onePage<Row>(page: Page<Row>) {
  yield page;
}

function pageOf<Row>(rows: readonly Row[], height: bigint | undefined): Page<Row> {
  return { ...emptyPage, rows, info: { height: rows.length > 0 ? height : undefined } };
}

function nameOf(view: 'proposals' | 'supply'): string {
  return view === 'proposals' ? vscode.l10n.t('proposals') : vscode.l10n.t('supply');
}

/** How many rows there are behind a view, where the chain has said. */
function countBehind({ proposals, supply }: Session, view: 'proposals' | 'supply'): string | undefined {
  const totals = view === 'supply' ? [supply.pager] : statusGroups.map((group) => proposals.pager(group));
  const counts = totals.map(({ total, hasMore, rows }) => (hasMore ? total : BigInt(rows.length)));
  return counts.every((count) => count !== undefined) ? `${counts.reduce((sum, count) => sum + count, 0n)}` : undefined;
}

/**
 * Asks where to write; the proposed name says of which source, what, and the day. Throws `InputError` for what is not on a
 * disk.
 */
export async function askExportFile(
  source: string,
  what: string,
  format: ExportFormat,
): Promise<vscode.Uri | undefined> {
  const chain =
    source
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 60) || 'chain';
  const name = `${chain}-${what}-${new Date().toISOString().slice(0, 10)}.${format}`;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const place = folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
  const filters: Record<string, string[]> = format === 'csv' ? { CSV: ['csv'] } : { JSON: ['json'] };
  const title = vscode.l10n.t('Export to');
  const chosen = await vscode.window.showSaveDialog({ title, defaultUri: vscode.Uri.file(join(place, name)), filters });
  if (chosen && chosen.scheme !== 'file')
    throw new InputError(vscode.l10n.t('{0} is not on a disk', plain(chosen.toString())));
  return chosen;
}

/** Says what an export came to, and opens the file where that is wanted; undefined is one that was cancelled. */
export async function tellExport(exported: Exported | undefined, path: string): Promise<void> {
  if (!exported) {
    await showInfo(vscode.l10n.t('The export was cancelled; {0} was not written.', plain(path)));
    return;
  }
  const { rows, heights, heightDropped } = exported;
  const [first] = heights;
  const last = heights.at(-1);
  const at =
    first === undefined
      ? ''
      : first === last
        ? vscode.l10n.t(', at height {0}', `${first}`)
        : vscode.l10n.t(', at heights {0} to {1}', `${first}`, `${last}`);
  const moved =
    heightDropped === undefined
      ? ''
      : ` ${vscode.l10n.t('The rows may be of several heights: {0}.', plain(heightDropped))}`;
  const open = vscode.l10n.t('Open');
  const text = vscode.l10n.t('Exported {0} rows to {1}{2}.', rows, plain(path), at);
  const choice = await showInfo(`${text}${moved}`, open);
  if (choice === open) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
}

/** Asks which rows and in which form. */
export async function askExport(session: Session, view: 'proposals' | 'supply'): Promise<ExportChoice | undefined> {
  const choices = scopesOf(session, view).flatMap(({ scope, label, description }) => [
    { label: vscode.l10n.t('{0} as CSV', label), description, choice: { scope, format: 'csv' as const } },
    { label: vscode.l10n.t('{0} as JSON', label), description, choice: { scope, format: 'json' as const } },
  ]);
  const title = view === 'proposals' ? vscode.l10n.t('Export proposals') : vscode.l10n.t('Export supply');
  return (await pickOne(choices, { title }))?.choice;
}

interface ScopeChoice {
  readonly scope: ExportChoice['scope'];
  readonly label: string;
  readonly description: string;
}

/** What can be exported: what is loaded only where something is, what matches only where a filter is set. */
function scopesOf({ proposals, supply }: Session, view: 'proposals' | 'supply'): readonly ScopeChoice[] {
  const shown =
    view === 'supply'
      ? supply.shown.length
      : proposals.shownGroups.reduce((sum, group) => sum + proposals.rows(group).length, 0);
  const filtered = view === 'supply' ? supply.view.text !== '' : isFiltering(proposals.filter);
  const loaded = { scope: 'loaded' as const, label: vscode.l10n.t('Loaded rows'), description: `${shown}` };
  const filter = view === 'supply' ? `“${plain(supply.view.text)}”` : filterText(proposals.filter);
  const matching = {
    scope: 'matching' as const,
    label: vscode.l10n.t('All that match the filter'),
    description: filter,
  };
  const all = vscode.l10n.t('reads what is not loaded');
  const everything = { scope: 'everything' as const, label: vscode.l10n.t('Everything'), description: all };
  return [...(shown > 0 ? [loaded] : []), ...(filtered ? [matching] : []), everything];
}
