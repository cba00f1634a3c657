import { scriptEngine } from '../../../src/service/scan/scanEngine.ts';
import type { StateFileError } from '../../../src/service/serviceErrors.ts';
import { StateReader } from '../../../src/service/state.ts';
import type { State } from '../../../src/service/stateSnapshot.ts';
import { type KeyedTable, rowAt } from '../../../src/service/table.ts';

export interface Scanned {
  readonly parts: Partial<State>;
  readonly faults: readonly StateFileError[];
  readonly notices: readonly string[];
}

/** Scans JSON text (or a value) in chunks of `size` bytes. Throws what the scan throws. */
export function scanText(content: unknown, size = 1 << 20): Scanned {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  return scanBytes(bytes, size);
}

export function scanBytes(bytes: Buffer, size = 1 << 20): Scanned {
  const faults: StateFileError[] = [];
  const scan = new StateReader({ onFault: (_name, error) => faults.push(error) }, scriptEngine());
  // Every chunk comes in the same buffer, as from a file: what is kept must have been copied.
  const buffer = Buffer.alloc(Math.min(size, bytes.length));
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(buffer, 0, at, at + size);
    scan.scanner.write(buffer.subarray(0, length));
  }
  scan.end();
  scan.endSplit();
  return { parts: scan.modules, faults, notices: scan.notices };
}

/** The rows of a table as values. */
export function rowsOf(table: KeyedTable | undefined): unknown[] {
  return Array.from({ length: table?.count ?? 0 }, (_, at) => table && JSON.parse(rowAt(table, at)));
}

/** `denom amount` of each coin of the supply. */
export function coinsOf({ parts }: Scanned): string[] {
  return rowsOf(parts.bank?.supply).map((coin) => `${Object(coin).denom} ${Object(coin).amount}`);
}
