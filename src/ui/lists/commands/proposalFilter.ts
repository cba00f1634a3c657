import * as vscode from 'vscode';
import { InputError } from '../../../api/errors.ts';
import { addressFault } from '../../../chain/address.ts';
import { readMember } from '../../../chain/fields.ts';
import { isFiltering, type ListFilter, readSavedFilter, toFilter } from '../../../chain/gov/listFilter.ts';
import { statusGroups } from '../../../chain/gov/proposalGroups.ts';
import { escapeForUi } from '../../../chain/text.ts';
import { type KeyValueStore, keptChainId, SourceMemory, withRecent } from '../../../session/memory.ts';
import { accountPrefix } from '../../../session/registry.ts';
import type { Session } from '../../../session/session.ts';
import { presentId } from '../../../session/source.ts';
import { addressFaultText } from '../../../words/errorWords.ts';
import { listText } from '../../../words/language.ts';
import { groupName } from '../../../words/proposalWords.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { askInSteps, type PickItem, pickMany, pickOne, pickTyped, underHeading } from '../../ask.ts';

/** Stores the filter of the proposals of each source. Created before the trees, which use the filter. */
export class FilterMemory implements vscode.Disposable {
  readonly #filters: SourceMemory;
  readonly #following: vscode.Disposable;

  constructor(active: ActiveSession, state: KeyValueStore) {
    this.#filters = new SourceMemory(state, 'proposalFilters');
    this.#following = active.follow(({ source, lists }) => {
      const filter = readSavedFilter(this.#filters.get(presentId(source)));
      if (isFiltering(filter)) lists.proposals.setFilter(filter);
      return [];
    });
  }

  async set({ source, lists }: Session, wanted: ListFilter): Promise<void> {
    const filter = toFilter(wanted);
    lists.proposals.setFilter(filter);
    await this.#filters.set(presentId(source), isFiltering(filter) ? filter : undefined);
  }

  dispose(): void {
    this.#following.dispose();
  }
}

/** The parts that asking for a filter uses. */
export interface FilterParts {
  readonly dialects: SourceMemory;
  readonly filters: FilterMemory;
  /** Recent addresses. Not synced. */
  readonly globalState: KeyValueStore;
  /** The folder of the bundle, which has the presets. */
  readonly distPath: string;
}

/** Asks for one part of the filter, or takes a given filter. Throws `InputError` for an address of another chain. */
export async function filterProposals(session: Session, given: unknown, parts: FilterParts): Promise<void> {
  const prefix = await accountPrefixOf(session, parts);
  const isGiven = ['statuses', 'voter', 'depositor'].some((part) => readMember(given, part) !== undefined);
  const filter = isGiven
    ? readSavedFilter(given)
    : await askFilter(parts.globalState, session.lists.proposals.filter, prefix);
  if (!filter) return;
  for (const address of isGiven ? [filter.voter, filter.depositor] : []) {
    const fault = address ? addressFault(address, prefix) : undefined;
    if (fault) throw new InputError(`${escapeForUi(address ?? '')}: ${addressFaultText(fault, vscode.l10n.t)}`);
  }
  await parts.filters.set(session, filter);
}

type FilterItem = PickItem & { readonly ask: () => Promise<ListFilter | undefined> };

async function askFilter(
  globalState: KeyValueStore,
  filter: ListFilter,
  prefix: string | undefined,
): Promise<ListFilter | undefined> {
  const addressItem = (part: 'voter' | 'depositor', icon: string, label: string, title: string): FilterItem => ({
    icon,
    label,
    description: filter[part] ?? vscode.l10n.t('any'),
    ask: async (): Promise<ListFilter | undefined> => {
      const address = await askAddress(title, globalState, filter[part], prefix);
      return address === undefined ? undefined : { ...filter, [part]: address };
    },
  });
  const items: FilterItem[] = [
    {
      icon: 'list-selection',
      label: vscode.l10n.t('Status'),
      description: filter.statuses
        ? listText(
            filter.statuses.map((group) => groupName(group, vscode.l10n.t)),
            vscode.l10n.t,
          )
        : vscode.l10n.t('all'),
      ask: () => askStatuses(filter),
    },
    addressItem('voter', 'person', vscode.l10n.t('Voter'), vscode.l10n.t('Address of a voter')),
    addressItem('depositor', 'credit-card', vscode.l10n.t('Depositor'), vscode.l10n.t('Address of a depositor')),
  ];
  if (isFiltering(filter))
    items.push({ icon: 'clear-all', label: vscode.l10n.t('Clear Filter'), ask: async () => ({}) });
  const title = vscode.l10n.t('Filter proposals');
  const placeHolder = isFiltering(filter)
    ? vscode.l10n.t('Add to the current filter')
    : vscode.l10n.t('Choose what to filter by');
  return askInSteps(
    () => pickOne(items, { title, placeHolder }),
    (item) => item.ask(),
  );
}

/** Asks for statuses. None means all. */
async function askStatuses(filter: ListFilter): Promise<ListFilter | undefined> {
  const items = statusGroups.map((group) => ({
    label: groupName(group, vscode.l10n.t),
    group,
    picked: filter.statuses?.includes(group) ?? true,
  }));
  const chosen = await pickMany(items, { title: vscode.l10n.t('Show proposals with status') });
  return chosen && { ...filter, statuses: chosen.map(({ group }) => group) };
}

async function accountPrefixOf(
  { source, lists }: Session,
  { dialects, distPath }: FilterParts,
): Promise<string | undefined> {
  const { loadPresets } = await import('../../../session/stored.ts');
  const stated = keptChainId(dialects, presentId(source));
  return accountPrefix(await loadPresets(distPath), source, { stated, proposals: lists.proposals.loaded });
}

/** `address` is "" to remove the address from the filter. Absent if the item cannot be chosen. */
type AddressItem = PickItem & { readonly address?: string };

/**
 * Asks for an account address, or offers a recent one. Typed text is checked at each key press. "" for any address.
 * Undefined if the user cancels.
 */
async function askAddress(
  title: string,
  state: KeyValueStore,
  current?: string,
  prefix?: string,
): Promise<string | undefined> {
  const { readTexts } = await import('../../../session/stored.ts');
  const recent = readTexts(state.get('recentAddresses'));
  const find = (text: string): AddressItem[] => {
    const typed = text.toLowerCase();
    const fault = addressFault(text, prefix);
    const typedItem = fault
      ? { icon: 'error', label: addressFaultText(fault, vscode.l10n.t) }
      : { icon: 'check', label: typed, address: typed };
    const offered = recent.filter((address) => address !== typed && address.includes(typed));
    const usable = offered.filter((address) => !addressFault(address, prefix));
    return [
      ...(typed === '' ? [] : [typedItem]),
      ...(current ? [{ icon: 'circle-slash', label: vscode.l10n.t('Any address'), address: '' }] : []),
      ...underHeading(
        vscode.l10n.t('Recent'),
        usable.map((address) => ({ icon: address === current ? 'check' : undefined, label: address, address })),
      ),
    ];
  };
  const placeHolder = prefix ? vscode.l10n.t('Account address: {0}1…', prefix) : vscode.l10n.t('Account address');
  const isChoice = ({ address }: AddressItem): boolean => address !== undefined;
  const address = (await pickTyped({ title, placeHolder, find, isChoice }))?.item.address;
  if (address) await state.update('recentAddresses', withRecent(recent, address));
  return address;
}
