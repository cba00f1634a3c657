import { writeStateTables } from '../service/exportTables.ts';
import { isTableName } from '../service/tables.ts';
import { type Given, printNotices, terminalProgress, UsageError } from './cliCommand.ts';

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
  const options = { signal: stopping.signal, onProgress: terminalProgress(file) };
  const manifest = await writeStateTables({ file, folder, format, tables, force }, options);
  printNotices(manifest.notices);
  for (const { file, rows, faults } of Object.values(manifest.tables))
    process.stdout.write(`${file}: ${rows} rows${faults > 0 ? `, ${faults} that cannot be read` : ''}\n`);
  return 0;
}
