import * as z from 'zod/mini';
import { InputError } from '../api/errors.ts';
import { groupDigits } from '../chain/coin.ts';
import { Emitter } from '../chain/emitter.ts';
import { readId } from '../reads/search.ts';
import { safeSourceId } from '../session/source.ts';

/**
 * A target: a proposal, the supply of a denom, or all proposals of a source that enter voting. For `sourceId` see
 * `Source.id`.
 */
export type WatchTarget =
  | { readonly kind: 'proposal'; readonly sourceId: string; readonly id: bigint }
  | { readonly kind: 'denom'; readonly sourceId: string; readonly denom: string }
  | { readonly kind: 'everything'; readonly sourceId: string };

/** True if an item is muted, or the time at which the mute ends (milliseconds since 1970). */
export type Mute = boolean | number;

/** An item of the list: from the user's setting (`own`), from the workspace's (`shared`), or from both. */
export interface WatchItem {
  /** The key of the target, the same on every machine. */
  readonly key: string;
  readonly target: WatchTarget;
  readonly rules: WatchRules;
  /** False if the item is not muted, whatever another item of the same target says. */
  readonly muted: Mute | undefined;
  readonly skip: readonly bigint[];
  readonly own: boolean;
  readonly shared: boolean;
  /** True if no setting has the item: the proposal is in voting on a source of which everything is watched. */
  readonly found: boolean;
}

function newItem(target: WatchTarget): WatchItem {
  const flags = { own: true, shared: false, found: false };
  return { key: keyOf(target), target, rules: defaultRules, muted: undefined, skip: [], ...flags };
}

/** True if an item has a row of its own: one proposal or one denom. */
export function isEntry({ target }: WatchItem): boolean {
  return target.kind !== 'everything';
}

/** Gives the key of the item of a target. */
export function keyOf(target: WatchTarget): string {
  switch (target.kind) {
    case 'proposal':
      return `proposal ${target.id} of ${target.sourceId}`;
    case 'denom':
      return `denom ${target.denom} of ${target.sourceId}`;
    case 'everything':
      return `everything of ${target.sourceId}`;
    default:
      return target satisfies never;
  }
}

/** True if an item is muted at `now`, in milliseconds since 1970. */
export function isMuted(muted: Mute | undefined, now: number): boolean {
  return typeof muted === 'number' ? now < muted : muted === true;
}

/** The changes of an entry that are reported. An absent rule, or one of another type, has its default. */
const rulesSchema = z.object({
  status: z.catch(z.boolean(), true),
  /** Hours before the deposit or voting period ends, in descending order. */
  hoursBefore: z.catch(z.pipe(z.array(z.unknown()), z.transform(readHours)), [24, 1]),
  // Quorum and verdict need the votes so far, which cost requests.
  quorum: z.catch(z.boolean(), false),
  verdict: z.catch(z.boolean(), false),
  /** A change by more than this number of base units (`1000000`) or percent (`2.5%`); null for no rule. */
  supply: z.catch(z.pipe(z.nullable(z.string()), z.transform(readSupplyRule)), '1%'),
});

export type WatchRules = z.infer<typeof rulesSchema>;

/** The rules of a new entry. */
export const defaultRules: WatchRules = rulesSchema.parse({});

/** Gives rules as JSON, without defaults. */
export function writeRules(rules: WatchRules): Readonly<Record<string, unknown>> {
  const defaults = new Map<string, unknown>(Object.entries(defaultRules));
  return Object.fromEntries(Object.entries(rules).filter(([name, value]) => !isSameJson(value, defaults.get(name))));
}

/**
 * Reads hours before an end: numbers above 0 and up to a year, each once, in descending order. Other values are left
 * out.
 */
export function readHours(values: unknown[]): number[] {
  const hours = values.filter((hour): hour is number => typeof hour === 'number' && hour > 0 && hour <= 8784);
  return [...new Set(hours)].sort((a, b) => b - a);
}

/** Reads a supply rule and drops its spaces; null for any other text, which means no rule. */
export function readSupplyRule(text: string | null): string | null {
  const isRule = text !== null && /^\s*(\d{1,78}|\d{1,4}(\.\d{1,4})?\s*%)\s*$/.test(text);
  return isRule ? text.replaceAll(/\s/g, '') : null;
}

const idSchema = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((id) => readId(`${id}`)),
);

const itemSchema = z.object({
  source: z.pipe(z.string(), z.transform(safeSourceId)),
  proposal: z.optional(idSchema),
  denom: z.optional(z.string().check(z.regex(/^\S{1,256}$/))),
  everything: z.optional(z.literal(true)),
  skip: z.catch(z.array(idSchema), []),
  muted: z.catch(z.optional(z.pipe(z.union([z.boolean(), z.string()]), z.transform(readMute))), undefined),
  rules: z.catch(rulesSchema, defaultRules),
});

function readMute(value: boolean | string): Mute | undefined {
  const mute = typeof value === 'boolean' ? value : Date.parse(value);
  return Number.isNaN(mute) ? undefined : mute;
}

