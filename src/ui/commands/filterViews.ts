import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { type ListFilter, statusGroups } from '../../chain/proposal.ts';
import { type SupplyOrder, supplyOrders, wholeSupply } from '../../chain/supplyStore.ts';
import {
  type AddressFault,
  addressFault,
  isFiltering,
  ownPrefix,
  readSavedFilter,
  toFilter,
} from '../../session/filter.ts';
import { loadPresets } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import { askLive, type PickItem, pickMany, pickOne, pickTyped } from '../ask.ts';
import { plain } from '../plain.ts';
import { groupName } from '../words.ts';
import type { CommandContext } from './commandContext.ts';
import { orderText } from './filterMemory.ts';
import { recentAddresses, rememberAddress } from './recentList.ts';

type Part = 'statuses' | 'voter' | 'depositor' | 'clear';

/**
 * Asks for one part of what the Proposals view shall show; the other parts stay as they are. A key binding may give the
 * whole filter: `{"statuses": ["voting"], "voter": "cosmos1…"}`.
 */
export async function filterProposals(context: CommandContext, given: unknown): Promise<void> {
  const { session } = context.active;
  const prefix = await prefixOf(session, context.distPath);
  if (isGiven(given)) {
    const filter = readSavedFilter(given);
    for (const address of [filter.voter, filter.depositor]) if (address) check(address, prefix);
    return context.filters.set(session, filter);
  }
  const { filter } = session.proposals;
  const part = await askPart(filter);
  if (part === undefined) return;
  const changed = part === 'clear' ? {} : await askChange(context, part, filter, prefix);
  if (changed) await context.filters.set(session, changed);
}

function isGiven(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && ('statuses' in value || 'voter' in value || 'depositor' in value)
  );
}

function check(address: string, prefix: string | undefined): void {
  const fault = addressFault(address, prefix);
  if (fault) throw new InputError(`${plain(address)}: ${faultText(fault)}`);
}

async function askPart(filter: ListFilter): Promise<Part | undefined> {
  const any = vscode.l10n.t('any');
  const statuses = filter.statuses?.map(groupName).join(', ') ?? vscode.l10n.t('all');
  const items: (PickItem & { readonly part: Part })[] = [
    { part: 'statuses', icon: 'list-selection', label: vscode.l10n.t('Status'), description: statuses },
    { part: 'voter', icon: 'person', label: vscode.l10n.t('Voter'), description: filter.voter ?? any },
    { part: 'depositor', icon: 'credit-card', label: vscode.l10n.t('Depositor'), description: filter.depositor ?? any },
  ];
  const clear = { part: 'clear' as const, icon: 'clear-all', label: vscode.l10n.t('Clear Filter') };
  const choice = await pickOne<PickItem & { readonly part: Part }>(isFiltering(filter) ? [...items, clear] : items, {
    title: vscode.l10n.t('Filter proposals'),
    placeHolder: vscode.l10n.t('What to filter by, beside what is set'),
  });
  return choice?.part;
}

async function askChange(
  { globalState }: CommandContext,
  part: Exclude<Part, 'clear'>,
  filter: ListFilter,
  prefix: string | undefined,
): Promise<ListFilter | undefined> {
  if (part === 'statuses') {
    const statuses = await askStatuses(filter);
    return statuses && toFilter({ ...filter, statuses });
  }
  const title = part === 'voter' ? vscode.l10n.t('Voted on by') : vscode.l10n.t('Deposited on by');
  const address = await askAddress({ title, current: filter[part], recent: recentAddresses(globalState), prefix });
  if (address) await rememberAddress(globalState, address);
  return address === undefined ? undefined : toFilter({ ...filter, [part]: address });
}

/** The chosen groups; none means all. */
async function askStatuses({ statuses }: ListFilter): Promise<ListFilter['statuses']> {
  const items = statusGroups.map((group) => ({
    label: groupName(group),
    group,
    picked: statuses?.includes(group) ?? true,
  }));
  const chosen = await pickMany(items, { title: vscode.l10n.t('Show proposals in') });
  return chosen?.map(({ group }) => group);
}

/** The prefix of a chain's accounts: by the registry where the chain is in it, else as its own proposals show it. */
async function prefixOf(session: Session, distPath: string): Promise<string | undefined> {
  const { source, proposals } = session;
  if (source.kind !== 'http') return ownPrefix(proposals.all());
  const stated = source.setting.chain ?? (session.state.kind === 'idle' ? undefined : await chainIdOf(session));
  const presets = stated === undefined ? undefined : await loadPresets(distPath);
  return presets?.chains.find(({ chainId }) => chainId === stated)?.bech32Prefix ?? ownPrefix(proposals.all());
}

async function chainIdOf(session: Session): Promise<string | undefined> {
  return (await session.node().catch(() => undefined))?.dialect.chainId;
}

