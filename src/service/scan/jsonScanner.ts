import { isUtf8 } from 'node:buffer';
import { StateFileError, shortenMiddle, ValueError } from '../serviceErrors.ts';
import {
  backslashByte,
  closeBraceByte,
  closeBracketByte,
  commaByte,
  openBraceByte,
  openBracketByte,
  quoteByte,
} from './jsonBytes.ts';
import type { Skipper } from './skipper.ts';

const letterN = 0x6e;

const longestScalar = 4096;
/** The limit for one value or row, in bytes. A larger one is unreadable. */
export const largestValue = 8 * 1024 * 1024;
const deepestValue = 200;
/** The deepest nesting that a skipper keeps. */
const deepestSkipped = 1_000_000;
/** The limit for members of an object that is entered, since their names stay in memory. */
const maxObjectMembers = 100_000;

/**
 * Says what to do with a value: enter it as an object or a list, or take its bytes. Everything else is skipped without
 * parsing.
 */
export type Visitor = ObjectVisitor | ListVisitor | ValueVisitor;

interface OptionalVisitor {
  /** If true, an unreadable value is no fault, and each occurrence of a repeated member counts. */
  readonly isOptional?: boolean | undefined;
}

export interface ObjectVisitor extends OptionalVisitor {
  readonly kind: 'object';
  /** Gives the visitor of a member; undefined skips it. Only the first of repeated members is visited. */
  member(name: string): Visitor | undefined;
  /** Visits a value that is no object. Without it, null counts as an empty object, and any other value is a fault. */
  readonly otherwise?: ValueVisitor | ListVisitor | undefined;
  /** Called at the end of the object. Throws `ValueError` to refuse it. */
  readonly end?: ((start: number, end: number) => void) | undefined;
}

export interface ListVisitor extends OptionalVisitor {
  readonly kind: 'list';
  /** Gives the visitor of the next element; undefined skips it and all elements after it. */
  element(): Visitor | undefined;
  /** Reads many elements at once. */
  readonly fast?: FastReader | undefined;
  /** Called at the end of the list. `start` and `end` are its place in bytes. */
  end?(start: number, end: number): void;
}

export interface FastReader {
  /**
   * Reads elements from the one at `start` on. Returns the index after the last one, or -1 to have the element visited.
   */
  read(bytes: Buffer, start: number): number;
  /** The number of elements that `read` has read. */
  readonly count: number;
}

export interface ValueVisitor extends OptionalVisitor {
  readonly kind: 'value';
  /**
   * Takes one whole value. `bytes[start, end)` is its JSON and valid during the call only. Throws `ValueError` to
   * refuse it.
   */
  value(bytes: Buffer, start: number, end: number): void;
  /** Called if the value was refused, was too large or was nested too deeply. */
  readonly refused?: ((error: ValueError) => void) | undefined;
}

interface Frame {
  readonly visitor: ObjectVisitor | ListVisitor;
  readonly offset: number;
  readonly names: Set<string>;
  /** The current member; undefined before the first one, and if its name cannot be read. */
  name: string | undefined;
  index: number;
  expects: 'first' | 'item' | 'colon' | 'value' | 'separator';
}

/**
 * Numbers and words are checked even if they are skipped: they are short, and bytes that are no JSON show there first.
 */
const skipped: ValueVisitor = {
  kind: 'value',
  value: (bytes, start, end) => void JSON.parse(bytes.toString('utf8', start, end)),
};

/** The bytes of U+FEFF in UTF-8. */
const longestMark = 3;

/**
 * Reads JSON bytes in chunks of any size and hands whole values to visitors. It enters only visited values and skips
 * the rest by brackets and quotes alone. Members may have any order, white space and escapes; a byte order mark is
 * skipped. A fault that leaves the structure readable goes to `onFault`, and reading goes on. For any other fault,
 * `write` and `end` throw `StateFileError` with the code `syntax`.
 */
export class Scanner {
  readonly #root: ObjectVisitor;
  readonly #onFault: (error: StateFileError) => void;
  readonly #skipper: Skipper;
  readonly #frames: Frame[] = [];
  /** The offset of the first byte of the current chunk. */
  #base = 0;
  /** The first bytes, until there are enough to recognize a byte order mark. */
  #head: Buffer | undefined = Buffer.alloc(0);
  #finished = false;

  readonly #name: ValueVisitor = { kind: 'value', value: (bytes, start, end) => this.#takeName(bytes, start, end) };
  /** The value that is being read: a visited or skipped value, the name of a member, or the rest of a list. */
  #reading: ValueVisitor | 'rest' | undefined;
  #isScalar = false;
  /** The offset of the first byte of this value. */
  #start = 0;
  #collects = false;
  #pieces: Buffer[] = [];
  #refusal: ValueError | undefined;

