import * as vscode from 'vscode';
import { messageOf } from './api/errors.ts';
import { type KeyValueStore, LastAnswers, SerialStore, SourceMemory } from './session/memory.ts';
import { Sessions } from './session/session.ts';
import { presentId } from './session/source.ts';
import { ActiveSession } from './ui/activeSession.ts';
import { offerTools } from './ui/agents/offerTools.ts';
import type { Selection } from './ui/commands/commandArguments.ts';
import { Commands } from './ui/commands/register.ts';
import { Documents } from './ui/documents.ts';
import { LazyDrafts } from './ui/drafts/lazyDrafts.ts';
import { EndpointsTree } from './ui/endpoints/endpointsTree.ts';
import { FilterMemory } from './ui/lists/filterMemory.ts';
import { followExplorer } from './ui/panel/followExplorer.ts';
import { ProposalPanels } from './ui/panel/panels.ts';
import { Report, RequestLog, showError } from './ui/report.ts';
import { Settings } from './ui/settings.ts';
import { showInTitles } from './ui/sourceStatus.ts';
import { showInStatusBar } from './ui/statusBar.ts';
import { decorateRows } from './ui/trees/listTree.ts';
import { ProposalsTree } from './ui/trees/proposalsTree.ts';
import { SupplyTree } from './ui/trees/supplyTree.ts';
import { ValidatorsTree } from './ui/trees/validatorsTree.ts';
import { LazyWatchList } from './ui/watch/lazyWatchList.ts';
import type { OpenTarget } from './ui/watch/watchScreen.ts';
import { causeText } from './words/errorWords.ts';

/** What `activate` returns: the objects of the extension, for tests that run in the extension host. Not a public API. */
export interface ExtensionApi {
  readonly active: ActiveSession;
  readonly globalState: KeyValueStore;
  readonly sessions: Sessions;
  readonly requests: RequestLog;
  /** The view of each list. */
  readonly trees: Readonly<{ proposals: ProposalsTree; supply: SupplyTree; validators: ValidatorsTree }>;
  readonly endpointsTree: EndpointsTree;
  readonly panels: ProposalPanels;
  readonly watchList: LazyWatchList;
  readonly commands: Commands;
  readonly drafts: LazyDrafts;
}

/** Milliseconds after the start of the window in which only what a view asks for is loaded. */
const calmStart = 1000;

/** Starts the extension; shows an error where that fails. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
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
  const { extensionUri, globalStorageUri } = context;
  const distPath = vscode.Uri.joinPath(extensionUri, 'dist').fsPath;
  const log = vscode.window.createOutputChannel('Chain Inspector', { log: true });
  const report = new Report(log);
  const requests = new RequestLog(log);
  const settings = new Settings();
  const globalState = new SerialStore(context.globalState);
  const storage = {
    globalState,
    workspaceState: context.workspaceState,
    credentials: context.secrets,
    dialects: new SourceMemory(globalState, 'dialects'),
    answers: new LastAnswers(globalState),
    globalStorageUri,
    extensionUri,
    distPath,
  };
  const sessions: Sessions = new Sessions({
    open: async (source, hooks) => {
      const { SourceOpener } = await import('./openSessions.ts');
      return new SourceOpener(storage, report, requests).open(source, hooks, () => sessions.find(source)?.reopen());
    },
    pageSize: () => settings.pageSize,
    knownUnits: async (...asked) => (await import('./session/registry.ts')).registryUnits(distPath, ...asked),
    onFailure: (source, error) => storage.answers.set(presentId(source), { cause: causeText(error, vscode.l10n.t) }),
  });
  const active = new ActiveSession(sessions, settings, globalState);
  const filters = new FilterMemory(active, globalState);
  const documents = new Documents(active);
  const openTarget: OpenTarget = async (target) => (await panels.load()).open(target);
  const watchList = new LazyWatchList(settings, globalState, report, async (view, redraw) => {
    const { WatchView } = await import('./ui/watch/watchView.ts');
    return new WatchView(active, storage, { view, redraw, report, open: openTarget });
  });
  const trees = {
    proposals: new ProposalsTree(active, watchList, settings),
    supply: new SupplyTree(active, watchList),
    validators: new ValidatorsTree(active, watchList),
  };
  const endpointsTree = new EndpointsTree(active, storage);
  const panels: ProposalPanels = new ProposalPanels(async () => {
    const { OpenPanels } = await import('./ui/panel/openPanels.ts');
    return new OpenPanels({ active, storage, watchList, report }, trees.proposals);
  });
  const drafts = new LazyDrafts(async (pause) => {
    const { DraftEditor } = await import('./ui/drafts/draftEditor.ts');
    return new DraftEditor(active, storage, report, pause);
  });
  const { extension } = context;
  const selection: Selection = (list) => trees[list].view.selection;
  const commands = new Commands(extension.packageJSON, panels, report, async () => {
    const { CommandTable } = await import('./ui/commands/commandTable.ts');
    const screen = { documents, panels, drafts, filters, watchList, selection, report };
    return new CommandTable(active, storage, extension, screen);
  });
  const tools = offerTools(settings, async () => (await import('./ui/agents/agentTools.ts')).registerTools(active));
  const preparing = setTimeout(async () => {
    await (await import('./openSessions.ts')).prepareRows(active.session);
    const { registerCodeLinks } = await import('./ui/codeLinks/codeLinks.ts');
    context.subscriptions.push(registerCodeLinks(active, storage, openTarget));
  }, calmStart);
  context.subscriptions.push(
    ...[log, settings, ...Object.values(trees), documents, panels, watchList],
    ...[decorateRows(), endpointsTree, storage.answers, commands, filters, drafts, tools],
    ...[showInStatusBar(active), showInTitles(active, trees), followExplorer(active, distPath), active],
    { dispose: () => [clearTimeout(preparing), sessions.dispose()] },
  );
  return { active, globalState, sessions, requests, trees, endpointsTree, panels, watchList, commands, drafts };
}