/** Reads an item of the setting's array; undefined for any other value. */
export function readItem(value: unknown): WatchItem | undefined {
  const { data } = itemSchema.safeParse(value);
  if (data?.source === undefined) return undefined;
  const { source: sourceId, proposal: id, denom, everything, skip, muted, rules } = data;
  if (everything)
    return { ...newItem({ kind: 'everything', sourceId }), muted, skip: skip.filter((one) => one !== undefined) };
  if (id !== undefined) return { ...newItem({ kind: 'proposal', sourceId, id }), muted, rules };
  return denom === undefined ? undefined : { ...newItem({ kind: 'denom', sourceId, denom }), muted, rules };
}

/** The limit for entries of a setting. Entries after it are not watched. */
const maxEntries = 1000;

/**
 * Unites both arrays as far as they are read: the user's items, then those of the workspace alone. The user's rules and
 * mutes win.
 */
export function uniteLists(user: unknown, workspace: unknown): readonly WatchItem[] {
  const united = new Map<string, WatchItem>();
  for (const item of readItems(user)) if (!united.has(item.key)) united.set(item.key, item);
  for (const item of readItems(workspace)) {
    const { muted, skip, own, ...first } = united.get(item.key) ?? { ...item, own: false };
    const skipped = [...new Set([...skip, ...item.skip])];
    united.set(item.key, { ...first, own, shared: true, muted: muted ?? item.muted, skip: skipped });
  }
  return [...united.values()];
}

function readItems(value: unknown): readonly WatchItem[] {
  return elementsOf(value)
    .slice(0, maxEntries)
    .flatMap((one) => readItem(one) ?? []);
}

export function elementsOf(value: unknown): StoredArray {
  return Array.isArray(value) ? value : [];
}

/** Adds "everything" for sources on which the user votes, if the items lack it. These items are in no setting. */
export function withVoted(items: readonly WatchItem[], sourceIds: Iterable<string>): readonly WatchItem[] {
  const added = [...sourceIds].map((sourceId) => ({ ...newItem({ kind: 'everything', sourceId }), own: false }));
  const known = new Set(added.length > 0 ? items.map(({ key }) => key) : []);
  return [...items, ...added.filter(({ key }) => !known.has(key))];
}

/**
 * Makes the entry of a proposal that "everything" found. An item that exists only for the user's votes has no other
 * rules.
 */
export function foundEntry({ target, muted, own, shared }: WatchItem, id: bigint): WatchItem {
  const rules = own || shared ? defaultRules : { ...defaultRules, status: false, hoursBefore: [] };
  return { ...newItem({ kind: 'proposal', sourceId: target.sourceId, id }), rules, muted, own, shared, found: true };
}

/**
 * Lists all entries in effect. `foundIds` gives the proposals that were found on a source of which everything is
 * watched.
 */
export function toEntries(items: readonly WatchItem[], foundIds: (sourceId: string) => readonly bigint[]): WatchItem[] {
  const named = new Set(items.map(({ key }) => key));
  return items.flatMap((item) => {
    if (isEntry(item)) return [item];
    const skipped = new Set(item.skip);
    const ids = foundIds(item.target.sourceId).filter((id) => !skipped.has(id));
    return ids.map((id) => foundEntry(item, id)).filter(({ key }) => !named.has(key));
  });
}

/** The user's array as it is stored. Elements that cannot be read stay as they are. */
type StoredArray = readonly unknown[];

/** An edit of the user's array. */
export type Edit = (raw: StoredArray) => StoredArray;

/** Adds targets at the end. Existing ones stay as they are. */
export function addTargets(targets: readonly WatchTarget[]): Edit {
  return addItems(targets.map(newItem));
}

/** Adds items at the end, except those whose target exists. */
export function addItems(items: readonly WatchItem[]): Edit {
  return (raw) => {
    const known = new Set(raw.map(rawKey));
    const added = items.filter(({ key }) => !known.has(key) && known.add(key));
    return [...raw, ...added.map((item) => writeItem(item))];
  };
}

/** Removes items. "Everything" of their source then skips the proposals among them. */
function removeItems(items: readonly WatchItem[]): Edit {
  const keys = new Set(items.map(({ key }) => key));
  const bySource = Map.groupBy(items, ({ target }) => target.sourceId);
  return (raw) => {
    const kept = raw.filter((value) => !keys.has(rawKey(value) ?? ''));
    return mapItems(kept, (item) => {
      if (item.target.kind !== 'everything') return item;
      const own = bySource.get(item.target.sourceId) ?? [];
      const ids = own.flatMap(({ target }) => (target.kind === 'proposal' ? [target.id] : []));
      return ids.length > 0 ? { ...item, skip: [...new Set([...item.skip, ...ids])] } : item;
    });
  };
}

