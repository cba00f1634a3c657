import { once } from 'node:events';
import { serveFile } from '../service/serve.ts';
import { isTableName } from '../service/tables.ts';
import { type Given, UsageError } from './cliCommand.ts';
import { printErrors, printLines, showBytes } from './terminal.ts';

/** `chain-inspector serve`: answers over HTTP until `signal` fires. Rejects with one sentence. */
export async function serve({ operands, values: { port = '0' } }: Given, signal: AbortSignal): Promise<number> {
  const [file = ''] = operands;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--port ${port}: expected a number from 0 to 65535.`);
  if (signal.aborted) return 0;
  const stopped = once(signal, 'abort');
  const onProgress = (bytes: number, size: number): void => showBytes(file, bytes, size);
  const service = await serveFile({ file, port: Number(port), onProgress });
  try {
    await Promise.race([service.ready, stopped]);
    printErrors(service.notices.map(noticeText));
    const { baseUrl, chainId } = service;
    printLines([
      `Serving ${chainId || 'a state without a chain id'} at ${baseUrl}/chain`,
      `  ${baseUrl}/chain/bank/v1beta1/supply`,
      `  ${baseUrl}/cosmos/gov/v1/proposals`,
    ]);
    await stopped;
    return 0;
  } finally {
    await service.dispose();
  }
}

/** `chain-inspector export`: writes tables, and prints a line for each. An abort ends it, and nothing of it is left. */
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
  signal.addEventListener('abort', () => stopping.abort(new Error('The export was stopped; nothing was written')));
  const onProgress = (bytes: number, size: number): void => showBytes(file, bytes, size);
  const { exportStateTables } = await import('../service/service.ts');
  const job = { file, folder, format, tables, force, onProgress } as const;
  const manifest = await exportStateTables({ ...job, signal: stopping.signal });
  printErrors(manifest.notices.map(noticeText));
  printLines(
    Object.values(manifest.tables).map(
      ({ file, rows, faults }) => `${file}: ${rows} rows${faults > 0 ? `, ${faults} that cannot be read` : ''}`,
    ),
  );
  return 0;
}

/** A thing to know about a state, beside the output. */
function noticeText(notice: string): string {
  return `Notice: ${notice}`;
}
