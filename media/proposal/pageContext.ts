import type { Action, PageWords } from '../../src/ui/panel/protocol.ts';
import type { MarkdownParser } from './markdownParser.ts';
import type { TimeNodes } from './timeNodes.ts';

/** What the renderers need beside the data. */
export interface PageContext {
  readonly words: PageWords;
  readonly times: TimeNodes;
  readonly parser: MarkdownParser;
  openLink(url: string, text: string): void;
  act(action: Action): void;
}