/** Mutes items, or, with undefined, ends the mute. An item that the user's array lacks is added. */
export function muteItems(items: readonly WatchItem[], mute: Mute | undefined): Edit {
  // Another item may mute the same target.
  return changeItems(items, ({ shared, found }) => ({ muted: mute ?? (shared || found ? false : undefined) }));
}

/** Gives entries other rules. An entry that the user's array lacks is added. */
export function setRules(entries: readonly WatchItem[], rules: WatchRules): Edit {
  return changeItems(entries, () => ({ rules }));
}

function changeItems(items: readonly WatchItem[], toChange: (item: WatchItem) => Partial<WatchItem>): Edit {
  const changes = new Map(items.map((item) => [item.key, toChange(item)]));
  return (raw) =>
    mapItems(addItems(items)(raw), (item) => {
      const change = changes.get(item.key);
      return change ? { ...item, ...change } : item;
    });
}

function mapItems(raw: StoredArray, change: (item: WatchItem) => WatchItem): StoredArray {
  return raw.map((value) => {
    const item = readItem(value);
    const next = item && change(item);
    return next && next !== item ? writeItem(next, value) : value;
  });
}

/** Makes the element of the setting that `readItem` reads. Unknown members of `before` stay. */
function writeItem({ target, rules, skip, muted }: WatchItem, before: unknown = {}): unknown {
  const written = writeRules(rules);
  const members = {
    ...Object.fromEntries(Object.entries(before ?? {})),
    source: target.sourceId,
    proposal: target.kind === 'proposal' ? target.id.toString() : undefined,
    denom: target.kind === 'denom' ? target.denom : undefined,
    everything: target.kind === 'everything' ? true : undefined,
    rules: Object.keys(written).length > 0 ? written : undefined,
    skip: skip.length > 0 ? skip.map(String) : undefined,
    muted: typeof muted === 'number' ? new Date(muted).toISOString() : muted,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function rawKey(value: unknown): string | undefined {
  return readItem(value)?.key;
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

type ListSetting = Readonly<Record<'user' | 'workspace', unknown>>;

/**
 * The watch list: the user's setting united with the workspace's. Only the user's setting is written, one edit at a
 * time.
 */
export class WatchList {
  readonly #read: () => ListSetting;
  readonly #write: (value: StoredArray | undefined) => Promise<void>;
  readonly #changed = new Emitter<void>();
  #user: unknown;
  #items: readonly WatchItem[] = [];
  #writing: Promise<unknown> = Promise.resolve();

  /** `write` replaces the user's array; undefined removes it. It rejects if the editor refuses. */
  constructor(read: () => ListSetting, write: (value: StoredArray | undefined) => Promise<void>) {
    this.#read = read;
    this.#write = write;
    this.reload();
  }

  readonly onDidChange = this.#changed.on;

  get items(): readonly WatchItem[] {
    return this.#items;
  }

  /** The number of entries in both settings that are not read. */
  get unread(): number {
    const sizes = [this.#user, this.#read().workspace].map((value) => elementsOf(value).length);
    return sizes.reduce((sum, size) => sum + Math.max(0, size - maxEntries), 0);
  }

  reload(user = this.#read().user): void {
    this.#user = user;
    this.#items = uniteLists(user, this.#read().workspace);
    this.#changed.fire();
  }

  /** Writes the user's array after `edit`. Rejects if it is no array or too long, or as the editor refuses. */
  edit(edit: Edit): Promise<void> {
    const done = this.#writing.then(async () => {
      const before = this.#user ?? [];
      if (!Array.isArray(before))
        throw new InputError('The setting chainInspector.watch is not an array. Fix it first');
      refuseLong(before);
      const after = edit(before);
      if (isSameJson(after, before)) return;
      refuseLong(after);
      await this.#write(after.length > 0 ? after : undefined);
      // The editor may announce a change some time after it was written.
      const read = this.#read().user ?? [];
      this.reload(isSameJson(read, before) ? after : read);
    });
    this.#writing = done.catch(() => undefined);
    return done;
  }

  /** Removes items. The result restores them in their places. Rejects as `edit` does. */
  async remove(items: readonly WatchItem[]): Promise<() => Promise<void>> {
    let [before, after]: [StoredArray, StoredArray] = [[], []];
    await this.edit((raw) => {
      [before, after] = [raw, removeItems(items)(raw)];
      return after;
    });
    const keys = new Set<string | undefined>(items.map(({ key }) => key));
    return (): Promise<void> =>
      this.edit((raw) => {
        if (isSameJson(raw, after)) return before;
        const kept = new Set(raw.map(rawKey));
        const restored = [...raw];
        for (const [index, value] of before.entries())
          if (keys.has(rawKey(value)) && !kept.has(rawKey(value))) restored.splice(index, 0, value);
        return restored;
      });
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function refuseLong({ length }: StoredArray): void {
  if (length <= maxEntries) return;
  const [has, read] = [length, maxEntries].map(groupDigits);
  throw new InputError(
    `The setting chainInspector.watch would have ${has} entries, but only ${read} are read. Remove some`,
  );
}
