import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import { validatorPrefix } from '../../reads/proposalReads.ts';
import { KeptKind, maxAges } from '../../session/kept.ts';
import { keptChainId, SourceMemory } from '../../session/memory.ts';
import { accountPrefix } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import type { Presets } from '../../session/stored.ts';
import { addVoter, readVoters, removeVoter, toVoter, type Voter } from '../../watch/voters.ts';
import type { Watch } from '../../watch/watch.ts';
import { addressFaultText } from '../../words/errorWords.ts';
import { listText, sentencesText } from '../../words/language.ts';
import { shortAddress } from '../../words/values.ts';
import { askInSteps, askText, itemHasText, type PickItem, pickTyped } from '../ask.ts';
import { flash } from '../report.ts';
import type { Storage } from '../storage.ts';
import { readSetting, writeSetting } from './watchSetting.ts';
import type { FoundSource, WatchSources } from './watchSources.ts';

/** A source that can be polled. `prefix` is that of its accounts, if known. */
type PolledSource = FoundSource & { readonly prefix: string | undefined };

type VoterItem = PickItem & { readonly voter?: Voter; readonly added?: Voter };

/**
 * The accounts whose votes the user follows: the setting `chainInspector.voters`, and the endpoints of their chains.
 */
export class MyVoters {
  readonly #watch: Watch;
  readonly #sources: WatchSources;
  readonly #storage: Storage;
  /** Stored prefixes. For these, no proposals have to be read first. */
  readonly #prefixes: SourceMemory;
  /** The prefix that a validator's address shows. It never changes on a chain. */
  readonly #shown = new KeptKind<string | undefined>();
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
    const isRead = ({ lists }: Session): boolean => lists.proposals.pager('voting').started;
    if (voters.length > 0 && (await this.#findPrefixes(isRead))) await this.update();
  }

  /** Lists the accounts. A typed account is added with a name. A button removes one. */
  async ask(): Promise<void> {
    let typed = '';
    const pick = async (): Promise<Voter | undefined> => {
      const taken = await this.#pick(typed);
      typed = taken?.typed ?? '';
      return taken?.item.added;
    };
    const named = await askInSteps(pick, async (added) => {
      const name = await askText({
        title: vscode.l10n.t('Name of {0}', shortAddress(added.text)),
        prompt: vscode.l10n.t('Name of this account (optional)'),
      });
      return name === undefined ? undefined : { ...added, name: name.trim() || undefined };
    });
    if (!named) return;
    await writeSetting('voters', addVoter(readSetting('voters').user, named));
    flash(vscode.l10n.t('Following the votes of {0}', escapeForUi(named.name ?? shortAddress(named.text))));
  }

  /** Lists the accounts, and removes one by its button; gives what was typed with the account that it adds. */
  async #pick(value: string): ReturnType<typeof pickTyped<VoterItem>> {
    let places = await this.#places();
    const itemsOf = (typed: string): VoterItem[] => this.#items(typed, (prefix): string => placesText(prefix, places));
    return pickTyped<VoterItem>({
      value,
      title: vscode.l10n.t('My voting accounts'),
      placeHolder: vscode.l10n.t('Paste an account or operator address'),
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

  async #places(): Promise<readonly PolledSource[]> {
    const { loadPresets } = await import('../../session/stored.ts');
    this.#presets ??= await loadPresets(this.#storage.distPath);
    return this.#sources.polled.map((found) => ({ ...found, prefix: this.#prefixOf(found) }));
  }

  /** Reads a validator of open chains whose prefix is not known. Resolves with whether a prefix was found. */
  async #findPrefixes(isWanted: (session: Session) => boolean): Promise<boolean> {
    const found = (await this.#places()).flatMap(({ source, session, prefix }) =>
      prefix !== undefined || !session || !isWanted(session) ? [] : [this.#ask(source.id, session)],
    );
    return (await Promise.all(found)).includes(true);
  }

  async #ask(sourceId: string, session: Session): Promise<boolean> {
    const load = async (): Promise<{ value: string | undefined }> => ({
      value: await validatorPrefix(session).catch(() => undefined),
    });
    const { value: prefix } = await this.#shown.of(session.kept).read('', { maxAge: maxAges.still }, load);
    if (prefix !== undefined) await this.#prefixes.set(sourceId, prefix);
    return prefix !== undefined;
  }

  /** The prefix by `accountPrefix`, otherwise that of a validator, otherwise the stored one. */
  #prefixOf({ source, session }: FoundSource): string | undefined {
    const kept = this.#prefixes.get(source.id);
    const stated = keptChainId(this.#storage.dialects, source.id);
    const known = { stated, proposals: session?.lists.proposals.loaded ?? [] };
    const found = (this.#presets && accountPrefix(this.#presets, source, known)) ?? kept;
    if (found !== kept) void this.#prefixes.set(source.id, found);
    return typeof found === 'string' ? found : undefined;
  }
}

/** Names the sources on which accounts with a prefix vote, as far as prefixes are known. */
export function placesText(prefix: string, places: readonly Pick<PolledSource, 'source' | 'prefix'>[]): string {
  const { t } = vscode.l10n;
  const namesOf = (wanted: string | undefined): string =>
    listText(
      places.flatMap((place) => (place.prefix === wanted ? [escapeForUi(place.source.name)] : [])),
      t,
    );
  const [names, unknown] = [namesOf(prefix), namesOf(undefined)];
  if (!names && unknown) return t('Not checked yet: whether {1} uses {0}1… addresses', prefix, unknown);
  const text = names
    ? t('{0}1… addresses are used on {1}', prefix, names)
    : t('None of your endpoints uses {0}1… addresses', prefix);
  return unknown ? sentencesText([t('{0}.', text), t('Not checked yet: {0}', unknown)], t) : text;
}
