import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import type { ListFilter } from '../../chain/listFilter.ts';
import { statusGroups } from '../../chain/proposalGroup.ts';
import { type SupplyOrder, supplyOrders, wholeSupply } from '../../chain/supplyView.ts';
import { addressFault } from '../../session/find/addressFault.ts';
import { ownPrefix } from '../../session/find/ownPrefix.ts';
import { isFiltering, readSavedFilter, toFilter } from '../../session/find/savedFilter.ts';
import { loadPresets } from '../../session/presets.ts';
import type { Session } from '../../session/session.ts';
import { askLive, type PickItem, pickMany, pickOne } from '../ask.ts';
import { plain } from '../plain.ts';
import { groupName } from '../words.ts';
import type { CommandContext } from './commandContext.ts';
import { askAddress, faultText } from './filterAddress.ts';
import { orderText } from './filterWords.ts';
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
