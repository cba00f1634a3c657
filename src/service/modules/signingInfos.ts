import type { ObjectVisitor } from '../scan/jsonScanner.ts';
import { isParsedObject, objectVisitor, rowsVisitor } from '../scan/jsonValue.ts';
import { ValueError } from '../serviceErrors.ts';
import { toAddressKey } from '../stateAddresses.ts';
import { type KeyedTable, toTable } from '../table.ts';

/** The signing infos of validators: the blocks that each has missed, and until when it is jailed. */
export interface SigningInfos {
  /** In the form of nodes, by consensus address; undefined if the state lists none. */
  readonly infos: KeyedTable | undefined;
}

/** Collects signing infos while `app_state.slashing` is read. Rows of another form are passed over. */
export class SigningInfoReader {
  /** Rows by address. */
  readonly #rows = new Map<string, string>();
  #isListed = false;
  #left: number;

  /** `space` is the number of bytes for all rows. */
  constructor(space: number) {
    this.#left = space;
  }

  visitor(): ObjectVisitor {
    const rows = rowsVisitor((row) => this.#read(row));
    const end = (): void => {
      this.#isListed = true;
    };
    return objectVisitor({ signing_infos: { ...rows, isOptional: true, end } });
  }

  /** Reads `{address, validator_signing_info}`, as states since SDK 0.38 write it. */
  #read(row: unknown): void {
    const info = isParsedObject(row) ? row.validator_signing_info : undefined;
    const address = isParsedObject(row) ? row.address : undefined;
    if (!isParsedObject(info) || typeof address !== 'string' || address.length > 200) return;
    const { jailed_until, tombstoned, missed_blocks_counter, start_height, index_offset } = info;
    const stated = { address, start_height, index_offset, jailed_until, tombstoned, missed_blocks_counter };
    const json = JSON.stringify(stated);
    this.#left -= json.length + address.length;
    if (this.#left >= 0) this.#rows.set(address, json);
  }

  /** Ends the scan. Throws `ValueError` if the rows take more than their space. */
  finish(): SigningInfos {
    if (this.#left < 0) throw new ValueError('The signing infos need more memory than the limit allows');
    const rows = [...this.#rows].map(([address, row]) => ({ key: toAddressKey(address), row }));
    return { infos: this.#isListed ? toTable(rows) : undefined };
  }
}
