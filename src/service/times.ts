const rfc3339 = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"/g;

/** Moves every time in a JSON text by `shift` milliseconds. The zero time `0001-01-01T00:00:00Z` means absent and stays. */
export function shiftTimes(json: string, shift: number): string {
  return json.replace(rfc3339, (text, seconds: string, fraction: string | undefined) => {
    const time = Date.parse(`${seconds}Z`);
    if (Number.isNaN(time) || seconds.startsWith('0001-01-01')) return text;
    return JSON.stringify(shiftTime(time + Math.round(Number(fraction ?? 0) * 1000), shift));
  });
}

function shiftTime(time: number, shift: number): string {
  return new Date(time + shift).toISOString();
}
