import { join } from 'node:path';
import * as vscode from 'vscode';
import { member } from './api/errors.ts';
import type { ChainNode } from './api/node.ts';
import { SourceMemory } from './session/memory.ts';
import { Sessions } from './session/session.ts';
import { ActiveSession, FilterMemory } from './ui/activeSession.ts';
import { Commands } from './ui/commands/register.ts';
import { Documents, documentScheme } from './ui/documents.ts';
import { ProposalPanels } from './ui/panel/panels.ts';
import { Report, RequestLog, showError } from './ui/report.ts';
import { Credentials, networkOptions, Settings } from './ui/settings.ts';
import { showInStatusBar, showInTitles } from './ui/sourceStatus.ts';
import { showEndpoints } from './ui/trees/endpointsTree.ts';
import { ProposalsTree } from './ui/trees/proposalsTree.ts';
import { decorateRows } from './ui/trees/rows.ts';
import { SupplyTree } from './ui/trees/supplyTree.ts';
import { LazyWatchList } from './ui/watch/lazyWatchList.ts';

/** What `activate` returns: the objects of the extension, for tests that run in the extension host. Not a public API. */
export type ExtensionApi = ReturnType<typeof build>;

/** Starts the extension; shows an error where that fails. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
  try {
    return build(context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void showError(vscode.l10n.t('Chain Inspector could not start: {0}', reason));
    throw error;
  }
}

function build(context: vscode.ExtensionContext) {
  const { extensionPath, extensionUri, globalState, globalStorageUri } = context;
  const manifest: unknown = context.extension.packageJSON;
  const distPath = join(extensionPath, 'dist');
  const log = vscode.window.createOutputChannel('Chain Inspector', { log: true });
  const report = new Report(log);
  const requests = new RequestLog(log);
  const settings = new Settings();
  const credentials = new Credentials(context.secrets);
  const dialects = new SourceMemory(globalState, 'dialects');
  const sessions: Sessions = new Sessions({
    open: async (source, hooks) => {
      const { openSource } = await import('./openSource.ts');
      return openSource(source, hooks, {
        extensionPath,
        cacheDir: globalStorageUri.fsPath,
        requestTimeout: () => settings.requestTimeout,
        network: networkOptions,
        credential: (url) => credentials.get(url),
        remembered: (sourceId) => dialects.get(sourceId),
        // What is not stored is found out again.
        onLearned: (sourceId, facts) => void dialects.set(sourceId, facts).catch((error) => log.debug(String(error))),
        onRequest: (line) => requests.add(line),
        onReading: (file) => void commands.showReading(file, () => sessions.find(source)?.reopen()),
      });
    },
    pageSize: () => settings.pageSize,
    knownUnits: async (source, node) => {
      const chain = source.kind === 'http' ? (source.setting.chain ?? (await chainIdOf(node))) : undefined;
      if (chain === undefined) return new Map();
      const { loadDenomUnits } = await import('./session/stored.ts');
      return loadDenomUnits(distPath, chain);
    },
  });
  const active = new ActiveSession(sessions, settings, globalState);
  const filters = new FilterMemory(active, globalState);
  const documents = new Documents(async (uri) => (await commands.load()).documentText(uri));
  const selection = { proposals: () => proposalsView.selection, supply: () => supplyView.selection };
  const openProposal = async (sourceId: string, id: bigint): Promise<void> => {
    await panels.show({ sourceId, id });
  };
  const shared = { active, sessions, settings, report, globalState, selection };
  const watchList: LazyWatchList = new LazyWatchList({
    ...{ ...shared, dialects, distPath, documents, globalStorageUri, openProposal },
  });
  /** The row that was selected because a panel shows it: another panel does not follow that. */
  let revealed: bigint | undefined;
  const proposalsTree = new ProposalsTree(active, watchList);
  const supplyTree = new SupplyTree(active, watchList);
  const proposalsView = proposalsTree.view;
  const supplyView = supplyTree.view;
  const panels = new ProposalPanels({
    hold: (sourceId) => sessions.hold(settings.source(sourceId)),
    isKnown: (sourceId) =>
      settings.sources.some(({ id }) => id === sourceId) || sessions.find(settings.source(sourceId)) !== undefined,
    watchList,
    extensionUri,
    credentials,
    run: (title, work) => report.run(title, work),
    onShow: ({ sourceId, id }) => {
      const row = sourceId === active.session.source.id ? proposalsTree.nodeOf(id) : undefined;
      const isSelected = proposalsView.selection.some((node) => node.kind === 'proposal' && node.id === id);
      if (!row || isSelected || !proposalsView.visible) return;
      revealed = id;
      void proposalsView.reveal(row, { select: true, focus: false });
    },
  });
  const extension = `${context.extension.id} ${member(manifest, 'version')}, VS Code ${vscode.version}`;
  const commands = new Commands(
    {
      ...shared,
      ...{ log, panels, credentials, dialects, documents, filters, distPath, extension },
      runWatch: async (id, first, second) => (await watchList.load()).commands.run(id, first, second),
    },
    manifest,
  );
  context.subscriptions.push(
    log,
    settings,
    proposalsTree,
    supplyTree,
    documents,
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, documents),
    panels,
    watchList,
    decorateRows(),
    showEndpoints({ active, sessions, settings, dialects }),
    proposalsView.onDidChangeSelection(({ selection: [node, ...others] }) => {
      const isOurs = node?.kind === 'proposal' && node.id === revealed;
      revealed = undefined;
      if (node?.kind === 'proposal' && others.length === 0 && !isOurs)
        panels.follow({ sourceId: active.session.source.id, id: node.id });
    }),
    active.onDidChange(() => panels.closePreview()),
    commands,
    filters,
    showInStatusBar(active),
    showInTitles(active, proposalsView, supplyView),
    active,
    { dispose: () => void sessions.dispose() },
  );
  return { active, sessions, requests, proposalsTree, supplyTree, panels, watchList, commands };
}

async function chainIdOf(node: ChainNode): Promise<string | undefined> {
  if (node.dialect.chainId === undefined) await node.nodeInfo().catch(() => undefined);
  return node.dialect.chainId;
}
