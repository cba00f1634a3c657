import type { AnyPager } from '../../../lists/pager.ts';
import { askLive, pickOne } from '../../ask.ts';
import { readText } from '../../commands/commandArguments.ts';
import { readWithProgress } from './readRows.ts';

/** A list with a text filter and orders. */
interface OrderedList<Order> {
  readonly pager: AnyPager;
  readonly arrangement: { readonly text: string; readonly order: Order };
  arrange(arrangement: { readonly text: string; readonly order: Order }): void;
}

/** The words of the boxes for filter and order. */
export interface OrderedTexts<Order> {
  readonly reading: string;
  readonly filter: string;
  readonly sort: string;
  readonly orders: readonly { readonly order: Order; readonly label: string; readonly detail: string }[];
}

async function readAllRows(pager: AnyPager, title: string): Promise<void> {
  if (!pager.hasMore) return;
  await readWithProgress(pager, title, Number.POSITIVE_INFINITY).catch(() => undefined);
}

/** Filters a list while the user types. Escape takes the filter back. A key binding may give the text. */
export async function filterByText<Order>(
  list: OrderedList<Order>,
  texts: OrderedTexts<Order>,
  given: unknown,
): Promise<void> {
  const { arrangement } = list;
  let reading: Promise<void> | undefined;
  const show = (text: string): void => {
    reading ??= readAllRows(list.pager, texts.reading);
    list.arrange({ ...list.arrangement, text: text.trim() });
  };
  const text = readText(given);
  if (text !== undefined) show(text);
  else if (!(await askLive(texts.filter, arrangement.text, show))) list.arrange(arrangement);
  await reading;
}

/** Asks for the order of a list. A key binding may give it: `"amount"`. */
export async function sortRows<Order>(
  list: OrderedList<Order>,
  texts: OrderedTexts<Order>,
  given: unknown,
): Promise<void> {
  const items = texts.orders.map((item) => ({
    ...item,
    icon: item.order === list.arrangement.order ? 'check' : undefined,
  }));
  const named = items.find(({ order }) => order === readText(given));
  const chosen = named ?? (await pickOne(items, { title: texts.sort }));
  if (!chosen) return;
  await readAllRows(list.pager, texts.reading);
  list.arrange({ ...list.arrangement, order: chosen.order });
}
