import './plainChecks.ts';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isAbort, messageOf } from '../../api/errors.ts';
import { shownText } from '../../chain/text.ts';
import { DraftFolders } from '../../session/draftFolders.ts';
import type { Session } from '../../session/session.ts';
import { presentId, type Source } from '../../session/source.ts';
import { strangersWarning } from '../../tools/question/defineTool.ts';
import type { Tool, ToolHost } from '../../tools/question/tool.ts';
import { ToolError } from '../../tools/question/toolError.ts';
import { type Given, UsageError } from '../cliCommand.ts';
import { type OnBytes, openSessions, sourcesOf } from '../cliSources.ts';
import { packageVersion } from '../ownPackage.ts';
import { printChanged, printErrors } from '../terminal.ts';
import { CallQueue } from './callQueue.ts';
import { LineTransport } from './lineTransport.ts';

const instructions = `Exact, read-only answers about Cosmos SDK chains. Each states its source, chain ID, height and time. ${strangersWarning}`;

/** The list of tools does not change while the process runs. A client may ask again after a day. */
const cacheHints = { 'tools/list': { ttlMs: 86_400_000, cacheScope: 'public' } } as const;

/** The number of calls that are answered at once, and the number of calls that may wait. */
const callsAtOnce = 8;
const callsWaiting = 1000;
/** The time limit in milliseconds for calls that are running when the input ends. */
const timeAfterEnd = 20_000;
/** The time in milliseconds after which a client that asked for progress is told that a call is still running. */
const betweenSigns = 5000;

/**
 * Runs `chain-inspector mcp`: answers over stdin and stdout until `signal` fires, or until the input has ended and its
 * calls are answered. Rejects with `UsageError`.
 */
export async function serveMcp(given: Given, signal: AbortSignal): Promise<number> {
  const { tools } = await import('../../tools/toolTable.ts');
  const sources = sourcesOf(given);
  await checkFolders(given.folders);
  const readings = new Set<OnBytes>();
  const onBytes: OnBytes = (...read) => {
    for (const show of readings) show(...read);
  };
  const sessions = openSessions(given, onBytes, (source) => {
    printChanged(source.name);
    void sessions.find(source)?.reopen();
  });
  const version = packageVersion();
  // The sources stay open between questions.
  for (const source of sources) sessions.acquire(source);
  const drafts = new DraftFolders(() => given.folders);
  const host: ToolHost = { sources, sessions, drafts, admits: () => false };
  const transport = new LineTransport(process.stdin, process.stdout);
  const queue = new CallQueue(callsAtOnce, callsWaiting);
  const late = new AbortController();
  const server = serveStdio(() => createServer({ tools, host, version, readings, queue, late: late.signal }), {
    transport,
    onerror: ({ message }) => printErrors([shownText(message.replace(/\s+/g, ' '), 200)]),
  });
  const stopped = aborted(signal);
  await Promise.race([transport.whenInputEnds, stopped]);
  if (!signal.aborted) await Promise.race([endCalls(transport, late), stopped]);
  await server.close();
  await sessions.dispose();
  process.stdin.destroy();
  return 0;
}

async function checkFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw new UsageError(`--folder ${folder}: there is no such folder.`);
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Waits for the answers to calls from before the end of the input. Calls that take too long get an error. */
async function endCalls(transport: LineTransport, late: AbortController): Promise<void> {
  const waiting = new AbortController();
  const answered = transport.whenAnswered().then(() => waiting.abort());
  await pause(timeAfterEnd, undefined, { signal: waiting.signal }).catch(() => undefined);
  const seconds = timeAfterEnd / 1000;
  const sentence = `There is no answer yet, and the input ended ${seconds} s ago. Keep the input open until the answer arrives.`;
  late.abort(new ToolError('source', sentence));
  await answered;
}

interface ServerParts {
  readonly tools: readonly Tool[];
  readonly host: ToolHost;
  readonly version: string;
  /** Receivers of the progress of reading files. */
  readonly readings: Set<OnBytes>;
  readonly queue: CallQueue;
  /** Fires with an error for the calls that are not answered in time. */
  readonly late: AbortSignal;
}

