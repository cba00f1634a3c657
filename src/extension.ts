import * as vscode from 'vscode';
import { messageOf } from './api/errors.ts';
import { lazy } from './api/sharing.ts';
import { type KeyValueStore, LastAnswers, SerialStore, SourceMemory } from './session/memory.ts';
import { Sessions } from './session/session.ts';
import { presentId } from './session/source.ts';
import { ActiveSession } from './ui/activeSession.ts';
import { offerTools } from './ui/agents/offerTools.ts';
import type { CodeLinkParts, CodeLinks } from './ui/codeLinks/codeLinks.ts';
import type { Selection } from './ui/commands/commandArguments.ts';
import { Commands } from './ui/commands/register.ts';
import { Documents } from './ui/documents.ts';
import { LazyDrafts } from './ui/drafts/lazyDrafts.ts';
import { decorateRows } from './ui/editorTexts.ts';
import { EndpointsTree } from './ui/endpoints/endpointsTree.ts';
import { FilterMemory } from './ui/lists/commands/proposalFilter.ts';
import { ListViews } from './ui/lists/listViews.ts';
import { followExplorer } from './ui/panel/followExplorer.ts';
import { LazyPanels } from './ui/panel/lazyPanels.ts';
import { Report, RequestLog, showError } from './ui/report.ts';
import { pageSize, Settings } from './ui/settings.ts';
import { showInStatusBar } from './ui/statusBar.ts';
import type { Storage } from './ui/storage.ts';
import { LazyWatchList } from './ui/watch/lazyWatchList.ts';
import type { OpenTarget } from './ui/watch/watchScreen.ts';
import { causeText } from './words/errorWords.ts';

/** The result of activation: the objects of the extension, for tests in the extension host. Not a public API. */
export interface ExtensionApi {
  readonly active: ActiveSession;
  readonly globalState: KeyValueStore;
  readonly sessions: Sessions;
  readonly requests: RequestLog;
  readonly listViews: ListViews;
  readonly endpointsTree: EndpointsTree;
  readonly panels: LazyPanels;
  readonly watchList: LazyWatchList;
  readonly commands: Commands;
  readonly drafts: LazyDrafts;
}

/** The time after the start of the window in which parts are only loaded if a view needs them. In milliseconds. */
const calmStart = 1000;

/** Starts the extension. Shows an error if that fails. */
export function startExtension(context: vscode.ExtensionContext): ExtensionApi {
  try {
    return build(context);
  } catch (error) {
    const reason = messageOf(error);
    void showError(vscode.l10n.t('Chain Inspector could not start: {0}', reason));
    throw error;
  }
}

/** Builds the parts, each from those before it. */
function build(context: vscode.ExtensionContext): ExtensionApi {
  const log = vscode.window.createOutputChannel('Chain Inspector', { log: true });
  const report = new Report(log);
  const requests = new RequestLog(log);
  const settings = new Settings();
  const storage = storageOf(context);
  const { globalState, distPath } = storage;
  const sessions = createSessions(storage, report, requests);
  const active = new ActiveSession(sessions, settings, globalState);
  const filters = new FilterMemory(active, globalState);
  const documents = new Documents(active);
  const openTarget: OpenTarget = async (target, fromRow) => (await panels.load()).open(target, fromRow);
  const watchList = new LazyWatchList(settings, globalState, report, async (view, redraw) => {
    const { WatchView } = await import('./ui/watch/watchView.ts');
    return new WatchView(active, storage, { view, redraw, report, open: openTarget });
  });
  const listViews = new ListViews(active, async (viewOf) => {
    const { createTrees } = await import('./ui/lists/listTrees.ts');
    return createTrees((name) => ({ view: viewOf(name), active, watched: watchList, settings }));
  });
  const endpointsTree = new EndpointsTree(active, storage);
  const panels: LazyPanels = new LazyPanels(async () => {
    const { OpenPanels } = await import('./ui/panel/openPanels.ts');
    return new OpenPanels({ active, storage, watchList, report }, (await listViews.load()).proposals);
  });
  const drafts = new LazyDrafts(async (pause) => {
    const { DraftEditor } = await import('./ui/drafts/draftEditor.ts');
    return new DraftEditor(active, storage, report, pause);
  });
  const { extension } = context;
  const selection: Selection = (name) => listViews.selection(name);
  const codeLinks = lazyCodeLinks(context, active, { storage, open: openTarget });
  const commands = new Commands(extension.packageJSON, panels, report, async () => {
    const { CommandTable } = await import('./ui/commands/commandTable.ts');
    const screen = { documents, panels, drafts, filters, watchList, selection, report, codeLinks };
    return new CommandTable(active, storage, extension, screen);
  });
  const tools = offerTools(settings, async () => (await import('./ui/agents/agentTools.ts')).registerTools(active));
  const preparing = setTimeout(async () => {
    await (await import('./sourceOpener.ts')).prepareRows(active.session);
    await codeLinks();
  }, calmStart);
  context.subscriptions.push(
    ...[log, settings, listViews, documents, panels, watchList],
    ...[decorateRows(), endpointsTree, storage.answers, commands, filters, drafts, tools],
    ...[showInStatusBar(active), followExplorer(active, distPath), active],
    { dispose: () => [clearTimeout(preparing), sessions.dispose()] },
  );
  return { active, globalState, sessions, requests, listViews, endpointsTree, panels, watchList, commands, drafts };
}

/** The storage that VS Code gives the extension. */
function storageOf(context: vscode.ExtensionContext): Storage {
  const { extensionUri } = context;
  const globalState = new SerialStore(context.globalState);
  return {
    globalState,
    workspaceState: context.workspaceState,
    credentials: context.secrets,
    dialects: new SourceMemory(globalState, 'dialects'),
    answers: new LastAnswers(globalState),
    globalStorageUri: context.globalStorageUri,
    extensionUri,
    distPath: vscode.Uri.joinPath(extensionUri, 'dist').fsPath,
  };
}

/** The sessions of the window. Client and service are loaded with the first one. */
function createSessions(storage: Storage, report: Report, requests: RequestLog): Sessions {
  const { answers, distPath } = storage;
  const sessions: Sessions = new Sessions({
    open: async (source, hooks) => {
      const { openInWindow } = await import('./sourceOpener.ts');
      const reopen = (): Promise<void> | undefined => sessions.find(source)?.reopen();
      return openInWindow(source, hooks, { storage, report, requests, reopen });
    },
    pageSize,
    knownUnits: async (...asked) => (await import('./session/registry.ts')).registryUnits(distPath, ...asked),
    onFailure: (source, error) => answers.set(presentId(source), { cause: causeText(error, vscode.l10n.t) }),
  });
  return sessions;
}

/** Loads the links in code at most once, and disposes them with the extension. */
function lazyCodeLinks(
  { subscriptions }: vscode.ExtensionContext,
  active: ActiveSession,
  parts: CodeLinkParts,
): () => Promise<CodeLinks> {
  return lazy(async () => {
    const { registerCodeLinks } = await import('./ui/codeLinks/codeLinks.ts');
    const links = registerCodeLinks(active, parts);
    subscriptions.push(links);
    return links;
  });
}
