import { parseArgs } from 'node:util';
import { type ExportJob, exportTables } from './exportTables.ts';
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

function readArguments(): ExportJob | undefined {
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
  if (values.help) return undefined;
  const { to, format, force, tables } = values;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error('Expected one STATE. See --help');
  if (!to) throw new Error('Expected --to DIR. See --help');
  if (format !== 'parquet' && format !== 'ndjson')
    throw new Error(`--format ${format}: expected parquet or ndjson. See --help`);
  const names = tables?.split(',').map((name) => {
    if (!isTableName(name)) throw new Error(`--tables: there is no table "${name}". See --help`);
    return name;
  });
  return { file, folder: to, format, tables: names, force };
}

/** The command line. Resolves with the exit code; SIGINT and SIGTERM end the export, and nothing of it is left. */
async function main(): Promise<number> {
  const job = readArguments();
  if (!job) {
    process.stdout.write(help);
    return 0;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new Error('The export was stopped; nothing was written')));
  const isTerminal = process.stderr.isTTY;
  const { tables, notices } = await exportTables(job, {
    signal: stopping.signal,
    onProgress: (bytes, size) => {
      if (isTerminal && size > 0)
        process.stderr.write(`\rReading ${Math.floor((bytes / size) * 100)} % of ${job.file} `);
    },
  });
  if (isTerminal) process.stderr.write('\n');
  for (const text of notices) process.stderr.write(`Notice: ${text}\n`);
  for (const { file, rows, faults } of Object.values(tables))
    process.stdout.write(`${file}: ${rows} rows${faults > 0 ? `, ${faults} that cannot be read` : ''}\n`);
  return 0;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
