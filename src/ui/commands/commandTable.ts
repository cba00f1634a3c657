import * as vscode from 'vscode';
import { wholeSupply } from '../../chain/supplyStore.ts';
import type { Session } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { ComparisonView } from '../compare/comparisonView.ts';
import { panelCommands } from '../panel/protocol.ts';
import { supplyOwner } from '../trees/rows.ts';
import { pickHeight } from './blockHeight.ts';
import {
  type Command,
  type CommandContext,
  readExport,
  readFiles,
  readRow,
  readRows,
  readText,
  readView,
  rowsInStores,
  watchCommands,
} from './command.ts';
import { type CopyForm, copyRows, proposalText } from './copy.ts';
import { openDenom } from './denom.ts';
import { addEndpoint, switchEndpoint } from './endpointBox.ts';
import { editEndpoint, forgetHeader, removeEndpoint, setHeader, showConnection } from './endpoints.ts';
import { type ExportChoice, exportTo, exportView, type ViewName } from './exportView.ts';
import { type Crawls, goTo } from './goTo.ts';
import { filterProposals, filterSupply, loadAll, pagerOf, readFurther, refreshView, sortSupply } from './lists.ts';
import { confirmFiles, openDropped, openStateFiles, showReading } from './stateFiles.ts';

/** All commands of the extension. */
export class CommandTable implements vscode.Disposable {
  readonly comparison: ComparisonView;
  readonly showReading = showReading;
  /** By their ids without `chainInspector.`. */
  readonly commands: ReadonlyMap<string, Command>;
  readonly #context: CommandContext;
  readonly #crawls: Crawls = new WeakMap();

  constructor(context: CommandContext) {
    this.#context = context;
    this.comparison = new ComparisonView(context);
    this.commands = new Map(this.#table().map((command) => [command.id, command]));
  }

  /** Exports a view of the active session to a file, as the command does once the user has chosen it. */
  async exportTo(view: ViewName, choice: ExportChoice, path: string): Promise<void> {
    await this.#withSession((session) => exportTo(session, view, choice, path));
  }

  async documentText(uri: vscode.Uri): Promise<string> {
    return proposalText(this.#context, uri);
  }

  dispose(): void {
    this.comparison.dispose();
  }

  get #session(): Session {
    return this.#context.active.session;
  }

  /** Runs work that outlasts a switch of the endpoint: the session stays open until it ends. */
  #withSession(work: (session: Session) => Promise<void>, source = this.#session.source): Promise<void> {
    return this.#context.sessions.use(source, work);
  }

