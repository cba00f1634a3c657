import type { List, ListParts } from './listBase.ts';
import { Proposals } from './proposals.ts';
import { Supply } from './supply.ts';
import { Validators } from './validators.ts';

/** Makes the lists of a source, by their names. Nothing is read yet. */
export const createLists = (parts: ListParts) =>
  ({
    proposals: new Proposals(parts),
    supply: new Supply(parts),
    validators: new Validators(parts),
  }) as const;

/** The lists of a source by their names. */
export type Lists = ReturnType<typeof createLists>;
export type ListName = keyof Lists;

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
