import type { PageMessage } from '../../src/page/protocol.ts';

declare global {
  /** What the editor gives to a webview. */
  function acquireVsCodeApi(): {
    postMessage(message: PageMessage): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
}
