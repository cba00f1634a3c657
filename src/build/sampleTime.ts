/** T0: the moment at which the sample chain was exported. Whoever serves it moves every time by (now - T0). */
export const sampleT0 = '2026-01-01T00:00:00Z';

/** RFC 3339 with nine fractional digits, `hours` from T0 and `jitter` milliseconds later; `salt` makes the last digits. */
export function shiftedTime(hours: number, jitter: number, salt: number): string {
  const time = new Date(Date.parse(sampleT0) + Math.round(hours * 3_600_000) + jitter);
  const nanos = String((salt * 7_919) % 1_000_000).padStart(6, '0');
  return time.toISOString().replace('Z', `${nanos}Z`);
}
