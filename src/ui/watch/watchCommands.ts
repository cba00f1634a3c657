import * as vscode from 'vscode';
import { readId } from '../../session/search.ts';
import { presentId, type Source } from '../../session/source.ts';
import * as list from '../../watch/list.ts';
import { askText, pickMany, pickOne, withProgress } from '../ask.ts';
import { type RowKey, readRows, readView, rowsInStores } from '../commands/command.ts';
import { plain } from '../plain.ts';
import { errorText, flash, showError, showInfo } from '../report.ts';
import { plural } from '../values.ts';
import type { MyVoters } from './myVoters.ts';
import type { WatchCommand, WatchNode, WatchParts } from './watchContext.ts';
import { amountWords, entryLabel, hoursWords } from './watchWords.ts';

const hour = 3_600_000;

/** What the commands of the watch list do. */
export class WatchCommands {
  readonly #parts: WatchParts;
  readonly #voters: MyVoters;
  /** The selected rows of the view. */
  readonly #selected: () => readonly WatchNode[];

  constructor(parts: WatchParts, voters: MyVoters, selected: () => readonly WatchNode[]) {
    this.#parts = parts;
    this.#voters = voters;
    this.#selected = selected;
  }

  /** `first` and `second` are the arguments of the command. */
  async run(command: WatchCommand, first: unknown, second: unknown): Promise<void> {
    const { watch } = this.#parts;
    const rows = readRows(first, second);
    switch (command) {
      case 'watch':
        return this.#watch(rows, readView(first));
      case 'watchById':
        return this.#add(await this.#askTargets());
      case 'unwatch':
        return this.#remove(this.#itemsOf(rows));
      case 'watchEverything':
        return this.#setEverything(rows, true);
      case 'stopWatchingEverything':
        return this.#setEverything(rows, false);
      case 'mute':
        return this.#mute(this.#itemsOf(rows));
      case 'unmute':
        return this.#edit(list.muteItems(this.#itemsOf(rows), undefined));
      case 'editWatchRules':
        return this.#editRules(this.#itemsOf(rows).filter((item) => item.kind === 'entry'));
      case 'refreshWatchList':
        return watch.refresh();
      case 'myVoters':
        return this.#voters.ask();
      case '_openWatched':
        return this.#open(
          watch.entries.find(({ key }) => rows?.some((row) => row.kind === 'watchEntry' && row.key === key)),
        );
      case '_showWatchNews':
        await vscode.commands.executeCommand('chainInspector.watch.focus');
        return watch.markTold();
      default:
        return command satisfies never;
    }
  }

  /** Adds targets to the list, or removes them where all are there. */
  async toggle(targets: readonly list.WatchTarget[]): Promise<void> {
    const { watch } = this.#parts;
    const keys = new Set(targets.map(list.entryKey));
    if (targets.every((target) => watch.isWatched(target))) await this.#remove(this.#entries(keys));
    else await this.#add(targets);
  }

  /** Moves rows in front of another one, or behind all. */
  async move(nodes: readonly WatchNode[], before: WatchNode | undefined): Promise<void> {
    const { items } = this.#parts.watch;
    const keysOf = (node: WatchNode) =>
      node.kind === 'watchEntry'
        ? [node.key]
        : items.filter((item) => list.sourceIdOf(item) === node.sourceId).map(({ key }) => key);
    await this.#edit(list.moveItems(new Set(nodes.flatMap(keysOf)), before && keysOf(before)[0]));
  }

  /** Opens the proposal that events are about, or shows the view where there are several. */
  async showEntries(keys: ReadonlySet<string>): Promise<void> {
    const [only, ...others] = this.#entries(keys);
    if (only?.target.kind === 'proposal' && others.length === 0) await this.#open(only);
    else await vscode.commands.executeCommand('chainInspector.watch.focus');
  }

  async muteEntries(keys: ReadonlySet<string>): Promise<void> {
    await this.#mute(this.#entries(keys));
  }

  #entries(keys: ReadonlySet<string>): readonly list.WatchEntry[] {
    return this.#parts.watch.entries.filter(({ key }) => keys.has(key));
  }

  /** The rows that a command was called on, or those selected in the view that a key binding names; else what is asked for. */
  async #watch(rows: readonly RowKey[] | undefined, view: 'proposals' | 'supply' | undefined): Promise<void> {
    const { proposals, supply } = this.#parts.selection;
    if (view) return this.toggle(this.#targetsOf(readRows(undefined, view === 'supply' ? supply() : proposals())));
    const targets = this.#targetsOf(rows ?? readRows(undefined, [...proposals(), ...supply()]));
    return this.#add(rows || targets.length > 0 ? targets : await this.#askTargets());
  }

  /** The proposals and denoms among rows of the other views. */
  #targetsOf(rows: readonly RowKey[] = []): readonly list.WatchTarget[] {
    const { session } = this.#parts.active;
    const sourceId = presentId(session.source);
    return rowsInStores(session, rows).flatMap((row): list.WatchTarget[] => {
      if (row.kind === 'proposal') return [{ kind: 'proposal', sourceId, id: row.id }];
      return row.kind === 'coin' ? [{ kind: 'denom', sourceId, denom: row.denom }] : [];
    });
  }

  /** By id or denom, of the source that is shown. */
  async #askTargets(): Promise<readonly list.WatchTarget[]> {
    const { source } = this.#parts.active.session;
    const sourceId = presentId(source);
    const text = await askText({
      title: vscode.l10n.t('Watch on {0}', plain(this.#parts.find(sourceId).source.name)),
      prompt: vscode.l10n.t('Proposal IDs or denoms, separated by commas'),
      placeHolder: '42, uatom',
      fault: (value) => (value.trim() === '' ? vscode.l10n.t('A proposal ID or a denom') : undefined),
    });
    const words = (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
    return words.map((word) => {
      const id = readId(word);
      return id === undefined ? { kind: 'denom', sourceId, denom: word } : { kind: 'proposal', sourceId, id };
    });
  }

  /** Items of the rows that a command was called on, or of those that are selected. */
  #itemsOf(given: readonly RowKey[] | undefined): readonly list.WatchItem[] {
    const { watch } = this.#parts;
    const rows = given ?? readRows(undefined, this.#selected()) ?? [];
    const targets = new Set(this.#targetsOf(rows).map(list.entryKey));
    const everything = watch.items.filter((item) => item.kind === 'everything');
    return [...watch.entries, ...everything].filter((item) =>
      rows.some((row) => {
        if (row.kind === 'watchSource') return row.sourceId === list.sourceIdOf(item);
        return targets.has(item.key) || (row.kind === 'watchEntry' && row.key === item.key);
      }),
    );
  }

  async #add(targets: readonly list.WatchTarget[]): Promise<void> {
    const [first] = targets;
    if (!first) return;
    await this.#edit(list.addTargets(targets));
    flash(
      targets.length === 1
        ? vscode.l10n.t('Watching {0}', entryLabel(first, undefined))
        : vscode.l10n.t('Watching {0} entries', targets.length),
    );
  }

  /** Removes items and offers a way back. */
  async #remove(items: readonly list.WatchItem[]): Promise<void> {
    const own = items.filter((item) => item.own);
    const [first] = own;
    const other = items.find((item) => !item.own);
    if (other?.shared)
      void showInfo(vscode.l10n.t('Shared entries come from the workspace settings. Mute them instead.'));
    else if (other) void showInfo(vscode.l10n.t('This row is there for your votes (My Voters…). Mute it instead.'));
    if (!first) return;
    const restore = await this.#guard(this.#parts.list.remove(own));
    const undo = vscode.l10n.t('Undo');
    const text =
      own.length === 1 && first.kind === 'entry'
        ? vscode.l10n.t('{0} is no longer watched.', entryLabel(first.target, undefined))
        : plural(
            own.length,
            vscode.l10n.t('1 entry is no longer watched.'),
            vscode.l10n.t('{0} entries are no longer watched.', own.length),
          );
    const undone = async () => ((await showInfo(text, undo)) === undo ? this.#guard(restore()) : undefined);
    void this.#parts.report.run(vscode.l10n.t('Could not change the watch list'), undone);
  }

  /** For the source of a row; without one, for those that are picked. */
  async #setEverything(rows: readonly RowKey[] | undefined, on: boolean): Promise<void> {
    const row = rows?.find(({ kind }) => kind === 'watchSource');
    const sourceIds = row ? [this.#sourceId(row)] : on ? await this.#pickSources() : [];
    const known = sourceIds.filter((id) => id !== undefined);
    await this.#edit(list.setEverything(known, on));
  }

  /** Among the sources of which everything is not watched yet. */
  async #pickSources(): Promise<readonly string[]> {
    const { polled, list: all } = this.#parts;
    const isOn = (id: string) => all.items.some((item) => item.key === list.everythingKey(id) && item.own);
    const items = polled()
      .filter(({ source }) => !isOn(source.id))
      .map(({ source }, index) => ({ label: source.name, description: source.id, picked: index === 0 }));
    const picked = await pickMany(items, { title: vscode.l10n.t('Watch Everything in Voting') });
    return (picked ?? []).map(({ description }) => description);
  }

  async #mute(items: readonly list.WatchItem[]): Promise<void> {
    if (items.length === 0) return;
    const choices = [
      { label: vscode.l10n.t('For an hour'), until: Date.now() + hour },
      { label: vscode.l10n.t('For a day'), until: Date.now() + 24 * hour },
      { label: vscode.l10n.t('For good'), until: 'always' as const },
    ];
    const choice = await pickOne(choices, { title: vscode.l10n.t('Mute') });
    if (choice) await this.#edit(list.muteItems(items, choice.until));
  }

  async #editRules(entries: readonly list.WatchEntry[]): Promise<void> {
    const rules = await askRules(entries);
    if (rules) await this.#edit(list.setRules(entries, rules));
  }

  #sourceId(row: RowKey | undefined): string | undefined {
    const { watch } = this.#parts;
    if (row?.kind === 'watchEntry') return watch.entries.find(({ key }) => key === row.key)?.target.sourceId;
    return watch.items.map(list.sourceIdOf).find((id) => row?.kind === 'watchSource' && id === row.sourceId);
  }

  async #open(entry: list.WatchEntry | undefined): Promise<void> {
    if (!entry) return;
    const { target } = entry;
    const { source, unknown } = this.#parts.find(target.sourceId);
    if (unknown !== undefined) {
      const add = vscode.l10n.t('Add Endpoint…');
      if ((await showInfo(`${plain(source.name)}: ${unknown}`, add)) === add)
        await vscode.commands.executeCommand('chainInspector.addEndpoint', source.id);
    } else if (target.kind === 'proposal') await this.#parts.openProposal(target.sourceId, target.id);
    else await this.#showSupply(source, target.denom);
  }

  async #showSupply(source: Source, denom: string): Promise<void> {
    const name = plain(denom);
    const title = vscode.l10n.t('Asking for the supply of {0}', name);
    await this.#parts.sessions.use(source, async ({ supply }) => {
      const coin = await withProgress(title, (signal) => supply.load(denom, signal));
      await supply.loadUnits().catch(() => undefined);
      const amount = amountWords(coin.amount, supply.unit(denom));
      void showInfo(vscode.l10n.t('{0} on {1}: {2}', name, plain(source.name), amount));
    });
  }

  async #edit(edit: list.Edit): Promise<void> {
    await this.#guard(this.#parts.list.edit(edit));
  }

  /** A refused write (an unsaved or broken settings.json, a policy, a read-only file) is shown with the editor's reason. */
  async #guard<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      const open = vscode.l10n.t('Open Settings');
      const text = vscode.l10n.t('The setting chainInspector.watch was not written: {0}', errorText(error));
      void showError(text, open).then((choice) =>
        choice === open ? vscode.commands.executeCommand('workbench.action.openSettingsJson') : undefined,
      );
      throw new vscode.CancellationError();
    }
  }
}

