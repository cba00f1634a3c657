import type { List, ListParts } from './listBase.ts';
import { Proposals } from './proposals.ts';
import { Supply } from './supply.ts';
import { Validators } from './validators.ts';

/** The lists of a source by their names. */
export type Lists = {
  readonly proposals: Proposals;
  readonly supply: Supply;
  readonly validators: Validators;
};
export type ListName = keyof Lists;

/** Makes the lists of a source. Nothing is read yet. */
export function createLists(parts: ListParts): Lists {
  return { proposals: new Proposals(parts), supply: new Supply(parts), validators: new Validators(parts) };
}

/** A list, whatever its rows are. */
export type AnyList = List<unknown> & { readonly name: ListName };

/** The list that an owner of rows belongs to. Any text may be given for an owner. */
export function listOfOwner(lists: Lists, owner: string): AnyList | undefined {
  return Object.values<AnyList>(lists).find(({ owners }) => owners.includes(owner));
}

/** The list that has rows of a kind. Any text may be given for a kind. */
export function listOfRow(lists: Lists, kind: string): AnyList | undefined {
  return Object.values<AnyList>(lists).find(({ rowKind }) => rowKind === kind);
}
