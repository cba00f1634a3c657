import { join } from 'node:path';
import { HttpError, InputError, isAbort, messageOf, UnreachableError } from './api/errors.ts';
import type { ChainNode } from './api/node.ts';
import { cancelled } from './api/sharing.ts';
import type {
  Credential,
  NetworkOptions,
  RequestLine,
  Transport,
  TransportReply,
} from './api/transport/transportTypes.ts';
import { Emitter } from './chain/emitter.ts';
import type { StateService } from './service/service.ts';
import { shortenMiddle } from './service/serviceErrors.ts';
import type { OpenChain, OpenHooks, TableSummary, TablesJob } from './session/session.ts';
import type { EndpointSetting, Source } from './session/source.ts';

/** The options by which editor and command line open a source. */
interface OpenOptions {
  readonly extensionPath: string;
  /** The folder for indexes of state files. Without it, no index is written. */
  readonly cacheDir?: string | undefined;
  readonly requestTimeout: () => number;
  readonly network: (endpoint: EndpointSetting) => NetworkOptions;
  readonly credential: (url: string) => Promise<Credential | undefined>;
  readonly remembered: (sourceId: string) => unknown;
  readonly onTraits: (sourceId: string, traits: unknown) => void;
  readonly onRequest: (line: RequestLine) => void;
  /** Whether a redirect to another origin is an error. */
  readonly oneOrigin?: boolean | undefined;
  readonly onReading: (file: ReadingFile) => void;
  /** Resolves when work may block the process. The client is loaded only then. Reading of files starts earlier. */
  readonly whenFree?: (() => Promise<void>) | undefined;
}

/** A state file that is being read, or is open. */
export interface ReadingFile {
  readonly name: string;
  readonly path: string;
  /** Resolves when the whole file was read. Rejects with one sentence, without the path. */
  readonly ready: Promise<void>;
  readonly onProgress: (listener: (bytes: number, size: number) => void) => void;
  /** The listener is called at most once, when the file on disk changed. */
  readonly onChanged: (listener: () => void) => void;
  cancel(): void;
}

/**
 * Opens a source: an endpoint over HTTP, the sample chain and state files in process. Client and service are loaded on
 * first use.
 */
export async function openSource(source: Source, hooks: OpenHooks, options: OpenOptions): Promise<OpenChain> {
  if (source.kind === 'invalid') throw new InputError(source.reason);
  const onRequest = (line: RequestLine): void => {
    options.onRequest(line);
    const { url, status, code = '', error = 'no response' } = line;
    if (line.isCancelled) hooks.onAnswer(cancelled());
    else hooks.onAnswer(status === undefined ? new UnreachableError(url, code, error) : undefined);
  };
  if (source.kind === 'http') return openEndpoint(source, { ...hooks, onRequest }, options);
  const service = await startLocal(source, hooks, options);
  const { openNodeOver } = await loadClient(options);
  const onStateTime = source.kind === 'file' ? hooks.onStateTime : undefined;
  const node = openNodeOver(
    localTransport(service, { onRequest, onStateTime, path: source.kind === 'file' ? source.path : '' }),
    {
      segment: 'chain',
      preferredForm: () => service.proposalForm(),
    },
  );
  const { exportStateTables } = await import('./service/service.ts');
  return {
    node,
    notices: service.notices,
    whole: service.ready,
    exportTables:
      source.kind === 'file'
        ? async (job): Promise<readonly TableSummary[]> =>
            Object.values((await exportStateTables({ ...job, file: source.path })).tables)
        : undefined,
    dispose: () => node.dispose(),
  };
}

async function loadClient({ whenFree }: OpenOptions): Promise<typeof import('./api/open.ts')> {
  await whenFree?.();
  return import('./api/open.ts');
}

async function openEndpoint(
  { baseUrl, setting, at }: Extract<Source, { kind: 'http' }>,
  hooks: OpenHooks & { readonly onRequest: (line: RequestLine) => void },
  options: OpenOptions,
): Promise<OpenChain> {
  const { openNode } = await loadClient(options);
  const { isLocalHost } = await import('./api/transport/transport.ts');
  const { url } = setting;
  const node: ChainNode = openNode({
    baseUrl,
    height: at && BigInt(at.height),
    segment: setting.segment,
    limits: { request: options.requestTimeout() },
    network: options.network(setting),
    credential: () => options.credential(url),
    // An address of this machine or its network may serve another node each time.
    remembered: isLocalHost(baseUrl.origin) ? undefined : options.remembered(url),
    // The limits of a past height say nothing about the present.
    onTraits: at ? undefined : (traits) => options.onTraits(url, traits),
    onRequest: hooks.onRequest,
    onHeight: hooks.onHeight,
    onBlock: hooks.onBlock,
    oneOrigin: options.oneOrigin,
  });
  return { node, notices: [], exportTables: (job) => exportLists(node, url, job), dispose: () => node.dispose() };
}

