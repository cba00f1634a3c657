import type { Fields } from '../../chain/fields.ts';
import { scalarText } from '../scan/jsonValue.ts';
import { shortenMiddle, ValueError } from '../serviceErrors.ts';
import { type KeyedTable, toByteText, toTable } from '../table.ts';

/** The module accounts that a state holds. */
export interface ModuleAccounts {
  /** Accounts by name, each row as current nodes answer it. Undefined if the state holds no accounts. */
  readonly accounts: KeyedTable | undefined;
}

/** The longest name or permission that is written, in characters. */
const longestName = 200;
const maxPermissions = 20;
/** The limit for module accounts. Real chains have fewer than a hundred. */
const maxAccounts = 10_000;

/** Collects module accounts while the accounts of a state are read. */
export class ModuleAccountReader {
  /** Rows by name and address. */
  readonly #rows = new Map<string, string>();
  /** True once the state is known to hold accounts. */
  hasAccounts = false;

  /** Reads any account, in the form that `flatten` gives. */
  read(account: Fields): void {
    this.hasAccounts = true;
    const { address } = account;
    // SDK 0.37 and earlier write no type. There, the names of the fields tell a module account.
    const { name = account.module_name, permissions = account.module_permissions } = account;
    if (!isModule(account) || typeof address !== 'string' || address.length > longestName) return;
    if (typeof name !== 'string' || name === '' || this.#rows.size > maxAccounts) return;
    const [shown, allowed] = [shortenMiddle(name, longestName), Array.isArray(permissions) ? permissions : []];
    const number = (value: unknown): string => (/^\d{1,20}$/.test(scalarText(value)) ? scalarText(value) : '0');
    const row = {
      '@type': '/cosmos.auth.v1beta1.ModuleAccount',
      base_account: {
        address,
        pub_key: null,
        account_number: number(account.account_number),
        sequence: number(account.sequence ?? account.sequence_number),
      },
      name: shown,
      permissions: allowed
        .filter((permission) => typeof permission === 'string')
        .slice(0, maxPermissions)
        .map((permission) => shortenMiddle(permission, longestName)),
    };
    this.#rows.set(`${toByteText(shown)}\0${toByteText(address)}`, JSON.stringify(row));
  }

  /** Ends the scan. Throws `ValueError` if the state holds more module accounts than the limit. */
  finish(): ModuleAccounts {
    if (this.#rows.size > maxAccounts) throw new ValueError(`More than ${maxAccounts} module accounts`);
    const rows = [...this.#rows].map(([key, row]) => ({ key, row }));
    return { accounts: this.hasAccounts ? toTable(rows) : undefined };
  }
}

function isModule({ '@type': type, type: aminoType, module_name: name }: Fields): boolean {
  return /[./]ModuleAccount$/.test(scalarText(type ?? aminoType)) || scalarText(name) !== '';
}
