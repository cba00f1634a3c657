import type { Limits } from '../transportTypes.ts';
import { errorBodyLimit, type RawReply, type Route, type RouteRequest } from './body.ts';
import { describeFailure, Failure, timeout, tooLarge } from './failures.ts';

/**
 * The way through a given fetch (the editor's own, which knows PAC files and Kerberos proxies), under the same limits.
 * Name, TCP, proxy and TLS count as waiting for the headers here, since fetch does not tell them apart.
 */
export function createFetchRoute(limits: Limits, send: typeof fetch): Route {
  return {
    async send(request) {
      request.signal.throwIfAborted();
      const control = new AbortController();
      const stop = () => control.abort(request.signal.reason);
      request.signal.addEventListener('abort', stop);
      const whole = setTimeout(() => control.abort(timeout('REQUEST', request.timeout)), request.timeout);
      const state = { answered: false };
      try {
        return await receive(request, { send, limits, control, state });
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        const { host, hostname } = new URL(request.origin);
        const cause = control.signal.reason instanceof Failure ? control.signal.reason : error;
        throw describeFailure(cause, { name: host, host: hostname, answered: state.answered });
      } finally {
        clearTimeout(whole);
        request.signal.removeEventListener('abort', stop);
      }
    },
    // Its requests end by their signals, and its connections are the editor's.
    dispose: async () => undefined,
  };
}

interface Way {
  readonly send: typeof fetch;
  readonly limits: Limits;
  readonly control: AbortController;
  readonly state: { answered: boolean };
}

async function receive(request: RouteRequest, way: Way): Promise<RawReply> {
  const { limits, control } = way;
  const first = limits.connect + limits.headers;
  const idle = setTimeout(() => control.abort(timeout('ANSWER', first)), first);
  let reply: Response;
  try {
    // `accept-encoding` is fetch's own affair: it decompresses what it asked for.
    const { 'accept-encoding': ignored, ...headers } = request.headers;
    reply = await way.send(request.origin + request.path, { headers, signal: control.signal, redirect: 'manual' });
  } finally {
    clearTimeout(idle);
  }
  way.state.answered = true;
  if (reply.type === 'opaqueredirect') {
    throw new Failure(
      'REDIRECT',
      "it redirects, which cannot be followed through the editor's own fetch: use the new address",
    );
  }
  const body = await readAll(reply, way);
  const headers = Object.fromEntries(reply.headers);
  delete headers['content-encoding'];
  return { status: reply.status, headers, body, bytes: body.length };
}

async function readAll(reply: Response, { limits, control }: Way): Promise<Buffer> {
  if (reply.ok && Number(reply.headers.get('content-length')) > limits.maxReply) {
    control.abort();
    throw tooLarge(limits.maxReply);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const limit = reply.ok ? limits.maxReply : errorBodyLimit;
  const idle = setTimeout(() => control.abort(timeout('BODY', limits.body)), limits.body);
  try {
    for await (const chunk of reply.body ?? []) {
      idle.refresh();
      bytes += chunk.length;
      if (bytes > limit && reply.ok) throw tooLarge(limit);
      chunks.push(chunk);
      if (bytes > limit) break;
    }
  } catch (error) {
    if (reply.ok) throw error;
  } finally {
    clearTimeout(idle);
  }
  return Buffer.concat(chunks);
}
