import * as vscode from 'vscode';
import { wholeSupply } from '../../chain/supplyStore.ts';
import type { ReadingFile } from '../../openSource.ts';
import type { Session } from '../../session/session.ts';
import { type Source, sourceId } from '../../session/source.ts';
import { ComparisonView } from '../compare/comparisonView.ts';
import { ownPanelCommands } from '../panel/panelCommands.ts';
import { showAtHeight } from './blockHeight.ts';
import {
  type Command,
  type CommandContext,
  isAbsent,
  readExport,
  readFiles,
  readRow,
  readRows,
  readText,
  readView,
  rowsInStores,
} from './command.ts';
import { type CopyForm, copyRows, copyValues } from './copy.ts';
import { openDenom } from './denom.ts';
import { addEndpoint, switchEndpoint } from './endpointBox.ts';
import { editEndpoint, forgetHeader, removeEndpoint, setHeader, showConnection } from './endpoints.ts';
import { exportTo, exportView, type ViewName } from './exportView.ts';
import { type Crawls, goTo } from './goTo.ts';
import { filterProposals, filterSupply, loadAll, loadMore, pagerOf, refreshView, retry, sortSupply } from './lists.ts';
import { confirmFiles, openDropped, openStateFiles, showReading } from './stateFiles.ts';

/** All commands of the extension. */
export class CommandTable implements vscode.Disposable {
  readonly comparison: ComparisonView;
  readonly #context: CommandContext;
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #crawls: Crawls = new WeakMap();

  constructor(context: CommandContext) {
    this.#context = context;
    this.comparison = new ComparisonView(context);
    const all = [
      ...this.#endpointCommands(),
      ...this.#listCommands(),
      ...this.#copyCommands(),
      ...ownPanelCommands.map((id) => ({
        id,
        failure: vscode.l10n.t('Could not do this'),
        run: () => context.panels.run(id),
      })),
      ...this.comparison.commands,
      ...context.watchCommands,
    ];
    this.#commands = new Map(all.map((command) => [command.id, command]));
  }

  /** Ids without `chainInspector.`. */
  get ids(): readonly string[] {
    return [...this.#commands.keys()];
  }

  /** Throws for an unknown id. */
  find(id: string): Command {
    const command = this.#commands.get(id);
    if (!command) throw new Error(`There is no command ${id}`);
    return command;
  }

  /** Exports a view of the active session to a file, as the command does once the user has chosen it. */
  async exportTo(view: ViewName, choice: Parameters<typeof exportTo>[2], path: string): Promise<void> {
    await this.#withSession((session) => exportTo(session, view, choice, path));
  }

  /** Shows how a state file is read; `reload` opens it again. */
  showReading(file: ReadingFile, reload: () => Promise<void> | undefined): void {
    showReading(file, this.#context.report, reload);
  }

  dispose(): void {
    this.comparison.dispose();
  }

  get #session(): Session {
    return this.#context.active.session;
  }

  /** Runs work that outlasts a switch of the endpoint: the session stays open until it ends. */
  async #withSession(work: (session: Session) => Promise<void>, source = this.#session.source): Promise<void> {
    const hold = this.#context.sessions.hold(source);
    try {
      await work(hold.session);
    } finally {
      await hold.release();
    }
  }

