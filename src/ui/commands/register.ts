import * as vscode from 'vscode';
import { statusGroups } from '../../chain/proposalGroup.ts';
import { sourceId } from '../../session/source.ts';
import { isAbsent, readExport, readFiles, readRow, readRows, readText, readView, rowsInStores } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import { copyAmount, copyDenom, copyProposalId } from './copy.ts';
import type { CopyForm } from './copyRows.ts';
import { failureWords } from './failureWords.ts';
import { loadAll } from './loadAll.ts';
import { lookUpDenom, lookUpProposal } from './lookUp.ts';
import { pagerOf, quiet, refreshAll, refreshStarted, retry } from './paging.ts';

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
