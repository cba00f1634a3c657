import type { SourceMemory } from './session/memory.ts';
import { registryUnits } from './session/registry.ts';
import { Sessions } from './session/session.ts';
import type { Report, RequestLog } from './ui/report.ts';
import { type Credentials, networkOptions, type Settings } from './ui/settings.ts';

/** What the sessions are opened with. */
export interface SessionParts {
  readonly extensionPath: string;
  /** Folder of indexes of state files. */
  readonly cacheDir: string;
  readonly settings: Settings;
  readonly report: Report;
  readonly requests: RequestLog;
  readonly log: { debug(text: string): void };
  readonly credentials: Credentials;
  readonly dialects: SourceMemory;
  readonly distPath: string;
}

/** The sessions of this window, none open yet: client and service are loaded by the first question. */
export function openSessions(parts: SessionParts): Sessions {
  const { settings, report, requests, credentials, dialects, distPath, log } = parts;
  const sessions: Sessions = new Sessions({
    open: async (source, hooks) => {
      const { openSource } = await import('./openSource.ts');
      return openSource(source, hooks, {
        extensionPath: parts.extensionPath,
        cacheDir: parts.cacheDir,
        requestTimeout: () => settings.requestTimeout,
        network: networkOptions,
        credential: (url) => credentials.get(url),
        remembered: (sourceId) => dialects.get(sourceId),
        // What is not stored is found out again.
        onFacts: (sourceId, facts) =>
          void dialects.set(sourceId, facts).catch((error: unknown) => log.debug(String(error))),
        onRequest: (line) => requests.add(line),
        onReading: (file) =>
          void report.run(file.name, async () => {
            const { showReading } = await import('./ui/stateFiles.ts');
            showReading(file, report, () => sessions.find(source)?.reopen());
          }),
      });
    },
    pageSize: () => settings.pageSize,
    knownUnits: (source, node) => registryUnits(distPath, source, node),
  });
  return sessions;
}
