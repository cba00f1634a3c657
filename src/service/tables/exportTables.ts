import { basename } from 'node:path';
import type { BalanceSink, Range } from '../holders/balances.ts';
import { scalarText } from '../scan/jsonValue.ts';
import { type StateFileError, ValueError } from '../serviceErrors.ts';
import { type StateEvents, stateModuleOf } from '../state.ts';
import { longestAddress } from '../stateAddresses.ts';
import { maxTables, type ScanOptions, scanFile } from '../stateFile.ts';
import type { ModuleName } from '../stateSnapshot.ts';
import type { TableFile } from './tableFile.ts';
import type { Manifest, TableFolderJob, TablesOrigin } from './tableFolder.ts';
import type { TableName } from './tables.ts';

/** An export of the tables of a state file into a folder. */
export interface TablesExport extends TableFolderJob {
  readonly file: string;
  /** The memory of the thread, as in `ServiceOptions`. */
  readonly maxHeap?: number | undefined;
}

export type ExportOptions = Pick<ScanOptions, 'signal' | 'onProgress'>;

/** The messages of an export's thread. The last one is `exported` or `failed`. */
export type ExportMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly size: number }
  | { readonly type: 'exported'; readonly manifest: Manifest }
  | { readonly type: 'failed'; readonly text: string };

/** Writes the tables of a state in one pass over the file. Rejects with one sentence, and as `writeTables` does. */
export async function writeStateTables(job: TablesExport, options: ExportOptions = {}): Promise<Manifest> {
  const { writeTables } = await import('./tableFolder.ts');
  let unpacked = 0;
  const onJson = (bytes: number): void => {
    unpacked += bytes;
  };
  const fillAll = (tables: ReadonlyMap<TableName, TableFile>): Promise<TablesOrigin> =>
    fill(job, tables, { ...options, onJson });
  return writeTables(job, options.signal, fillAll, () => unpacked);
}

async function fill(
  { file, maxHeap }: TablesExport,
  tables: ReadonlyMap<TableName, TableFile>,
  options: ExportOptions & Pick<ScanOptions, 'onJson'>,
): Promise<TablesOrigin> {
  // Loaded here, so that a thread that only reads a state does not wait for it.
  const hash = (await import('node:crypto')).createHash('sha256');
  const balances = tables.get('balances');
  const delegations = tables.get('delegations');
  const failures = new Map<ModuleName, StateFileError>();
  const events: StateEvents = {
    onFault: (module, error) => void failures.set(module, error),
    balances: balances && toSink(balances),
    staking: {
      delegation: (...cells) => delegations?.addCells(cells),
      delegationRange: delegations ? toSink(delegations).addRange : () => undefined,
      unbonding: (delegation, entry) => {
        checkAddress(scalarText(delegation.delegator_address).length, '.delegator_address');
        checkAddress(scalarText(delegation.validator_address).length, '.validator_address');
        tables.get('unbonding_delegations')?.addRow({ ...delegation, ...entry });
      },
    },
  };
  const { stamp, reader } = await scanFile(file, events, {
    ...options,
    split: tables.has('supply_split'),
    maxTables: maxTables(maxHeap),
    onBytes: (bytes) => hash.update(bytes),
  });
  const { modules: state, notices, faults } = reader;
  for (const table of tables.values()) {
    const { lists, source } = table.layout;
    const failure = failures.get(stateModuleOf(lists[0]?.split('.')[0]) ?? 'header');
    if (failure) table.addFault(failure.message);
    for (const list of lists) {
      const fault = faults.get(list);
      if (fault) table.addFault(fault.first.message, fault.count);
    }
    await table.addAll(source?.(state) ?? [], options.signal);
  }
  const { header } = state;
  return {
    chain_id: header?.chainId ?? '',
    height: header?.height ?? null,
    time: state.clock?.time === undefined ? null : new Date(state.clock.time).toISOString(),
    time_from: state.clock?.from ?? null,
    source: { name: basename(file), size: stamp.size, sha256: hash.digest('hex') },
    notices: [
      ...[...failures].map(([module, { message }]) => `Cannot read the ${module} module: ${message}`),
      ...notices,
    ],
  };
}

const tooLong = `Longer than ${longestAddress} characters`;

/** Limits addresses. An address is written with each coin or entry, so it must not be as long as a row may be. */
function checkAddress(length: number, path: string): void {
  if (length > longestAddress) throw new ValueError(tooLong, path);
}

/** Takes balances and delegations, most of a large state. Their cells stay bytes, in a copy of each chunk. */
function toSink(table: TableFile): BalanceSink {
  let chunk: Buffer | undefined;
  let copy = new ArrayBuffer();
  /** The account of the row before. A balance has one row for each of its coins. */
  let account = new Uint8Array();
  const part = ([start, end]: Range): Uint8Array<ArrayBuffer> => new Uint8Array(copy, start, end - start);
  return {
    add: (...cells): void => {
      checkAddress(cells[0].length, '.address');
      table.addCells(cells);
    },
    addRange: (bytes, address, denom, amount): void => {
      if (address[1] - address[0] > longestAddress) {
        table.addFault(tooLong);
        return;
      }
      if (bytes !== chunk) {
        chunk = bytes;
        copy = new Uint8Array(bytes).buffer;
        account = part(address);
      } else if (account.byteOffset !== address[0]) account = part(address);
      table.addCells([account, denom, part(amount)]);
    },
  };
}
