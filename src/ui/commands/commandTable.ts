import * as vscode from 'vscode';
import { ibcDenomOf, readTrace, traceText } from '../../code/trace.ts';
import { type AnyList, type ListName, listOfRow } from '../../lists/lists.ts';
import type { AnyPager } from '../../lists/pager.ts';
import type { Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { askInSteps, pickOne } from '../ask.ts';
import type { CodeLinks } from '../codeLinks/codeLinks.ts';
import { comparisonCommands } from '../compare/comparisonCommands.ts';
import { ComparisonView } from '../compare/comparisonView.ts';
import type { Documents } from '../documents.ts';
import { draftCommands } from '../drafts/draftCommands.ts';
import type { LazyDrafts } from '../drafts/lazyDrafts.ts';
import { endpointCommands } from '../endpoints/endpointCommands.ts';
import type { ExportChoice } from '../exportFile.ts';
import { GoTo } from '../goTo/goTo.ts';
import { askExport, type CopyForm, copyRows, exportTo, exportView } from '../lists/commands/copyAndExport.ts';
import type { FilterMemory } from '../lists/commands/proposalFilter.ts';
import { loadAll, pagerOf, readFurther, refreshList, retry } from '../lists/commands/readRows.ts';
import { listScreens } from '../lists/listScreens.ts';
import type { LazyPanels } from '../panel/lazyPanels.ts';
import { proposalCommands } from '../panel/proposalCommands.ts';
import type { Report } from '../report.ts';
import type { Storage } from '../storage.ts';
import type { LazyWatchList } from '../watch/lazyWatchList.ts';
import { watchListCommands } from '../watch/watchListCommands.ts';
import { type Command, commandsOf } from './command.ts';
import {
  loadedRows,
  readExport,
  readList,
  readRowKey,
  readRowKeys,
  readText,
  type Selection,
} from './commandArguments.ts';

/** The parts of the screen that show results of commands. */
interface CommandScreen {
  readonly documents: Documents;
  readonly panels: LazyPanels;
  readonly drafts: LazyDrafts;
  readonly filters: FilterMemory;
  readonly watchList: LazyWatchList;
  readonly selection: Selection;
  readonly report: Report;
  readonly codeLinks: () => Promise<CodeLinks>;
}

/** All commands of the extension. */
export class CommandTable implements vscode.Disposable {
  readonly comparison: ComparisonView;
  /** The commands by their ids without `chainInspector.`. */
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

  /** Exports a list of the active session to a given file. The command does the same after the user chose the file. */
  async exportTo(list: ListName, choice: ExportChoice, path: string): Promise<void> {
    await this.#withSession((session) => exportTo(session, session.lists[list], choice, path));
  }

  dispose(): void {
    this.comparison.dispose();
  }

  get #session(): Session {
    return this.#active.session;
  }

  get #lists(): readonly AnyList[] {
    return Object.values(this.#session.lists);
  }

  /** Runs work that may outlast a switch of the endpoint. Its session stays open until the work ends. */
  #withSession(work: (session: Session) => Promise<void>): Promise<void> {
    return this.#active.sessions.use(this.#session.source, work);
  }

  #table(): Command[] {
    const { report, codeLinks } = this.#screen;
    const pager = (row: unknown): AnyPager | undefined => pagerOf(this.#session, readRowKey(row));
    return [
      ...commandsOf(vscode.l10n.t('Could not show the log'), { showLog: () => report.showLog() }),
      ...this.#lists.flatMap(({ name }) => this.#ofList(name)),
      ...commandsOf(vscode.l10n.t('Could not refresh'), { refresh: () => this.#refresh() }),
      ...commandsOf(vscode.l10n.t('Could not export'), { export: () => this.#export() }),
      ...commandsOf(vscode.l10n.t('Could not load rows'), {
        _loadMore: (row) => readFurther(pager(row)),
        retry: (row) => retry(this.#session, pager(row)),
        // The button of the Supply view passes the focused row, if any.
        loadAll: (row) => loadAll(pager(row ?? { kind: 'more', owner: this.#session.lists.supply.name })),
      }),
      ...commandsOf(vscode.l10n.t('Could not open'), {
        goTo: (text) => this.#withSession((session) => this.#goTo.open(session, readText(text) ?? '')),
        _openRow: (row) => this.#openRow(row),
        _openFromCode: async (query) => (await codeLinks()).open(readText(query) ?? ''),
      }),
      ...commandsOf(vscode.l10n.t('Could not look this up'), {
        _askFromCode: async (place) => (await codeLinks()).ask(place),
      }),
      ...commandsOf(vscode.l10n.t('Could not copy'), {
        copyTsv: this.#copyAs('tsv'),
        copyJson: this.#copyAs('json'),
        copyCurl: this.#copyAs('curl'),
        copyLink: this.#copyAs('link'),
        copyIbcDenom: async (path) => {
          const trace = readTrace(readText(path) ?? '');
          if (trace) await vscode.env.clipboard.writeText(ibcDenomOf(traceText(trace)));
        },
      }),
    ];
  }

  /** The commands of each list: `refreshSupply`, `filterSupply`, `clearSupplyFilter` and so on. */
  #ofList(name: ListName): Command[] {
    const screen = listScreens[name];
    const parts = { ...this.#storage, filters: this.#screen.filters };
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const copies = Object.entries(screen.copies).map(
      ([id, value]) => [id, this.#copyAs({ list: name, value }, name)] as const,
    );
    return [
      ...commandsOf(vscode.l10n.t('Could not refresh'), {
        [`refresh${title}`]: () => refreshList(this.#session, this.#session.lists[name]),
      }),
      ...commandsOf(vscode.l10n.t('Could not filter'), {
        [`filter${title}`]: (given) => screen.filter(this.#session, given, parts),
        [`clear${title}Filter`]: () => screen.clear(this.#session, parts),
        ...(screen.sort && { [`sort${title}`]: (given) => screen.sort?.(this.#session, given) }),
      }),
      ...commandsOf(vscode.l10n.t('Could not export'), {
        [`export${title}`]: (choice) =>
          this.#withSession((session) => exportView(session, session.lists[name], readExport(choice))),
      }),
      ...commandsOf(vscode.l10n.t('Could not copy'), Object.fromEntries(copies)),
    ];
  }

  /** Reads all lists again that were read before. */
  async #refresh(): Promise<void> {
    const session = this.#session;
    const results = await Promise.allSettled(this.#lists.map((list) => refreshList(session, list)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Asks for a list, and continues as the command of its view. */
  async #export(): Promise<void> {
    const title = vscode.l10n.t('Export');
    const items = this.#lists.map(({ name }) => ({ label: listScreens[name].texts().title, name }));
    await this.#withSession(async (session) => {
      const chosen = await askInSteps(
        () => pickOne(items, { title }),
        async ({ name }) => {
          const choice = await askExport(session, session.lists[name]);
          return choice && { list: session.lists[name], choice };
        },
      );
      if (chosen) await exportView(session, chosen.list, chosen.choice);
    });
  }

  #copyAs(form: CopyForm, own?: ListName): Command['run'] {
    return (first, second): Promise<void> => {
      const { selection } = this.#screen;
      const view = readList(this.#session.lists, first);
      const rows = view ? undefined : readRowKeys(first, second);
      const wanted = { given: rows, view: own ?? view, selection };
      return copyRows(this.#session, form, wanted, this.#storage.credentials);
    };
  }

  async #openRow(row: unknown): Promise<void> {
    const [loaded] = loadedRows(this.#session, readRowKeys(row) ?? []);
    const list = loaded && listOfRow(this.#session.lists, loaded.kind);
    const doors = { ...this.#screen, fromRow: true };
    if (list) await this.#withSession((session) => listScreens[list.name].open(session, loaded.key, doors));
  }
}
