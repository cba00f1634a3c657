import type { DenomMessage, ProposalMessage } from '../../src/page/pageMessages.ts';

declare global {
  /** The object that the editor gives to a webview. */
  function acquireVsCodeApi(): {
    postMessage(message: ProposalMessage | DenomMessage): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
}
