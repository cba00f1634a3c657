const isMac = /mac/i.test(navigator.platform);

/** A shortcut as `aria-keyshortcuts` writes it on this machine. */
export function shortcutOf(key: string): string {
  return isMac ? key.replace('Control', 'Meta') : key;
}

/** A shortcut as people read it: `Ctrl+R`, `⌘R`, `Alt+↑`. */
export function shortcutText(key: string): string {
  const arrows = key.replace('ArrowLeft', '←').replace('ArrowUp', '↑').replace('ArrowDown', '↓');
  return isMac ? arrows.replace('Control+', '⌘').replace('Alt+', '⌥') : arrows.replace('Control', 'Ctrl');
}

/** Whether a key press is this shortcut, with no other modifier. */
export function isShortcut(event: KeyboardEvent, key: string): boolean {
  const parts = shortcutOf(key).split('+');
  return (
    event.key.toLowerCase() === parts.at(-1)?.toLowerCase() &&
    event.ctrlKey === parts.includes('Control') &&
    event.altKey === parts.includes('Alt') &&
    event.metaKey === parts.includes('Meta') &&
    !event.shiftKey
  );
}
