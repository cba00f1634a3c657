import { utcMinute } from '../chain/text.ts';
import { type Language, plural, type Translate } from './language.ts';

/**
 * How a span of time is written. `brief`: its largest unit (`3h`, `28m`, `11d`), for rows with little space; `short`: its two
 * largest units (`2 d 7 h`); `long`: the same in a sentence (`2 days 7 h`); `exact`: to the second (`1 day 12 h 30 s`).
 */
export type DurationForm = 'brief' | 'short' | 'long' | 'exact';

/** A span of milliseconds in words, cut and not rounded. */
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
    [hours, t('{0} h', hours)],
    [minutes, t('{0} min', minutes)],
  ];
  if (form === 'exact') units.push([seconds % 60, t('{0} s', seconds % 60)]);
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) return form === 'exact' ? t('{0} s', 0) : t('less than a minute');
  const shown = units.slice(first, form === 'exact' ? units.length : first + 2).filter(([count]) => count > 0);
  return shown.map(([, text]) => text).join(' ');
}

/** A day: `Mar 3, 2026`. */
export function dayText(time: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(time);
}

/** A time of day: `2:02 PM`. */
export function clockText(time: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(time);
}

/** A day and a time of day: `Mar 3, 2026, 2:02 PM`. */
export function timeText(time: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/**
 * When a period ends, in a tooltip: `Ends in 3 h 10 min: 24 Nov 2026, 10:12 (09:12 UTC)`; UTC once where it is the local time, too.
 * `clock`: the time of a state stands still, and the end is relative to it.
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
