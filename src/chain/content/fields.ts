import { contentTypes } from './fieldTables.ts';
import { moduleMessages, moduleTypes } from './moduleTables.ts';
import { enums, nestedTypes } from './nestedTables.ts';

/** How one field reads; `type` is a scalar word (`u64`, `json`, …), the name of a nested type or of an enum. */
export interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly optional: boolean;
}

/** The fields of a content or message by its full name without a leading slash; undefined where it is not known. */
export function fieldsOf(typeName: string): readonly Field[] | undefined {
  const dot = typeName.lastIndexOf('.');
  const [inside, name] = [typeName.slice(0, dot), typeName.slice(dot + 1)];
  const line = own(own(contentTypes, inside), name) ?? own(own(moduleMessages, inside), name);
  if (line === undefined) return undefined;
  return toFields(name.startsWith('Msg') ? line : ['title', 'description', line].filter(Boolean).join(','));
}

/** The fields of a nested type by its short name. */
export function nestedFields(name: string): readonly Field[] | undefined {
  const line = own(nestedTypes, name) ?? own(moduleTypes, name);
  return line === undefined ? undefined : toFields(line);
}

/** The names of an enum, or undefined where `type` is no enum. */
export function enumNames(type: string): readonly string[] | undefined {
  return own(enums, type);
}

function toFields(line: string): Field[] {
  const fields: Field[] = [];
  for (const [, jump, name = '', optional, repeated, type = 'string'] of line.matchAll(
    /(?:(\d+)=)?(\w+)(\?)?(?::(\*)?(\w+))?/g,
  )) {
    const number = jump ? Number(jump) : (fields.at(-1)?.number ?? 0) + 1;
    fields.push({ number, name, type, repeated: repeated === '*', optional: optional === '?' });
  }
  return fields;
}

function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}