  constructor(root: ObjectVisitor, onFault: (error: StateFileError) => void, skipper: Skipper) {
    this.#root = root;
    this.#onFault = onFault;
    this.#skipper = skipper;
  }

  /** The place where reading stands, such as `app_state.gov.proposals[41]`. */
  get path(): string {
    let path = '';
    for (const { visitor, index, name } of this.#frames) {
      if (visitor.kind === 'list') path += `[${index}]`;
      else if (name) path += `${path ? '.' : ''}${name}`;
    }
    return path;
  }

  /** The number of bytes that have been read. */
  get offset(): number {
    return this.#base;
  }

  /** Reads the next bytes. The caller may reuse `chunk` afterwards. */
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

  /** Ends reading. Call it after the last byte. Throws if the JSON is cut off. */
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
      if (byte !== openBraceByte) throw this.#unexpected(byte, at, '"{"');
      return this.#enter(this.#root, byte, at);
    }
    const isList = frame.visitor.kind === 'list';
    const close = isList ? closeBracketByte : closeBraceByte;
    switch (frame.expects) {
      case 'colon':
        if (byte !== 0x3a) throw this.#unexpected(byte, at, '":"');
        frame.expects = 'value';
        return at + 1;
      case 'separator':
        if (byte === commaByte) {
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
        if (byte !== quoteByte) throw this.#unexpected(byte, at, 'a member name in quotes');
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
    this.#begin('rest', openBracketByte, false, at);
    this.#skipper.begin('list');
    return at;
  }

  #memberVisitor({ visitor, names, name }: Frame, at: number): Visitor | undefined {
    if (visitor.kind !== 'object' || name === undefined) return undefined;
    if (visitor.isOptional) return visitor.member(name);
    if (names.size >= maxObjectMembers)
      throw this.#syntaxError(`An object has more than ${maxObjectMembers} members`, this.#base + at);
    if (!names.has(name)) {
      names.add(name);
      return visitor.member(name);
    }
    const reason = `The member "${shortenMiddle(name, 40)}" appears twice: the first one is used`;
    this.#onFault(new StateFileError('repeated', reason, this.#base + at, this.path));
    return undefined;
  }

  /** Begins the value whose first byte is at `at`. Returns the place where reading goes on. */
  #enter(visitor: Visitor | undefined, byte: number, at: number): number {
    const offset = this.#base + at;
    if (!visitor) return this.#begin(skipped, byte, false, at);
    if (visitor.kind === 'value') return this.#begin(visitor, byte, true, at);
    if (byte === (visitor.kind === 'list' ? openBracketByte : openBraceByte)) {
      this.#frames.push({ visitor, offset, names: new Set(), name: undefined, index: -1, expects: 'first' });
      return at + 1;
    }
    if (visitor.kind === 'object' && visitor.otherwise) return this.#enter(visitor.otherwise, byte, at);
    // A null counts as an empty list or object.
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
    const isString = byte === quoteByte;
    this.#reading = reading;
    this.#isScalar = !isString && byte !== openBraceByte && byte !== openBracketByte;
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

  /** Copies the part of a value that the chunk holds, since the chunk ends inside the value. */
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
    return this.#syntaxError(`Not valid JSON: expected ${expected}, found ${shown}`, this.#base + at);
  }

  /** Skips a container or a string. Returns the index after it, or -1 if the chunk ends first. */
  #skip(chunk: Buffer, from: number): number {
    const end = this.#skipper.skip(chunk, from, this.#collects ? deepestValue : deepestSkipped);
    if (end >= 0) return end <= chunk.length ? end : -1;
    const at = -1 - end;
    const byte = chunk[at] ?? 0;
    if (byte === backslashByte) throw this.#unexpected(byte, at, 'a value');
    if (byte === closeBraceByte || byte === closeBracketByte)
      throw this.#unexpected(byte, at, 'the other kind of bracket');
    this.#deepen(at);
    return this.#skip(chunk, at);
  }

  /** Refuses a value that is nested too deeply, and skips the rest of it. */
  #deepen(at: number): void {
    if (!this.#collects) throw this.#syntaxError(`Nested deeper than ${deepestSkipped}`, this.#base + at);
    this.#refuse(`Nested deeper than ${deepestValue}`);
  }
}

function scalarEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === commaByte || byte === closeBraceByte || byte === closeBracketByte || byte <= 0x20) return at;
  }
  return -1;
}
