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
