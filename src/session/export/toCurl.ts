/** A command for a POSIX shell that reads an address. `header` names a header whose value the reader must put in: no secret. */
export function toCurl(url: string, header?: string): string {
  const headers = ['Accept: application/json', ...(header ? [`${header}: YOUR-CREDENTIAL`] : [])];
  return ['curl -sS', ...headers.map((line) => `-H ${quoted(line)}`), quoted(url)].join(' ');
}

/** The address of a list with what narrows it. */
export function withQuery(url: string, query: Readonly<Record<string, string | undefined>>): string {
  const whole = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value) whole.searchParams.set(name, value);
  return whole.href;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
