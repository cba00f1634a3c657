import type { Fields } from '../../chain/fields.ts';
import { shownText } from '../../chain/text.ts';
import { ToolError } from '../question/toolError.ts';

/** The members of an answer by the names that `fields` accepts. */
export type FieldMembers = Readonly<Record<string, readonly string[]>>;

/** Reads `fields`. Undefined for all members. Throws a `ToolError` for a name that is not in the table. */
export function readWantedFields(text: string | undefined, table: FieldMembers): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'id' && name !== '');
  const wrong = names.find((name) => !Object.hasOwn(table, name));
  if (wrong !== undefined)
    throw new ToolError(
      'input',
      `"fields" has no "${shownText(wrong, 50)}".`,
      `Use any of these, separated by commas: ${Object.keys(table).join(', ')}.`,
    );
  return new Set(names.flatMap((name) => table[name] ?? []));
}

/** Gives the members that are wanted, with the reasons for unknown ones. */
export function narrowed(row: Fields, members: ReadonlySet<string> | undefined): Fields {
  if (!members) return row;
  const { id, unknown, ...others } = row;
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => members.has(name)));
  const why = Object.entries(unknown ?? {}).filter(([name]) => members.has(name));
  return { id, ...kept, ...(why.length > 0 ? { unknown: Object.fromEntries(why) } : {}) };
}
