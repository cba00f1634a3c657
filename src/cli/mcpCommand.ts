import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isAbort, member } from '../api/errors.ts';
import { type OnProgress, strangersWarning, type Tool, type ToolHost } from '../tools/tool.ts';
import type { Given } from './cliCommand.ts';
import { openSessions, packageFolder, sourcesOf } from './cliSources.ts';

const instructions = `Exact, read-only answers about Cosmos SDK chains: each names its source, chain id, height and time. ${strangersWarning}`;

/** `chain-inspector mcp`: answers over stdin and stdout until the input ends or `signal` fires. Rejects with `UsageError`. */
export async function serveMcp(given: Given, signal: AbortSignal): Promise<number> {
  const { tools } = await import('../tools/toolTable.ts');
  const sources = sourcesOf(given);
  const sessions = openSessions(given);
  const version = String(member(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')), 'version'));
  // They stay open between questions.
  for (const source of sources) sessions.acquire(source);
  const host: ToolHost = { sources, sessions, admits: () => false };
  const ended = Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), aborted(signal)]);
  const server = serveStdio(() => createServer(tools, host, version), {
    onerror: ({ message }) => process.stderr.write(`${message}\n`),
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

function createServer(tools: readonly Tool[], host: ToolHost, version: string): Server {
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
    const { signal } = context.mcpReq;
    try {
      const answer = await tool.run(params.arguments, host, signal, progressOf(context));
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    } catch (error) {
      if (isAbort(error)) throw error;
      return {
        content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }],
        isError: true,
      };
    }
  });
  return server;
}

/** Reports rows to a client that asked for it; the numbers have to grow. */
function progressOf({ mcpReq }: ServerContext): OnProgress {
  const progressToken = mcpReq._meta?.progressToken;
  let reported = 0;
  return (rows) => {
    if (progressToken === undefined || rows <= reported) return;
    reported = rows;
    // A client that is gone ends the request by itself.
    mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress: rows, message: `${rows} rows read` },
      })
      .catch(() => undefined);
  };
}
