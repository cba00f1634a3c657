import { type Fields, isFields } from '../../chain/fields.ts';

type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** A JSON Schema with the few forms that answers need. Other members than the named ones may be there. */
export interface ValueSchema {
  readonly type: ValueType | readonly ValueType[];
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly items?: ValueSchema;
  /** The schema of members with any name. */
  readonly additionalProperties?: ValueSchema;
  /** Set for a member that few answers have. It is checked, but clients do not get its schema. */
  readonly isRare?: true;
}

/** A schema that all values of type `T` fit, which `fits` checks. `T` exists for the type check only. */
export interface Schema<T> extends ValueSchema {
  readonly valueType?: T;
}

/** The type of the values that a schema describes. */
export type ValueOf<S> = S extends Schema<infer T> ? T : never;

/** The schema of a tool's answer. */
export interface AnswerSchema<T extends Fields = Fields> extends Schema<T> {
  readonly type: 'object';
  readonly properties: Properties;
  readonly required: readonly string[];
}

type Properties = Readonly<Record<string, ValueSchema>>;

/** An object with members of these schemas. The members in `Required` are always there. */
type Members<P extends Properties, Required extends PropertyKey> = {
  readonly [Name in keyof P as Name extends Required ? Name : never]: ValueOf<P[Name]>;
} & { readonly [Name in keyof P as Name extends Required ? never : Name]?: ValueOf<P[Name]> | undefined };

export const text: Schema<string> = { type: 'string' };
export const count: Schema<number> = { type: 'integer' };
/** A whole number or a fraction. */
export const number: Schema<number> = { type: ['integer', 'number'] };
export const flag: Schema<boolean> = { type: 'boolean' };
/** An object with members of any name. */
export const record: Schema<Fields> = { type: 'object' };

/** A text, or an object with members of any name. */
export const textOrRecord: Schema<string | Fields> = { type: ['object', 'string'] };

/** Makes the schema of an object with members of any name, each with this schema. */
export function recordOf<T>(members: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: members };
}

/** Makes a schema that allows null, for a value that is not known. The reason stands under `unknown`. */
export function maybe<T>(schema: Schema<T>): Schema<T | null> {
  const { valueType: _none, ...own } = schema;
  return { ...own, type: [...(typeof schema.type === 'string' ? [schema.type] : schema.type), 'null'] };
}

/** Marks a member that few answers have. Clients do not get its schema. */
export function rarely<T>(schema: Schema<T>): Schema<T> {
  return { ...schema, isRare: true };
}

export function listOf<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: 'array', items };
}

/** Makes the schema of a text or a list. */
export function textOrList<T>(items: Schema<T>): Schema<string | readonly T[]> {
  return { type: ['string', 'array'], items };
}

