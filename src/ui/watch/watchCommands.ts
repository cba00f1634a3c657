import * as vscode from 'vscode';
import { messageOf } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AnyList, ListName } from '../../lists/lists.ts';
import { presentId } from '../../session/source.ts';
import type { Destination } from '../../session/stored.ts';
import { voteHours } from '../../watch/snapshot.ts';
import type { Watch } from '../../watch/watch.ts';
import {
  addTargets,
  type Edit,
  isEntry,
  keyOf,
  muteItems,
  readHours,
  readSupplyRule,
  setRules,
  type WatchItem,
  type WatchList,
  type WatchRules,
  type WatchTarget,
} from '../../watch/watchList.ts';
import { plural } from '../../words/language.ts';
import { askInSteps, askText, pickMany, pickOne } from '../ask.ts';
import { loadedRows, type RowKey, readList, readRowKeys, type Selection } from '../commands/commandArguments.ts';
import { flash, showError, showInfo } from '../report.ts';
import type { WatchCommand, WatchScreen } from './watchScreen.ts';
import type { WatchSources } from './watchSources.ts';
import { entryLabel, hoursWords } from './watchTree.ts';

const hour = 3_600_000;

type Rows = readonly RowKey[] | undefined;

/** `askVoters` lists the reader's accounts. */
type CommandScreen = Pick<WatchScreen, 'view' | 'report' | 'open'> & { readonly askVoters: () => Promise<void> };

/** The commands of the watch list. */
export class WatchCommands {
  readonly #watcher: Watch;
  readonly #list: WatchList;
  readonly #sources: WatchSources;
  readonly #screen: CommandScreen;
  /** By command. `rows` are those that the command was called on, or undefined. */
  readonly #handlers: Readonly<
    Record<WatchCommand, (rows: Rows, first: unknown, selection: Selection) => Promise<void> | void>
  >;

  constructor(watch: Watch, list: WatchList, sources: WatchSources, screen: CommandScreen) {
    this.#watcher = watch;
    this.#list = list;
    this.#sources = sources;
    this.#screen = screen;
    this.#handlers = {
      watch: (rows, first, selection): Promise<void> =>
        this.#watch(rows, readList(this.#sources.active.session.lists, first), selection),
      unwatch: (rows): Promise<void> => this.#remove(this.#itemsOf(rows)),
      watchEverything: async (rows): Promise<void> => this.#add(await this.#askEverything(rows)),
      stopWatchingEverything: (rows): Promise<void> =>
        this.#remove(this.#itemsOf(rows).filter((item): boolean => !isEntry(item))),
      mute: (rows): Promise<void> => this.mute(this.#itemsOf(rows)),
      unmute: (rows): Promise<void> => this.#edit(muteItems(this.#itemsOf(rows), undefined)),
      editWatchRules: (rows): Promise<void> => this.#editRules(this.#itemsOf(rows).filter(isEntry)),
      refreshWatchList: (): void => watch.refresh(),
      myVoters: screen.askVoters,
      _openWatched: (rows): Promise<void> => this.#open(this.#itemsOf(rows).find(isEntry)),
      _showWatchNews: async (): Promise<void> => {
        await vscode.commands.executeCommand('chainInspector.watch.focus');
        await watch.markReported();
      },
    };
  }

  /** `selection` has the selected rows of the other views, for a command that is called without a row. */
  async run(command: WatchCommand, first: unknown, second: unknown, selection: Selection): Promise<void> {
    await this.#handlers[command](readRowKeys(first, second), first, selection);
  }

  /** Adds targets to the list. Removes them if all are in it. */
  async toggle(targets: readonly WatchTarget[]): Promise<void> {
    const watch = this.#watcher;
    const keys = targets.map(keyOf);
    if (!targets.every((target) => watch.isWatched(target))) await this.#add(targets);
    else await this.#remove(watch.entries.filter(({ key }) => keys.includes(key)));
  }

