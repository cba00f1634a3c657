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
export function foreign<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): HTMLElementTagNameMap[K] {
  return element(tag, { dir: 'auto', ...attributes }, text);
}
