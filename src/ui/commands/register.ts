import * as vscode from 'vscode';
import { statusGroups } from '../../chain/proposalGroup.ts';
import { sourceId } from '../../session/source.ts';
import { supplyOwner } from '../trees/supplyTree.ts';
import type { CommandContext } from './commandContext.ts';
import { copyAmount, copyDenom, copyProposalId } from './copy.ts';
import { failureWords } from './failureWords.ts';
import { loadAll } from './loadAll.ts';
import { lookUpDenom, lookUpProposal } from './lookUp.ts';
import { pagerOf, quiet, refreshAll, refreshStarted, retry } from './paging.ts';
import { anyNodes, isNode } from './treeNode.ts';

/** Registers every command of package.json; what one throws is shown by `Report`. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  const { active, settings, report, log, panels, selection, credentials } = context;
  const open = (id: bigint) => panels.show({ sourceId: active.session.source.id, id });
  const pagers = (owner: string) => pagerOf(active, owner);

  const work: Record<string, (node: unknown, nodes: unknown) => Promise<void> | void> = {
    lookUp: async (text) => (await import('./lookUpAnything.ts')).lookUp(context, typeof text === 'string' ? text : ''),
    lookUpProposal: (id) => lookUpProposal(context, id),
    lookUpDenom: (denom) => lookUpDenom(context, denom),
    openProposal: (node) => (isNode(node, 'proposal') ? open(node.id) : undefined),
    switchEndpoint: async () => (await import('./endpoints.ts')).switchEndpoint(settings),
    addEndpoint: async () => (await import('./endpoints.ts')).addEndpoint(settings, context.distPath),
    openStateFile: async (uri, uris) => (await import('./endpoints.ts')).openStateFiles(settings, urisOf(uri, uris)),
    removeEndpoint: async () => {
      const { removeEndpoint } = await import('./endpoints.ts');
      const removed = await removeEndpoint(settings);
      if (removed) await forgetEndpoint(context, removed);
    },
    refresh: () => refreshAll(active),
    refreshProposals: () => refreshStarted(statusGroups.map((group) => active.session.proposals.pager(group))),
    refreshSupply: () => refreshStarted([active.session.supply.pager]),
    refreshGroup: (node) => (isNode(node, 'group') ? pagers(node.group)?.refresh() : undefined),
    loadMore: (node) => (isNode(node, 'more') ? quiet(pagers(node.owner)?.loadMore()) : undefined),
    retry: (node) => (isNode(node, 'notice') ? quiet(retry(pagers(node.owner))) : undefined),
    loadAll: async (node) => {
      const pager = isNode(node, 'group')
        ? pagers(node.group)
        : isNode(node, 'more')
          ? pagers(node.owner)
          : pagers(supplyOwner);
      if (pager) await loadAll(pager);
    },
    filterProposals: async (filter) => (await import('./filterViews.ts')).filterProposals(context, filter),
    filterSupply: async (text) => (await import('./filterViews.ts')).filterSupply(context, text),
    sortSupply: async (order) => (await import('./filterViews.ts')).sortSupply(context, order),
    clearProposalsFilter: async () => (await import('./filterViews.ts')).clearFilter(context, 'proposals'),
    clearSupplyFilter: async () => (await import('./filterViews.ts')).clearFilter(context, 'supply'),
    exportProposals: async (wish) => (await import('./exportView.ts')).exportView(context, 'proposals', wish),
    exportSupply: async (wish) => (await import('./exportView.ts')).exportView(context, 'supply', wish),
    copyTsv: async (node, nodes) =>
      (await import('./copyRows.ts')).copyRows(context, 'tsv', anyNodes(node, nodes), node),
    copyJson: async (node, nodes) =>
      (await import('./copyRows.ts')).copyRows(context, 'json', anyNodes(node, nodes), node),
    copyCurl: async (node, nodes) =>
      (await import('./copyRows.ts')).copyRows(context, 'curl', anyNodes(node, nodes), node),
    copyProposalId: (node) => copyProposalId(isNode(node, 'proposal') ? node : undefined, selection),
    copyDenom: (node) => copyDenom(isNode(node, 'coin') ? node : undefined, selection),
    copyAmount: (node) => copyAmount(isNode(node, 'coin') ? node : undefined, selection, active),
    setHeader: async () => (await import('./credentialHeader.ts')).setHeader(active.session, credentials),
    forgetHeader: async () => (await import('./credentialHeader.ts')).forgetHeader(active.session, credentials),
    testConnection: async () => (await import('./showConnection.ts')).showConnection(context),
    showLog: () => log.show(),
    ...context.comparison.commands,
  };
  const made = Object.entries(work).map(([name, run]) =>
    vscode.commands.registerCommand(`chainInspector.${name}`, (node: unknown, nodes: unknown) =>
      report.run(failureWords(name), () => run(node, nodes)),
    ),
  );
  return vscode.Disposable.from(...made);
}

/** The files that the explorer's menu was opened on: all that are selected, or the one. */
function urisOf(uri: unknown, uris: unknown): vscode.Uri[] {
  const all: readonly unknown[] = Array.isArray(uris) ? uris : [uri];
  return all.filter((one) => one instanceof vscode.Uri);
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
