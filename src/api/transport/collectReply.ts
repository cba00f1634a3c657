import type { Dispatcher, Pool } from 'undici';
import { InputError, isApiError } from '../errors.ts';
import type { Limits } from '../transportTypes.ts';
import { describeFailure, type Peer } from './describeFailure.ts';
import { Failure, timeout, tooLarge } from './failure.ts';
import { errorBodyLimit, type RawReply, type RouteRequest } from './route.ts';

/** What a request is sent over, and what happens on the way. */
export interface Line {
  readonly pool: Pool;
  readonly peer: Peer;
  readonly limits: Limits;
  /** A connection has been found or opened, and the request goes out. */
  readonly onStart: () => void;
  /** The whole reply has come, and the connection can be used again in the next turn of the event loop. */
  readonly onEnd: () => void;
}

/** Dispatches `options` and collects the reply in memory, within the limits; rejects with the signal's reason when it fires. */
export function collectReply(
  line: Line,
  options: Dispatcher.DispatchOptions,
  request: RouteRequest,
): Promise<RawReply> {
  const { limits } = line;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Record<string, string> = {};
    let bytes = 0;
    let ended = false;
    let silence: NodeJS.Timeout | undefined;

    const finish = (error?: unknown) => {
      if (ended) return;
      ended = true;
      clearTimeout(whole);
      clearTimeout(silence);
      request.signal.removeEventListener('abort', onAbort);
      // What came of an error's page is enough to name it.
      if (error === undefined || (status >= 300 && !request.signal.aborted)) {
        const [first] = chunks;
        resolve({ status, headers, body: first && chunks.length === 1 ? first : Buffer.concat(chunks), bytes });
      } else reject(error);
      if (error !== undefined) controller?.abort(error instanceof Error ? error : new Error('aborted'));
    };
    const onAbort = () => finish(request.signal.reason);
    const whole = setTimeout(() => finish(timeout('REQUEST', request.timeout)), request.timeout);
    request.signal.addEventListener('abort', onAbort);

    line.pool.dispatch(options, {
      onRequestStart(started) {
        line.onStart();
        controller = started;
        if (ended) started.abort(new Error('aborted'));
        else silence = setTimeout(() => finish(timeout('HEADERS', limits.headers)), limits.headers);
      },
      onResponseStart(_controller, code, incoming) {
        if (code < 200 || ended) return;
        status = code;
        headers = flat(incoming);
        clearTimeout(silence);
        silence = setTimeout(() => finish(timeout('BODY', limits.body)), limits.body);
        if (status < 300 && Number(headers['content-length']) > limits.maxReply) finish(tooLarge(limits.maxReply));
      },
      onResponseData(_controller, chunk) {
        if (ended) return;
        silence?.refresh();
        bytes += chunk.length;
        if (status < 300 && bytes > limits.maxReply) {
          finish(tooLarge(limits.maxReply));
          return;
        }
        chunks.push(chunk);
        if (status >= 300 && bytes > errorBodyLimit) finish(new Failure('CUT', 'this much of an error is enough'));
      },
      onResponseEnd() {
        line.onEnd();
        finish();
      },
      onResponseError: (_controller, error) => finish(refusal(error, { ...line.peer, answered: status > 0 })),
    });
  });
}

function refusal(error: Error, peer: Peer): Error {
  // An unusable CA file, for one, is an `InputError` already.
  if (isApiError(error)) return error;
  if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') {
    return new InputError(`The request cannot be sent: ${error.message}`);
  }
  return describeFailure(error, peer);
}

function flat(incoming: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in incoming) {
    const value = incoming[name];
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}
