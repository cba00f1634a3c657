import { join } from 'node:path';
import * as vscode from 'vscode';
import { member, messageOf } from './api/errors.ts';
import { type KeyValueStore, LastAnswers, SerialStore, SourceMemory } from './session/memory.ts';
import { type ListName, Sessions } from './session/session.ts';
import { presentId } from './session/source.ts';
import { ActiveSession, FilterMemory, followExplorer } from './ui/activeSession.ts';
import { Commands } from './ui/commands/register.ts';
import { Documents } from './ui/documents.ts';
import { LazyDrafts } from './ui/drafts/lazyDrafts.ts';
import { ProposalPanels } from './ui/panel/panels.ts';
import { Report, RequestLog, showError } from './ui/report.ts';
import { offerTools, Settings } from './ui/settings.ts';
import { showInStatusBar, showInTitles } from './ui/sourceStatus.ts';
import { EndpointsTree } from './ui/trees/endpointsTree.ts';
import { decorateRows } from './ui/trees/listTree.ts';
import { ProposalsTree } from './ui/trees/proposalsTree.ts';
import { SupplyTree } from './ui/trees/supplyTree.ts';
import { ValidatorsTree } from './ui/trees/validatorsTree.ts';
import { LazyWatchList } from './ui/watch/lazyWatchList.ts';
import type { WatchContext } from './ui/watch/watchContext.ts';
import { causeText } from './words/errorWords.ts';

/** The view of each list. */
export interface ListTrees extends Record<ListName, { readonly view: { readonly selection: readonly unknown[] } }> {
  readonly proposals: ProposalsTree;
  readonly supply: SupplyTree;
  readonly validators: ValidatorsTree;
}

/** What `activate` returns: the objects of the extension, for tests that run in the extension host. Not a public API. */
export interface ExtensionApi {
  readonly active: ActiveSession;
  readonly globalState: KeyValueStore;
  readonly sessions: Sessions;
  readonly requests: RequestLog;
  readonly trees: ListTrees;
  readonly endpointsTree: EndpointsTree;
  readonly panels: ProposalPanels;
  readonly watchList: LazyWatchList;
  readonly commands: Commands;
  readonly drafts: LazyDrafts;
}

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
  const { extensionPath, extensionUri, globalStorageUri } = context;
  const manifest: unknown = context.extension.packageJSON;
  const extension = `${context.extension.id} ${member(manifest, 'version')}, VS Code ${vscode.version}`;
  const distPath = join(extensionPath, 'dist');
  const log = vscode.window.createOutputChannel('Chain Inspector', { log: true });
  const report = new Report(log);
  const requests = new RequestLog(log);
  const settings = new Settings();
  const globalState = new SerialStore(context.globalState);
  const dialects = new SourceMemory(globalState, 'dialects');
  const answers = new LastAnswers(globalState);
  const base = { log, report, settings, credentials: context.secrets, dialects, answers, distPath };
  const opening = { ...base, requests, extensionPath, cacheDir: globalStorageUri.fsPath };
  const sessions: Sessions = new Sessions({
    open: async (source, hooks) => {
      const { openInEditor } = await import('./openSessions.ts');
      return openInEditor(source, hooks, opening, () => sessions.find(source)?.reopen());
    },
    pageSize: () => settings.pageSize,
    knownUnits: async (source, node, signal) => {
      return (await import('./session/registry.ts')).registryUnits(distPath, source, node, signal);
    },
    onFailure: (source, error) => answers.set(presentId(source), { cause: causeText(error, vscode.l10n.t) }),
  });
  const active = new ActiveSession(sessions, settings, globalState);
  const filters = new FilterMemory(active, globalState);
  const documents = new Documents({ sessions, settings });
  const shared = { ...base, active, sessions, documents, globalState };
  const open: WatchContext['open'] = async (target) => {
    const opened = await panels.load();
    await (target.kind === 'denom' ? opened.showDenom(target) : opened.show(target));
  };
  const watchList = new LazyWatchList({ ...shared, globalStorageUri, open });
  const trees: ListTrees = {
    proposals: new ProposalsTree(active, watchList),
    supply: new SupplyTree(active, watchList),
    validators: new ValidatorsTree(active, watchList),
  };
  const endpointsTree = new EndpointsTree(shared);
  const endpoints = settings.onDidChange((event) => {
    if (event.affectsConfiguration('chainInspector.endpoints')) trees.proposals.redraw();
  });
  const panels = new ProposalPanels({ ...shared, watchList, extensionUri, tree: trees.proposals });
  const selection = (list: ListName): readonly unknown[] => trees[list].view.selection;
  const drafts = new LazyDrafts({ ...shared, workspaceState: context.workspaceState, extensionUri });
  const parts = { ...shared, drafts, panels, selection, filters, watchList, extension };
  const commands = new Commands(manifest, report, parts);
  const tools = offerTools(settings, async () => (await import('./ui/agentTools.ts')).registerTools(shared));
  context.subscriptions.push(
    ...[log, settings, ...Object.values(trees), documents, panels, watchList],
    ...[decorateRows(), endpointsTree, endpoints, answers, commands, filters, drafts, tools],
    ...[showInStatusBar(active), showInTitles(active, trees), followExplorer(active, distPath), active],
    { dispose: () => void sessions.dispose() },
  );
  return { active, globalState, sessions, requests, trees, endpointsTree, panels, watchList, commands, drafts };
}
