// Opens sources for this window. Entry of a lazily loaded part. Client and service are loaded with the first request.

import { openSource } from './openSource.ts';
import type { OpenChain, OpenHooks, Session } from './session/session.ts';
import { presentId, type Source } from './session/source.ts';
import { getCredential } from './ui/endpoints/credentials.ts';
import { afterSending } from './ui/redraws.ts';
import type { Report, RequestLog } from './ui/report.ts';
import { networkOptions, requestTimeout } from './ui/settings.ts';
import type { Storage } from './ui/storage.ts';

/** The parts that the first rows need. */
const partsOfRows = [
  (): Promise<unknown> => import('./session/registry.ts'),
  (): Promise<unknown> => import('./ui/lists/listTrees.ts'),
  (): Promise<unknown> => import('./ui/lists/voteDetails.ts'),
];

/**
 * Prepares the first rows of a session before a view opens. Loads the parts of the rows, one a turn, and reads the
 * sample chain. Asks no node, and reads no file of the user. Never rejects.
 */
export async function prepareRows(session: Session): Promise<void> {
  for (const load of partsOfRows) {
    await load();
    await afterSending();
  }
  const { kind } = session.source;
  // The next request for it gets the error.
  if (kind === 'sample' || kind === 'http') await session.prepare().catch(() => undefined);
}

/** Statuses of proxies and gateways, which refuse before a node is asked. */
const refusals = new Set([401, 403, 429, 502, 503, 504]);

/** The parts of the window that opening a source uses. */
interface OpeningParts {
  readonly storage: Storage;
  readonly report: Report;
  readonly requests: RequestLog;
  /** Reads a changed file again. */
  readonly reopen: () => Promise<void> | undefined;
}

/** Opens a source with the settings of the editor, and stores the traits of its node. */
export async function openInWindow(source: Source, hooks: OpenHooks, parts: OpeningParts): Promise<OpenChain> {
  const { storage, report, requests, reopen } = parts;
  const { credentials, dialects, answers, extensionUri, globalStorageUri } = storage;
  return openSource(source, hooks, {
    extensionPath: extensionUri.fsPath,
    cacheDir: globalStorageUri.fsPath,
    requestTimeout,
    network: networkOptions,
    credential: (url) => getCredential(credentials, url),
    remembered: (sourceId) => dialects.get(sourceId),
    // Traits that are not stored are found out again.
    onTraits: (sourceId, traits) =>
      void dialects.set(sourceId, traits).catch((error: unknown) => report.debug(String(error))),
    onRequest: (line) => {
      requests.add(line);
      const { status = 0, ms } = line;
      if (status > 0 && !refusals.has(status)) answers.set(presentId(source), { ms });
    },
    onReading: (file) =>
      void report.run(file.name, async () => {
        const { showReading } = await import('./ui/endpoints/stateFiles.ts');
        showReading(file, report, reopen);
      }),
    whenFree: () => afterSending(),
  });
}
