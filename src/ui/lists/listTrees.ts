// Entry of a lazily loaded part: the trees of the lists.

import type { ListName } from '../../lists/lists.ts';
import type { ListTree, TreeParts } from './listTree.ts';
import { ProposalsTree } from './proposals.ts';
import { SupplyTree } from './supply.ts';
import { ValidatorsTree } from './validators.ts';

/** Makes the trees of the lists by their names, each with the parts of its view. */
export const createTrees = (partsOf: (name: ListName) => TreeParts) =>
  ({
    proposals: new ProposalsTree(partsOf('proposals')),
    supply: new SupplyTree(partsOf('supply')),
    validators: new ValidatorsTree(partsOf('validators')),
  }) as const satisfies Readonly<Record<ListName, ListTree<unknown>>>;

/** The tree of each list, by the name of the list. */
export type ListTrees = ReturnType<typeof createTrees>;
