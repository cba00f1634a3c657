import { Emitter } from '../chain/emitter.ts';
import type { AnyPager, Pager } from './pager.ts';

/** Which of the loaded rows are shown, those that hold `text` ("" shows all), and in which order. */
export interface ViewOf<Order extends string> {
  readonly text: string;
  readonly order: Order;
}

/** The rows of a list that is read page by page, and how its view shows them. */
export abstract class ViewStore<Row, Order extends string> {
  readonly pager: Pager<Row>;
  /** The paged lists of the store. */
  readonly pagers: readonly AnyPager[];
  protected readonly changed = new Emitter<void>();
  /** Ends what is read beside the pages. */
  protected readonly abort = new AbortController();
  readonly #whole: ViewOf<Order>;
  #view: ViewOf<Order>;

  /** `whole`: the view that leaves nothing out, in the order of the beginning. */
  constructor(pager: Pager<Row>, whole: ViewOf<Order>) {
    this.pager = pager;
    this.pagers = [pager];
    this.#whole = whole;
    this.#view = whole;
    pager.onDidChange(() => this.changed.fire());
  }

  readonly onDidChange = this.changed.on;

  /** The loaded rows as the view shows them. */
  abstract get shown(): readonly Row[];

  get view(): ViewOf<Order> {
    return this.#view;
  }

  /** Whether there is a filter or an order that can be taken away. */
  get isChanged(): boolean {
    return this.#view.text !== this.#whole.text || this.#view.order !== this.#whole.order;
  }

  setView(view: ViewOf<Order>): void {
    if (view.text === this.#view.text && view.order === this.#view.order) return;
    this.#view = view;
    this.changed.fire();
  }

  /** Drops the rows that were read, and aborts what is being read. */
  forget(): void {
    this.pager.reset();
  }

  dispose(): void {
    this.abort.abort();
    this.pager.dispose();
    this.changed.dispose();
  }
}

/** Brings the readers of what nodes send; not before a list is asked for. */
export function nodeReads(): Promise<typeof import('../chain/nodeReads.ts')> {
  return import('../chain/nodeReads.ts');
}
