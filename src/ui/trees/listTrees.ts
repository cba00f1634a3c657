import type { ListName } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { ProposalsTree } from './proposalsTree.ts';
import type { Watched } from './rows.ts';
import { SupplyTree } from './supplyTree.ts';
import { ValidatorsTree } from './validatorsTree.ts';

/** The view of each list. */
export interface ListTrees extends Record<ListName, { readonly view: { readonly selection: readonly unknown[] } }> {
  readonly proposals: ProposalsTree;
  readonly supply: SupplyTree;
  readonly validators: ValidatorsTree;
}

export function createTrees(active: ActiveSession, watched: Watched): ListTrees {
  return {
    proposals: new ProposalsTree(active, watched),
    supply: new SupplyTree(active, watched),
    validators: new ValidatorsTree(active, watched),
  };
}
