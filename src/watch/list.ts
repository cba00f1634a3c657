import * as z from 'zod/mini';
import { InputError } from '../api/errors.ts';
import { Emitter } from '../chain/emitter.ts';
import { readId } from '../session/search.ts';
import { safeSourceId } from '../session/source.ts';

/** What is watched. `sourceId` is the normalised address of the source (see `Source.id`). */
export type WatchTarget =
  | { readonly kind: 'proposal'; readonly sourceId: string; readonly id: bigint }
  | { readonly kind: 'denom'; readonly sourceId: string; readonly denom: string };

/** Until when an item is muted, milliseconds since 1970; `never`: it is not, whatever another item of the same target says. */
export type Mute = number | 'always' | 'never';

interface ItemOf<Kind extends string> {
  readonly kind: Kind;
  /** Identifies what is watched: the same on every machine. */
  readonly key: string;
  readonly muted: Mute | undefined;
  /** Whether the user's setting has it, and whether the workspace's has. */
  readonly own: boolean;
  readonly shared: boolean;
}

/** A watched proposal or denom. `found`: not in any setting, but in voting on a source of which everything is watched. */
export interface WatchEntry extends ItemOf<'entry'> {
  readonly target: WatchTarget;
  readonly rules: WatchRules;
  readonly found: boolean;
}

/** All proposals of a source that enter voting are watched, except `skip`. */
export interface WatchEverything extends ItemOf<'everything'> {
  readonly sourceId: string;
  readonly skip: readonly bigint[];
  /** In no setting: followed because the user votes on that chain, and only for that. */
  readonly onlyVotes: boolean;
}

export type WatchItem = WatchEntry | WatchEverything;

export function entryKey(target: WatchTarget): string {
  const what = target.kind === 'proposal' ? `proposal ${target.id}` : `denom ${target.denom}`;
  return `${what} of ${target.sourceId}`;
}

export function everythingKey(sourceId: string): string {
  return `everything of ${sourceId}`;
}

export function sourceIdOf(item: WatchItem): string {
  return item.kind === 'entry' ? item.target.sourceId : item.sourceId;
}

/** Whether an item is muted at `now`, milliseconds since 1970. */
export function isMuted(muted: Mute | undefined, now: number): boolean {
  return muted === 'always' || (typeof muted === 'number' && now < muted);
}

const idSchema = z.union([z.string(), z.number()]);

const itemSchema = z.object({
  source: z.string(),
  proposal: z.optional(idSchema),
  denom: z.optional(z.string().check(z.regex(/^\S{1,256}$/))),
  everything: z.optional(z.literal(true)),
  skip: z.catch(z.array(idSchema), []),
  /** True for always, or the time at which it ends. */
  muted: z.catch(z.optional(z.union([z.boolean(), z.string()])), undefined),
  rules: z.optional(z.unknown()),
});

/** An item of the setting's array; undefined for what is none. */
export function readItem(value: unknown): WatchItem | undefined {
  const read = itemSchema.safeParse(value);
  const sourceId = read.success ? safeSourceId(read.data.source) : undefined;
  if (!read.success || sourceId === undefined) return undefined;
  const { proposal, denom, everything, skip } = read.data;
  const place = { muted: readMute(read.data.muted), own: true, shared: false };
  if (everything) {
    const ids = skip.flatMap((one) => readId(`${one}`) ?? []);
    return { ...everythingOf(sourceId), skip: ids, ...place };
  }
  const id = proposal === undefined ? undefined : readId(`${proposal}`);
  if (id === undefined && denom === undefined) return undefined;
  const target: WatchTarget =
    id === undefined ? { kind: 'denom', sourceId, denom: denom ?? '' } : { kind: 'proposal', sourceId, id };
  const rules = readRules(read.data.rules);
  return { kind: 'entry', key: entryKey(target), target, rules, found: false, ...place };
}

function everythingOf(sourceId: string) {
  return { kind: 'everything', key: everythingKey(sourceId), sourceId, skip: [], onlyVotes: false } as const;
}

/** The items, and "everything" of the sources on which the user votes, where they do not have it. */
export function withVoted(items: readonly WatchItem[], sourceIds: Iterable<string>): readonly WatchItem[] {
  const place = { muted: undefined, own: false, shared: false, onlyVotes: true };
  const added = [...sourceIds].map((sourceId) => ({ ...everythingOf(sourceId), ...place }));
  return [...items, ...added.filter(({ key }) => items.every((item) => item.key !== key))];
}

