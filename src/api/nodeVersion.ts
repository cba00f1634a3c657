import { readNodeInfo } from './optionalReads.ts';
import type { SdkVersion } from './sdkVersion.ts';
import type { Speaker } from './speaker.ts';

/** The version is only a help: nobody waits longer for it, in milliseconds. */
const patience = 5000;

/** The SDK version of a node, asked for once; services that speak the contract under `chain` are not asked. */
export class NodeVersion {
  readonly #speaker: Speaker;
  #asked = false;

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /** Undefined where the node does not say. Rejects only when `signal` fires. */
  async get(signal: AbortSignal | undefined): Promise<SdkVersion | undefined> {
    const { learned } = this.#speaker;
    if (learned.sdkVersion !== undefined || learned.segment !== 'cosmos' || this.#asked) return learned.version;
    // Not AbortSignal.timeout, whose timer would outlive the node.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), patience);
    try {
      await readNodeInfo(this.#speaker, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } catch {
      signal?.throwIfAborted();
    } finally {
      clearTimeout(timer);
    }
    this.#asked = true;
    return learned.version;
  }
}
