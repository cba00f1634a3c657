import { memberName, type Span, shownByte, textStart, type ValueKind, ValueSpan } from './jsonSpan.ts';
import { toKeptFault } from './keptValue.ts';
import { MisfitError, StateFileError, shortName } from './stateErrors.ts';

const quote = 0x22;

/**
 * Reads JSON bytes in chunks of any size and hands over the wanted values, whole. It enters only what is wanted; the rest
 * is skipped by brackets and quotes, at the speed of a bare loop. Any member order, white space and escapes; a BOM is
 * skipped. Faults that leave the structure readable (a wrong type, a repeated key, a refused value) go to `fault` and
 * reading goes on; `write` and `end` throw `StateFileError` for those that do not.
 */
export class Scanner {
  readonly #root: ObjectWant;
  readonly #fault: (error: StateFileError) => void;
  readonly #frames: Frame[] = [];
  /** Offset of the first byte of the current chunk. */
  #base = 0;
  #started = false;
  #finished = false;

  /** What the value that is being read is for. */
  #want: ValueWant | 'key' | 'rest' | undefined;
  readonly #span = new ValueSpan((reason, offset) => {
    throw this.#error(reason, offset);
  });

  constructor(root: ObjectWant, fault: (error: StateFileError) => void) {
    this.#root = root;
    this.#fault = fault;
  }

  /** Where reading stands: `app_state.gov.proposals[41]`. */
  get path(): string {
    return pathOf(this.#frames);
  }

  /** How many bytes have been read. */
  get offset(): number {
    return this.#base;
  }

  /** Reads the next bytes; `chunk` may be reused by the caller afterwards. */
  write(chunk: Buffer): void {
    let at = this.#started ? 0 : textStart(chunk);
    this.#started = true;
    while (at < chunk.length) at = this.#want ? this.#readValue(this.#want, chunk, at) : this.#step(chunk, at);
    if (this.#want) this.#span.suspend(chunk, this.#base);
    this.#base += chunk.length;
  }

  /** Says that no more bytes come. Throws where the JSON is cut off. */
  end(): void {
    if (this.#finished) return;
    throw this.#error(this.#started ? 'The JSON is cut off' : 'The file is empty', this.#base);
  }

  /** One byte of a container that was entered. */
  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    const frame = this.#frames.at(-1);
    if (!frame) {
      if (this.#finished) throw this.#unexpected(byte, at, 'the end of the file');
      if (byte !== 0x7b) throw this.#unexpected(byte, at, '"{"');
      return this.#enter(this.#root, byte, at);
    }
    const list = frame.want.kind === 'list';
    switch (frame.phase) {
      case 'colon':
        if (byte !== 0x3a) throw this.#unexpected(byte, at, '":"');
        frame.phase = 'value';
        return at + 1;
      case 'next':
        if (byte === 0x2c) {
          frame.phase = 'item';
          frame.key = '';
        } else if (byte === (list ? 0x5d : 0x7d)) this.#leave();
        else throw this.#unexpected(byte, at, list ? '"," or "]"' : '"," or "}"');
        return at + 1;
      case 'first':
      case 'item':
        if (frame.phase === 'first' && byte === (list ? 0x5d : 0x7d)) {
          this.#leave();
          return at + 1;
        }
        if (!list) {
          if (byte !== quote) throw this.#unexpected(byte, at, 'a member name in quotes');
          this.#begin('key', 'string', true, at);
          return at + 1;
        }
        frame.index++;
        frame.phase = 'next';
        return this.#element(frame, chunk, at);
      case 'value':
        frame.phase = 'next';
        return this.#enter(frame.want.kind === 'object' ? this.#memberWant(frame, at) : undefined, byte, at);
      default:
        return frame.phase satisfies never;
    }
  }

  #element(frame: Frame, chunk: Buffer, from: number): number {
    const { want } = frame;
    if (want.kind !== 'list') return from;
    if (want.isEnough?.()) {
      this.#want = 'rest';
      this.#span.beginRest(this.#base + from);
      return from;
    }
    const at = want.quick ? takeQuickly(frame, want.quick, chunk, from) : from;
    if (at > from && chunk[at - 1] !== 0x2c) return at;
    return this.#enter(frame.element, chunk[at] ?? 0, at);
  }

  #memberWant(frame: Frame, at: number): Want | undefined {
    if (frame.want.kind !== 'object') return undefined;
    const want = frame.want.member(frame.key);
    if (!frame.keys?.has(frame.key)) {
      frame.keys?.add(frame.key);
      return want;
    }
    if (want) this.#fault(this.#error(`The member "${shortName(frame.key)}" is there twice`, this.#base + at));
    return undefined;
  }

  /** Begins the value whose first byte is at `at`. */
  #enter(want: Want | undefined, byte: number, at: number): number {
    const container = byte === 0x7b || byte === 0x5b;
    if (want && want.kind !== 'value' && byte === (want.kind === 'list' ? 0x5b : 0x7b)) {
      this.#frames.push(toFrame(want));
      return at + 1;
    }
    if (!want || want.kind === 'value') {
      const kind = container ? 'container' : byte === quote ? 'string' : 'scalar';
      this.#begin(want ?? (kind === 'scalar' ? checked : skipped), kind, want !== undefined || kind === 'scalar', at);
      return byte === quote ? at + 1 : at;
    }
    if (container || byte === quote) {
      this.#fault(this.#error(`Expected ${want.kind === 'list' ? 'a list' : 'an object'}`, this.#base + at));
      return this.#enter(undefined, byte, at);
    }
    this.#begin(onlyNull(want), 'scalar', true, at);
    return at;
  }

  #leave(): void {
    const frame = this.#frames.pop();
    frame?.want.end?.();
    if (this.#frames.length === 0) this.#finished = true;
  }

  #begin(want: ValueWant | 'key', kind: ValueKind, keep: boolean, at: number): void {
    this.#want = want;
    this.#span.begin(kind, keep, this.#base + at);
  }

  #readValue(want: ValueWant | 'key' | 'rest', chunk: Buffer, from: number): number {
    const end = this.#span.end(chunk, from, this.#base);
    if (end < 0) return chunk.length;
    this.#want = undefined;
    if (want === 'rest') this.#leave();
    if (want === 'rest' || !this.#span.isKept) return end;
    const span = this.#span.take(chunk, end, this.#base);
    if (want === 'key') this.#takeKey(span);
    else this.#take(want, span);
    return end;
  }

  #takeKey(span: Span): void {
    const name = memberName(span);
    const frame = this.#frames.at(-1);
    if (!frame) return;
    if (name === undefined) throw this.#error('A member name is not valid JSON', this.#span.offset);
    frame.key = name;
    frame.phase = 'colon';
  }

  #take(want: ValueWant, span: Span): void {
    try {
      want.value(span.bytes, span.start, span.end, this.#frames.at(-1)?.index ?? 0);
    } catch (error) {
      const fault = toKeptFault(error, span, this.#span.offset, this.path);
      if (!fault || fault.isFatal) throw fault?.error ?? error;
      this.#fault(fault.error);
    }
  }

  #error(reason: string, offset: number): StateFileError {
    return new StateFileError(reason, offset, this.path);
  }

  #unexpected(byte: number, at: number, expected: string): StateFileError {
    return this.#error(`Not valid JSON: ${shownByte(byte)} where ${expected} belongs`, this.#base + at);
  }
}