/** The rules of what "everything" finds. */
export function foundRules({ onlyVotes }: WatchEverything): WatchRules {
  return onlyVotes ? { ...defaultRules, status: false, hoursBefore: [] } : defaultRules;
}

function readMute(value: boolean | string | undefined): Mute | undefined {
  if (typeof value === 'boolean') return value ? 'always' : 'never';
  const until = Date.parse(value ?? '');
  return Number.isNaN(until) ? undefined : until;
}

/**
 * What the two arrays name together: the user's items in the user's order, then those of the workspace alone. Where both have
 * an item, the user's rules and mute count.
 */
export function uniteLists(user: unknown, workspace: unknown): readonly WatchItem[] {
  const shared = new Map(itemsOf(workspace).map((item) => [item.key, item]));
  const united = new Map<string, WatchItem>();
  for (const item of itemsOf(user)) {
    const other = shared.get(item.key);
    const muted = item.muted ?? other?.muted;
    if (!united.has(item.key)) united.set(item.key, withSkipOf({ ...item, muted, shared: other !== undefined }, other));
  }
  for (const [key, item] of shared) if (!united.has(key)) united.set(key, { ...item, own: false, shared: true });
  return [...united.values()];
}

function itemsOf(value: unknown): readonly WatchItem[] {
  return Array.isArray(value) ? value.flatMap((one) => readItem(one) ?? []) : [];
}

function withSkipOf(item: WatchItem, other: WatchItem | undefined): WatchItem {
  if (item.kind !== 'everything' || other?.kind !== 'everything') return item;
  return { ...item, skip: [...new Set([...item.skip, ...other.skip])] };
}

/** All entries in effect: `foundIds` are the proposals that were found on a source of which everything is watched. */
export function toEntries(
  items: readonly WatchItem[],
  foundIds: (sourceId: string) => readonly bigint[],
): readonly WatchEntry[] {
  const named = new Set(items.map(({ key }) => key));
  return items.flatMap((item) => {
    if (item.kind === 'entry') return [item];
    const { sourceId, skip, muted, own, shared } = item;
    return foundIds(sourceId).flatMap((id): WatchEntry[] => {
      const target = { kind: 'proposal', sourceId, id } as const;
      const key = entryKey(target);
      if (skip.includes(id) || named.has(key)) return [];
      return [{ kind: 'entry', key, target, rules: foundRules(item), muted, own, shared, found: true }];
    });
  });
}

/** A change of supply that is reported: by more than so many base units, or by more than so many percent. */
export type SupplyRule =
  | { readonly kind: 'amount'; readonly amount: bigint }
  | { readonly kind: 'percent'; readonly percent: number };

/** Which changes of an entry are reported. */
export interface WatchRules {
  readonly status: boolean;
  /** Hours before the deposit or voting period ends, the largest first. */
  readonly hoursBefore: readonly number[];
  readonly quorum: boolean;
  readonly verdict: boolean;
  readonly supply: SupplyRule | undefined;
}

/** The rules of a new entry. Quorum and verdict need the votes so far, which cost requests, so they are off. */
export const defaultRules: WatchRules = {
  status: true,
  hoursBefore: [24, 1],
  quorum: false,
  verdict: false,
  supply: { kind: 'percent', percent: 1 },
};

/** Whether a rule needs the votes so far. */
export function needsTally(rules: WatchRules): boolean {
  return rules.quorum || rules.verdict;
}

const flag = (fallback: boolean) => z.catch(z.boolean(), fallback);

const rulesSchema = z.object({
  status: flag(defaultRules.status),
  hoursBefore: z.catch(
    z.pipe(
      z.array(z.unknown()),
      z.transform((values: unknown[]) => readHours(values)),
    ),
    defaultRules.hoursBefore,
  ),
  quorum: flag(defaultRules.quorum),
  verdict: flag(defaultRules.verdict),
  /** Null is no rule. */
  supply: z.catch(z.optional(z.nullable(z.string())), undefined),
});

/** Rules from JSON; what is absent or of another type has its default. */
export function readRules(value: unknown): WatchRules {
  const { success, data } = rulesSchema.safeParse(value);
  if (!success) return defaultRules;
  return { ...data, supply: data.supply === undefined ? defaultRules.supply : readSupplyRule(data.supply ?? '') };
}

/** Hours before an end: numbers above 0 and up to a year, each once, the largest first; anything else is left out. */
export function readHours(values: readonly unknown[]): readonly number[] {
  const hours = values.filter((hour): hour is number => typeof hour === 'number' && hour > 0 && hour <= 8784);
  return [...new Set(hours)].sort((a, b) => b - a);
}

