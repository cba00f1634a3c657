import type { Action, PageWords } from '../../src/ui/panel/protocol.ts';

/** What the renderers need beside the data. */
export interface PageContext {
  readonly words: PageWords;
  openLink(url: string, text: string): void;
  act(action: Action): void;
}
