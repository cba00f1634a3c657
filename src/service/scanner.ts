import { type Frame, pathOf, takeQuickly, toFrame } from './frame.ts';
import { memberName, shownByte, textStart } from './jsonText.ts';
import { toKeptFault } from './keptFault.ts';
import { checked, onlyNull, skipped } from './plainWants.ts';
import { StateFileError, shortName } from './stateFileError.ts';
import { type Span, type ValueKind, ValueSpan } from './valueSpan.ts';
import type { ObjectWant, ValueWant, Want } from './want.ts';

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
