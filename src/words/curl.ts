import type { Translate } from './language.ts';

/** A command for a POSIX shell that reads an address. `header` names the user's own; its value, a secret, is a placeholder. */
export function toCurl(url: string, height: string | undefined, header: string | undefined): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const headers = [
    'Accept: application/json',
    ...(height === undefined ? [] : [`x-cosmos-block-height: ${height}`]),
    ...(header === undefined ? [] : [`${header}: YOUR-CREDENTIAL`]),
  ];
  return ['curl -sS', ...headers.map((line) => `-H ${quoted(line)}`), quoted(url)].join(' ');
}

/** What "Copy as cURL" says where there is no address to copy. */
export function servedInProcess(t: Translate): string {
  return t(
    'The editor reads this state itself, so there is no address for cURL. "npm run serve" in a checkout of the extension serves a state file over HTTP.',
  );
}
