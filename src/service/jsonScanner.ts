import { isUtf8 } from 'node:buffer';
import { StateFileError, shorten, ValueError } from './serviceErrors.ts';
import type { Skipper } from './skipper.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const letterN = 0x6e;

const longestScalar = 4096;
/** In bytes; a larger value, or row, is unreadable. */
export const largestValue = 8 * 1024 * 1024;
const deepestValue = 200;
/** As many levels as a skipper keeps. */
const deepestSkipped = 1_000_000;
/** Of an object that is entered; their names stay in memory. */
const maxMembers = 100_000;

/** What to do with a value: enter it as an object or a list, or take its bytes. Everything else is skipped unparsed. */
export type Visitor = ObjectVisitor | ListVisitor | ValueVisitor;

interface OptionalVisitor {
  /** A value that is something else or cannot be read is no fault, and of a repeated member each counts. */
  readonly isOptional?: boolean | undefined;
}

export interface ObjectVisitor extends OptionalVisitor {
  readonly kind: 'object';
  /** What visits this member; undefined skips it. Of a repeated member the first counts. */
  member(name: string): Visitor | undefined;
  /** What visits a value that is no object. Without it null counts as an empty object, and all else is a fault. */
  readonly otherwise?: ValueVisitor | ListVisitor | undefined;
  /** Throws `ValueError` to refuse the object. */
  readonly end?: ((start: number, end: number) => void) | undefined;
}

export interface ListVisitor extends OptionalVisitor {
  readonly kind: 'list';
  /** What visits the next element; undefined skips it and all after it. */
  element(): Visitor | undefined;
  /** Reads many elements at once. */
  readonly fast?: FastReader | undefined;
  /** `start` and `end`: where the list is, in bytes. */
  end?(start: number, end: number): void;
}

export interface FastReader {
  /** Reads elements from the one at `start` on. Returns the index after the last one, or -1 to have it visited. */
  read(bytes: Buffer, start: number): number;
  /** How many `read` has read. */
  readonly count: number;
}

export interface ValueVisitor extends OptionalVisitor {
  readonly kind: 'value';
  /** Takes one whole value: `bytes[start, end)` is its JSON, valid during the call only. Throws `ValueError` to refuse it. */
  value(bytes: Buffer, start: number, end: number): void;
  /** Called when the value was refused, also where it is too large or nested too deeply to be taken. */
  readonly refused?: ((error: ValueError) => void) | undefined;
}

interface Frame {
  readonly visitor: ObjectVisitor | ListVisitor;
  readonly offset: number;
  readonly names: Set<string>;
  /** Of the current member; undefined before the first, and where it cannot be read. */
  name: string | undefined;
  index: number;
  expects: 'first' | 'item' | 'colon' | 'value' | 'separator';
}

/** A number or a word is always checked: it is short, and bytes that are no JSON show there first. */
const skipped: ValueVisitor = {
  kind: 'value',
  value: (bytes, start, end) => void JSON.parse(bytes.toString('utf8', start, end)),
};

/** Bytes of U+FEFF in UTF-8. */
const longestMark = 3;

/**
 * Reads JSON bytes in chunks of any size and hands whole values to visitors. It enters only what is visited; the rest is
 * skipped by brackets and quotes alone. Any member order, white space and escapes; a BOM is skipped.
 * Faults that leave the structure readable go to `onFault` and reading goes on; `write` and `end` throw
 * `StateFileError` with the code `syntax` for those that do not.
 */
export class Scanner {
  readonly #root: ObjectVisitor;
  readonly #onFault: (error: StateFileError) => void;
  readonly #skipper: Skipper;
  readonly #frames: Frame[] = [];
  /** Offset of the first byte of the current chunk. */
  #base = 0;
  /** The first bytes, until there are as many as the mark of an encoding may have. */
  #head: Buffer | undefined = Buffer.alloc(0);
  #finished = false;

  readonly #name: ValueVisitor = { kind: 'value', value: (bytes, start, end) => this.#takeName(bytes, start, end) };
  /** The value that is being read: visited or skipped, a member's name, or the rest of a list. */
  #reading: ValueVisitor | 'rest' | undefined;
  #isScalar = false;
  /** Offset of its first byte. */
  #start = 0;
  #collects = false;
  #pieces: Buffer[] = [];
  #refusal: ValueError | undefined;

  constructor(root: ObjectVisitor, onFault: (error: StateFileError) => void, skipper: Skipper) {
    this.#root = root;
    this.#onFault = onFault;
    this.#skipper = skipper;
  }

  /** Where reading stands: `app_state.gov.proposals[41]`. */
  get path(): string {
    let path = '';
    for (const { visitor, index, name } of this.#frames) {
      if (visitor.kind === 'list') path += `[${index}]`;
      else if (name) path += `${path ? '.' : ''}${name}`;
    }
    return path;
  }

