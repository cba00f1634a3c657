import * as vscode from 'vscode';
import type { AnyPager } from '../../lists/pager.ts';
import type { ProposalKey } from '../../page/proposalFacts.ts';
import { listOfRow, lists } from '../../session/lists.ts';
import { explorerPage } from '../../session/registry.ts';
import { type ListName, listNames, type Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { ComparisonView } from '../compare/comparisonView.ts';
import { type Documents, proposalUri } from '../documents.ts';
import { askNode, newDraft, planUpgradeAt } from '../drafts/draftCommands.ts';
import type { DraftEditor } from '../drafts/draftEditor.ts';
import type { LazyDrafts } from '../drafts/lazyDrafts.ts';
import { EndpointCommands } from '../endpoints/endpointCommands.ts';
import type { ExportChoice } from '../exportFile.ts';
import { GoTo } from '../goTo/goTo.ts';
import { type CopyForm, copyRows, exportTo, exportView } from '../lists/copyAndExport.ts';
import type { FilterMemory } from '../lists/filterMemory.ts';
import { listViews } from '../listViews.ts';
import { panelCommands } from '../panel/panelCommands.ts';
import type { ProposalPanels } from '../panel/panels.ts';
import type { Report } from '../report.ts';
import type { Storage } from '../storage.ts';
import { supplyOwner } from '../trees/rows.ts';
import type { LazyWatchList } from '../watch/lazyWatchList.ts';
import { watchCommands } from '../watch/watchScreen.ts';
import { type Command, commandsOf } from './command.ts';
import {
  readExport,
  readFiles,
  readList,
  readRow,
  readRows,
  readText,
  rowsInStores,
  type Selection,
} from './commandArguments.ts';
import { listCommands, loadAll, pagerOf, readFurther, refreshList, retry } from './listCommands.ts';

/** What commands show their results with. */
interface CommandScreen {
  readonly documents: Documents;
  readonly panels: ProposalPanels;
  readonly drafts: LazyDrafts;
  readonly filters: FilterMemory;
  readonly watchList: LazyWatchList;
  readonly selection: Selection;
  readonly report: Report;
}

/** All commands of the extension. */
export class CommandTable implements vscode.Disposable {
  readonly comparison: ComparisonView;
  /** By their ids without `chainInspector.`. */
  readonly commands: ReadonlyMap<string, Command>;
  readonly #active: ActiveSession;
  readonly #storage: Storage;
  readonly #screen: CommandScreen;
  readonly #goTo: GoTo;

  constructor(active: ActiveSession, storage: Storage, extension: vscode.Extension<unknown>, screen: CommandScreen) {
    this.#active = active;
    this.#storage = storage;
    this.#screen = screen;
    const { documents, panels } = screen;
    this.comparison = new ComparisonView(active, documents, panels);
    this.#goTo = new GoTo({ documents, panels }, storage);
    const endpoints = new EndpointCommands(active, storage, documents, extension).all;
    this.commands = new Map([...endpoints, ...this.#table()].map((command) => [command.id, command]));
  }

  /** Exports a list of the active session to a file, as the command does once the user has chosen it. */
  async exportTo(list: ListName, choice: ExportChoice, path: string): Promise<void> {
    await this.#withSession((session) => exportTo(session, lists[list], choice, path));
  }

  dispose(): void {
    this.comparison.dispose();
  }

  get #session(): Session {
    return this.#active.session;
  }

  /** Runs work that outlasts a switch of the endpoint: the session stays open until it ends. */
  #withSession(work: (session: Session) => Promise<void>): Promise<void> {
    return this.#active.sessions.use(this.#session.source, work);
  }

  #table(): Command[] {
    const { comparison } = this;
    const { panels, drafts, report, selection, watchList } = this.#screen;
    const storage = this.#storage;
    const pager = (row: unknown): AnyPager | undefined => pagerOf(this.#session, readRow(row));
    return [
      ...commandsOf(vscode.l10n.t('Could not show the log'), { showLog: () => report.showLog() }),
      ...listNames.flatMap((name) => this.#ofList(name)),
      ...commandsOf(vscode.l10n.t('Could not check the draft'), {
        changeDraftChain: () => this.#withDraft((editor, document) => editor.changeChain(document)),
        previewDraft: () => this.#withDraft((editor, document) => editor.preview(document)),
        refreshDraft: () => this.#withDraft((editor, document) => editor.refresh(document)),
      }),
      ...commandsOf(vscode.l10n.t('Could not ask the node'), {
        askNode: () => this.#withDraft((editor, document) => askNode(editor, document, storage.globalState)),
      }),
      ...commandsOf(vscode.l10n.t('Could not make a draft'), {
        _planUpgradeAt: () => this.#withDraft(planUpgradeAt),
        newDraft: async () => newDraft(await drafts.load()),
      }),
      ...commandsOf(vscode.l10n.t('Could not load all'), {
        _loadMore: (row) => readFurther(pager(row)),
        retry: (row) => retry(this.#session, pager(row)),
        // The button of the Supply view passes the row that has the focus, if any.
        loadAll: (row) => loadAll(pager(row ?? { kind: 'more', owner: supplyOwner })),
      }),
      ...commandsOf(vscode.l10n.t('Could not export'), {
        exportComparison: (row) => comparison.export(row),
      }),
      ...commandsOf(vscode.l10n.t('Could not open that'), {
        goTo: (text) => this.#withSession((session) => this.#goTo.open(session, readText(text) ?? '')),
        _openRow: (row) => this.#openRow(row),
        openToSide: async (row) => {
          const key = this.#proposalOf(row);
          if (key) await (await panels.load()).showBeside(key);
        },
        _openComparedProposal: (row) => comparison.openProposal(row),
      }),
      ...commandsOf(vscode.l10n.t('Could not compare'), {
        // The explorer's menu gives two files that are selected, or the one that it was opened on.
        compareWith: (file, files) => {
          const selected = readFiles(file, files);
          return comparison.ask(selected.length === 2 ? selected : readFiles(file, undefined));
        },
        refreshComparison: () => comparison.refresh(),
        clearComparison: () => comparison.clear(),
        openComparisonDiff: (row) => comparison.openDiff(row),
      }),
      ...commandsOf(vscode.l10n.t('Could not copy'), {
        copyTsv: this.#copyAs('tsv'),
        copyJson: this.#copyAs('json'),
        copyCurl: this.#copyAs('curl'),
      }),
      ...panelCommands.flatMap((id) =>
        commandsOf(vscode.l10n.t('Could not do this'), { [id]: () => this.#inPanel(id) }),
      ),
      // Of a row, or in the panel that has the focus.
      ...commandsOf(vscode.l10n.t('Could not open that'), {
        openProposalJson: async (row) => {
          const key = this.#proposalOf(row);
          if (!key) return this.#inPanel('openProposalJson');
          await vscode.commands.executeCommand('vscode.open', proposalUri(key.sourceId, key.id));
        },
        openInExplorer: async (row) => {
          const key = this.#proposalOf(row);
          if (!key) return this.#inPanel('openInExplorer');
          const page = await explorerPage(this.#session, storage.distPath, key.id);
          if (page !== undefined) await vscode.env.openExternal(vscode.Uri.parse(page, true));
        },
      }),
      ...commandsOf(vscode.l10n.t('Could not change the watch list'), {
        watchById: () =>
          this.#withSession(async (session) => {
            const goals = await this.#goTo.askToWatch(session);
            await (await watchList.load()).commands.addRows(goals);
          }),
      }),
      ...watchCommands.flatMap((id) =>
        commandsOf(vscode.l10n.t('Could not change the watch list'), {
          [id]: async (first, second) => (await watchList.load()).commands.run(id, first, second, selection),
        }),
      ),
    ];
  }

  /** The commands that each list has: `refreshSupply`, `filterSupply`, `clearSupplyFilter`, …. */
  #ofList(name: ListName): Command[] {
    const list = lists[name];
    const does = listCommands({ ...this.#storage, filters: this.#screen.filters })[name];
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const copies = Object.entries(does.copies).map(
      ([id, value]) => [id, this.#copyAs({ list: name, value }, name)] as const,
    );
    return [
      ...commandsOf(vscode.l10n.t('Could not refresh'), {
        [`refresh${title}`]: () => refreshList(this.#session, list),
      }),
      ...commandsOf(vscode.l10n.t('Could not filter'), {
        [`filter${title}`]: (given) => does.filter(this.#session, given),
        [`clear${title}Filter`]: () => does.clear(this.#session),
        ...(does.sort && { [`sort${title}`]: (given) => does.sort?.(this.#session, given) }),
      }),
      ...commandsOf(vscode.l10n.t('Could not export'), {
        [`export${title}`]: (choice) => this.#withSession((session) => exportView(session, list, readExport(choice))),
      }),
      ...commandsOf(vscode.l10n.t('Could not copy'), Object.fromEntries(copies)),
    ];
  }

  #copyAs(form: CopyForm, own?: ListName): Command['run'] {
    return (first, second): Promise<void> => {
      const { selection } = this.#screen;
      const view = readList(first);
      const rows = view ? undefined : readRows(first, second);
      return copyRows(
        this.#session,
        form,
        { given: rows, view: own ?? view },
        { selection, credentials: this.#storage.credentials },
      );
    };
  }

  async #openRow(row: unknown): Promise<void> {
    const [loaded] = rowsInStores(this.#session, readRows(row) ?? []);
    const list = loaded && listOfRow(loaded.kind);
    if (list) await this.#withSession((session) => listViews[list.name].open(session, loaded.key, this.#screen));
  }

  async #inPanel(command: (typeof panelCommands)[number]): Promise<void> {
    await (await this.#screen.panels.load()).run(command);
  }

  async #withDraft(work: (editor: DraftEditor, document: vscode.TextDocument) => Promise<void>): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document) await work(await this.#screen.drafts.load(), document);
  }

  #proposalOf(row: unknown): ProposalKey | undefined {
    const [loaded] = rowsInStores(this.#session, readRows(row) ?? []);
    const { id: sourceId } = this.#session.source;
    return loaded?.kind === 'proposal' ? { sourceId, id: BigInt(loaded.key) } : undefined;
  }
}
