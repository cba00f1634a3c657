import type { DenomMessage, ProposalMessage } from '../../src/page/pageMessages.ts';

declare global {
  /** What the editor gives to a webview. */
  function acquireVsCodeApi(): {
    postMessage(message: ProposalMessage | DenomMessage): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
}
