import { type Fields, scalarText } from './jsonValue.ts';
import { shorten, ValueError } from './serviceErrors.ts';
import { type Table, toByteText, toTable } from './table.ts';

/** The accounts of modules that a state holds. */
export interface ModuleAccounts {
  /** Row: the account as nodes of today answer it, by name. Undefined where the state holds no accounts. */
  readonly accounts: Table | undefined;
}

/** Characters of a name or of a permission. */
const longestName = 200;
const maxPermissions = 20;
/** Chains have less than a hundred. */
const maxAccounts = 10_000;

/** Collects the accounts of modules while the accounts of a state are read. */
export class ModuleAccountReader {
  /** By key: the name and the address. */
  readonly #rows = new Map<string, string>();
  /** Whether the state holds accounts. */
  hasAccounts = false;

  /** Any account, as `flatten` gives it. */
  read(account: Fields): void {
    this.hasAccounts = true;
    const { address } = account;
    // Until SDK 0.37 the names say that it belongs to a module, and no type.
    const { name = account.module_name, permissions = account.module_permissions } = account;
    if (!isModule(account) || typeof address !== 'string' || address.length > longestName) return;
    if (typeof name !== 'string' || name === '' || this.#rows.size > maxAccounts) return;
    const [shown, allowed] = [shorten(name, longestName), Array.isArray(permissions) ? permissions : []];
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
        .map((permission) => shorten(permission, longestName)),
    };
    this.#rows.set(`${toByteText(shown)}\0${toByteText(address)}`, JSON.stringify(row));
  }

  /** Throws `ValueError` where the state holds more than a chain can have. */
  finish(): ModuleAccounts {
    if (this.#rows.size > maxAccounts) throw new ValueError(`More than ${maxAccounts} accounts of modules`);
    const rows = [...this.#rows].map(([key, row]) => ({ key, row }));
    return { accounts: this.hasAccounts ? toTable(rows) : undefined };
  }
}

function isModule({ '@type': type, type: aminoType, module_name: name }: Fields): boolean {
  return /[./]ModuleAccount$/.test(scalarText(type ?? aminoType)) || scalarText(name) !== '';
}