  /** Adds rows of the lists of proposals and denoms. */
  async addRows(rows: readonly Destination[]): Promise<void> {
    await this.#add(
      rows.map(({ list: name, sourceId, key }) =>
        name === 'proposals'
          ? { kind: 'proposal', sourceId, id: BigInt(key) }
          : { kind: 'denom', sourceId, denom: key },
      ),
    );
  }

  /** Opens a proposal, or shows the view for several entries. */
  async show([only, ...others]: readonly WatchItem[]): Promise<void> {
    if (only?.target.kind === 'proposal' && others.length === 0) await this.#open(only);
    else await vscode.commands.executeCommand('chainInspector.watch.focus');
  }

  async mute(items: readonly WatchItem[]): Promise<void> {
    if (items.length === 0) return;
    const choices = [
      { label: vscode.l10n.t('For an hour'), mute: Date.now() + hour },
      { label: vscode.l10n.t('For a day'), mute: Date.now() + 24 * hour },
      { label: vscode.l10n.t('Until unmuted'), mute: true },
    ];
    const choice = await pickOne(choices, { title: vscode.l10n.t('Mute') });
    if (choice) await this.#edit(muteItems(items, choice.mute));
  }

  /**
   * Watches the rows of the command, or those selected in the view that a key binding names, otherwise rows that the
   * user is asked for.
   */
  async #watch(rows: Rows, view: ListName | undefined, selection: Selection): Promise<void> {
    if (view) return this.toggle(this.#targetsOf(readRowKeys(undefined, selection(view))));
    const all = Object.values<AnyList>(this.#sources.active.session.lists);
    const targets = this.#targetsOf(
      rows ??
        readRowKeys(
          undefined,
          all.flatMap(({ name }) => selection(name)),
        ),
    );
    if (rows || targets.length > 0) await this.#add(targets);
    else await vscode.commands.executeCommand('chainInspector.watchById');
  }

  #targetsOf(rows: Rows = []): readonly WatchTarget[] {
    const { session } = this.#sources.active;
    const sourceId = presentId(session.source);
    return loadedRows(session, rows).flatMap((row): WatchTarget[] => {
      if (row.kind === 'proposal') return [{ kind: 'proposal', sourceId, id: BigInt(row.key) }];
      return row.kind === 'coin' ? [{ kind: 'denom', sourceId, denom: row.key }] : [];
    });
  }

  #itemsOf(given: Rows): readonly WatchItem[] {
    const rows = given ?? readRowKeys(undefined, this.#screen.view.selection) ?? [];
    const keys = new Set(this.#targetsOf(rows).map(keyOf));
    for (const row of rows) if (row.kind === 'watchEntry') keys.add(row.key);
    return this.#watcher.rows.filter(({ key }) => keys.has(key));
  }

  async #add(targets: readonly WatchTarget[]): Promise<void> {
    const [first] = targets;
    if (!first) return;
    await this.#edit(addTargets(targets));
    const one = vscode.l10n.t('Watching {0}', entryLabel(first));
    flash(plural(targets.length, one, vscode.l10n.t('Watching {0} entries', targets.length)));
  }

  async #remove(items: readonly WatchItem[]): Promise<void> {
    const own = items.filter((item) => item.own);
    const [first] = own;
    const other = items.find((item) => !item.own);
    if (other?.shared)
      void showInfo(
        vscode.l10n.t('Shared entries are in the workspace settings and cannot be removed here. Mute them instead.'),
      );
    else if (other)
      void showInfo(
        vscode.l10n.t(
          'This row is shown because of your voting accounts and cannot be removed here. Mute it, or edit My Voting Accounts.',
        ),
      );
    if (!first) return;
    const restore = await this.#guard(this.#list.remove(own));
    const undo = vscode.l10n.t('Undo');
    const one = vscode.l10n.t('No longer watching {0}.', entryLabel(first.target));
    const text = plural(own.length, one, vscode.l10n.t('{0} entries are no longer watched.', own.length));
    const undone = async (): Promise<void> => {
      if ((await showInfo(text, undo)) === undo) await this.#guard(restore());
    };
    void this.#screen.report.run(vscode.l10n.t('Could not change the Watch List'), undone);
  }

  /** The source of a row. Without a row, the user picks among sources that are not watched as a whole yet. */
  async #askEverything(rows: Rows): Promise<readonly WatchTarget[]> {
    const toTarget = (sourceId: string) => ({ kind: 'everything', sourceId }) as const;
    const [item] = rows ? this.#itemsOf(rows) : [];
    if (item) return [toTarget(item.target.sourceId)];
    const watched = new Set(this.#list.items.flatMap(({ key, own }) => (own ? [key] : [])));
    const items = this.#sources.polled
      .filter(({ source }) => !watched.has(keyOf(toTarget(source.id))))
      .map(({ source }, index) => ({ label: source.name, description: source.id, picked: index === 0 }));
    if (items.length === 0) void showInfo(vscode.l10n.t('All open votes are already watched on all endpoints.'));
    if (items.length === 0) return [];
    const picked = await pickMany(items, { title: vscode.l10n.t('Watch all open votes') });
    return (picked ?? []).map(({ description }) => toTarget(description));
  }

  /** Asks which changes are reported. Proposals and denoms each have a box. */
  async #editRules(entries: readonly WatchItem[]): Promise<void> {
    const kinds = entries.map(({ target }) => target.kind);
    const [first] = entries;
    if (!first) return;
    const hasBoth = kinds.includes('proposal') && kinds.includes('denom');
    const ask = kinds.includes('denom') ? askSupplyRule : askProposalRules;
    const rules = hasBoth
      ? await askInSteps(() => askProposalRules(first.rules), askSupplyRule)
      : await ask(first.rules);
    if (rules) await this.#edit(setRules(entries, rules));
  }

  async #open(entry: WatchItem | undefined): Promise<void> {
    if (!entry) return;
    const { target } = entry;
    const { source, unknown } = this.#sources.find(target.sourceId);
    if (unknown !== undefined) {
      const add = vscode.l10n.t('Add Endpoint…');
      if ((await showInfo(`${escapeForUi(source.name)}: ${unknown}`, add)) === add)
        await vscode.commands.executeCommand('chainInspector.addEndpoint', source.id);
    } else if (target.kind !== 'everything') await this.#screen.open(target, true);
  }

  async #edit(edit: Edit): Promise<void> {
    await this.#guard(this.#list.edit(edit));
  }

  /**
   * Shows the editor's reason for a refused write, such as an unsaved or broken settings.json, a policy, or a read-only
   * file.
   */
  async #guard<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      const open = vscode.l10n.t('Open Settings');
      const text = vscode.l10n.t('Could not write the setting chainInspector.watch: {0}', messageOf(error));
      void showError(text, open).then((choice) =>
        choice === open ? vscode.commands.executeCommand('workbench.action.openSettingsJson') : undefined,
      );
      throw new vscode.CancellationError();
    }
  }
}