  /** How many bytes have been read. */
  get offset(): number {
    return this.#base;
  }

  /** Reads the next bytes; the caller may reuse `chunk` afterwards. */
  write(chunk: Buffer): void {
    const head = this.#head?.length ? Buffer.concat([this.#head, chunk]) : chunk;
    if (this.#head === undefined) this.#place(chunk);
    else if (head.length < longestMark) this.#head = Buffer.from(head);
    else this.#writeHead(head);
  }

  #writeHead(head: Buffer): void {
    this.#head = undefined;
    const start = this.#textStart(head);
    this.#base = start;
    this.#place(head.subarray(start));
  }

  #place(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      const part = this.#skipper.place(from === 0 ? chunk : chunk.subarray(from));
      this.#write(part);
      from += part.length;
    }
  }

  #write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#reading ? this.#readValue(this.#reading, chunk, at) : this.#step(chunk, at);
    if (this.#reading) this.#suspend(chunk);
    this.#base += chunk.length;
  }

  /** To be called after the last byte. Throws where the JSON is cut off. */
  end(): void {
    const isEmpty = this.#head?.length === 0;
    if (this.#head) this.#writeHead(this.#head);
    if (this.#finished) return;
    throw this.#syntaxError(isEmpty ? 'The file is empty' : 'The JSON is cut off', this.#base);
  }

  #textStart(bytes: Buffer): number {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3;
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
      throw this.#syntaxError('The text is UTF-16, not UTF-8', 0);
    return 0;
  }

  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    const frame = this.#frames.at(-1);
    if (!frame) {
      if (this.#finished) throw this.#unexpected(byte, at, 'the end of the file');
      if (byte !== openBrace) throw this.#unexpected(byte, at, '"{"');
      return this.#enter(this.#root, byte, at);
    }
    const isList = frame.visitor.kind === 'list';
    const close = isList ? closeBracket : closeBrace;
    switch (frame.expects) {
      case 'colon':
        if (byte !== 0x3a) throw this.#unexpected(byte, at, '":"');
        frame.expects = 'value';
        return at + 1;
      case 'separator':
        if (byte === comma) {
          frame.expects = 'item';
          frame.name = undefined;
        } else if (byte === close) this.#leave(frame, at);
        else throw this.#unexpected(byte, at, isList ? '"," or "]"' : '"," or "}"');
        return at + 1;
      case 'first':
      case 'item':
        if (frame.expects === 'first' && byte === close) {
          this.#leave(frame, at);
          return at + 1;
        }
        if (isList) return this.#element(frame, chunk, at);
        if (byte !== quote) throw this.#unexpected(byte, at, 'a member name in quotes');
        return this.#begin(this.#name, byte, true, at);
      case 'value':
        frame.expects = 'separator';
        return this.#enter(this.#memberVisitor(frame, at), byte, at);
      default:
        return frame.expects satisfies never;
    }
  }

  #element(frame: Frame, chunk: Buffer, at: number): number {
    frame.index++;
    frame.expects = 'separator';
    const { visitor } = frame;
    if (visitor.kind !== 'list') return at;
    const end = visitor.fast?.read(chunk, at) ?? -1;
    if (visitor.fast && end >= 0) {
      frame.index += visitor.fast.count - 1;
      return end;
    }
    const element = visitor.element();
    if (element) return this.#enter(element, chunk[at] ?? 0, at);
    this.#begin('rest', openBracket, false, at);
    this.#skipper.begin('list');
    return at;
  }

  #memberVisitor({ visitor, names, name }: Frame, at: number): Visitor | undefined {
    if (visitor.kind !== 'object' || name === undefined) return undefined;
    if (visitor.isOptional) return visitor.member(name);
    if (names.size >= maxMembers)
      throw this.#syntaxError(`An object has more than ${maxMembers} members`, this.#base + at);
    if (!names.has(name)) {
      names.add(name);
      return visitor.member(name);
    }
    const reason = `The member "${shorten(name, 40)}" is there twice: the first counts`;
    this.#onFault(new StateFileError('repeated', reason, this.#base + at, this.path));
    return undefined;
  }

  /** Begins the value whose first byte is at `at`. Returns where reading goes on. */
  #enter(visitor: Visitor | undefined, byte: number, at: number): number {
    const offset = this.#base + at;
    if (!visitor) return this.#begin(skipped, byte, false, at);
    if (visitor.kind === 'value') return this.#begin(visitor, byte, true, at);
    if (byte === (visitor.kind === 'list' ? openBracket : openBrace)) {
      this.#frames.push({ visitor, offset, names: new Set(), name: undefined, index: -1, expects: 'first' });
      return at + 1;
    }
    if (visitor.kind === 'object' && visitor.otherwise) return this.#enter(visitor.otherwise, byte, at);
    // null counts as an empty list or object.
    if (byte === letterN) visitor.end?.(offset, offset);
    else if (!visitor.isOptional) {
      const expected = visitor.kind === 'list' ? 'a list' : 'an object';
      this.#report(new ValueError(`Expected ${expected}`, '', 'shape'), offset);
    }
    return this.#begin(skipped, byte, false, at);
  }

  #leave({ visitor, offset }: Frame, at: number): void {
    this.#frames.pop();
    try {
      visitor.end?.(offset, this.#base + at + 1);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.#report(error, offset);
    }
    if (this.#frames.length === 0) this.#finished = true;
  }

  #begin(reading: ValueVisitor | 'rest', byte: number, collects: boolean, at: number): number {
    const isString = byte === quote;
    this.#reading = reading;
    this.#isScalar = !isString && byte !== openBrace && byte !== openBracket;
    this.#collects = collects || this.#isScalar;
    this.#start = this.#base + at;
    this.#refusal = undefined;
    this.#skipper.begin(isString ? 'text' : 'value');
    return isString ? at + 1 : at;
  }

  #readValue(reading: ValueVisitor | 'rest', chunk: Buffer, from: number): number {
    const end = this.#isScalar ? scalarEnd(chunk, from) : this.#skip(chunk, from);
    if (end < 0) return chunk.length;
    this.#checkSize(this.#base + end);
    this.#reading = undefined;
    const frame = this.#frames.at(-1);
    if (reading !== 'rest') {
      if (this.#collects || this.#refusal) this.#visit(reading, ...this.#collected(chunk, end));
    } else if (frame) this.#leave(frame, end - 1);
    return end;
  }

  #collected(chunk: Buffer, end: number): readonly [bytes: Buffer, start: number, end: number] {
    if (this.#pieces.length === 0) return [chunk, this.#start - this.#base, end];
    const bytes = Buffer.concat([...this.#pieces, chunk.subarray(0, end)]);
    this.#pieces = [];
    return [bytes, 0, bytes.length];
  }

  /** The chunk ends inside the value: what is collected of it is copied. */
  #suspend(chunk: Buffer): void {
    this.#checkSize(this.#base + chunk.length);
    if (this.#collects) this.#pieces.push(Buffer.from(chunk.subarray(Math.max(0, this.#start - this.#base))));
  }

  #checkSize(end: number): void {
    if (!this.#collects) return;
    const size = end - this.#start;
    if (size > longestScalar && (this.#isScalar || this.#reading === this.#name))
      throw this.#syntaxError(`A number, word or name is longer than ${longestScalar} bytes`, this.#start);
    if (size > largestValue) this.#refuse('Larger than 8 MiB');
  }

  #refuse(reason: string): void {
    this.#collects = false;
    this.#pieces = [];
    this.#refusal = new ValueError(reason);
  }

  #takeName(bytes: Buffer, start: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    const text = bytes.toString('utf8', start, end);
    frame.expects = 'colon';
    if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)))
      throw new ValueError('The member name is not valid UTF-8');
    frame.name = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
  }

  #visit(visitor: ValueVisitor, bytes: Buffer, start: number, end: number): void {
    try {
      if (this.#refusal) throw this.#refusal;
      visitor.value(bytes, start, end);
    } catch (error) {
      if (error instanceof SyntaxError) throw this.#syntaxError('Not valid JSON', this.#start);
      if (!(error instanceof ValueError)) throw error;
      visitor.refused?.(error);
      if (!visitor.isOptional) this.#report(error, this.#start);
    }
  }

  #report({ code, message, path }: ValueError, offset: number): void {
    this.#onFault(new StateFileError(code, message, offset, this.path + path));
  }

  #syntaxError(reason: string, offset: number): StateFileError {
    return new StateFileError('syntax', reason, offset, this.path);
  }

  #unexpected(byte: number, at: number, expected: string): StateFileError {
    const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    return this.#syntaxError(`Not valid JSON: ${shown} where ${expected} belongs`, this.#base + at);
  }

  /** Index after a container or a string, or -1 where the chunk ends first. */
  #skip(chunk: Buffer, from: number): number {
    const end = this.#skipper.skip(chunk, from, this.#collects ? deepestValue : deepestSkipped);
    if (end >= 0) return end <= chunk.length ? end : -1;
    const at = -1 - end;
    const byte = chunk[at] ?? 0;
    if (byte === backslash) throw this.#unexpected(byte, at, 'a value');
    if (byte === closeBrace || byte === closeBracket) throw this.#unexpected(byte, at, 'the other kind of bracket');
    this.#deepen(at);
    return this.#skip(chunk, at);
  }

  /** The limit of nesting is reached: a value that is collected is refused and skipped from here on. */
  #deepen(at: number): void {
    if (!this.#collects) throw this.#syntaxError(`Nested deeper than ${deepestSkipped}`, this.#base + at);
    this.#refuse(`Nested deeper than ${deepestValue}`);
  }
}

function scalarEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20) return at;
  }
  return -1;
}