/** `"1000000"` (base units) or `"2.5%"`; undefined for anything else, which means no rule. */
export function readSupplyRule(value: string): SupplyRule | undefined {
  const text = value.trim();
  if (/^\d{1,78}$/.test(text)) return { kind: 'amount', amount: BigInt(text) };
  const digits = /^(\d{1,4}(?:\.\d{1,4})?)\s*%$/.exec(text)?.[1];
  return digits === undefined ? undefined : { kind: 'percent', percent: Number(digits) };
}

/** The text that `readSupplyRule` reads. */
export function supplyRuleText(rule: SupplyRule): string {
  return rule.kind === 'amount' ? rule.amount.toString() : `${rule.percent}%`;
}

/** Rules as JSON, which `readRules` reads; those that have their default are left out. */
export function writeRules(rules: WatchRules): Readonly<Record<string, unknown>> {
  const toJson = (all: WatchRules) => ({ ...all, supply: all.supply ? supplyRuleText(all.supply) : null });
  const defaults = new Map(Object.entries(toJson(defaultRules)));
  const isDefault = ([name, value]: readonly [string, unknown]) => isSameJson(value, defaults.get(name));
  return Object.fromEntries(Object.entries(toJson(rules)).filter((entry) => !isDefault(entry)));
}

/** The user's array as it is stored; elements that cannot be read stay as they are. */
type RawList = readonly unknown[];

/** An edit of the user's array. */
export type Edit = (raw: RawList) => RawList;

/** Adds targets at the end; those that are there already stay as they are. */
export function addTargets(targets: readonly WatchTarget[]): Edit {
  return addValues(targets.map(writeTarget));
}

/** Adds values of the form of the setting, except those whose target is there already. */
export function addValues(values: readonly unknown[]): Edit {
  return (raw) => {
    const known = new Set(raw.map(keyOf));
    const added = values.filter((value) => {
      const key = keyOf(value);
      return key !== undefined && !known.has(key) && known.add(key);
    });
    return [...raw, ...added];
  };
}

/** Removes items; "everything" of their source then skips the proposals among them. */
function removeItems(items: readonly WatchItem[]): Edit {
  const keys = new Set(items.map(({ key }) => key));
  const targets = items.flatMap((item) => (item.kind === 'entry' ? [item.target] : []));
  const idsOf = (sourceId: string) =>
    targets.flatMap((one) => (one.kind === 'proposal' && one.sourceId === sourceId ? [one.id] : []));
  return (raw) =>
    raw
      .filter((value) => !keys.has(keyOf(value) ?? ''))
      .map((value) => {
        const item = readItem(value);
        const ids = item?.kind === 'everything' ? idsOf(item.sourceId) : [];
        if (item?.kind !== 'everything' || ids.length === 0) return value;
        return withMember(value, 'skip', [...new Set([...item.skip, ...ids])].map(String));
      });
}

/** Moves items in front of another one, or to the end; their own order stays. */
export function moveItems(keys: ReadonlySet<string>, before: string | undefined): Edit {
  return (raw) => {
    const isMoved = (value: unknown) => keys.has(keyOf(value) ?? '');
    const rest = raw.filter((value) => !isMoved(value));
    const at = before === undefined ? -1 : rest.findIndex((value) => keyOf(value) === before);
    return rest.toSpliced(at < 0 ? rest.length : at, 0, ...raw.filter(isMoved));
  };
}

/** Mutes items, or (undefined) lets them be reported again; one that the user's array does not have is added. */
export function muteItems(items: readonly WatchItem[], mute: number | 'always' | undefined): Edit {
  return changeItems(items, 'muted', (item) => {
    if (mute !== undefined) return writeMute(mute);
    // Another item may mute the same target.
    return item.shared || (item.kind === 'entry' && item.found) ? writeMute('never') : undefined;
  });
}

/** Gives entries other rules; one that the user's array does not have is added. */
export function setRules(entries: readonly WatchEntry[], rules: WatchRules): Edit {
  const value = writeRules(rules);
  return changeItems(entries, 'rules', () => (Object.keys(value).length > 0 ? value : undefined));
}

/** Watches everything in voting of sources, or stops that. */
export function setEverything(sourceIds: readonly string[], on: boolean): Edit {
  if (on) return addValues(sourceIds.map((source) => ({ source, everything: true })));
  const keys = sourceIds.map(everythingKey);
  return (raw) => raw.filter((value) => !keys.includes(keyOf(value) ?? ''));
}

