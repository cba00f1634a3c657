import { shortName } from './stateFileError.ts';

/** A place in a JSON text: byte index, path from its root (`.status`, `[3].denom`), and what is wrong there, if anything. */
export interface Place {
  readonly offset: number;
  readonly path: string;
  readonly fault?: string | undefined;
}

/**
 * Walks `bytes[start, end)` strictly: finds the value at `target` (a relative path), or else the first fault: a byte that
 * JSON does not allow, a repeated member, nesting deeper than `deepest`. Slow and exact; for kept values and for errors.
 */
export function walkJson(
  bytes: Buffer,
  start: number,
  end: number,
  target: string | undefined,
  deepest: number,
): Place {
  const walk = new Walk(bytes, start, end, target, deepest);
  return walk.run();
}

class Found extends Error {
  readonly place: Place;

  constructor(place: Place) {
    super(place.fault);
    this.place = place;
  }
}

class Walk {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #target: string | undefined;
  readonly #deepest: number;
  #at: number;

  constructor(bytes: Buffer, start: number, end: number, target: string | undefined, deepest: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#target = target;
    this.#deepest = deepest;
    this.#at = start;
  }

  run(): Place {
    try {
      this.#value('', 0);
      this.#space();
      if (this.#at < this.#end) this.#fail('', 'Not valid JSON: something follows the value');
    } catch (error) {
      if (error instanceof Found) return error.place;
      throw error;
    }
    return { offset: this.#start, path: '' };
  }

  #fail(path: string, fault: string, offset = this.#at): never {
    throw new Found({ offset, path, fault });
  }

  #space(): number | undefined {
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    }
    return undefined;
  }

  #value(path: string, depth: number): void {
    const byte = this.#space();
    if (path === this.#target) throw new Found({ offset: this.#at, path });
    if (depth > this.#deepest) this.#fail(path, `Nested deeper than ${this.#deepest}`);
    if (byte === 0x7b) this.#object(path, depth);
    else if (byte === 0x5b) this.#list(path, depth);
    else if (byte === 0x22) this.#string(path);
    else this.#scalar(path);
  }

  #object(path: string, depth: number): void {
    const keys = new Set<string>();
    this.#at++;
    if (this.#closed(0x7d)) return;
    do {
      if (this.#space() !== 0x22) this.#fail(path, 'Not valid JSON: a member name in quotes belongs here');
      const at = this.#at;
      const key = this.#string(path);
      if (keys.has(key)) this.#fail(`${path}.${key}`, `The member "${shortName(key)}" is there twice`, at);
      keys.add(key);
      if (this.#space() !== 0x3a) this.#fail(path, 'Not valid JSON: ":" belongs here');
      this.#at++;
      this.#value(`${path}.${key}`, depth + 1);
    } while (this.#more(path, 0x7d));
  }

  #list(path: string, depth: number): void {
    this.#at++;
    if (this.#closed(0x5d)) return;
    let index = 0;
    do this.#value(`${path}[${index++}]`, depth + 1);
    while (this.#more(path, 0x5d));
  }

  #closed(close: number): boolean {
    if (this.#space() !== close) return false;
    this.#at++;
    return true;
  }

  #more(path: string, close: number): boolean {
    const byte = this.#space();
    if (byte !== close && byte !== 0x2c) this.#fail(path, 'Not valid JSON: "," or a closing bracket belongs here');
    this.#at++;
    return byte === 0x2c;
  }

  #string(path: string): string {
    const start = this.#at++;
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === 0x5c) this.#at++;
      else if (byte === 0x22) {
        this.#at++;
        return this.#parsed(path, start);
      }
    }
    return this.#fail(path, 'Not valid JSON: a string is not closed', start);
  }

  #scalar(path: string): void {
    const start = this.#at;
    while (this.#at < this.#end && !isDelimiter(this.#bytes[this.#at] ?? 0)) this.#at++;
    this.#parsed(path, start);
  }

  #parsed(path: string, start: number): string {
    try {
      return String(JSON.parse(this.#bytes.toString('utf8', start, this.#at)));
    } catch {
      return this.#fail(path, 'Not valid JSON', start);
    }
  }
}

function isDelimiter(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d || byte === 0x3a;
}
