import * as vscode from 'vscode';
import type { AnyPager } from '../../chain/pager.ts';
import { isStatusGroup, statusGroups } from '../../chain/proposal.ts';
import { sourceId } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { supplyOwner } from '../trees/supplyTree.ts';
import {
  isAbsent,
  type RowKey,
  readExport,
  readFiles,
  readRow,
  readRows,
  readText,
  readView,
  rowsInStores,
} from './args.ts';
import type { CommandContext } from './commandContext.ts';
import { copyAmount, copyDenom, copyProposalId } from './copy.ts';
import type { CopyForm } from './copyRows.ts';
import { loadAll } from './loadAll.ts';
import { lookUpDenom, lookUpProposal } from './lookUp.ts';

/** Registers every command of package.json; what one throws is shown by `Report`. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  const { active, settings, report, log, panels, selection, credentials } = context;
  const open = (id: bigint) => panels.show({ sourceId: active.session.source.id, id });
  const copyAs = (form: CopyForm) => async (row: unknown, rows: unknown) => {
    const view = readView(row);
    const given = view ? undefined : readRows(row, rows);
    await (await import('./copyRows.ts')).copyRows(context, form, given, view);
  };

  const work: Record<string, (first: unknown, second: unknown) => Promise<void> | void> = {
    lookUp: async (text) => (await import('./lookUpAnything.ts')).lookUp(context, readText(text) ?? ''),
    lookUpProposal: (id) => lookUpProposal(context, readText(id)),
    lookUpDenom: (denom) => lookUpDenom(context, readText(denom)),
    openProposal: (row) => {
      const key = readRow(row);
      return key?.kind === 'proposal' && rowsInStores(active.session, [key]).length > 0 ? open(key.id) : undefined;
    },
    switchEndpoint: async () => (await import('./endpoints.ts')).switchEndpoint(settings),
    addEndpoint: async () => (await import('./endpoints.ts')).addEndpoint(settings, context.distPath),
    openStateFile: async (uri, uris) => (await import('./endpoints.ts')).openStateFiles(settings, readFiles(uri, uris)),
    removeEndpoint: async () => {
      const { removeEndpoint } = await import('./endpoints.ts');
      const removed = await removeEndpoint(settings);
      if (removed) await forgetEndpoint(context, removed);
    },
    refresh: () => refreshAll(active),
    refreshProposals: () => refreshStarted(statusGroups.map((group) => active.session.proposals.pager(group))),
    refreshSupply: () => refreshStarted([active.session.supply.pager]),
    refreshGroup: (row) => pagerOf(active, readRow(row))?.refresh(),
    loadMore: (row) => quiet(pagerOf(active, readRow(row))?.loadMore()),
    retry: (row) => quiet(retry(pagerOf(active, readRow(row)))),
    loadAll: async (row) => {
      // The button of the Supply view hands over the row that has the focus.
      const key = isAbsent(row) ? undefined : readRow(row);
      const isSupply = isAbsent(row) || key?.kind === 'coin';
      const pager = isSupply ? active.session.supply.pager : pagerOf(active, key);
      if (pager) await loadAll(pager);
    },
    filterProposals: async (filter) => (await import('./filterViews.ts')).filterProposals(context, filter),
    filterSupply: async (text) => (await import('./filterViews.ts')).filterSupply(context, readText(text)),
    sortSupply: async (order) => (await import('./filterViews.ts')).sortSupply(context, readText(order)),
    clearProposalsFilter: async () => (await import('./filterViews.ts')).clearFilter(context, 'proposals'),
    clearSupplyFilter: async () => (await import('./filterViews.ts')).clearFilter(context, 'supply'),
    exportProposals: async (choice) =>
      (await import('./exportView.ts')).exportView(context, 'proposals', readExport(choice)),
    exportSupply: async (choice) => (await import('./exportView.ts')).exportView(context, 'supply', readExport(choice)),
    copyTsv: copyAs('tsv'),
    copyJson: copyAs('json'),
    copyCurl: copyAs('curl'),
    copyProposalId: (row, rows) => copyProposalId(readRows(row, rows), selection, active),
    copyDenom: (row, rows) => copyDenom(readRows(row, rows), selection, active),
    copyAmount: (row, rows) => copyAmount(readRows(row, rows), selection, active),
    setHeader: async () => (await import('./credentialHeader.ts')).setHeader(active.session, credentials),
    forgetHeader: async () => (await import('./credentialHeader.ts')).forgetHeader(active.session, credentials),
    testConnection: async () => (await import('./showConnection.ts')).showConnection(context),
    showLog: () => log.show(),
    ...context.comparison.commands,
  };
  const made = Object.entries(work).map(([name, run]) =>
    vscode.commands.registerCommand(`chainInspector.${name}`, (first: unknown, second: unknown) =>
      report.run(failureWords(name), () => run(first, second)),
    ),
  );
  return vscode.Disposable.from(...made);
}

/** What is kept beside the setting goes with it. A credential belongs to an origin, so another endpoint there keeps it. */
async function forgetEndpoint({ settings, credentials, dialects }: CommandContext, url: string): Promise<void> {
  if (!/^https?:/i.test(url)) return;
  await dialects.forget(sourceId(url));
  const origin = originOf(url);
  if (!settings.endpoints.some((other) => originOf(other.url) === origin)) await credentials.forget(url);
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}

