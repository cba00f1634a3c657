import { isAbort } from './errors.ts';
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
    const limit = AbortSignal.timeout(patience);
    try {
      await readNodeInfo(this.#speaker, signal ? AbortSignal.any([signal, limit]) : limit);
      this.#asked = true;
    } catch (error) {
      signal?.throwIfAborted();
      this.#asked = !isAbort(error) || limit.aborted;
    }
    return learned.version;
  }
}
