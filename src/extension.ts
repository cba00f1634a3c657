import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ChainNode } from './api/node.ts';
import { openSource } from './openSource.ts';
import { Dialects } from './session/dialects.ts';
import { Sessions } from './session/session.ts';
import { toSource } from './session/source.ts';
import { ActiveSession } from './ui/activeSession.ts';
import { Commands } from './ui/commands/register.ts';
import { Documents, documentScheme, proposalUri } from './ui/documents.ts';
import type { ExtensionApi } from './ui/extensionApi.ts';
import { FilterMemory } from './ui/filterMemory.ts';
import { Credentials, networkOptions } from './ui/network.ts';
import { LazyPanels } from './ui/panel/lazyPanels.ts';
import { Report, RequestLog, showError } from './ui/report.ts';
import { Settings } from './ui/settings.ts';
import { StatusBar } from './ui/statusBar.ts';
import { type ProposalsNode, ProposalsTree } from './ui/trees/proposalsTree.ts';
import { stateFileDrop } from './ui/trees/rows.ts';
import { type SupplyNode, SupplyTree } from './ui/trees/supplyTree.ts';
import { TimeLeft } from './ui/trees/timeLeft.ts';
import { ViewTitles } from './ui/viewTitles.ts';
import { LazyWatchList } from './ui/watch/lazyWatchList.ts';

/** Starts the extension; says so where that fails. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
  try {
    return build(context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void showError(vscode.l10n.t('Chain Inspector could not start: {0}', reason));
    throw error;
  }
}

/** Builds everything in dependency order; asks nothing of any chain. */
function build(context: vscode.ExtensionContext): ExtensionApi {
  const distPath = join(context.extensionPath, 'dist');
  const log = vscode.window.createOutputChannel('Chain Inspector', { log: true });
  const report = new Report(log);
  const requests = new RequestLog(log);
  const settings = new Settings();
  const credentials = new Credentials(context.secrets);
  const dialects = new Dialects(context.globalState);
  const sessions: Sessions = new Sessions({
    open: (source, hooks) =>
      openSource(source, hooks, {
        extensionPath: context.extensionPath,
        cacheDir: context.globalStorageUri.fsPath,
        requestTimeout: () => settings.requestTimeout,
        network: networkOptions,
        credential: (url) => credentials.get(url),
        remembered: (sourceId) => dialects.get(sourceId),
        // What could not be kept is only found out again.
        onLearned: (sourceId, facts) => void dialects.keep(sourceId, facts).catch((error) => log.debug(String(error))),
        onRequest: (line) => requests.add(line),
        onReading: (file) => {
          const show = async () => (await commands.load()).showReading(file, () => sessions.find(source)?.reopen());
          void report.run(vscode.l10n.t('Could not read {0}', file.name), show);
        },
      }),
    pageSize: () => settings.pageSize,
    knownUnits: async (source, node) => {
      const chain = source.kind === 'http' ? (source.setting.chain ?? (await chainIdOf(node))) : undefined;
      if (chain === undefined) return new Map();
      const { loadDenomUnits } = await import('./session/stored.ts');
      return loadDenomUnits(distPath, chain);
    },
  });
  const active = new ActiveSession(sessions, settings);
  const filters = new FilterMemory(active, context.globalState);
  const proposalsTree = new ProposalsTree(active);
  const supplyTree = new SupplyTree(active);
  const proposalsView = vscode.window.createTreeView<ProposalsNode>('chainInspector.proposals', {
    treeDataProvider: proposalsTree,
    dragAndDropController: stateFileDrop,
    showCollapseAll: true,
    canSelectMany: true,
  });
  const supplyView = vscode.window.createTreeView<SupplyNode>('chainInspector.supply', {
    treeDataProvider: supplyTree,
    dragAndDropController: stateFileDrop,
    canSelectMany: true,
  });
  const documents = new Documents(sessions, settings);
  const selection = { proposals: () => proposalsView.selection, supply: () => supplyView.selection };
  const watchList: LazyWatchList = new LazyWatchList({
    active,
    sessions,
    settings,
    report,
    globalState: context.globalState,
    globalStorageUri: context.globalStorageUri,
    openProposal: (sourceId, id) => panels.show({ sourceId, id }),
    selection,
  });
  const panels = new LazyPanels({
    hold: (sourceId) => sessions.hold(toSource(sourceId, settings.endpoints, vscode.l10n.t('Sample chain'))),
    watch: {
      isWatched: ({ sourceId, id }) => watchList.isWatched({ kind: 'proposal', sourceId, id }),
      toggle: ({ sourceId, id }) => watchList.toggle({ kind: 'proposal', sourceId, id }),
      onDidChange: (listener) => watchList.onDidChange(listener),
    },
    extensionUri: context.extensionUri,
    log,
    run: (title, work) => report.run(title, work),
    jsonUri: proposalUri,
  });
  proposalsTree.follow(proposalsView);
  supplyTree.follow(supplyView);
  const followed = [
    proposalsView.onDidChangeSelection(({ selection: [node, ...others] }) => {
      if (node?.kind !== 'proposal' || others.length > 0) return;
      panels.follow({ sourceId: active.session.source.id, id: node.id });
    }),
    active.onDidChange(() => panels.closePreview()),
    new TimeLeft(proposalsView, () => proposalsTree.redrawTimes()),
  ];
  const manifest: unknown = context.extension.packageJSON;
  const commands = new Commands(
    {
      active,
      sessions,
      settings,
      report,
      log,
      panels,
      selection,
      credentials,
      dialects,
      documents,
      filters,
      watchCommands: watchList.commands,
      globalState: context.globalState,
      distPath,
      extension: `${context.extension.id} ${version(manifest)}, VS Code ${vscode.version}`,
    },
    manifest,
  );
  const statusBar = new StatusBar(active);
  const titles = new ViewTitles(active, proposalsView, supplyView);
  const ending = { dispose: () => void sessions.dispose() };
  context.subscriptions.push(
    log,
    settings,
    proposalsView,
    supplyView,
    proposalsTree,
    supplyTree,
    documents,
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, documents),
    panels,
    watchList,
    ...followed,
    commands,
    filters,
    statusBar,
    titles,
    active,
    ending,
  );
  const exportTo: ExtensionApi['exportTo'] = async (view, choice, file) =>
    (await commands.load()).exportTo(view, choice, file.fsPath);
  return { active, sessions, requests, proposalsTree, supplyTree, panels, watchList, commands, exportTo };
}

function version(manifest: unknown): string {
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}

/** The chain id as the node says it; unknown where it does not offer that. */
async function chainIdOf(node: ChainNode): Promise<string | undefined> {
  if (node.dialect.chainId === undefined) await node.nodeInfo().catch(() => undefined);
  return node.dialect.chainId;
}