/** Hours before an end that are offered, beside those that a rule has. */
const usualHours = [24, 6, 1];

/** Asks which changes are to be reported, in one box for proposals and one for denoms. Undefined when the user leaves. */
async function askRules(entries: readonly list.WatchEntry[]): Promise<list.WatchRules | undefined> {
  let rules = entries[0]?.rules;
  if (rules && entries.some(({ target }) => target.kind === 'proposal')) rules = await askProposalRules(rules);
  if (rules && entries.some(({ target }) => target.kind === 'denom')) rules = await askSupplyRule(rules);
  return rules;
}

async function askProposalRules(rules: list.WatchRules): Promise<list.WatchRules | undefined> {
  const t = vscode.l10n.t;
  const live = t('Needs the votes so far: more requests, and not every endpoint has them');
  const item = (rule: string | number, picked: boolean, label: string, detail = '') => ({
    rule,
    picked,
    label,
    detail,
  });
  const items = [
    item('status', rules.status, t('Status changes'), t('Voting starts, passed, rejected, failed')),
    ...list
      .readHours([...rules.hoursBefore, ...usualHours])
      .map((hours) => item(hours, rules.hoursBefore.includes(hours), t('A period ends within {0}', hoursWords(hours)))),
    item('quorum', rules.quorum, t('Quorum is reached'), live),
    item('verdict', rules.verdict, t('The likely outcome flips'), live),
  ];
  const picked = await pickMany(items, { title: t('Edit rules: notify when…') });
  if (!picked) return undefined;
  const names = picked.map(({ rule }) => rule);
  const has = (rule: string) => names.includes(rule);
  const hoursBefore = list.readHours(names);
  return { ...rules, status: has('status'), quorum: has('quorum'), verdict: has('verdict'), hoursBefore };
}

async function askSupplyRule(rules: list.WatchRules): Promise<list.WatchRules | undefined> {
  const isRule = (value: string) => value.trim() === '' || list.readSupplyRule(value) !== undefined;
  const text = await askText({
    title: vscode.l10n.t('Edit rules: supply changes by more than…'),
    prompt: vscode.l10n.t('A share such as 2.5%, or a number of base units. Empty for no rule.'),
    value: rules.supply ? list.supplyRuleText(rules.supply) : '',
    fault: (value) =>
      isRule(value) ? undefined : vscode.l10n.t('A share such as 2.5%, or a whole number of base units'),
  });
  return text === undefined ? undefined : { ...rules, supply: list.readSupplyRule(text) };
}
