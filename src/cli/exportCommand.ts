import { parseArgs } from 'node:util';
import { writeStateTables } from './exportTables.ts';
import { runMain, terminalProgress } from './serve.ts';
import { isTableName, tableNames } from './tables.ts';

const help = `Usage: export STATE --to DIR [--format parquet|ndjson] [--tables NAME,NAME…] [--force]

Writes the tables of a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain into a folder, with a
manifest.json beside them. The columns are described in docs/tables.md.

  --to DIR      the folder; it is made where it is missing
  --format F    parquet (default) or ndjson
  --tables N,…  only these: ${tableNames.slice(0, 5).join(', ')},
                ${tableNames.slice(5).join(', ')}
  --force       replace the tables in a folder that holds files
  --help        this text
`;

/** The command line. SIGINT and SIGTERM end the export, and nothing of it is left. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      format: { type: 'string', default: 'parquet' },
      tables: { type: 'string' },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const { to: folder, format, force } = values;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error('Expected one STATE. See --help');
  if (!folder) throw new Error('Expected --to DIR. See --help');
  if (format !== 'parquet' && format !== 'ndjson')
    throw new Error(`--format ${format}: expected parquet or ndjson. See --help`);
  const tables = values.tables?.split(',').map((name) => {
    if (!isTableName(name)) throw new Error(`--tables: there is no table "${name}". See --help`);
    return name;
  });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new Error('The export was stopped; nothing was written')));
  const options = { signal: stopping.signal, onProgress: terminalProgress(file) };
  const manifest = await writeStateTables({ file, folder, format, tables, force }, options);
  for (const text of manifest.notices) process.stderr.write(`Notice: ${text}\n`);
  for (const { file, rows, faults } of Object.values(manifest.tables))
    process.stdout.write(`${file}: ${rows} rows${faults > 0 ? `, ${faults} that cannot be read` : ''}\n`);
}

void runMain(main);