function changeItems(items: readonly WatchItem[], member: string, toValue: (item: WatchItem) => unknown): Edit {
  return (raw) => {
    const byKey = new Map(items.map((item) => [item.key, item]));
    return addValues(items.map(writeItem))(raw).map((value) => {
      const item = byKey.get(keyOf(value) ?? '');
      return item ? withMember(value, member, toValue(item)) : value;
    });
  };
}

/** The element of the setting that `readItem` reads. */
export function writeItem(item: WatchItem): Readonly<Record<string, unknown>> {
  const muted = item.muted === undefined ? {} : { muted: writeMute(item.muted) };
  if (item.kind === 'everything') {
    const skip = item.skip.length > 0 ? { skip: item.skip.map(String) } : {};
    return { source: item.sourceId, everything: true, ...skip, ...muted };
  }
  const rules = writeRules(item.rules);
  return { ...writeTarget(item.target), ...(Object.keys(rules).length > 0 ? { rules } : {}), ...muted };
}

function writeMute(mute: Mute): boolean | string {
  return typeof mute === 'number' ? new Date(mute).toISOString() : mute === 'always';
}

function writeTarget(target: WatchTarget): Readonly<Record<string, unknown>> {
  const { sourceId: source } = target;
  return target.kind === 'proposal' ? { source, proposal: target.id.toString() } : { source, denom: target.denom };
}

function keyOf(value: unknown): string | undefined {
  return readItem(value)?.key;
}

/** A copy with one member changed; undefined removes it. */
function withMember(value: unknown, name: string, member: unknown): unknown {
  const members = Object.entries(value ?? {}).filter(([known]) => known !== name);
  return Object.fromEntries(member === undefined ? members : [...members, [name, member]]);
}

/** The setting `chainInspector.watch` as the editor stores it. */
export interface ListSetting {
  user(): unknown;
  workspace(): unknown;
  /** Replaces the user's array; undefined removes it. Rejects where the editor refuses. */
  write(value: RawList | undefined): Promise<void>;
}

/** The watch list: the user's setting united with the workspace's. Only the user's is written, one edit at a time. */
export class WatchList {
  readonly #setting: ListSetting;
  readonly #changed = new Emitter<void>();
  #user: unknown;
  #items: readonly WatchItem[] = [];
  #writing: Promise<unknown> = Promise.resolve();

  constructor(setting: ListSetting) {
    this.#setting = setting;
    this.reload();
  }

  readonly onDidChange = this.#changed.on;

  get items(): readonly WatchItem[] {
    return this.#items;
  }

  /** To be called when the setting has changed. */
  reload(): void {
    this.#take(this.#setting.user());
  }

  /** Writes what `edit` makes of the user's array. Rejects where it is no array, or as the editor refuses. */
  edit(edit: Edit): Promise<void> {
    const done = this.#writing.then(() => this.#write(edit));
    this.#writing = done.catch(() => undefined);
    return done;
  }

  /** Removes items; the result restores them where they were. Rejects as `edit`. */
  async remove(items: readonly WatchItem[]): Promise<() => Promise<void>> {
    let [before, after]: [RawList, RawList] = [[], []];
    await this.edit((raw) => {
      [before, after] = [raw, removeItems(items)(raw)];
      return after;
    });
    return () =>
      this.edit((raw) => {
        if (isSameJson(raw, after)) return before;
        const kept = new Set(raw.map(keyOf));
        const isMissing = (value: unknown) => !kept.has(keyOf(value)) && items.some(({ key }) => key === keyOf(value));
        return before.reduce<RawList>(
          (list, value, index) => (isMissing(value) ? list.toSpliced(index, 0, value) : list),
          raw,
        );
      });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #write(edit: Edit): Promise<void> {
    const before = this.#user ?? [];
    if (!Array.isArray(before))
      throw new InputError('The setting chainInspector.watch is not an array: correct it first');
    const after = edit(before);
    if (isSameJson(after, before)) return;
    await this.#setting.write(after.length > 0 ? after : undefined);
    // The editor may announce a change some time after it was written.
    const read = this.#setting.user() ?? [];
    this.#take(isSameJson(read, before) ? after : read);
  }

  #take(user: unknown): void {
    this.#user = user;
    this.#items = uniteLists(user, this.#setting.workspace());
    this.#changed.fire();
  }
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
