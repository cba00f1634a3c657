import type { Linked } from '../../code/outsideLink.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Session } from '../../session/session.ts';
import type { PickItem } from '../ask.ts';
import type { Documents } from '../documents.ts';
import type { LazyPanels } from '../panel/lazyPanels.ts';
import type { FilterParts } from './commands/proposalFilter.ts';

/** The words of a list. */
interface ListTexts {
  /** The title of its view. */
  readonly title: string;
  /** Its name inside a sentence: `Exporting supply`. */
  readonly name: string;
  /** The name of its rows: `proposals: 12`. */
  readonly rows: string;
  readonly loaded: string;
  readonly selected: string;
}

/** The places where rows are opened. */
export interface RowDoors {
  /** The user activated a row. The focus stays in the view, unless the row was already shown. */
  readonly fromRow?: boolean;
  readonly documents: Documents;
  readonly panels: LazyPanels;
}

/**
 * The words and commands of a list. Its members are methods, so that a list of coins is also a list of unknown rows.
 */
export interface ListScreen<Row> {
  /** The icon of its rows in boxes. */
  readonly icon: string;

  texts(): ListTexts;

  /** Filter and order of the list in a few words. "" without either. */
  filterWords(lists: Lists): string;

  /** The texts of the item that offers a row. They may be hostile. */
  item(session: Session, row: Row): Pick<PickItem, 'label' | 'description'>;

  /** The label of a row that is not loaded. */
  label(key: string): string;

  /** Opens a row by its key. Rejects if the row cannot be read. */
  open(session: Session, key: string, doors: RowDoors): Promise<void>;

  /** The target of a link to a row, by its key. Absent if the list has no links. */
  link?(key: string): Linked;

  /** The commands that copy a value of each row, with the names of the values (`List.values`). */
  readonly copies: Readonly<Record<string, string>>;

  /** Filters the rows. A key binding gives the filter, otherwise the user is asked. */
  filter(session: Session, given: unknown, parts: FilterParts): Promise<void>;

  /** Removes filter and order. */
  clear(session: Session, parts: FilterParts): Promise<void> | void;

  /** Sorts the rows. A key binding gives the order, otherwise the user is asked. Absent for a list with one order. */
  sort?(session: Session, given: unknown): Promise<void>;
}
