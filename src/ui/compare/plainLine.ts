import { showControls } from '../../chain/text.ts';

/** No denom of a sound chain is longer than 128 characters (Cosmos SDK, types/coin.go), no title than 255. */
const mostCharacters = 500;

/** A stranger's text as one line that cannot disguise itself: what cannot be seen is marked, what is far too long is cut. */
export function plainLine(text: string): string {
  // Nearly all denoms, of which there may be 100,000.
  if (text.length <= mostCharacters && /^[ -~]*$/.test(text)) return text;
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (${text.length})` : text;
  return showControls(cut).replace(/[\t\n\r]/g, mark);
}

/** As `showControls` marks; it leaves tabs and line ends, which belong in longer texts. */
function mark(character: string): string {
  return `⟦U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
}