  #endpointCommands(): Command[] {
    const { settings, credentials, log } = this.#context;
    const add = vscode.l10n.t('Could not add the endpoint');
    const header = vscode.l10n.t('Could not change the header');
    const change = vscode.l10n.t('Could not change the endpoint');
    return [
      {
        id: 'switchEndpoint',
        failure: change,
        run: (row) => {
          const source = this.#endpointOf(row);
          return source ? settings.setBaseUrl(source.id) : switchEndpoint(this.#context);
        },
      },
      {
        id: 'showAtHeight',
        failure: vscode.l10n.t('Could not show that height'),
        run: (text) => showAtHeight(this.#context, readText(text)),
      },
      { id: 'showLatest', failure: change, run: () => this.#context.active.showAt(undefined) },
      {
        id: 'editEndpoint',
        failure: change,
        run: (row) => editEndpoint(settings, this.#endpointOf(row) ?? this.#session.source),
      },
      {
        id: 'removeEndpoint',
        failure: change,
        run: (row) => removeEndpoint(settings, (url) => this.#forget(url), this.#endpointOf(row)?.id),
      },
      { id: 'addEndpoint', failure: add, run: (given) => addEndpoint(this.#context, typedAddress(given)) },
      { id: '_dropStateFiles', failure: add, run: (transfer) => openDropped(this.#context, transfer) },
      {
        id: 'openStateFile',
        failure: add,
        run: async (uri, uris) => {
          const files = readFiles(uri, uris);
          if (!(await confirmFiles(settings, files))) return;
          if (files.length > 0) await vscode.commands.executeCommand('workbench.view.extension.chainInspector');
          await openStateFiles(this.#context, files);
        },
      },
      { id: 'setHeader', failure: header, run: () => setHeader(this.#session, credentials) },
      { id: 'forgetHeader', failure: header, run: () => forgetHeader(this.#session, credentials) },
      {
        id: 'testConnection',
        failure: vscode.l10n.t('Could not test the connection'),
        run: (row) => this.#withSession((session) => showConnection(session, this.#context), this.#endpointOf(row)),
      },
      { id: 'showLog', failure: vscode.l10n.t('Could not show the log'), run: () => log.show() },
    ];
  }

  /** The source of a row of Endpoints, if it is one that the user has chosen. */
  #endpointOf(row: unknown): Source | undefined {
    const key = readRow(row);
    if (key?.kind !== 'endpoint') return undefined;
    const { settings } = this.#context;
    const known = ['', settings.baseUrl, ...settings.endpoints.map(({ url }) => url)];
    return known.map((url) => settings.source(url)).find(({ id }) => id === key.sourceId);
  }

  /** Drops what is stored of a removed endpoint. A credential belongs to an origin, which another endpoint may share. */
  async #forget(url: string): Promise<void> {
    const { settings, credentials, dialects } = this.#context;
    if (!/^https?:/i.test(url)) return;
    await dialects.forget(sourceId(url));
    const origin = URL.parse(url)?.origin;
    if (!settings.endpoints.some((other) => URL.parse(other.url)?.origin === origin)) await credentials.forget(url);
  }

  #listCommands(): Command[] {
    const context = this.#context;
    const { filters, panels } = context;
    const refresh = vscode.l10n.t('Could not refresh');
    const load = vscode.l10n.t('Could not load all');
    const filter = vscode.l10n.t('Could not filter');
    const exporting = vscode.l10n.t('Could not export');
    const pager = (row: unknown) => pagerOf(this.#session, readRow(row));
    return [
      { id: 'refreshProposals', failure: refresh, run: () => refreshView(this.#session, 'proposals') },
      { id: 'refreshSupply', failure: refresh, run: () => refreshView(this.#session, 'supply') },
      { id: '_loadMore', failure: load, run: (row) => loadMore(pager(row)) },
      { id: 'retry', failure: load, run: (row) => retry(pager(row)) },
      {
        id: 'loadAll',
        failure: load,
        run: async (row) => {
          // The button of the Supply view passes the row that has the focus, if any.
          const list = isAbsent(row) ? this.#session.supply.pager : pager(row);
          if (list) await loadAll(list);
        },
      },
      {
        id: 'filterProposals',
        failure: filter,
        run: (given) => filterProposals(context, this.#session, given),
      },
      { id: 'clearProposalsFilter', failure: filter, run: () => filters.set(this.#session, {}) },
      { id: 'filterSupply', failure: filter, run: (text) => filterSupply(this.#session.supply, readText(text)) },
      { id: 'clearSupplyFilter', failure: filter, run: () => this.#session.supply.setView(wholeSupply) },
      { id: 'sortSupply', failure: filter, run: (order) => sortSupply(this.#session.supply, readText(order)) },
      ...(['proposals', 'supply'] as const).map((view) => ({
        id: view === 'proposals' ? 'exportProposals' : 'exportSupply',
        failure: exporting,
        run: (choice: unknown) => this.#withSession((session) => exportView(session, view, readExport(choice))),
      })),
      {
        id: 'goTo',
        failure: vscode.l10n.t('Could not open that'),
        run: (text) =>
          this.#withSession((session) => goTo({ ...context, session, crawls: this.#crawls }, readText(text) ?? '')),
      },
      {
        id: '_openDenom',
        failure: vscode.l10n.t('Could not open the denom'),
        run: (row) => {
          const key = readRow(row);
          return key?.kind === 'coin' && rowsInStores(this.#session, [key]).length > 0
            ? this.#withSession((session) => openDenom(session, this.#context.documents, key.denom))
            : undefined;
        },
      },
      {
        id: '_openProposal',
        failure: vscode.l10n.t('Could not open the proposal'),
        run: async (row) => {
          const key = readRow(row);
          if (key?.kind === 'proposal' && rowsInStores(this.#session, [key]).length > 0)
            await panels.show({ sourceId: this.#session.source.id, id: key.id });
        },
      },
    ];
  }

  #copyCommands(): Command[] {
    const { selection, credentials } = this.#context;
    const failure = vscode.l10n.t('Could not copy');
    const rowsAs = (id: string, form: CopyForm): Command => ({
      id,
      failure,
      run: (first, second) => {
        const view = readView(first);
        const given = view ? undefined : readRows(first, second);
        return copyRows(this.#session, form, { given, view, selection }, credentials);
      },
    });
    const valueAs = (id: string, value: Parameters<typeof copyValues>[1]): Command => ({
      id,
      failure,
      run: (row, rows) => copyValues(this.#session, value, readRows(row, rows), selection),
    });
    return [
      rowsAs('copyTsv', 'tsv'),
      rowsAs('copyJson', 'json'),
      rowsAs('copyCurl', 'curl'),
      valueAs('copyProposalId', 'id'),
      valueAs('copyDenom', 'denom'),
      valueAs('copyAmount', 'amount'),
    ];
  }
}

/** The text that a key binding gives, or the address that a row of the Watch List is about. */
function typedAddress(given: unknown): string | undefined {
  const row = readRow(given);
  return row?.kind === 'watchSource' ? row.sourceId : readText(given);
}
