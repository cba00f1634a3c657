import type { ListName } from '../../lists/lists.ts';
import type { ListScreen } from './listScreen.ts';
import { proposalsScreen } from './proposals.ts';
import { supplyScreen } from './supply.ts';
import { validatorsScreen } from './validators.ts';

/** The words and commands of each list. */
export const listScreens: Readonly<Record<ListName, ListScreen<unknown>>> = {
  proposals: proposalsScreen,
  supply: supplyScreen,
  validators: validatorsScreen,
};
