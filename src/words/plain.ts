import { shorten } from '../api/errors.ts';
import { showControls } from '../chain/text.ts';

/** What `showControls` isolates; kept, so that a text may go through `plain` twice. */
const isolated = /(\u2068[^\u2066-\u2069]*\u2069)/u;

/**
 * Text from outside on one line of the editor's own interface, where `[text](target)` would be a link that may run a command
 * and `$(name)` an icon: both are broken by a space, control and direction characters are shown as what they are, and what
 * is longer than `limit` characters is cut. Applied again, it changes nothing.
 */
export function plain(text: string, limit = 200): string {
  return shorten(text, limit)
    .replace(/[\t\n\r]+/g, ' ')
    .split(isolated)
    .map((part) => (showControls(part.slice(1, -1)) === part ? part : showControls(part)))
    .join('')
    .replaceAll('](', '] (')
    .replaceAll('$(', '$ (');
}
