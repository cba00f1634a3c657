import { basename } from 'node:path';
import type { BalanceSink } from './bank.ts';
import { type StateEvents, stateClock } from './state.ts';
import { isWhole, type ScanOptions, scanFile } from './stateFile.ts';
import type { Manifest, TableFile, TablesJob } from './tableFolder.ts';
import type { TableName } from './tables.ts';

/** An export of the tables of a state file into a folder. */
export interface ExportJob extends TablesJob {
  readonly file: string;
}

export type ExportOptions = Pick<ScanOptions, 'signal' | 'onProgress'>;

/** What the thread of an export reports; the last one is `exported` or `failed`. */
export type ExportMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly size: number }
  | { readonly type: 'exported'; readonly tables: readonly { readonly rows: number; readonly faults: number }[] }
  | { readonly type: 'failed'; readonly text: string };

/** Writes the tables of a state in one pass over the file. Rejects with one sentence, and as `writeTables` does. */
export async function exportTables(job: ExportJob, options: ExportOptions = {}): Promise<Manifest> {
  const { writeTables } = await import('./tableFolder.ts');
  return writeTables(job, options.signal, (tables) => fill(job.file, tables, options));
}

async function fill(file: string, tables: ReadonlyMap<TableName, TableFile>, options: ExportOptions) {
  // Loaded here: the thread that only reads a state does not wait for it.
  const hash = (await import('node:crypto')).createHash('sha256');
  const balances = tables.get('balances');
  const events: StateEvents = {
    onFault: (_module, error) => {
      throw error;
    },
    balances: balances && toSink(balances),
    staking: {
      delegation: (...cells) => tables.get('delegations')?.addCells(cells),
      unbonding: (delegation, entry) => tables.get('unbonding_delegations')?.addRow({ ...delegation, ...entry }),
    },
  };
  const { stamp, reader } = await scanFile(file, events, { ...options, onBytes: (bytes) => hash.update(bytes) });
  const { modules: state, notices, faults } = reader;
  if (!isWhole(state)) throw new Error('The state was not read whole');
  for (const table of tables.values()) {
    const { lists, source } = table.layout;
    for (const list of lists) {
      const fault = faults.get(list);
      if (fault) table.addFault(fault.first.message, fault.count);
    }
    for (const fields of source?.(state) ?? []) {
      options.signal?.throwIfAborted();
      table.add(fields);
    }
  }
  return {
    chain_id: state.header.chainId,
    height: state.header.height ?? null,
    time: stateClock(state.header, state.gov)?.toISOString() ?? null,
    source: { name: basename(file), size: stamp.size, sha256: hash.digest('hex') },
    notices,
  };
}

/** Balances are most of a large state: their cells stay bytes, in a copy of each chunk. */
function toSink(table: TableFile): BalanceSink {
  let chunk: Buffer | undefined;
  let copy = Buffer.alloc(0);
  return {
    add: (...cells) => table.addCells(cells),
    addRange: (bytes, address, denom, amount) => {
      if (bytes !== chunk) {
        chunk = bytes;
        copy = Buffer.from(bytes);
      }
      table.addCells([copy.subarray(...address), denom, copy.subarray(...amount)]);
    },
  };
}
