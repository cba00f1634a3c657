/** Keeps a list of elements equal to a list of data by replacing only what differs. */
export class Patch {
  readonly #shown = new WeakMap<Element, string>();

  /**
   * Makes `parent`'s children those of `items`. An element whose item is unchanged is left alone; a replaced one hands
   * on which of its folds are open and, where it has it, the focus.
   */
  list<T>(
    parent: Element,
    items: readonly T[],
    keyOf: (item: T, at: number) => string,
    toNode: (item: T) => HTMLElement,
  ): void {
    const before = new Map([...parent.children].map((child) => [child.getAttribute('data-key') ?? '', child]));
    for (const [at, item] of items.entries()) {
      const key = keyOf(item, at);
      const json = JSON.stringify(item);
      const old = before.get(key);
      before.delete(key);
      const place = parent.children[at];
      if (old && this.#shown.get(old) === json) {
        if (old !== place) parent.insertBefore(old, place ?? null);
        continue;
      }
      const made = toNode(item);
      made.setAttribute('data-key', key);
      this.#shown.set(made, json);
      if (old) replace(old, made);
      if (made !== parent.children[at]) parent.insertBefore(made, parent.children[at] ?? null);
    }
    for (const left of before.values()) left.remove();
  }

  /** Forgets what `element` showed, so that the next `list` draws it anew. */
  forget(element: Element): void {
    this.#shown.delete(element);
  }
}

function replace(old: Element, made: HTMLElement): void {
  const open = new Set([...old.querySelectorAll('details[open]'), old].map((fold) => foldOf(fold)));
  for (const fold of [made, ...made.querySelectorAll('details')]) {
    const id = foldOf(fold);
    if (fold instanceof HTMLDetailsElement && id !== undefined && open.has(id)) fold.open = true;
  }
  const active = document.activeElement;
  const index = active && old.contains(active) ? focusable(old).indexOf(active) : -1;
  old.replaceWith(made);
  const next = index < 0 ? undefined : focusable(made)[index];
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

function foldOf(element: Element): string | undefined {
  return element instanceof HTMLDetailsElement && element.open !== false ? element.dataset.fold : undefined;
}

function focusable(root: Element): Element[] {
  return [...root.querySelectorAll('button, summary, [tabindex]')];
}
