import type { LastAnswers, SourceMemory } from './session/memory.ts';
import { registryUnits } from './session/registry.ts';
import { Sessions } from './session/session.ts';
import { presentId } from './session/source.ts';
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
  readonly answers: LastAnswers;
  /** Why something failed, in words. */
  readonly causeOf: (error: unknown) => string;
  readonly distPath: string;
}

/** Statuses of whoever stands before a node, which is not asked then. */
const refusals = new Set([401, 403, 429, 502, 503, 504]);

/** The sessions of this window, none open yet: client and service are loaded by the first question. */
export function openSessions(parts: SessionParts): Sessions {
  const { settings, report, requests, credentials, dialects, answers, distPath, log } = parts;
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
        onRequest: (line) => {
          requests.add(line);
          const { status = 0, ms } = line;
          if (status > 0 && !refusals.has(status)) answers.set(presentId(source), { ms });
        },
        onReading: (file) =>
          void report.run(file.name, async () => {
            const { showReading } = await import('./ui/stateFiles.ts');
            showReading(file, report, () => sessions.find(source)?.reopen());
          }),
      });
    },
    pageSize: () => settings.pageSize,
    knownUnits: (source, node) => registryUnits(distPath, source, node),
    onFailure: (source, error) => answers.set(presentId(source), { cause: parts.causeOf(error) }),
  });
  return sessions;
}
