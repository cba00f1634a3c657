import { openSource } from '../../../src/openSource.ts';
import { Sessions } from '../../../src/session/session.ts';
import { toSource } from '../../../src/session/source.ts';
import type { OnProgress, ToolHost } from '../../../src/tools/question/tool.ts';
import { tools } from '../../../src/tools/toolTable.ts';
import { projectFolder } from '../../support/folders.ts';

/** Opens these sources for the tools, the sample chain by "". `dispose` ends all that is held. `asked` has all requests. */
export function startToolHost(
  addresses: readonly string[],
  admits: ToolHost['admits'] = () => false,
  requestTimeout = 10_000,
) {
  const asked: string[] = [];
  const sessions = new Sessions({
    open: (source, hooks) =>
      openSource(source, hooks, {
        extensionPath: projectFolder,
        requestTimeout: () => requestTimeout,
        network: () => ({}),
        credential: async () => undefined,
        remembered: () => undefined,
        onTraits: () => undefined,
        onRequest: ({ url }) => asked.push(url),
        onReading: () => undefined,
      }),
    pageSize: () => 50,
    knownUnits: async () => new Map(),
  });
  const sources = addresses.map((address) => toSource(address, new Map(), 'Sample chain'));
  const holds = sources.map((source) => sessions.acquire(source));
  const host: ToolHost = { sources, sessions, admits };
  const ask = async (
    name: string,
    input?: unknown,
    signal = new AbortController().signal,
    onProgress: OnProgress = () => undefined,
  ) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    return tool.run(input, host, signal, onProgress);
  };
  const dispose = async () => {
    await Promise.all(holds.map(({ release }) => release()));
  };
  return { host, ask, asked, dispose };
}