/** Narrows the loaded rows of the supply while the user types; leaving with Escape takes it back. */
export async function filterSupply({ active }: CommandContext, given: string | undefined): Promise<void> {
  const { supply } = active.session;
  const { view } = supply;
  if (given !== undefined) return supply.setView({ ...view, text: given });
  const question = {
    title: vscode.l10n.t('Filter supply'),
    prompt: vscode.l10n.t('Part of a denom or symbol, among the loaded rows'),
    value: view.text,
  };
  const show = (text: string) => supply.setView({ ...supply.view, text: text.trim() });
  if (!(await askLive(question, show))) show(view.text);
}

/** Asks what the loaded rows of the supply are ordered by. A key binding may name it: `"amount"`. */
export async function sortSupply({ active }: CommandContext, given: string | undefined): Promise<void> {
  const { supply } = active.session;
  const order = supplyOrders.find((known) => known === given) ?? (await askOrder(supply.view.order));
  if (order) supply.setView({ ...supply.view, order });
}

async function askOrder(current: SupplyOrder): Promise<SupplyOrder | undefined> {
  const items = supplyOrders.map((order) => ({
    icon: order === current ? 'check' : undefined,
    label: orderText(order),
    detail: orderDetail(order),
    order,
  }));
  const choice = await pickOne(items, { title: vscode.l10n.t('Sort supply') });
  return choice?.order;
}

function orderDetail(order: SupplyOrder): string {
  switch (order) {
    case 'denom':
      return vscode.l10n.t('As the chain lists them');
    case 'amount':
      return vscode.l10n.t('The largest number of base units first, among the loaded rows');
    case 'symbol':
      return vscode.l10n.t('By the alphabet, denoms without a symbol last, among the loaded rows');
    default:
      return order satisfies never;
  }
}

/** Shows everything again. */
export async function clearFilter({ active, filters }: CommandContext, view: 'proposals' | 'supply'): Promise<void> {
  if (view === 'proposals') await filters.set(active.session, {});
  else active.session.supply.setView(wholeSupply);
}

interface AddressItem extends PickItem {
  /** "" takes the address out of the filter; absent where nothing can be taken. */
  readonly address?: string;
}

/** What an address is asked with. */
export interface AddressQuestion {
  readonly title: string;
  readonly current: string | undefined;
  readonly recent: readonly string[];
  /** The prefix of this chain's accounts, where it is known. */
  readonly prefix: string | undefined;
}

/**
 * Asks for an account address, checked at each key, or for one of the recent ones. "" means that any address will do;
 * undefined that the user left.
 */
export async function askAddress(question: AddressQuestion): Promise<string | undefined> {
  const { title, prefix } = question;
  const placeHolder = prefix ? vscode.l10n.t('Account address: {0}1…', prefix) : vscode.l10n.t('Account address');
  const find = (typed: string) => toItems(question, typed.trim());
  return (await pickTyped({ title, placeHolder }, find, ({ address }) => address !== undefined))?.address;
}

function toItems({ current, recent, prefix }: AddressQuestion, text: string): AddressItem[] {
  const typed: AddressItem[] = text === '' ? [] : [typedItem(text, prefix)];
  const any: AddressItem = { icon: 'circle-slash', label: vscode.l10n.t('Any address'), address: '', alwaysShow: true };
  const fitting = recent.filter((address) => address !== text && address.includes(text.toLowerCase()));
  const usable = fitting.filter((address) => addressFault(address, prefix) === undefined);
  const separator = { label: vscode.l10n.t('Recent'), kind: vscode.QuickPickItemKind.Separator };
  const rows = usable.map((address) => ({
    icon: address === current ? 'check' : undefined,
    label: address,
    address,
    alwaysShow: true,
  }));
  return [...typed, ...(current ? [any] : []), ...(rows.length > 0 ? [separator, ...rows] : [])];
}

function typedItem(text: string, prefix: string | undefined): AddressItem {
  const fault = addressFault(text, prefix);
  if (fault) return { icon: 'error', label: faultText(fault), alwaysShow: true };
  return { icon: 'check', label: text.toLowerCase(), address: text.toLowerCase(), alwaysShow: true };
}

/** Why an address cannot be used, for a person. */
export function faultText(fault: AddressFault): string {
  switch (fault.kind) {
    case 'empty':
      return vscode.l10n.t('Type or paste an account address');
    case 'hex':
      return vscode.l10n.t('This is a hexadecimal address: the chain takes the one with letters, such as cosmos1…');
    case 'length':
      return vscode.l10n.t('Not an address yet: too short, or too long');
    case 'mixedCase':
      return vscode.l10n.t('Not an address: upper and lower case are mixed');
    case 'separator':
      return vscode.l10n.t('Not an address: there is no 1 behind a prefix');
    case 'character':
      return vscode.l10n.t('Not an address: character {0} cannot stand there', fault.at + 1);
    case 'checksum':
      return vscode.l10n.t('The checksum is wrong: a character is mistyped or missing');
    case 'bytes':
      return vscode.l10n.t('Not an address: it does not hold whole bytes');
    case 'prefix':
      return fault.role
        ? vscode.l10n.t('This address ({0}1…) is not one of an account: {1}1… is needed', fault.found, fault.expected)
        : vscode.l10n.t(
            'Of another chain ({0}1…): addresses of this chain begin with {1}1',
            fault.found,
            fault.expected,
          );
    default:
      return fault satisfies never;
  }
}