async function exportLists(
  node: ChainNode,
  url: string,
  { signal, onProgress, ...job }: TablesJob,
): Promise<readonly TableSummary[]> {
  const { writeTables } = await import('./service/tables/tableFolder.ts');
  const { readTables, tablesOfNode } = await import('./reads/export.ts');
  let count = 0;
  const { tables } = await writeTables({ ...job, tables: tablesOfNode }, signal, async (writers) => {
    const { chainId, height, time, notices } = await readTables(node, signal, async ({ tables, rows, faults }) => {
      for (const name of tables) {
        await writers.get(name)?.addAll(rows, signal);
        for (const fault of faults) writers.get(name)?.addFault(fault);
      }
      count += rows.length;
      onProgress(count);
    });
    return {
      chain_id: chainId ?? null,
      height: height === undefined ? null : `${height}`,
      time: time?.toISOString() ?? null,
      time_from: null,
      source: { name: url, size: null, sha256: null },
      notices,
    };
  });
  return Object.values(tables);
}

/** The service for a state file. The times of the sample chain begin now, so that it always has an open vote. */
async function startLocal(
  source: Extract<Source, { kind: 'sample' | 'file' }>,
  hooks: OpenHooks,
  options: OpenOptions,
): Promise<StateService> {
  const { startService } = await import('./service/service.ts');
  hooks.signal.throwIfAborted();
  if (source.kind === 'sample') {
    const file = join(options.extensionPath, 'media', 'sampleChain.json');
    return startService({ file, rebase: new Date(), signal: hooks.signal });
  }
  const abort = new AbortController();
  const progress = new Emitter<{ bytes: number; size: number }>();
  const changed = new Emitter<void>();
  const service = startService({
    file: source.path,
    cacheDir: options.cacheDir,
    signal: AbortSignal.any([hooks.signal, abort.signal]),
    onProgress: (bytes, size) => progress.fire({ bytes, size }),
    onChanged: () => changed.fire(),
  });
  const ready = service.ready.catch((error: unknown) => {
    if (isAbort(error)) throw error;
    throw new Error(withoutPath(messageOf(error), source.path), { cause: error });
  });
  // Whoever reads the file gets the error, too.
  ready.catch(() => undefined);
  options.onReading({
    name: source.name,
    path: source.path,
    ready,
    onProgress: (listener) => void progress.on(({ bytes, size }) => listener(bytes, size)),
    onChanged: (listener) => void changed.on(listener),
    cancel: () => abort.abort(),
  });
  return service;
}

/** Takes the path out of a sentence of the service: `The JSON is cut off (byte 1000)`. */
function withoutPath(sentence: string, path: string): string {
  if (path === '') return sentence;
  return [path, shortenMiddle(path, 80)].reduce((text, name) => {
    return text
      .replace(`Cannot read ${name}: `, '')
      .replace(`Cannot open ${name}: `, '')
      .replace(` of ${name}: `, ': ');
  }, sentence);
}

/** Answers requests in process. Their addresses are paths. The service is disposed with the transport. */
function localTransport(
  service: StateService,
  hooks: Pick<OpenHooks, 'onStateTime'> & { readonly onRequest: (line: RequestLine) => void; readonly path: string },
): Transport {
  const { onRequest, onStateTime, path: file } = hooks;
  return {
    async get(address, { headers: asked, signal } = {}): Promise<TransportReply> {
      const start = performance.now();
      const [path = '', query] = address.split(/\?(.*)/s, 2);
      const { status, headers, body } = await service.answer({ path, query, headers: asked, signal });
      const time = headers['chain-inspector-time'];
      if (time !== undefined) onStateTime?.({ time: new Date(time), from: headers['chain-inspector-time-from'] });
      onRequest({ url: address, status, bytes: body.length, ms: performance.now() - start, attempt: 1 });
      const text = body.toString();
      if (status === 200) return { status, headers, text };
      const { code, message }: { code: number; message: string } = JSON.parse(text);
      throw new HttpError(address, status, code, withoutPath(message, file));
    },
    post: () => Promise.reject(new InputError('A proposal cannot be submitted to a state file')),
    dispose: () => service.dispose(),
  };
}