/** What failed, in the words of the palette. */
export function failureWords(command: string): string {
  switch (command) {
    case 'compareWith':
    case 'refreshComparison':
    case 'openComparisonDiff':
      return vscode.l10n.t('Could not compare');
    case 'lookUp':
      return vscode.l10n.t('Could not look that up');
    case 'filterProposals':
      return vscode.l10n.t('Could not filter');
    case 'exportProposals':
    case 'exportSupply':
    case 'exportComparison':
      return vscode.l10n.t('Could not export');
    case 'copyTsv':
    case 'copyJson':
    case 'copyCurl':
      return vscode.l10n.t('Could not copy');
    case 'lookUpProposal':
    case 'openProposal':
    case 'openComparedProposal':
      return vscode.l10n.t('Could not open the proposal');
    case 'lookUpDenom':
    case 'copyAmount':
      return vscode.l10n.t('Could not read the supply');
    case 'refresh':
    case 'refreshProposals':
    case 'refreshSupply':
    case 'refreshGroup':
      return vscode.l10n.t('Could not refresh');
    case 'addEndpoint':
    case 'openStateFile':
      return vscode.l10n.t('Could not add the endpoint');
    case 'testConnection':
      return vscode.l10n.t('Could not test the connection');
    case 'setHeader':
    case 'forgetHeader':
      return vscode.l10n.t('Could not change the header');
    case 'loadAll':
      return vscode.l10n.t('Could not load all');
    default:
      return vscode.l10n.t('Chain Inspector');
  }
}

/** The list that a row stands for or belongs to. */
export function pagerOf({ session }: ActiveSession, row: RowKey | undefined): AnyPager | undefined {
  const owner = row?.kind === 'group' ? row.group : row?.kind === 'more' || row?.kind === 'notice' ? row.owner : '';
  if (owner === supplyOwner) return session.supply.pager;
  return isStatusGroup(owner) ? session.proposals.pager(owner) : undefined;
}

/** Reads anew what was looked at, in both views. */
export async function refreshAll(active: ActiveSession): Promise<void> {
  const { proposals, supply } = active.session;
  await refreshStarted([supply.pager, ...statusGroups.map((group) => proposals.pager(group))]);
}

/** Lists that nobody has looked at stay unread. */
export async function refreshStarted(pagers: readonly AnyPager[]): Promise<void> {
  const seen = pagers.filter((pager) => pager.started || pager.error !== undefined);
  const results = await Promise.allSettled(seen.map((pager) => (pager.started ? pager.refresh() : pager.loadMore())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** A failure of paging stands in the tree, as a row with Retry: no notification beside it. */
export async function quiet(load: Promise<void> | undefined): Promise<void> {
  await load?.catch(() => undefined);
}

/** Reads on where a list failed, or reads it anew where it had ended. */
export async function retry(pager: AnyPager | undefined): Promise<void> {
  if (!pager) return;
  await (pager.started && !pager.hasMore ? pager.refresh() : pager.loadMore());
}
