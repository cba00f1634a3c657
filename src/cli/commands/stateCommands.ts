import { once } from 'node:events';
import { messageOf } from '../../api/errors.ts';
import { type RunningServer, startServer } from '../../service/serve.ts';
import { type ServiceAnswer, type StateService, startService } from '../../service/service.ts';
import { isTableName } from '../../service/tables/tables.ts';
import { type Given, UsageError } from '../cliCommand.ts';
import { printChanged, printErrors, printLines, showBytes, withTerminalProgress } from '../terminal.ts';

/** Runs `chain-inspector serve`: answers over HTTP until `signal` fires. Rejects with one sentence. */
export async function serve({ operands, values: { port = '0' } }: Given, signal: AbortSignal): Promise<number> {
  const [file = ''] = operands;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--port ${port}: expected a number from 0 to 65535.`);
  if (signal.aborted) return 0;
  const stopped = once(signal, 'abort');
  const state = new ServedFile(file);
  let server: RunningServer | undefined;
  try {
    server = await startServer(state, { port: Number(port) });
    const { service } = state;
    await withTerminalProgress(`Reading ${file}`, () => Promise.race([service.ready, stopped]));
    printErrors(service.notices.map(noticeText));
    const { baseUrl } = server;
    const { chainId } = service;
    printLines([
      `Serving ${chainId || 'a state without a chain ID'} at ${baseUrl}/chain`,
      `  ${baseUrl}/chain/bank/v1beta1/supply`,
      `  ${baseUrl}/cosmos/gov/v1/proposals`,
    ]);
    await stopped;
    return 0;
  } finally {
    await Promise.all([server?.dispose(), state.dispose()]);
  }
}

/** A state file that is opened again when it has changed. */
class ServedFile implements Pick<StateService, 'answer' | 'dispose'> {
  readonly #file: string;
  #service: StateService;

  constructor(file: string) {
    this.#file = file;
    this.#service = this.#open();
  }

  get service(): StateService {
    return this.#service;
  }

  /** Answers a request. If the state is closed meanwhile, asks the one that replaced it. */
  async answer(request: Parameters<StateService['answer']>[0]): Promise<ServiceAnswer> {
    const asked = this.#service;
    try {
      return await asked.answer(request);
    } catch (error) {
      if (asked === this.#service || request.signal?.aborted) throw error;
      return this.answer(request);
    }
  }

  dispose(): Promise<void> {
    return this.#service.dispose();
  }

  #open(): StateService {
    const onProgress = (bytes: number, size: number): void => showBytes(this.#file, bytes, size);
    return startService({ file: this.#file, onProgress, onChanged: () => this.#reopen() });
  }

  #reopen(): void {
    printChanged(this.#file);
    const before = this.#service;
    this.#service = this.#open();
    void before.dispose();
    const { ready } = this.#service;
    // Each request gets the same error.
    ready.catch((error: unknown) => printErrors([messageOf(error)]));
  }
}

/**
 * Runs `chain-inspector export`: writes tables, and prints a line for each. An abort ends it and removes all that it
 * wrote.
 */
export async function exportState({ operands: [file = ''], values }: Given, signal: AbortSignal): Promise<number> {
  const { to: folder, format = 'parquet', force } = values;
  if (!folder) throw new UsageError('Expected --to DIR.');
  if (format !== 'parquet' && format !== 'ndjson')
    throw new UsageError(`--format ${format}: expected parquet or ndjson.`);
  const tables = values.tables?.split(',').map((name) => {
    if (!isTableName(name)) throw new UsageError(`--tables: there is no table "${name}".`);
    return name;
  });
  const stopping = new AbortController();
  signal.addEventListener('abort', () => stopping.abort(new Error('The export was stopped. Nothing was written')));
  const onProgress = (bytes: number, size: number): void => showBytes(file, bytes, size);
  const { exportStateTables } = await import('../../service/service.ts');
  const job = { file, folder, format, tables, force, onProgress } as const;
  const manifest = await withTerminalProgress(`Reading ${file}`, () =>
    exportStateTables({ ...job, signal: stopping.signal }),
  );
  printErrors(manifest.notices.map(noticeText));
  printLines(
    Object.values(manifest.tables).map(
      ({ file, rows, faults }) => `${file}: ${rows} rows${faults > 0 ? `, ${faults} unreadable` : ''}`,
    ),
  );
  return 0;
}

/** Gives the text of a notice about a state, which is printed beside the output. */
function noticeText(notice: string): string {
  return `Notice: ${notice}`;
}
