import * as vscode from 'vscode';
import { type AddressFault, addressFault } from '../../session/find/addressFault.ts';
import { type PickItem, pickTyped } from '../ask.ts';

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
