import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError, isAbort } from '../../api/errors.ts';
import type { Coin } from '../../chain/coin.ts';
import { statusGroups } from '../../chain/proposalStore.ts';
import { hasText } from '../../chain/supplyView.ts';
import { type Exported, type ExportFormat, exportRows } from '../../session/export/exportRows.ts';
import { proposalsTable } from '../../session/export/proposalsTable.ts';
import type { ReadPage } from '../../session/export/readOn.ts';
import { readProposals } from '../../session/export/readProposals.ts';
import { readSupply } from '../../session/export/readSupply.ts';
import { supplyTable } from '../../session/export/supplyTable.ts';
import { isFiltering } from '../../session/find/savedFilter.ts';
import type { Session } from '../../session/session.ts';
import type { CommandContext } from './commandContext.ts';
import { filterText } from './filterWords.ts';
import { withProgress } from './lookUp.ts';

/** `loaded`: the rows that the view shows. `matching`: every row behind the view that its filter lets through. */
type Scope = 'loaded' | 'matching' | 'everything';

interface Wish {
  readonly scope: Scope;
  readonly format: ExportFormat;
}

/**
 * Writes the rows of a view, or everything behind it, to a file: asks which and where, shows how far it is, and says what
 * came of it. A key binding or another command may give all of it: `{"scope": "everything", "format": "csv", "file": uri}`.
 */
export async function exportView(context: CommandContext, view: 'proposals' | 'supply', given: unknown): Promise<void> {
  const hold = context.sessions.hold(context.active.session.source);
  try {
    const { session } = hold;
    const wish = readWish(given) ?? (await askWish(session, view));
    if (!wish) return;
    const file = readFile(given) ?? (await askFile(session, view, wish.format));
    if (file) await write(session, view, wish, file.fsPath);
  } finally {
    await hold.release();
  }
}

async function write(session: Session, view: 'proposals' | 'supply', wish: Wish, path: string): Promise<void> {
  const title = vscode.l10n.t('Exporting {0}', nameOf(view));
  const exported = await withProgress(title, async (signal, report) => {
    const total = countBehind(session, view);
    const onProgress = (rows: number) =>
      report(total && wish.scope === 'everything' ? vscode.l10n.t('{0} of {1}', rows, total) : `${rows}`);
    const job = { path, format: wish.format, source: session.source.id || session.source.name, onProgress };
    const work = view === 'proposals' ? proposalsJob(session, wish, signal) : supplyJob(session, wish, signal);
    try {
      return await work(job);
    } catch (error) {
      if (!isAbort(error) || !signal.aborted) throw error;
      return undefined;
    }
  });
  if (exported) void tell(exported, path);
  else void vscode.window.showInformationMessage(vscode.l10n.t('The export was cancelled; {0} was not written.', path));
}

interface Place {
  readonly path: string;
  readonly format: ExportFormat;
  readonly source: string;
  readonly onProgress: (rows: number) => void;
}

function proposalsJob(session: Session, { scope }: Wish, signal: AbortSignal): (place: Place) => Promise<Exported> {
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

function supplyJob(session: Session, { scope }: Wish, signal: AbortSignal): (place: Place) => Promise<Exported> {
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

async function* onePage<Row>(page: ReadPage<Row>) {
  yield page;
}

function pageOf<Row>(rows: readonly Row[], height: bigint | undefined): ReadPage<Row> {
  return { rows, nextKey: undefined, total: undefined, height: rows.length > 0 ? height : undefined };
}

async function tell({ rows, heights, heightDropped }: Exported, path: string): Promise<void> {
  const [first] = heights;
  const last = heights.at(-1);
  const at =
    first === undefined
      ? ''
      : first === last
        ? vscode.l10n.t(', at height {0}', `${first}`)
        : vscode.l10n.t(', at heights {0} to {1}', `${first}`, `${last}`);
  const moved =
    heightDropped === undefined ? '' : ` ${vscode.l10n.t('The rows may be of several heights: {0}.', heightDropped)}`;
  const open = vscode.l10n.t('Open');
  const text = vscode.l10n.t('Exported {0} rows to {1}{2}.', rows, path, at);
  const choice = await vscode.window.showInformationMessage(`${text}${moved}`, open);
  if (choice === open) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
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

async function askWish(session: Session, view: 'proposals' | 'supply'): Promise<Wish | undefined> {
  const choices = scopesOf(session, view).flatMap(({ scope, label, description }) => [
    { label: vscode.l10n.t('{0} as CSV', label), description, wish: { scope, format: 'csv' as const } },
    { label: vscode.l10n.t('{0} as JSON', label), description, wish: { scope, format: 'json' as const } },
  ]);
  const title = view === 'proposals' ? vscode.l10n.t('Export proposals') : vscode.l10n.t('Export supply');
  return (await vscode.window.showQuickPick(choices, { title }))?.wish;
}

interface ScopeChoice {
  readonly scope: Scope;
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
  const filter = view === 'supply' ? `“${supply.view.text}”` : filterText(proposals.filter);
  const matching = {
    scope: 'matching' as const,
    label: vscode.l10n.t('All that match the filter'),
    description: filter,
  };
  const all = vscode.l10n.t('reads what is not loaded');
  const everything = { scope: 'everything' as const, label: vscode.l10n.t('Everything'), description: all };
  return [...(shown > 0 ? [loaded] : []), ...(filtered ? [matching] : []), everything];
}

async function askFile(
  { source }: Session,
  view: 'proposals' | 'supply',
  format: ExportFormat,
): Promise<vscode.Uri | undefined> {
  const chain =
    source.name
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 60) || 'chain';
  const name = `${chain}-${view}-${new Date().toISOString().slice(0, 10)}.${format}`;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const place = folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
  const filters: Record<string, string[]> = format === 'csv' ? { CSV: ['csv'] } : { JSON: ['json'] };
  const title = vscode.l10n.t('Export to');
  const chosen = await vscode.window.showSaveDialog({ title, defaultUri: vscode.Uri.file(join(place, name)), filters });
  if (chosen && chosen.scheme !== 'file')
    throw new InputError(vscode.l10n.t('{0} is not on a disk', chosen.toString()));
  return chosen;
}

function readWish(given: unknown): Wish | undefined {
  if (typeof given !== 'object' || given === null || !('scope' in given) || !('format' in given)) return undefined;
  const scope = (['loaded', 'matching', 'everything'] as const).find((known) => known === given.scope);
  const format = (['csv', 'json'] as const).find((known) => known === given.format);
  return scope && format && { scope, format };
}

function readFile(given: unknown): vscode.Uri | undefined {
  if (typeof given !== 'object' || given === null || !('file' in given)) return undefined;
  return given.file instanceof vscode.Uri ? given.file : undefined;
}
