import type { LiveVerdict, WatchedStatus } from './reading.ts';

/** Something worth a word. Amounts are base units as digits, times milliseconds since 1970. Plain JSON. */
export type Happening =
  | { readonly kind: 'status'; readonly from: WatchedStatus | undefined; readonly to: WatchedStatus }
  | { readonly kind: 'ends'; readonly period: 'deposit' | 'voting'; readonly hours: number; readonly end: number }
  | { readonly kind: 'quorum' }
  | { readonly kind: 'verdict'; readonly to: LiveVerdict }
  | { readonly kind: 'supply'; readonly from: string; readonly to: string; readonly since: number };

/** A happening on an entry. The id is the same whoever finds it, so that it is told once: by all windows, for ever. */
export interface WatchEvent {
  readonly id: string;
  /** Key of the entry. */
  readonly key: string;
  readonly title?: string | undefined;
  readonly what: Happening;
  /** When it was found, by this machine's clock. */
  readonly at: number;
  /** `pending` until a window has taken it upon itself to tell it. */
  readonly state: 'pending' | 'told';
}

/** Whether a value of the stored log is an event. */
export function isWatchEvent(value: unknown): value is WatchEvent {
  if (typeof value !== 'object' || value === null) return false;
  const field = (name: string): unknown => Reflect.get(value, name);
  const what = field('what');
  const state = field('state');
  return (
    typeof field('id') === 'string' &&
    typeof field('key') === 'string' &&
    typeof field('at') === 'number' &&
    (state === 'pending' || state === 'told') &&
    typeof what === 'object' &&
    what !== null &&
    'kind' in what &&
    isHappening(what.kind, what)
  );
}

function isHappening(kind: unknown, what: object): boolean {
  const has = (types: Readonly<Record<string, string>>) =>
    Object.entries(types).every(([name, type]) => typeof Reflect.get(what, name) === type);
  switch (kind) {
    case 'status':
      return has({ to: 'string' });
    case 'ends':
      return has({ period: 'string', hours: 'number', end: 'number' });
    case 'quorum':
      return true;
    case 'verdict':
      return has({ to: 'string' });
    case 'supply':
      return has({ from: 'string', to: 'string', since: 'number' });
    default:
      return false;
  }
}
