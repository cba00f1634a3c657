import { walkJson } from './jsonWalk.ts';
import { MisfitError, StateFileError } from './stateFileError.ts';

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
  end?(): void;
}

export interface ValueWant {
  readonly kind: 'value';
  readonly value: Take;
}

interface Frame {
  readonly want: ObjectWant | ListWant;
  readonly keys: Set<string> | undefined;
  /** Member name, or "" before the first. */
  key: string;
  index: number;
  phase: 'first' | 'item' | 'colon' | 'value' | 'next';
}

const quote = 0x22;
const backslash = 0x5c;
const longestString = 0x1fffffe8;
const largestKept = 128 * 1024 * 1024;
const longestScalar = 4096;
const deepest = 1_000_000;
/** `JSON.stringify` and every later reader of a kept value recurse. */
const deepestKept = 500;

const skipped: ValueWant = { kind: 'value', value: () => undefined };
/** A number or a word is always checked: it is short, and garbage shows there first. */
const checked: ValueWant = {
  kind: 'value',
  value: (bytes, start, end) => void JSON.parse(bytes.toString('utf8', start, end)),
};

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

  // The value or key being read, which may span chunks.
  #want: ValueWant | 'key' | undefined;
  #kind: 'container' | 'string' | 'scalar' = 'scalar';
  #valueAt = 0;
  #stringAt = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #keep = false;
  #pieces: Buffer[] = [];
  #brackets = new Uint8Array(1024);

  constructor(root: ObjectWant, fault: (error: StateFileError) => void) {
    this.#root = root;
    this.#fault = fault;
  }

  /** Where reading stands: `app_state.gov.proposals[41]`. */
  get path(): string {
    let path = '';
    for (const frame of this.#frames) {
      if (frame.want.kind === 'list') path += `[${frame.index}]`;
      else if (frame.key) path += `${path ? '.' : ''}${frame.key}`;
    }
    return path;
  }

  /** Reads the next bytes; `chunk` may be reused by the caller afterwards. */
  write(chunk: Buffer): void {
    let at = 0;
    if (!this.#started) at = this.#start(chunk);
    while (at < chunk.length) at = this.#want ? this.#readValue(chunk, at) : this.#step(chunk, at);
    if (this.#want) this.#suspend(chunk);
    this.#base += chunk.length;
  }

  /** Says that no more bytes come. Throws where the JSON is cut off. */
  end(): void {
    if (this.#finished) return;
    throw this.#error(this.#started ? 'The JSON is cut off' : 'The file is empty', this.#base);
  }

  #start(chunk: Buffer): number {
    this.#started = true;
    if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) return 3;
    if ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff))
      throw this.#error('The text is UTF-16, not UTF-8', 0);
    return 0;
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
    let at = from;
    if (want.quick) {
      for (;;) {
        const end = want.quick(chunk, at, chunk.length);
        if (end < 0) break;
        if (chunk[end] !== 0x2c || chunk[end + 1] !== 0x7b) return end;
        at = end + 1;
        frame.index++;
      }
    }
    return this.#enter({ kind: 'value', value: want.element }, chunk[at] ?? 0, at);
  }

  #memberWant(frame: Frame, at: number): Want | undefined {
    if (frame.want.kind !== 'object') return undefined;
    const want = frame.want.member(frame.key);
    if (!frame.keys?.has(frame.key)) {
      frame.keys?.add(frame.key);
      return want;
    }
    if (want) this.#fault(this.#error(`The member "${frame.key}" is there twice`, this.#base + at));
    return undefined;
  }

  /** Begins the value whose first byte is at `at`. */
  #enter(want: Want | undefined, byte: number, at: number): number {
    const container = byte === 0x7b || byte === 0x5b;
    if (want && want.kind !== 'value' && byte === (want.kind === 'list' ? 0x5b : 0x7b)) {
      const keys = want.kind === 'object' ? new Set<string>() : undefined;
      this.#frames.push({ want, keys, key: '', index: -1, phase: 'first' });
      return at + 1;
    }
    if (!want || want.kind === 'value') {
      if (container) this.#begin(want ?? skipped, 'container', want !== undefined, at);
      else if (byte === quote) this.#begin(want ?? skipped, 'string', want !== undefined, at);
      else this.#begin(want ?? checked, 'scalar', true, at);
      return byte === quote ? at + 1 : at;
    }
    if (container || byte === quote) {
      this.#fault(this.#error(`Expected ${want.kind === 'list' ? 'a list' : 'an object'}`, this.#base + at));
      return this.#enter(undefined, byte, at);
    }
    this.#begin({ kind: 'value', value: (bytes, start, end) => onlyNull(want, bytes, start, end) }, 'scalar', true, at);
    return at;
  }

  #leave(): void {
    const frame = this.#frames.pop();
    frame?.want.end?.();
    if (this.#frames.length === 0) this.#finished = true;
  }

  #begin(want: ValueWant | 'key', kind: 'container' | 'string' | 'scalar', keep: boolean, at: number): void {
    this.#want = want;
    this.#kind = kind;
    this.#keep = keep;
    this.#valueAt = this.#base + at;
    this.#stringAt = this.#valueAt;
    this.#inString = kind === 'string';
    this.#escaped = false;
    this.#depth = 0;
  }

  #readValue(chunk: Buffer, from: number): number {
    const end = this.#kind === 'scalar' ? scalarEnd(chunk, from) : this.#valueEnd(chunk, from);
    if (end < 0) return chunk.length;
    this.#finishValue(chunk, end);
    return end;
  }

  /** The chunk ends inside a value: what is kept of it is copied. */
  #suspend(chunk: Buffer): void {
    const end = this.#base + chunk.length;
    if (this.#inString && end - this.#stringAt > longestString)
      throw this.#error('A string is longer than 512 MB', this.#stringAt);
    if (!this.#keep) return;
    if (end - this.#valueAt > (this.#kind === 'scalar' ? longestScalar : largestKept))
      throw this.#error('A value is too large to keep', this.#valueAt);
    this.#pieces.push(Buffer.from(chunk.subarray(Math.max(0, this.#valueAt - this.#base))));
  }

  /** Index after the value's last byte, or -1 where the chunk ends first. The hot loop. */
  #valueEnd(chunk: Buffer, from: number): number {
    const { length } = chunk;
    let at = from;
    let depth = this.#depth;
    let brackets = this.#brackets;
    let inString = this.#inString;
    let stringAt = this.#stringAt;
    for (;;) {
      if (inString) {
        const first = this.#escaped ? at + 1 : at;
        this.#escaped = false;
        const end = stringEnd(chunk, first);
        if (end < 0) {
          this.#escaped = trailingBackslashes(chunk, first, length) % 2 === 1;
          break;
        }
        at = end;
        inString = false;
        if (depth === 0) {
          this.#inString = false;
          return at;
        }
      }
      while (at < length) {
        const byte = chunk[at++] ?? 0;
        if (byte === quote) {
          inString = true;
          stringAt = this.#base + at - 1;
          break;
        }
        const bracket = byte | 0x20;
        if (bracket === 0x7b) {
          if (depth === brackets.length) brackets = this.#deepen(at);
          brackets[depth++] = byte + 2;
        } else if (bracket === 0x7d) {
          depth--;
          if (brackets[depth] !== byte) throw this.#unexpected(byte, at - 1, 'the other kind of bracket');
          if (depth === 0) return at;
        }
      }
      if (!inString || at >= length) break;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#stringAt = stringAt;
    return -1;
  }

  #deepen(at: number): Uint8Array<ArrayBuffer> {
    const size = this.#brackets.length;
    if (size >= deepest) throw this.#error(`Nested deeper than ${deepest}`, this.#base + at - 1);
    const larger = new Uint8Array(Math.min(size * 4, deepest));
    larger.set(this.#brackets);
    this.#brackets = larger;
    return larger;
  }

  #finishValue(chunk: Buffer, end: number): void {
    const want = this.#want;
    this.#want = undefined;
    if (!this.#keep || !want) return;
    let bytes = chunk;
    let start = this.#valueAt - this.#base;
    let stop = end;
    if (this.#pieces.length > 0) {
      bytes = Buffer.concat([...this.#pieces, chunk.subarray(0, end)]);
      start = 0;
      stop = bytes.length;
      this.#pieces = [];
    }
    if (want === 'key') this.#takeKey(bytes, start, stop);
    else this.#take(want, bytes, start, stop);
  }

  #takeKey(bytes: Buffer, start: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    const plain = bytes.subarray(start + 1, end - 1);
    frame.key = plain.includes(backslash) ? this.#escapedKey(bytes, start, end) : plain.toString('utf8');
    frame.phase = 'colon';
  }

  #escapedKey(bytes: Buffer, start: number, end: number): string {
    try {
      return String(JSON.parse(bytes.toString('utf8', start, end)));
    } catch {
      throw this.#error('A member name is not valid JSON', this.#valueAt);
    }
  }

  #take(want: ValueWant, bytes: Buffer, start: number, end: number): void {
    const frame = this.#frames.at(-1);
    try {
      want.value(bytes, start, end, frame?.index ?? 0);
    } catch (error) {
      if (error instanceof MisfitError) {
        const place = walkJson(bytes, start, end, error.path, deepestKept);
        const fault = new StateFileError(error.message, this.#valueAt + place.offset - start, this.path + error.path);
        this.#fault(fault);
      } else if (error instanceof SyntaxError || error instanceof RangeError) {
        const place = walkJson(bytes, start, end, undefined, deepestKept);
        const reason = place.fault ?? 'The value is not valid JSON';
        throw new StateFileError(reason, this.#valueAt + place.offset - start, this.path + place.path);
      } else throw error;
    }
  }

  #error(reason: string, offset: number): StateFileError {
    return new StateFileError(reason, offset, this.path);
  }

  #unexpected(byte: number, at: number, expected: string): StateFileError {
    const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    return this.#error(`Not valid JSON: ${shown} where ${expected} belongs`, this.#base + at);
  }
}

/** Index after the closing quote, or -1. Short strings, the usual ones, are cheaper byte by byte than by a native call. */
function stringEnd(chunk: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const near = Math.min(at + 24, chunk.length);
    while (at < near && chunk[at] !== quote) at++;
    const found = at < near ? at : chunk.indexOf(quote, at);
    if (found < 0) return -1;
    if (trailingBackslashes(chunk, from, found) % 2 === 0) return found + 1;
    at = found + 1;
  }
}

/** How many backslashes stand directly before `end`, none of them before `from`. */
function trailingBackslashes(chunk: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === backslash) at--;
  return end - at;
}

/** Index of the byte that ends a number or a word, or -1. */
function scalarEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) return at;
  }
  return -1;
}

function onlyNull(want: ObjectWant | ListWant, bytes: Buffer, start: number, end: number): void {
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end));
  if (value !== null) throw new MisfitError(`Expected ${want.kind === 'list' ? 'a list' : 'an object'}`, '');
  want.end?.();
}
