import * as vscode from 'vscode';
import { ibcDenomOf, readTrace, traceText } from '../../code/trace.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { listOfRow, lists } from '../../session/lists.ts';
import { type ListName, listNames, type Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { comparisonCommands } from '../compare/comparisonCommands.ts';
import { ComparisonView } from '../compare/comparisonView.ts';
import type { Documents } from '../documents.ts';
import { draftCommands } from '../drafts/draftCommands.ts';
import type { LazyDrafts } from '../drafts/lazyDrafts.ts';
import { endpointCommands } from '../endpoints/endpointCommands.ts';
import type { ExportChoice } from '../exportFile.ts';
import { GoTo } from '../goTo/goTo.ts';
import { type CopyForm, copyRows, exportTo, exportView } from '../lists/copyAndExport.ts';
import type { FilterMemory } from '../lists/filterMemory.ts';
import { listViews } from '../listViews.ts';
import type { ProposalPanels } from '../panel/panels.ts';
import { proposalCommands } from '../panel/proposalCommands.ts';
import type { Report } from '../report.ts';
import type { Storage } from '../storage.ts';
import { supplyOwner } from '../trees/rows.ts';
import type { LazyWatchList } from '../watch/lazyWatchList.ts';
import { watchListCommands } from '../watch/watchListCommands.ts';
import { type Command, commandsOf } from './command.ts';
import { readExport, readList, readRow, readRows, readText, rowsInStores, type Selection } from './commandArguments.ts';
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
    const all = [
      ...endpointCommands(active, storage, documents, extension),
      ...proposalCommands(active, panels, storage.distPath),
      ...watchListCommands(active, screen.watchList, this.#goTo, screen.selection),
      ...draftCommands(screen.drafts, storage.globalState),
      ...comparisonCommands(this.comparison),
      ...this.#table(),
    ];
    this.commands = new Map(all.map((command) => [command.id, command]));
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
    const { report } = this.#screen;
    const pager = (row: unknown): AnyPager | undefined => pagerOf(this.#session, readRow(row));
    return [
      ...commandsOf(vscode.l10n.t('Could not show the log'), { showLog: () => report.showLog() }),
      ...listNames.flatMap((name) => this.#ofList(name)),
      ...commandsOf(vscode.l10n.t('Could not load all'), {
        _loadMore: (row) => readFurther(pager(row)),
        retry: (row) => retry(this.#session, pager(row)),
        // The button of the Supply view passes the row that has the focus, if any.
        loadAll: (row) => loadAll(pager(row ?? { kind: 'more', owner: supplyOwner })),
      }),
      ...commandsOf(vscode.l10n.t('Could not open that'), {
        goTo: (text) => this.#withSession((session) => this.#goTo.open(session, readText(text) ?? '')),
        _openRow: (row) => this.#openRow(row),
      }),
      ...commandsOf(vscode.l10n.t('Could not copy'), {
        copyTsv: this.#copyAs('tsv'),
        copyJson: this.#copyAs('json'),
        copyCurl: this.#copyAs('curl'),
        copyIbcDenom: async (path) => {
          const trace = readTrace(readText(path) ?? '');
          if (trace) await vscode.env.clipboard.writeText(ibcDenomOf(traceText(trace)));
        },
      }),
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
      const wanted = { given: rows, view: own ?? view, selection };
      return copyRows(this.#session, form, wanted, this.#storage.credentials);
    };
  }

  async #openRow(row: unknown): Promise<void> {
    const [loaded] = rowsInStores(this.#session, readRows(row) ?? []);
    const list = loaded && listOfRow(loaded.kind);
    if (list) await this.#withSession((session) => listViews[list.name].open(session, loaded.key, this.#screen));
  }
}
