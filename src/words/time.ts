import { type Language, plural, type Translate } from './language.ts';

/**
 * The form of a duration. `brief` has the largest unit (`3h`, `28m`, `11d`), for narrow rows. `short` has the two
 * largest units (`2 d 7 h`). `long` is the same in a sentence (`2 days 7 hours`). `exact` has all units down to seconds
 * (`1 day 12 hours 30 seconds`).
 */
export type DurationForm = 'brief' | 'short' | 'long' | 'exact';

/** Words a duration in milliseconds. It is cut and not rounded. */
export function durationText(milliseconds: number, form: DurationForm, t: Translate): string {
  const seconds = Math.floor(milliseconds / 1000);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (form === 'brief') {
    if (days > 0) return t('{0}d', days);
    if (hours > 0) return t('{0}h', hours);
    return minutes > 0 ? t('{0}m', minutes) : t('<1m');
  }
  const units: (readonly [count: number, text: string])[] = [
    [days, form === 'short' ? t('{0} d', days) : plural(days, t('1 day'), t('{0} days', days))],
    [hours, form === 'short' ? t('{0} h', hours) : plural(hours, t('1 hour'), t('{0} hours', hours))],
    [minutes, form === 'short' ? t('{0} min', minutes) : plural(minutes, t('1 minute'), t('{0} minutes', minutes))],
  ];
  const rest = seconds % 60;
  if (form === 'exact') units.push([rest, plural(rest, t('1 second'), t('{0} seconds', rest))]);
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) return form === 'exact' ? t('{0} seconds', 0) : t('less than a minute');
  const shown = units.slice(first, form === 'exact' ? units.length : first + 2).filter(([count]) => count > 0);
  return shown.map(([, text]) => text).join(' ');
}

/** A day for a narrow row: `Mar 3`. Has the year if that is not the year of `now`: `Mar 3, 2025`. */
export function dayText(time: Date, now: Date, locale: string): string {
  const isThisYear = time.getFullYear() === now.getFullYear();
  const style = isThisYear ? ({ month: 'short', day: 'numeric' } as const) : ({ dateStyle: 'medium' } as const);
  return new Intl.DateTimeFormat(locale, style).format(time);
}

/** A time of day: `14:02`. */
export function clockText(time: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23' }).format(time);
}

/** The form of a date with its time: `Mar 3, 2026, 14:02`. */
export const timeStyle = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;

/** A date with its time: `Mar 3, 2026, 14:02`. */
export function timeText(time: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, timeStyle).format(time);
}

/**
 * Says in a tooltip when a period ends: `Ends in 3 h 10 min: Nov 24, 2026, 10:12 (2026-11-24 09:12 UTC)`. UTC stands
 * alone if it is the local time. With the clock `still`, which is that of a state file, the end is relative to the time
 * of the state.
 */
export function endText(end: Date, now: Date, { t, locale }: Language, clock: 'running' | 'still' = 'running'): string {
  const left = end.getTime() - now.getTime();
  const utc = `${utcMinute(end)} UTC`;
  const time = end.getTimezoneOffset() === 0 ? utc : `${timeText(end, locale)} (${utc})`;
  const span = durationText(Math.abs(left), clock === 'still' ? 'long' : 'short', t);
  if (clock === 'still')
    return left > 0
      ? t('Ends {0} after this state: {1}', span, time)
      : t('Ended {0} before this state: {1}', span, time);
  return left > 0 ? t('Ends in {0}: {1}', span, time) : t('Ended {0} ago: {1}', span, time);
}

/** The time of a state. `from` is the field that an estimated time comes from. */
interface StateMoment {
  readonly time: Date;
  readonly from: string | undefined;
}

/** The time of a state: `State as of Feb 12, 2021, 11:06`. A hover adds UTC: `State as of Feb 12, 2021, 11:06 (2021-02-12 10:06 UTC)`. */
export function stateTimeText({ time, from }: StateMoment, { t, locale }: Language, place: 'page' | 'hover'): string {
  const local = timeText(time, locale);
  const utc = time.getTimezoneOffset() === 0 ? `${local} UTC` : `${local} (${utcMinute(time)} UTC)`;
  const moment = place === 'page' ? local : utc;
  return from === undefined ? t('State as of {0}', moment) : t('State as of {0}, estimated from {1}', moment, from);
}

/** Writes a time in UTC to the minute: `2026-11-24 09:12`. */
export function utcMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
