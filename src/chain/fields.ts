export type Fields = Readonly<Record<string, unknown>>;

/** True for a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives a member of any value from outside; undefined if it has none. */
export function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Gives the value that a table has for a name from outside. A name of `Object.prototype` has none. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Gives the name of a field without case and underscores, so that `min_deposit` and `minDeposit` are the same. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** Gives the fields except those with these names. */
export function without(fields: Fields, names: Iterable<string>): Fields {
  const left = new Set(names);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name)));
}

/** The value at a path of names: `block.max_gas`; undefined if it is not there. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, name) => (isFields(inner) ? inner[name] : undefined), value);
}
