import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import { keptChainId, SourceMemory } from '../../session/memory.ts';
import { validatorPrefix } from '../../session/proposalReads.ts';
import { accountPrefix } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import type { Presets } from '../../session/stored.ts';
import { addVoter, readVoters, removeVoter, toVoter, type Voter } from '../../watch/list.ts';
import type { Watch } from '../../watch/watch.ts';
import { addressFaultText } from '../../words/errorWords.ts';
import { shortAddress } from '../../words/values.ts';
import { askText, itemHasText, type PickItem, pickTyped } from '../ask.ts';
import { flash } from '../report.ts';
import type { Storage } from '../storage.ts';
import { readSetting, writeSetting } from './watchSetting.ts';
import type { FoundSource, WatchSources } from './watchSources.ts';

/** A source that can be polled, with the prefix of its accounts where that is known. */
type Place = FoundSource & { readonly prefix: string | undefined };

type VoterItem = PickItem & { readonly voter?: Voter; readonly added?: Voter };

/** The accounts whose votes the user follows: the setting `chainInspector.voters` and the endpoints of their chains. */
export class MyVoters {
  readonly #watch: Watch;
  readonly #sources: WatchSources;
  readonly #storage: Storage;
  /** Those that were found once need no proposals to be read first. */
  readonly #prefixes: SourceMemory;
  /** Of the sessions that were asked for a validator, once each: whether it showed the prefix. */
  readonly #asked = new WeakMap<Session, Promise<boolean>>();
  #presets: Presets | undefined;

  constructor(watch: Watch, sources: WatchSources, storage: Storage) {
    this.#watch = watch;
    this.#sources = sources;
    this.#storage = storage;
    this.#prefixes = new SourceMemory(storage.globalState, 'accountPrefixes');
  }

  get voters(): readonly Voter[] {
    return readVoters(readSetting('voters').user);
  }

  async update(): Promise<void> {
    const { voters } = this;
    const bySource = new Map<string, readonly Voter[]>();
    for (const { source, prefix } of voters.length > 0 ? await this.#places() : []) {
      const own = voters.filter((voter) => voter.prefix === prefix);
      if (own.length > 0) bySource.set(source.id, own);
    }
    this.#watch.setVoters(bySource);
    const isRead = ({ stores }: Session): boolean => stores.proposals.pager('voting').started;
    if (voters.length > 0 && (await this.#findPrefixes(isRead))) await this.update();
  }

  /** Lists the accounts; adds the one that is typed, with a name, and removes one by its button. */
  async ask(): Promise<void> {
    let places = await this.#places();
    const itemsOf = (typed: string): VoterItem[] => this.#items(typed, (prefix): string => placesText(prefix, places));
    const taken = await pickTyped<VoterItem>({
      title: vscode.l10n.t('My voters'),
      placeHolder: vscode.l10n.t('Paste an account or operator address to add it'),
      find: itemsOf,
      search: async (typed, _signal, show) => {
        if (!(await this.#findPrefixes(() => true))) return;
        places = await this.#places();
        show(itemsOf(typed));
      },
      isChoice: ({ added }) => added !== undefined,
      accept: async ({ item: { voter }, typed }, _signal, show) => {
        if (!voter) return true;
        await writeSetting('voters', removeVoter(readSetting('voters').user, voter.address));
        show(itemsOf(typed.trim()));
        return false;
      },
    });
    const added = taken?.item.added;
    if (!added) return;
    const short = shortAddress(added.text);
    const typed = await askText({
      title: vscode.l10n.t('Name of {0}', short),
      prompt: vscode.l10n.t('A name for this account; it may stay empty'),
    });
    if (typed === undefined) return;
    const name = typed.trim() || undefined;
    await writeSetting('voters', addVoter(readSetting('voters').user, { ...added, name }));
    flash(vscode.l10n.t('Following the votes of {0}', escapeForUi(name ?? short)));
  }

  #items(typed: string, detailOf: (prefix: string) => string): VoterItem[] {
    const { voters } = this;
    const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Remove') };
    const known = voters.map((voter) => ({
      icon: 'person',
      label: voter.name ?? shortAddress(voter.text),
      description: voter.text,
      detail: detailOf(voter.prefix),
      buttons: [remove],
      voter,
    }));
    if (typed === '') return known;
    const added = toVoter(typed);
    const found = known.filter((item) => itemHasText(item, typed));
    if ('kind' in added) return [{ icon: 'error', label: addressFaultText(added, vscode.l10n.t) }, ...found];
    const isKnown = voters.some(({ address }) => address === added.address);
    const label = isKnown ? vscode.l10n.t('Rename {0}', typed) : vscode.l10n.t('Add {0}', typed);
    return [{ icon: isKnown ? 'edit' : 'add', label, detail: detailOf(added.prefix), added }, ...found];
  }

  async #places(): Promise<readonly Place[]> {
    const { loadPresets } = await import('../../session/stored.ts');
    this.#presets ??= await loadPresets(this.#storage.distPath);
    return this.#sources.polled.map((found) => ({ ...found, prefix: this.#prefixOf(found) }));
  }

  /** Asks open chains whose prefix nothing showed for a validator; resolves with whether one showed it. */
  async #findPrefixes(isWanted: (session: Session) => boolean): Promise<boolean> {
    const found = (await this.#places()).flatMap(({ source, session, prefix }) => {
      if (prefix !== undefined || !session || !isWanted(session)) return [];
      const asked = this.#asked.get(session) ?? this.#ask(source.id, session);
      this.#asked.set(session, asked);
      return [asked];
    });
    return (await Promise.all(found)).includes(true);
  }

  async #ask(sourceId: string, session: Session): Promise<boolean> {
    const prefix = await validatorPrefix(session).catch(() => undefined);
    if (prefix !== undefined) await this.#prefixes.set(sourceId, prefix);
    return prefix !== undefined;
  }

  /** As `accountPrefix`, else as a validator shows it, or as it was before. */
  #prefixOf({ source, session }: FoundSource): string | undefined {
    const kept = this.#prefixes.get(source.id);
    const stated = keptChainId(this.#storage.dialects, source.id);
    const known = { stated, proposals: session?.stores.proposals.all() ?? [] };
    const found = (this.#presets && accountPrefix(this.#presets, source, known)) ?? kept;
    if (found !== kept) void this.#prefixes.set(source.id, found);
    return typeof found === 'string' ? found : undefined;
  }
}

/** On which of the sources accounts with a prefix vote, as far as their prefixes are known. */
export function placesText(prefix: string, places: readonly Pick<Place, 'source' | 'prefix'>[]): string {
  const namesOf = (wanted: string | undefined): string =>
    places.flatMap((place) => (place.prefix === wanted ? [escapeForUi(place.source.name)] : [])).join(', ');
  const [names, unknown] = [namesOf(prefix), namesOf(undefined)];
  if (!names && unknown) return vscode.l10n.t('Not known yet whether {0}1… is of {1}', prefix, unknown);
  const text = names
    ? vscode.l10n.t('{0}1… votes on {1}', prefix, names)
    : vscode.l10n.t('{0}1… belongs to none of your endpoints', prefix);
  return unknown ? `${text}. ${vscode.l10n.t('Not known yet of {0}', unknown)}` : text;
}