async function askProposalRules(rules: WatchRules): Promise<WatchRules | undefined> {
  const { t } = vscode.l10n;
  const detail = t('Sends more requests. Not available on every endpoint.');
  const hours = readHours([...rules.hoursBefore, ...voteHours]);
  const items = [
    {
      rule: 'status',
      label: t('Status changes'),
      detail: t('Voting starts, or the proposal passes, is rejected or fails'),
    },
    ...hours.map((rule) => ({ rule, label: t('The deposit or voting period ends within {0}', hoursWords(rule)) })),
    { rule: 'quorum', label: t('Quorum is reached'), detail },
    { rule: 'verdict', label: t('The likely outcome changes'), detail },
  ];
  const flags = Object.entries(rules).flatMap(([name, is]) => (is === true ? name : []));
  const on = new Set<unknown>([...rules.hoursBefore, ...flags]);
  const choices = items.map((item) => ({ ...item, picked: on.has(item.rule) }));
  const picked = await pickMany(choices, { title: t('Edit rules: notify when…') });
  if (!picked) return undefined;
  const names = picked.map(({ rule }) => rule);
  const has = (rule: string): boolean => names.includes(rule);
  const hoursBefore = readHours(names);
  return { ...rules, status: has('status'), quorum: has('quorum'), verdict: has('verdict'), hoursBefore };
}

async function askSupplyRule(rules: WatchRules): Promise<WatchRules | undefined> {
  const isRule = (value: string): boolean => value.trim() === '' || readSupplyRule(value) !== null;
  const text = await askText({
    title: vscode.l10n.t('Edit rules: supply changes by more than…'),
    prompt: vscode.l10n.t('A share, such as 2.5%, or a number of base units. Leave empty for no rule.'),
    value: rules.supply ?? '',
    fault: (value) =>
      isRule(value) ? undefined : vscode.l10n.t('Type a share such as 2.5% or a whole number of base units'),
  });
  return text === undefined ? undefined : { ...rules, supply: readSupplyRule(text) };
}