/** Makes the schema of an object. The members in `required` are always there. */
export function membersOf<const P extends Properties, Required extends keyof P & string = never>(
  properties: P,
  ...required: readonly Required[]
): Schema<Members<P, Required>> {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** An amount in base units, and in display units if these are known. */
export const amountSchema = membersOf({ amount: text, display_amount: text, exact_amount: rarely(text) }, 'amount');

/** The members of an amount with its denom. */
export const coinMembers = {
  amount: text,
  untrusted_denom: text,
  display_amount: text,
  untrusted_symbol: text,
} as const;

/** An amount with its denom. After the amounts of a long list stands the number of the others. */
export const denomAmountSchema = membersOf({ ...coinMembers, more_amounts: count, exact_amount: rarely(text) });

/** The source of the facts, and their time. */
export const headMembers = {
  source: text,
  chain_id: maybe(text),
  height: maybe(text),
  time: maybe(text),
  estimated: text,
  unknown: record,
  untrusted_chain_id: rarely(text),
  time_estimated_from: rarely(text),
  untrusted_height_notice: rarely(text),
  untrusted_notices: rarely(listOf(text)),
  more_notices: rarely(count),
} as const;

/** The members of the head that every answer has. */
export const headRequired = ['source', 'height', 'time'] as const;

type Head = typeof headMembers;
type HeadRequired = (typeof headRequired)[number];

/** The source of the facts of an answer, and their time. */
export type AnswerHead = Members<Head, HeadRequired>;

/** The part of a list that an answer holds. */
export const listMetadataSchema = membersOf(
  { total: maybe(count), returned: count, truncated: flag, next_key: maybe(text) },
  'returned',
  'truncated',
  'next_key',
);

/** The part of a list that an answer holds. */
export type ListMetadata = ValueOf<typeof listMetadataSchema>;

/** Makes the schema of an answer about one source. */
export function answerSchema<const P extends Properties, Required extends keyof P & string = never>(
  members: P,
  ...required: readonly Required[]
): AnswerSchema<AnswerHead & Members<P, Required>> {
  return { type: 'object', properties: { ...headMembers, ...members }, required: [...headRequired, ...required] };
}

/** The members of a list of one source after its head, with its rows under `name`. */
export type ListOf<Name extends string, Row, P extends Properties> = { readonly metadata: ListMetadata } & {
  readonly [Own in Name]: readonly Row[];
} & Members<P, never>;

/** Makes the schema of a list of one source, with its rows under `name`. */
export function listSchema<const Name extends string, Row, const P extends Properties = Record<never, ValueSchema>>(
  name: Name,
  row: Schema<Row>,
  members?: P,
): AnswerSchema<AnswerHead & ListOf<Name, Row, P>> {
  const { properties, required } = bareListSchema(name, row, members);
  return { type: 'object', properties: { ...headMembers, ...properties }, required: [...headRequired, ...required] };
}

/** Makes the schema of a list that has no head of its own. */
export function bareListSchema<const Name extends string, Row, const P extends Properties = Record<never, ValueSchema>>(
  name: Name,
  row: Schema<Row>,
  members?: P,
): AnswerSchema<ListOf<Name, Row, P>> {
  return {
    type: 'object',
    properties: { ...members, metadata: listMetadataSchema, [name]: listOf(row) },
    required: ['metadata', name],
  };
}

/** Gives the schema for clients, without members that few answers have. */
export function toldSchema<T extends Fields>(schema: AnswerSchema<T>): AnswerSchema<T> {
  return { ...schema, properties: toldMembers(schema.properties) };
}

function toldMembers(properties: Properties): Properties {
  const told = Object.entries(properties).filter(([, { isRare }]) => !isRare);
  return Object.fromEntries(told.map(([name, schema]) => [name, toldValue(schema)]));
}

function toldValue(schema: ValueSchema): ValueSchema {
  const { properties, items, additionalProperties: others, isRare: _told, ...own } = schema;
  return {
    ...own,
    ...(others ? { additionalProperties: toldValue(others) } : {}),
    ...(properties ? { properties: toldMembers(properties) } : {}),
    ...(items ? { items: toldValue(items) } : {}),
  };
}

/** True if a value fits a schema. */
export function fits<T>(schema: Schema<T>, value: unknown): value is T {
  return misfitOf(schema, value) === undefined;
}

/** Gives the path at which an answer does not match its schema (`proposals.3.id`). Undefined if it matches. */
export function misfitOf(schema: ValueSchema, value: unknown, path = ''): string | undefined {
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  if (!types.some((type) => type === typeOf(value))) return path || '.';
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) {
    const { items } = schema;
    const at = items ? value.findIndex((item) => misfitOf(items, item) !== undefined) : -1;
    return items && at >= 0 ? misfitOf(items, value[at], below(String(at))) : undefined;
  }
  if (!isFields(value)) return undefined;
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return below(missing);
  const { properties = {}, additionalProperties: others } = schema;
  const named = others ? Object.fromEntries(Object.keys(value).map((name) => [name, others])) : properties;
  for (const [name, inner] of Object.entries(named)) {
    const misfit =
      Object.hasOwn(value, name) && value[name] !== undefined ? misfitOf(inner, value[name], below(name)) : undefined;
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function typeOf(value: unknown): ValueType | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isSafeInteger(value)) return 'integer';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'object' ? type : undefined;
}
