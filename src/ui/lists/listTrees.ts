// Entry of a lazily loaded part: the trees of the lists.

import type { ListName } from '../../lists/lists.ts';
import type { ListTree, TreeParts } from './listTree.ts';
import { ProposalsTree } from './proposals.ts';
import { SupplyTree } from './supply.ts';
import { ValidatorsTree } from './validators.ts';

/** The tree of each list, by the name of the list. */
export interface ListTrees extends Readonly<Record<ListName, ListTree<unknown>>> {
  readonly proposals: ProposalsTree;
  readonly supply: SupplyTree;
  readonly validators: ValidatorsTree;
}

/** Makes the trees of the lists, each with the parts of its view. */
export function createTrees(partsOf: (name: ListName) => TreeParts): ListTrees {
  return {
    proposals: new ProposalsTree(partsOf('proposals')),
    supply: new SupplyTree(partsOf('supply')),
    validators: new ValidatorsTree(partsOf('validators')),
  };
}