function createServer(parts: ServerParts): Server {
  const { tools, version } = parts;
  // The user is never asked, so no answer of a user is checked.
  const jsonSchemaValidator = {
    getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not used' }) as const,
  };
  const options = { capabilities: { tools: {} }, instructions, jsonSchemaValidator, cacheHints };
  const server = new Server({ name: 'chain-inspector', title: 'Chain Inspector', version }, options);
  let list: ListToolsResult | undefined;
  server.setRequestHandler('tools/list', () => (list ??= listOf(tools)));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    const names = tools.map(({ name }) => name).join(', ');
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${shownText(params.name, 50)}. Call one of ${names}`,
      );
    return callTool(tool, params.arguments, context, parts);
  });
  return server;
}

/** Gives the tools as clients get them. This is done when a client asks, which is often after its first call. */
function listOf(tools: readonly Tool[]): ListToolsResult {
  const annotations = { readOnlyHint: true, openWorldHint: true };
  const listed = tools.map(({ name, title, description, inputSchema, outputSchema }) => {
    return { name, title, description, inputSchema, outputSchema, annotations };
  });
  // A copy, because the types of the SDK do not accept read-only lists and objects.
  return JSON.parse(JSON.stringify({ tools: listed }));
}

async function callTool(
  tool: Tool,
  input: unknown,
  context: ServerContext,
  { host, readings, queue, late }: ServerParts,
): Promise<CallToolResult> {
  const progress = new CallProgress(context);
  const own = { ...host, sessions: progress.using(host.sessions) };
  readings.add(progress.onBytes);
  try {
    const signal = AbortSignal.any([context.mcpReq.signal, late]);
    const answer = await queue.run(signal, () => tool.run(input, own, signal, progress.onRows));
    // The text is for clients before 2025-06-18, which do not read structured answers.
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
  } finally {
    readings.delete(progress.onBytes);
    progress.dispose();
  }
}

/**
 * Reports progress to a client that asked for it: percent of the state files of its call while they are read, then
 * rows.
 */
class CallProgress {
  readonly #mcpReq: ServerContext['mcpReq'];
  readonly #begun = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  /** The sources that the call asks. */
  readonly #sources = new Set<string>();
  #percent = 0;
  #reported = 0;
  /** True if nothing was reported since the last check. */
  #isQuiet = true;

  constructor({ mcpReq }: ServerContext) {
    this.#mcpReq = mcpReq;
    if (mcpReq._meta?.progressToken !== undefined) this.#timer = setInterval(() => this.#showLife(), betweenSigns);
  }

  /** Opens sessions, and notes their sources, since the call waits for the files of these. */
  using(sessions: ToolHost['sessions']): ToolHost['sessions'] {
    return {
      use: <T>(source: Source, work: (session: Session) => Promise<T>): Promise<T> => {
        this.#sources.add(presentId(source));
        return sessions.use(source, work);
      },
    };
  }

  readonly onBytes: OnBytes = (name, bytes, size, source): void => {
    if (!this.#sources.has(presentId(source))) return;
    this.#percent = Math.max(this.#percent, Math.floor((bytes / (size || 1)) * 100));
    this.#report(this.#percent, `${this.#percent} % of ${name} read`);
  };

  readonly onRows = (rows: number): void => this.#report(this.#percent + rows, `${rows} rows read`);

  dispose(): void {
    clearInterval(this.#timer);
  }

  #showLife(): void {
    const seconds = Math.round((Date.now() - this.#begun) / 1000);
    // Less than a row, because the numbers must grow.
    if (this.#isQuiet) this.#report(this.#reported + 0.001, `Still waiting after ${seconds} s`);
    this.#isQuiet = true;
  }

  #report(progress: number, message: string): void {
    const progressToken = this.#mcpReq._meta?.progressToken;
    if (progressToken === undefined || progress <= this.#reported) return;
    this.#reported = progress;
    this.#isQuiet = false;
    // A client that has gone ends the request by itself.
    this.#mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  }
}