/** What to do with a value: enter it as an object or a list, or keep its bytes. Whatever is not wanted is skipped unparsed. */
export type Want = ObjectWant | ListWant | ValueWant;

export interface ObjectWant {
  readonly kind: 'object';
  member(key: string): Want | undefined;
  end?(): void;
}

/** Takes one whole element: `bytes[start, end)` is its JSON, valid during the call only. Throws `MisfitError` to refuse it. */
export type Take = (bytes: Buffer, start: number, end: number, index: number) => void;

export interface ListWant {
  readonly kind: 'list';
  readonly element: Take;
  /** Tries to take the element that starts at `start` at once. Returns the index after it, or -1 to have it read as usual. */
  quick?(bytes: Buffer, start: number, end: number): number;
  /** Asked before each element: whether it and all after it may be skipped. */
  isEnough?(): boolean;
  end?(): void;
}

export interface ValueWant {
  readonly kind: 'value';
  readonly value: Take;
}

/** An object or a list that was entered, and how far it has been read. */
export interface Frame {
  readonly want: ObjectWant | ListWant;
  /** Of a list. */
  readonly element: ValueWant | undefined;
  /** Of an object: the members that it has had. */
  readonly keys: Set<string> | undefined;
  /** Member name, or "" before the first. */
  key: string;
  index: number;
  phase: 'first' | 'item' | 'colon' | 'value' | 'next';
}

/** A frame before its first member or element. */
export function toFrame(want: ObjectWant | ListWant): Frame {
  const isList = want.kind === 'list';
  return {
    want,
    element: isList ? { kind: 'value', value: want.element } : undefined,
    keys: isList ? undefined : new Set(),
    key: '',
    index: -1,
    phase: 'first',
  };
}

/** Where reading stands, the outermost frame first: `app_state.gov.proposals[41]`. */
export function pathOf(frames: readonly Frame[]): string {
  let path = '';
  for (const frame of frames) {
    if (frame.want.kind === 'list') path += `[${frame.index}]`;
    else if (frame.key) path += `${path ? '.' : ''}${frame.key}`;
  }
  return path;
}

/**
 * Takes elements from `from` on at once, as long as they stand in a row. Returns where the last one ends, or, after the
 * comma that follows it, where the first one begins that has to be read as usual.
 */
export function takeQuickly(frame: Frame, quick: NonNullable<ListWant['quick']>, chunk: Buffer, from: number): number {
  const last = chunk.length - 1;
  let at = from;
  for (;;) {
    const end = quick(chunk, at, chunk.length);
    if (end < 0) return at;
    if (end >= last || chunk[end] !== 0x2c || chunk[end + 1] !== 0x7b) return end;
    at = end + 1;
    frame.index++;
  }
}

/** A value that nobody wants. */
export const skipped: ValueWant = { kind: 'value', value: () => undefined };

/** A number or a word is always checked: it is short, and garbage shows there first. */
export const checked: ValueWant = {
  kind: 'value',
  value: (bytes, start, end) => void JSON.parse(bytes.toString('utf8', start, end)),
};

/** What stands where an object or a list belongs and is neither: null counts as an empty one, all else is a misfit. */
export function onlyNull(want: ObjectWant | ListWant): ValueWant {
  return {
    kind: 'value',
    value: (bytes, start, end) => {
      const value: unknown = JSON.parse(bytes.toString('utf8', start, end));
      if (value !== null) throw new MisfitError(`Expected ${want.kind === 'list' ? 'a list' : 'an object'}`, '');
      want.end?.();
    },
  };
}
