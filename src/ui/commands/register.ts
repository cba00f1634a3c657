import * as vscode from 'vscode';
import type { AnyPager } from '../../chain/pager.ts';
import { type StatusGroup, statusGroups } from '../../chain/proposalStore.ts';
import type { Dialects } from '../../session/dialects.ts';
import type { Sessions } from '../../session/sessions.ts';
import { sourceId } from '../../session/source.ts';
import { reportText, testConnection } from '../../session/testConnection.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { LazyComparison } from '../compare/lazyComparison.ts';
import type { Credentials } from '../credentials.ts';
import type { Documents } from '../documents.ts';
import type { LazyPanels } from '../panel/lazyPanels.ts';
import type { Report } from '../report.ts';
import type { Settings } from '../settings.ts';
import type { ProposalsNode } from '../trees/proposalsTree.ts';
import type { MoreNode, NoticeNode } from '../trees/rows.ts';
import { type SupplyNode, supplyOwner } from '../trees/supplyTree.ts';
import { copyAmount, copyDenom, copyProposalId, type Selection } from './copy.ts';
import { forgetHeader, setHeader } from './credentialHeader.ts';
import { addEndpoint, openStateFile, removeEndpoint, switchEndpoint } from './endpoints.ts';
import type { FilterMemory } from './filterMemory.ts';
import { loadAll } from './loadAll.ts';
import { askDenom, askProposalId, showCoin, withProgress } from './lookUp.ts';

/** What commands work on. */
export interface CommandContext {
  readonly active: ActiveSession;
  readonly settings: Settings;
  readonly report: Report;
  readonly log: vscode.LogOutputChannel;
  readonly panels: LazyPanels;
  readonly selection: Selection;
  readonly credentials: Credentials;
  readonly dialects: Dialects;
  readonly documents: Documents;
  readonly comparison: LazyComparison;
  readonly sessions: Sessions;
  readonly filters: FilterMemory;
  /** The user's own, on this machine: recent look-ups and addresses. */
  readonly globalState: vscode.Memento;
  /** Folder of the bundle: presets and denoms lie there. */
  readonly distPath: string;
  /** Name and version, for reports. */
  readonly extension: string;
}

/** Registers every command of package.json; what one throws is shown by `Report`. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  const { active, settings, report, log, panels, selection, credentials } = context;
  const open = (id: bigint) => panels.show({ sourceId: active.session.source.id, id });
  const pagers = (owner: string) => pagerOf(active, owner);

  const work: Record<string, (node: unknown, nodes: unknown) => Promise<void> | void> = {
    lookUp: async (text) => (await import('./lookUpAnything.ts')).lookUp(context, typeof text === 'string' ? text : ''),
    lookUpProposal: async () => {
      const id = await askProposalId();
      if (id !== undefined) await open(id);
    },
    lookUpDenom: async () => {
      const denom = await askDenom();
      if (denom !== undefined) await showCoin(active, denom);
    },
    openProposal: (node) => (isNode(node, 'proposal') ? open(node.id) : undefined),
    switchEndpoint: () => switchEndpoint(settings),
    addEndpoint: () => addEndpoint(settings, context.distPath),
    openStateFile: (uri) => openStateFile(settings, uri instanceof vscode.Uri ? uri : undefined),
    removeEndpoint: async () => {
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
    setHeader: () => setHeader(active.session, credentials),
    forgetHeader: () => forgetHeader(active.session, credentials),
    testConnection: () => showConnection(context),
    showLog: () => log.show(),
    ...context.comparison.commands,
  };
  const made = Object.entries(work).map(([name, run]) =>
    vscode.commands.registerCommand(`chainInspector.${name}`, (node: unknown, nodes: unknown) =>
      report.run(titles(name), () => run(node, nodes)),
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

async function showConnection({ active, credentials, documents, extension }: CommandContext): Promise<void> {
  const { session } = active;
  const { source } = session;
  const title = vscode.l10n.t('Testing the connection to {0}', source.name);
  const text = await withProgress(title, async (signal) => {
    const node = await session.node();
    const header = source.kind === 'http' ? (await credentials.get(source.id))?.name : undefined;
    const report = await testConnection(node, signal);
    return reportText(report, { source, node, header, notices: session.notices, extension });
  });
  await documents.show('connection.txt', text);
}

/** What failed, in the words of the palette. */
function titles(command: string): string {
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

type AnyNode = ProposalsNode | SupplyNode | MoreNode | NoticeNode;

function isNode<K extends AnyNode['kind']>(node: unknown, kind: K): node is Extract<AnyNode, { kind: K }> {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === kind;
}

/** The rows that a menu of a view was opened on: all that are selected, or the one. */
function anyNodes(node: unknown, nodes: unknown): readonly (ProposalsNode | SupplyNode)[] {
  const all: readonly unknown[] = Array.isArray(nodes) ? nodes : [node];
  const kinds = ['group', 'proposal', 'coin', 'more', 'notice'] as const;
  return all.filter((one): one is ProposalsNode | SupplyNode => kinds.some((kind) => isNode(one, kind)));
}

function pagerOf(active: ActiveSession, owner: string): AnyPager | undefined {
  if (owner === supplyOwner) return active.session.supply.pager;
  const group = statusGroups.find((known: StatusGroup) => known === owner);
  return group && active.session.proposals.pager(group);
}

async function refreshAll(active: ActiveSession): Promise<void> {
  const { proposals, supply } = active.session;
  await refreshStarted([supply.pager, ...statusGroups.map((group) => proposals.pager(group))]);
}

/** Lists that nobody has looked at stay unread. */
async function refreshStarted(pagers: readonly AnyPager[]): Promise<void> {
  const seen = pagers.filter((pager) => pager.started || pager.error !== undefined);
  const results = await Promise.allSettled(seen.map((pager) => (pager.started ? pager.refresh() : pager.loadMore())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** A failure of paging stands in the tree, as a row with Retry: no notification beside it. */
async function quiet(load: Promise<void> | undefined): Promise<void> {
  await load?.catch(() => undefined);
}

async function retry(pager: AnyPager | undefined): Promise<void> {
  if (!pager) return;
  await (pager.started && !pager.hasMore ? pager.refresh() : pager.loadMore());
}
