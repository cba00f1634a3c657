import * as vscode from 'vscode';
import { isAbort } from '../../api/errors.ts';
import type { Coin } from '../../chain/coin.ts';
import { statusGroups } from '../../chain/proposalGroup.ts';
import { hasText } from '../../chain/supplyView.ts';
import { type Exported, type ExportFormat, exportRows } from '../../session/export/exportRows.ts';
import { proposalsTable } from '../../session/export/proposalsTable.ts';
import type { ReadPage } from '../../session/export/readOn.ts';
import { readProposals } from '../../session/export/readProposals.ts';
import { readSupply } from '../../session/export/readSupply.ts';
import { supplyTable } from '../../session/export/supplyTable.ts';
import type { Session } from '../../session/session.ts';
import { withProgress } from '../ask.ts';
import type { ExportChoice } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import { askExport } from './exportChoices.ts';
import { askExportFile, tellExport } from './exportFile.ts';

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

async function* onePage<Row>(page: ReadPage<Row>) {
  yield page;
}

function pageOf<Row>(rows: readonly Row[], height: bigint | undefined): ReadPage<Row> {
  return { rows, nextKey: undefined, total: undefined, height: rows.length > 0 ? height : undefined };
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
