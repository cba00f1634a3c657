import * as vscode from 'vscode';
import type { ListFilter } from '../../chain/listFilter.ts';
import { type StatusGroup, statusGroups } from '../../chain/proposalGroup.ts';
import type { SupplyOrder, SupplyView } from '../../chain/supplyView.ts';
import { plain } from '../plain.ts';
import { groupName } from '../words.ts';

/** What a filter lets through, in a few words: `voter cosmos1ab…wxyz · Voting period, Passed`; "" for no filter. */
export function filterText({ statuses, voter, depositor }: ListFilter): string {
  const parts = [
    ...(voter ? [vscode.l10n.t('voter {0}', shortAddress(voter))] : []),
    ...(depositor ? [vscode.l10n.t('depositor {0}', shortAddress(depositor))] : []),
    ...(statuses ? [statusText(statuses)] : []),
  ];
  return parts.join(' · ');
}

/** The groups that are shown or, where that is shorter, those that are not. */
function statusText(statuses: readonly StatusGroup[]): string {
  const hidden = statusGroups.filter((group) => !statuses.includes(group));
  return hidden.length < statuses.length
    ? vscode.l10n.t('without {0}', hidden.map(groupName).join(', '))
    : statuses.map(groupName).join(', ');
}

/** The same for the supply: `“ibc” 12 of 50, by amount`. */
export function supplyText(view: SupplyView, shown: number, loaded: number): string {
  const parts = [
    ...(view.text ? [vscode.l10n.t('“{0}” {1} of {2}', plain(view.text), shown, loaded)] : []),
    ...(view.order === 'denom' ? [] : [orderText(view.order)]),
  ];
  return parts.join(', ');
}

export function orderText(order: SupplyOrder): string {
  switch (order) {
    case 'denom':
      return vscode.l10n.t('by denom');
    case 'amount':
      return vscode.l10n.t('by amount in base units');
    case 'symbol':
      return vscode.l10n.t('by symbol');
    default:
      return order satisfies never;
  }
}

/** What an address filter means on a chain (contract-facts section 3); undefined where the filter has none. */
export function filterMeaning({ voter, depositor }: ListFilter): { text: string; detail: string } | undefined {
  if (!voter && !depositor) return undefined;
  const text = !voter
    ? vscode.l10n.t('Deposits are known until the end')
    : depositor
      ? vscode.l10n.t('Votes are known only while voting, deposits until the end')
      : vscode.l10n.t('Votes are known only while voting');
  const detail = vscode.l10n.t(
    'A chain deletes votes when it has counted them, and deposits when the proposal has ended: this filter finds nothing among proposals that have passed, were rejected or failed. Exported states may hold more.',
  );
  return { text, detail };
}

/** Both ends of an address tell it apart. */
export function shortAddress(address: string): string {
  return address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-5)}`;
}
