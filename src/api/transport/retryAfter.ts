/**
 * Milliseconds that a `Retry-After` header asks to wait from `now` on: seconds, or an HTTP date (RFC 9110 section 10.2.3).
 * Undefined where there is none or it is neither; never negative.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value
    ?.split(',', /^\s*[a-z]/i.test(value) ? 2 : 1)
    .join(',')
    .trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const time = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
