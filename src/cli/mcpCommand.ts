import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { isAbort, messageOf } from '../api/errors.ts';
import { type OnProgress, strangersWarning, type Tool, type ToolHost } from '../tools/tool.ts';
import { boundedLines } from './boundedLines.ts';
import { CallQueue } from './callQueue.ts';
import type { Given } from './cliCommand.ts';
import { type OnBytes, openSessions, packageVersion, sourcesOf } from './cliSources.ts';
import { printChanged, printErrors } from './terminal.ts';

const instructions = `Exact, read-only answers about Cosmos SDK chains: each names its source, chain id, height and time. ${strangersWarning}`;

/** Bytes of a line: 10 MiB. */
const longestLine = 10 * 1024 * 1024;
/** So many calls are answered at once, and so many more may wait. */
const callsAtOnce = 8;
const callsWaiting = 1000;

/** `chain-inspector mcp`: answers over stdin and stdout until the input ends or `signal` fires. Rejects with `UsageError`. */
export async function serveMcp(given: Given, signal: AbortSignal): Promise<number> {
  const { tools } = await import('../tools/toolTable.ts');
  const sources = sourcesOf(given);
  const readings = new Set<OnBytes>();
  const onBytes: OnBytes = (...read) => {
    for (const show of readings) show(...read);
  };
  const sessions = openSessions(given, onBytes, (source) => {
    printChanged(source.name);
    void sessions.find(source)?.reopen();
  });
  const version = await packageVersion();
  // They stay open between questions.
  for (const source of sources) sessions.acquire(source);
  const host: ToolHost = { sources, sessions, admits: () => false };
  const ended = Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), aborted(signal)]);
  // The transport waits for each message by two listeners of its own, whose number would grow with that of the calls.
  const output = new PassThrough({ highWaterMark: 2 ** 30 });
  output.pipe(process.stdout);
  const input = boundedLines(longestLine, (id) => output.write(`${refusal(id)}\n`));
  process.stdin.pipe(input);
  const queue = new CallQueue(callsAtOnce, callsWaiting);
  const server = serveStdio(() => createServer({ tools, host, version, readings, queue }), {
    // Room for a line end and short lines behind the longest line.
    transport: new StdioServerTransport(input, output, { maxBufferSize: 2 * longestLine }),
    onerror: ({ message }) => printErrors([message.replace(/\s+/g, ' ')]),
  });
  await ended;
  await server.close();
  await sessions.dispose();
  process.stdin.destroy();
  return 0;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** The answer to a line that is not read; `id` is JSON. */
function refusal(id: string): string {
  const message = `The line is longer than ${longestLine} bytes (10 MiB) and was not read`;
  return JSON.stringify({
    jsonrpc: '2.0',
    id: JSON.parse(id),
    error: { code: ProtocolErrorCode.InvalidRequest, message },
  });
}

interface ServerParts {
  readonly tools: readonly Tool[];
  readonly host: ToolHost;
  readonly version: string;
  /** Who is shown how far files were read. */
  readonly readings: Set<OnBytes>;
  readonly queue: CallQueue;
}

function createServer({ tools, host, version, readings, queue }: ServerParts): Server {
  // Nothing is asked of the user, so that no answer of a user is checked.
  const jsonSchemaValidator = {
    getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not used' }) as const,
  };
  const options = { capabilities: { tools: {} }, instructions, jsonSchemaValidator };
  const server = new Server({ name: 'chain-inspector', title: 'Chain Inspector', version }, options);
  const annotations = { readOnlyHint: true, openWorldHint: true };
  const listed = tools.map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema,
    annotations,
  }));
  // A copy, since the types of the SDK take no lists and objects that are read-only.
  const list: ListToolsResult = JSON.parse(JSON.stringify({ tools: listed }));
  server.setRequestHandler('tools/list', () => list);
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}`);
    const { onBytes, onRows } = progressOf(context);
    const { signal } = context.mcpReq;
    readings.add(onBytes);
    try {
      const answer = await queue.run(signal, () => tool.run(params.arguments, host, signal, onRows));
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    } catch (error) {
      if (isAbort(error)) throw error;
      return {
        content: [{ type: 'text', text: messageOf(error) }],
        isError: true,
      };
    } finally {
      readings.delete(onBytes);
    }
  });
  return server;
}

/** Reports to a client that asked for it: percent of a state file while it is read, then rows. */
function progressOf({ mcpReq }: ServerContext): { readonly onBytes: OnBytes; readonly onRows: OnProgress } {
  const progressToken = mcpReq._meta?.progressToken;
  let percent = 0;
  let reported = 0;
  // The numbers have to grow.
  const report = (progress: number, message: string): void => {
    if (progressToken === undefined || progress <= reported) return;
    reported = progress;
    // A client that is gone ends the request by itself.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
  return {
    onBytes: (name, bytes, size): void => {
      percent = Math.max(percent, Math.floor((bytes / (size || 1)) * 100));
      report(percent, `${percent} % of ${name} read`);
    },
    onRows: (rows) => report(percent + rows, `${rows} rows read`),
  };
}
