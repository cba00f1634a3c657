import type { Translate } from './language.ts';

/**
 * A command for a POSIX shell that reads a URL. `header` is the name of the user's API key header. Its value is a
 * secret, so the command has a placeholder.
 */
export function toCurl(url: string, height: string | undefined, header: string | undefined): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const headers = [
    'Accept: application/json',
    ...(height === undefined ? [] : [`x-cosmos-block-height: ${height}`]),
    ...(header === undefined ? [] : [`${header}: YOUR-CREDENTIAL`]),
  ];
  return ['curl -sS', ...headers.map((line) => `-H ${quoted(line)}`), quoted(url)].join(' ');
}

/** The message of "Copy as cURL" for sources without a URL. */
export function servedInProcess(t: Translate): string {
  return t(
    'Cannot copy as cURL: this state has no URL because the editor reads it directly. To serve a state file over HTTP, run "chain-inspector serve".',
  );
}
