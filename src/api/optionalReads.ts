import type { Reply, WireMetadata } from './contract.ts';
import type { SdkVersion } from './dialect.ts';
import type { GovParamsReply } from './node.ts';
import type { Page, PageRequest } from './pages.ts';
import type { Speaker } from './speaker.ts';
import { pageParams, toPage } from './wholeLists.ts';

/** Reads beyond service.md. Each is undefined where the node does not offer it, and rejects as `Speaker.get` does. */

/** Gov parameters: gov v1 gives them all at once, v1beta1 one kind a time (the other kinds of such a reply are zeros). */
export async function readGovParams(speaker: Speaker, signal?: AbortSignal): Promise<GovParamsReply | undefined> {
  const whole = await speaker.getOptional('govParamsV1', { params: { kind: 'tallying' }, signal });
  if (whole?.reply.params) return { v1: whole.reply.params };
  const kind = async (word: string) =>
    (await speaker.getOptional('govParams', { params: { kind: word }, signal }))?.reply;
  const tally = (await kind('tallying'))?.tally_params;
  if (!tally) return undefined;
  const [voting, deposit] = await Promise.all([kind('voting'), kind('deposit')]);
  return {
    tally,
    voting: voting?.voting_params ?? undefined,
    deposit: deposit?.deposit_params ?? undefined,
  };
}

/** One page of the denoms' metadata. */
export async function readDenomsMetadata(
  speaker: Speaker,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<Page<WireMetadata> | undefined> {
  const answer = await speaker.getOptional('denomsMetadata', {
    query: pageParams(request),
    height: request.height,
    signal,
  });
  return answer && toPage(answer.reply.metadatas, answer.reply.pagination, request, answer.info);
}

/** Who the node says it is; what it says is learned. */
export async function readNodeInfo(speaker: Speaker, signal?: AbortSignal): Promise<Reply<'nodeInfo'> | undefined> {
  const answer = await speaker.getOptional('nodeInfo', { signal });
  const sdkVersion = answer?.reply.application_version?.cosmos_sdk_version || undefined;
  const chainId = answer?.reply.default_node_info?.network || undefined;
  speaker.learned.learn({ ...(sdkVersion ? { sdkVersion } : {}), ...(chainId ? { chainId } : {}) });
  return answer?.reply;
}

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
