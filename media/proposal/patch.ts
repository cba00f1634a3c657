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
}

/** Makes these the children of `parent`; those that are equal stay, so that a screen reader does not read them again. */
export function setChildren(parent: Element, nodes: readonly Element[]): void {
  for (const [at, node] of nodes.entries()) {
    const old = parent.children[at];
    if (!old) parent.append(node);
    else if (!old.isEqualNode(node)) old.replaceWith(node);
  }
  for (const left of [...parent.children].slice(nodes.length)) left.remove();
}

function replace(old: Element, made: HTMLElement): void {
  const open = new Set(foldsIn(old).flatMap((fold) => (fold.open ? [fold.dataset.fold] : [])));
  for (const fold of foldsIn(made)) if (open.has(fold.dataset.fold)) fold.open = true;
  const active = document.activeElement;
  const index = active && old.contains(active) ? focusable(old).indexOf(active) : -1;
  old.replaceWith(made);
  const next = index < 0 ? undefined : focusable(made)[index];
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

function foldsIn(root: Element): readonly HTMLDetailsElement[] {
  return [root, ...root.querySelectorAll('details')].filter((fold) => fold instanceof HTMLDetailsElement);
}

function focusable(root: Element): Element[] {
  return [...root.querySelectorAll('button, summary, [tabindex]')];
}

type Child = Node | string | undefined | false;

/** An element with attributes (never event handlers or HTML) and children; strings become text nodes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  for (const child of children) if (child !== undefined && child !== false) made.append(child);
  return made;
}

/** An element whose text is a stranger's: its own direction, so that it cannot reorder what stands beside it. */
export function untrusted<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): HTMLElementTagNameMap[K] {
  return element(tag, { dir: 'auto', ...attributes }, text);
}

/** Opens everything that is folded away, long lists and long texts too: find looks at what is drawn only. */
export function unfoldAll(): void {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  for (const clip of document.querySelectorAll('.clip.closed')) unfold(clip);
  drawRests();
}

/**
 * In a browser the editor's find (its key, its palette entry, its next and previous) calls the page's own `find`, which
 * does not open what is folded away. With this it does, and only what holds the place that was found stays open.
 */
export function findInFolds(): void {
  const find: unknown = Reflect.get(window, 'find');
  if (typeof find !== 'function') return;
  const opened = new Set<HTMLDetailsElement>();
  /** Closes again what was opened, but for what holds the place. */
  const closeAllBut = (place: Range | undefined) => {
    for (const fold of opened) {
      if (place && fold.contains(place.startContainer)) continue;
      fold.open = false;
      opened.delete(fold);
    }
  };
  Reflect.set(window, 'find', (...query: unknown[]) => {
    const search = () => Reflect.apply(find, window, query) === true && getSelection()?.isCollapsed === false;
    const from = selected();
    let isFound = search();
    if (!isFound) {
      openForFind(opened);
      select(from);
      isFound = search();
    }
    const found = isFound ? selected() : undefined;
    closeAllBut(found);
    if (found) showRange(found);
    return found !== undefined;
  });
}

function openForFind(opened: Set<HTMLDetailsElement>): void {
  for (const fold of document.querySelectorAll('details')) {
    if (fold.open) continue;
    fold.open = true;
    opened.add(fold);
  }
  drawRests();
}

/** Folds that close above it move a place out of sight. */
function showRange(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) scrollTo(0, scrollY + top - innerHeight / 2);
}

function selected(): Range | undefined {
  const selection = getSelection();
  return selection && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : undefined;
}

function select(range: Range | undefined): void {
  if (!range) return;
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}

/** Lists draw the rest of themselves, which may hold long lists again. */
function drawRests(): void {
  for (let rest = document.querySelector('.rest'); rest; rest = document.querySelector('.rest')) unfold(rest);
}

function unfold(part: Element): void {
  part.dispatchEvent(new Event('unfold'));
}
