import type { CutText } from './fieldTree.ts';
import type { Translate } from './proposalFacts.ts';

/** Says that a text was cut, how long it is, and where the whole of it is. */
export function cutText(t: Translate): CutText {
  return (shown, length) => t('{0}… ({1} characters; Open JSON shows all)', shown, length);
}
