import { type Fields, isFields, ownValue } from '../../chain/fields.ts';
import { shownText } from '../../chain/text.ts';
import { ToolError } from './toolError.ts';

/** The name of a tool and the form of its input. */
export interface ToolForm {
  /** `{verb}_{noun}`, the name in every protocol. */
  readonly name: string;
  readonly inputSchema: InputSchema;
}

/** A JSON Schema of the few forms that all clients understand. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Parameter>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** One member of an input. */
export interface Parameter {
  readonly type: 'string' | 'integer' | 'boolean' | readonly ('string' | 'integer')[];
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The limit for a text in characters. */
  readonly maxLength?: number;
  readonly default?: number;
}

/** The source, a parameter of nearly every tool. */
export const sourceParameter: Parameter = {
  type: 'string',
  description: 'Name, address or chain ID. Default: the current source.',
};

/** The block of the past, a parameter of tools that can ask a node at a height. */
export const heightParameter: Parameter = {
  type: 'integer',
  minimum: 1,
  description: 'Nodes only: the state after this block.',
};

/** The number of rows, a parameter of lists. */
export const limitParameter = {
  type: 'integer',
  minimum: 1,
  maximum: 200,
  default: 20,
  description: 'Maximum rows.',
} as const;

/** The limit for a text that rows have to hold, in characters. */
export const maxTextLength = 200;

/** The key, a parameter of lists with more than one page. */
export const keyParameter: Parameter = {
  type: 'string',
  description: '"next_key" of the last answer.',
};

/** The members of an input, each fitting its schema. Null and "" count as absent. */
export class ToolInput {
  readonly #tool: ToolForm;
  readonly #values: Fields;

  /** Checks the input. Throws a `ToolError` that names the fault, and the expected form. */
  constructor(tool: ToolForm, value: unknown) {
    this.#tool = tool;
    const { name, inputSchema } = tool;
    const { properties, required = [] } = inputSchema;
    const names = Object.keys(properties).join(', ');
    const given = isFields(value) ? value : {};
    if (value !== undefined && value !== null && !isFields(value))
      throw new ToolError('input', `${name} takes an object with these members: ${names}.`);
    this.#values = Object.fromEntries(Object.entries(given).filter(([, one]) => one != null && one !== ''));
    for (const [key, one] of Object.entries(this.#values)) {
      const parameter = ownValue(properties, key);
      if (!parameter) throw new ToolError('input', `${name} has no "${shownText(key, 50)}".`, `It accepts: ${names}.`);
      const expected = fault(parameter, one);
      if (expected !== undefined)
        throw new ToolError('input', `"${key}" of ${name} must be ${expected}.`, flagNamed(properties, one));
    }
    for (const key of required)
      if (!Object.hasOwn(this.#values, key))
        throw new ToolError('input', `${name} needs "${key}".`, properties[key]?.description);
  }

  /** The given members, without those that count as absent. */
  get members(): Fields {
    return this.#values;
  }

  /** Gives the same input with other members. */
  with(members: Fields): ToolInput {
    return new ToolInput(this.#tool, { ...this.#values, ...members });
  }

  /** Gives a text, or an integer in digits. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    return value === undefined ? undefined : String(value);
  }

  number(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === 'number' ? value : undefined;
  }

  isSet(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Gives a flag. Undefined if it is left out. */
  flag(name: string): boolean | undefined {
    const value = this.#values[name];
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Reads a whole number of any length. Throws a `ToolError` for another text. */
  digits(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d{1,40}$/.test(text)) return BigInt(text);
    throw new ToolError('input', `"${name}" must be a whole number in base units, without separators.`);
  }

  /** Reads a time in UTC, or a date. Throws a `ToolError` for another text. */
  time(name: string): Date | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const time = new Date(/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? text : Number.NaN);
    if (!Number.isNaN(time.getTime())) return time;
    throw new ToolError('input', `"${name}" must be a time in UTC, such as "2026-12-31T00:00:00Z", or a date.`);
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return values.find((value) => value === this.#values[name]);
  }
}

/** Names the flag that a value for another parameter means, if it is the name of one. */
function flagNamed(properties: InputSchema['properties'], value: unknown): string {
  const isFlag = typeof value === 'string' && Object.hasOwn(properties, value) && properties[value]?.type === 'boolean';
  return isFlag ? `Use "${value}": true.` : '';
}

/** Tells the form that a parameter must have, if a value has another. */
function fault(
  { type, enum: values, minimum, maximum, maxLength = Infinity }: Parameter,
  value: unknown,
): string | undefined {
  const types = typeof type === 'string' ? [type] : type;
  const found = Number.isSafeInteger(value) ? 'integer' : typeof value;
  if (!types.some((one) => one === found)) return types.map((one) => kinds[one]).join(', or ');
  if (values && !values.some((one) => one === value)) return `one of: ${values.join(', ')}`;
  if (typeof value === 'string' && value.length > maxLength) return `a string of at most ${maxLength} characters`;
  const isOutside = typeof value === 'number' && (value < (minimum ?? value) || value > (maximum ?? value));
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return isOutside ? `a whole number ${range}` : undefined;
}

const kinds = { string: 'a string', integer: 'a whole number', boolean: 'true or false' } as const;