  #table(): Command[] {
    const { comparison } = this;
    const context = this.#context;
    const { active, settings, credentials, filters, panels, documents, log } = context;
    const pager = (row: unknown) => pagerOf(this.#session, readRow(row));
    const copyAs = (form: CopyForm, ownView?: ViewName) => (first: unknown, second: unknown) => {
      const view = readView(first);
      return copyRows(this.#session, form, view ? undefined : readRows(first, second), ownView ?? view, context);
    };
    const openRow = async (row: unknown) => {
      const [loaded] = rowsInStores(this.#session, readRows(row) ?? []);
      if (loaded?.kind === 'coin') await this.#withSession((session) => openDenom(session, documents, loaded.key));
      if (loaded?.kind === 'proposal') await panels.show({ sourceId: this.#session.source.id, id: BigInt(loaded.key) });
    };
    return [
      ...commands(vscode.l10n.t('Could not change the endpoint'), {
        switchEndpoint: (row) => {
          const source = this.#endpointOf(row);
          return source ? settings.setBaseUrl(source.id) : switchEndpoint(context);
        },
        showLatest: () => active.showAt(undefined),
        editEndpoint: (row) => editEndpoint(settings, this.#endpointOf(row) ?? this.#session.source),
        removeEndpoint: (row) => removeEndpoint(context, this.#endpointOf(row)?.id),
      }),
      ...commands(vscode.l10n.t('Could not show that height'), {
        showAtHeight: async (text) => {
          const past = await pickHeight(context, this.#session.source, readText(text));
          if (past) active.showAt(past);
        },
      }),
      ...commands(vscode.l10n.t('Could not add the endpoint'), {
        addEndpoint: (given) => addEndpoint(context, typedAddress(given)),
        _dropStateFiles: (transfer) => openDropped(context, transfer),
        openStateFile: async (uri, uris) => {
          const files = readFiles(uri, uris);
          if (!(await confirmFiles(settings, files))) return;
          if (files.length > 0) await vscode.commands.executeCommand('workbench.view.extension.chainInspector');
          await openStateFiles(context, files);
        },
      }),
      ...commands(vscode.l10n.t('Could not change the header'), {
        setHeader: () => setHeader(this.#session, credentials),
        forgetHeader: () => forgetHeader(this.#session, credentials),
      }),
      ...commands(vscode.l10n.t('Could not test the connection'), {
        testConnection: (row) =>
          this.#withSession((session) => showConnection(session, context), this.#endpointOf(row)),
      }),
      ...commands(vscode.l10n.t('Could not show the log'), { showLog: () => log.show() }),
      ...commands(vscode.l10n.t('Could not refresh'), {
        refreshProposals: () => refreshView(this.#session, 'proposals'),
        refreshSupply: () => refreshView(this.#session, 'supply'),
      }),
      ...commands(vscode.l10n.t('Could not load all'), {
        _loadMore: (row) => readFurther(pager(row)),
        retry: (row) => readFurther(pager(row)),
        // The button of the Supply view passes the row that has the focus, if any.
        loadAll: (row) => loadAll(pager(row ?? { kind: 'more', owner: supplyOwner })),
      }),
      ...commands(vscode.l10n.t('Could not filter'), {
        filterProposals: (given) => filterProposals(context, this.#session, given),
        clearProposalsFilter: () => filters.set(this.#session, {}),
        filterSupply: (text) => filterSupply(this.#session.supply, readText(text)),
        clearSupplyFilter: () => this.#session.supply.setView(wholeSupply),
        sortSupply: (order) => sortSupply(this.#session.supply, readText(order)),
      }),
      ...commands(vscode.l10n.t('Could not export'), {
        exportProposals: (choice) =>
          this.#withSession((session) => exportView(session, 'proposals', readExport(choice))),
        exportSupply: (choice) => this.#withSession((session) => exportView(session, 'supply', readExport(choice))),
        exportComparison: (row) => comparison.export(row),
      }),
      ...commands(vscode.l10n.t('Could not open that'), {
        goTo: (text) =>
          this.#withSession((session) => goTo({ ...context, session, crawls: this.#crawls }, readText(text) ?? '')),
        _openDenom: openRow,
        _openProposal: openRow,
        _openComparedProposal: (row) => comparison.openProposal(row),
      }),
      ...commands(vscode.l10n.t('Could not compare'), {
        // The explorer's menu gives two files that are selected, or the one that it was opened on.
        compareWith: (file, files) => {
          const selected = readFiles(file, files);
          return comparison.ask(selected.length === 2 ? selected : readFiles(file, undefined));
        },
        refreshComparison: () => comparison.refresh(),
        clearComparison: () => comparison.clear(),
        openComparisonDiff: (row) => comparison.openDiff(row),
      }),
      ...commands(vscode.l10n.t('Could not copy'), {
        copyTsv: copyAs('tsv'),
        copyJson: copyAs('json'),
        copyCurl: copyAs('curl'),
        copyProposalId: copyAs('id', 'proposals'),
        copyDenom: copyAs('denom', 'supply'),
        copyAmount: copyAs('amount', 'supply'),
      }),
      ...panelCommands.flatMap((id) => commands(vscode.l10n.t('Could not do this'), { [id]: () => panels.run(id) })),
      ...watchCommands.flatMap((id) =>
        commands(vscode.l10n.t('Could not change the watch list'), {
          [id]: (first, second) => context.runWatch(id, first, second),
        }),
      ),
    ];
  }

  #endpointOf(row: unknown): Source | undefined {
    const key = readRow(row);
    return this.#context.settings.sources.find(({ id }) => key?.kind === 'endpoint' && id === key.key);
  }
}

function commands(failure: string, runs: Readonly<Record<string, Command['run']>>): Command[] {
  return Object.entries(runs).map(([id, run]) => ({ id, failure, run }));
}

function typedAddress(given: unknown): string | undefined {
  const row = readRow(given);
  return row?.kind === 'watchSource' ? row.key : readText(given);
}
