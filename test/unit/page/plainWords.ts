import type { PageWords } from '../../../src/page/pageMessages.ts';
import { plainEnglish } from '../../../src/words/language.ts';

/** The words as they are in English: what `vscode.l10n.t` does without a translation. */
export const plainWords = plainEnglish;

/** The words that a page puts together itself, in English. */
export const englishPageWords: PageWords = {
  language: 'en',
  future: 'in {0}',
  past: '{0} ago',
  now: 'just now',
  units: {},
  linkMismatch: '(text shows a different host)',
  image: 'Image: {0}',
  showAll: 'Show all ({0} characters)',
  showMore: 'Show {0} more',
};
