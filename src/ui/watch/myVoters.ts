import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import { ownPrefix } from '../../session/filter.ts';
import type { Presets } from '../../session/stored.ts';
import { addVoter, readVoters, removeVoter, toVoter, type Voter } from '../../watch/voters.ts';
import { askText, holdsText, type PickItem, pickTyped } from '../ask.ts';
import { faultText } from '../commands/lists.ts';
import { plain } from '../plain.ts';
import { flash } from '../report.ts';
import { shortAddress } from '../words.ts';
import { type FoundSource, readVotersSetting, type WatchParts } from './watchContext.ts';

/** Prefixes by the ids of sources: those that were found once need no proposals to be read first. */
const prefixesKey = 'accountPrefixes';

/** The accounts whose votes the user follows: the setting `chainInspector.voters` and the endpoints of their chains. */
export class MyVoters {
  readonly #parts: WatchParts;
  #presets: Presets | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  get voters(): readonly Voter[] {
    return readVoters(readVotersSetting());
  }

  /** Tells the watch list on which sources the user votes: those whose prefix is known and is that of an account. */
  async update(): Promise<void> {
    const { watch, polled } = this.#parts;
    const { voters } = this;
    if (voters.length > 0) await this.#loadPresets();
    const bySource = (voters.length > 0 ? polled() : []).map((found) => {
      const prefix = this.#prefixOf(found);
      return [found.source.id, voters.filter((voter) => voter.prefix === prefix)] as const;
    });
    watch.setVoters(new Map(bySource.filter(([, ones]) => ones.length > 0)));
  }

  /** Lists the accounts; adds the one that is typed, with a name, and removes one by its button. */
  async ask(): Promise<void> {
    await this.#loadPresets();
    const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Remove') };
    const texts = {
      title: vscode.l10n.t('My voters'),
      placeHolder: vscode.l10n.t('Paste an account or operator address to add it'),
    };
    const find = (typed: string) => this.#items(typed.trim(), remove);
    const choice = await pickTyped<VoterItem>(
      texts,
      find,
      ({ added }) => added !== undefined,
      async ({ voter }) => {
        if (voter) await this.#write(removeVoter(readVotersSetting(), voter.address));
      },
    );
    if (!choice?.added) return;
    const name = await askText({
      title: vscode.l10n.t('Name of {0}', shortAddress(choice.added.text)),
      prompt: vscode.l10n.t('A name for this account; it may stay empty'),
    });
    if (name === undefined) return;
    await this.#write(addVoter(readVotersSetting(), { ...choice.added, name: name.trim() || undefined }));
    flash(vscode.l10n.t('Following the votes of {0}', plain(name.trim() || shortAddress(choice.added.text))));
  }

  #items(typed: string, remove: vscode.QuickInputButton): VoterItem[] {
    const { voters } = this;
    const known = voters.map((voter) => ({
      icon: 'person',
      label: voter.name ?? shortAddress(voter.text),
      description: voter.text,
      detail: this.#placesOf(voter.prefix),
      buttons: [remove],
      voter,
    }));
    if (typed === '') return known;
    const added = toVoter(typed);
    const found = known.filter((item) => holdsText(item, typed));
    if ('kind' in added) return [{ icon: 'error', label: faultText(added) }, ...found];
    const isKnown = voters.some(({ address }) => address === added.address);
    const label = isKnown ? vscode.l10n.t('Rename {0}', typed) : vscode.l10n.t('Add {0}', typed);
    return [{ icon: isKnown ? 'edit' : 'add', label, detail: this.#placesOf(added.prefix), added }, ...found];
  }

  /** On which endpoints accounts with a prefix vote. */
  #placesOf(prefix: string): string {
    const prefixes = this.#parts
      .polled()
      .map((found) => ({ name: plain(found.source.name), prefix: this.#prefixOf(found) }));
    const names = prefixes.filter((one) => one.prefix === prefix).map(({ name }) => name);
    const unknown = prefixes.filter((one) => one.prefix === undefined).map(({ name }) => name);
    const places =
      names.length > 0
        ? vscode.l10n.t('{0}1… votes on {1}', prefix, names.join(', '))
        : vscode.l10n.t('{0}1… belongs to none of your endpoints', prefix);
    return unknown.length > 0 ? `${places}. ${vscode.l10n.t('Prefix not known yet: {0}', unknown.join(', '))}` : places;
  }

  /** The prefix of a source's accounts: by the registry where it has the chain, else as its proposals show it, or showed it before. */
  #prefixOf({ source, session }: FoundSource): string | undefined {
    const { id: sourceId } = source;
    const learned = member(this.#parts.dialects.get(sourceId), 'chainId');
    const chain = (source.kind === 'http' ? source.setting.chain : undefined) ?? learned;
    const preset = this.#presets?.chains.find(({ chainId }) => chainId === chain);
    const stored: unknown = this.#parts.globalState.get(prefixesKey);
    const kept = member(stored, sourceId);
    const found = preset?.bech32Prefix ?? (session && ownPrefix(session.proposals.all()));
    if (found === undefined || found === kept) return typeof kept === 'string' ? kept : undefined;
    const others = typeof stored === 'object' ? stored : {};
    void this.#parts.globalState.update(prefixesKey, { ...others, [sourceId]: found });
    return found;
  }

  async #loadPresets(): Promise<void> {
    const { loadPresets } = await import('../../session/stored.ts');
    this.#presets ??= await loadPresets(this.#parts.distPath);
  }

  async #write(value: readonly unknown[]): Promise<void> {
    await vscode.workspace
      .getConfiguration('chainInspector')
      .update('voters', value.length > 0 ? value : undefined, vscode.ConfigurationTarget.Global);
  }
}

interface VoterItem extends PickItem {
  readonly voter?: Voter;
  /** What accepting the item adds, or gives another name. */
  readonly added?: Voter;
}
