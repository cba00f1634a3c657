/** Something that was looked up, to be offered again. Ids are digits, so that an entry is plain JSON. */
export type LookUp =
  | { readonly kind: 'proposal'; readonly sourceId: string; readonly id: string; readonly title: string }
  | { readonly kind: 'denom'; readonly sourceId: string; readonly denom: string }
  | { readonly kind: 'text'; readonly sourceId: string; readonly text: string };

/** How many entries a list of recent ones keeps. */
export const mostRecent = 50;

/** The list with `entry` on top, once, and no longer than `mostRecent`. `nameOf` tells entries apart. */
export function withRecent<T>(list: readonly T[], entry: T, nameOf: (entry: T) => string): T[] {
  const name = nameOf(entry);
  return [entry, ...list.filter((other) => nameOf(other) !== name)].slice(0, mostRecent);
}

/** What makes two look-ups the same one. */
export function lookUpName(entry: LookUp): string {
  switch (entry.kind) {
    case 'proposal':
      return JSON.stringify([entry.sourceId, entry.kind, entry.id]);
    case 'denom':
      return JSON.stringify([entry.sourceId, entry.kind, entry.denom]);
    case 'text':
      return JSON.stringify([entry.sourceId, entry.kind, entry.text]);
    default:
      return entry satisfies never;
  }
}

/** The look-ups in what was kept; anything else in it is passed over. */
export function readLookUps(kept: unknown): LookUp[] {
  return Array.isArray(kept) ? kept.slice(0, mostRecent).flatMap(readLookUp) : [];
}

/** The texts in what was kept: recent addresses. */
export function readTexts(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((entry) => typeof entry === 'string').slice(0, mostRecent) : [];
}

function readLookUp(kept: unknown): LookUp[] {
  if (typeof kept !== 'object' || kept === null) return [];
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(kept, key);
    return typeof value === 'string' ? value : undefined;
  };
  const [sourceId, id, title, denom, words] = [
    text('sourceId'),
    text('id'),
    text('title'),
    text('denom'),
    text('text'),
  ];
  if (sourceId === undefined) return [];
  switch (text('kind')) {
    case 'proposal':
      return id && /^\d{1,20}$/.test(id) ? [{ kind: 'proposal', sourceId, id, title: title ?? '' }] : [];
    case 'denom':
      return denom ? [{ kind: 'denom', sourceId, denom }] : [];
    case 'text':
      return words ? [{ kind: 'text', sourceId, text: words }] : [];
    default:
      return [];
  }
}
