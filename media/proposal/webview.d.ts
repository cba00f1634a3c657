import type { PageAction, PageMessage } from '../../src/page/pageMessages.ts';

declare global {
  /** The object that the editor gives to a webview. */
  function acquireVsCodeApi(): {
    postMessage(message: PageMessage<PageAction>): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
}
