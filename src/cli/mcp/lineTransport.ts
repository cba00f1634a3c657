import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { isFields, readMember } from '../../chain/fields.ts';
import { shownText } from '../../chain/text.ts';
import { boundedLines } from './boundedLines.ts';

/** The limit for a line in bytes: 10 MiB. */
const longestLine = 10 * 1024 * 1024;
/** The limit for bytes that wait for a client that does not read. Beyond it, no more input of the client is read. */
const mostUnread = 4 * 1024 * 1024;

type Id = string | number;

/**
 * MCP over lines of JSON. A line that is no request gets the error of JSON-RPC for it, and the next line is read. The
 * transport does not end with the input, because running requests are still answered (`whenAnswered`).
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = boundedLines(longestLine, (id) => this.#refuseLong(id));
  /** The requests that have no answer yet. */
  readonly #open = new Set<Id>();
  #whenNoneOpen = (): void => undefined;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#lines.on('data', (line: Buffer) => this.#hear(line.toString('utf8')));
    this.#output.on('drain', () => this.#lines.resume());
    this.#input.on('error', () => this.#lines.end());
    this.#input.pipe(this.#lines);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed');
    if ('method' in message) {
      // A client that does not read has no use for progress.
      if (this.#output.writableLength < mostUnread) this.#write(message);
      return;
    }
    this.#write(message);
    if (message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.unpipe(this.#lines);
    this.#lines.destroy();
    this.onclose?.();
  }

  /** Resolves when the input has ended and all of it was handled. */
  readonly whenInputEnds: Promise<unknown> = new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) this.#lines.once(event, resolve);
  });

  /** Resolves when every request has been answered or cancelled. */
  whenAnswered(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenNoneOpen = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  #hear(line: string): void {
    if (line.trim() === '') return;
    const heard = readLine(line);
    if ('refusal' in heard) {
      this.#write(heard.refusal);
      return;
    }
    const { message } = heard;
    if ('method' in message && 'id' in message) this.#open.add(message.id);
    // Such a request is no longer answered.
    else if ('method' in message && message.method === 'notifications/cancelled') {
      const id = readMember(message.params, 'requestId');
      if (typeof id === 'string' || typeof id === 'number') this.#settle(id);
    }
    this.onmessage?.(message);
  }

  #settle(id: Id): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#whenNoneOpen();
  }

  #write(message: object): void {
    if (!this.#output.write(`${JSON.stringify(message)}\n`) && this.#output.writableLength >= mostUnread)
      this.#lines.pause();
  }

  #refuseLong(id: string): void {
    const message = `The line is longer than ${longestLine} bytes (10 MiB) and was not read. Send a shorter request`;
    this.#write(refusalOf(JSON.parse(id), ProtocolErrorCode.InvalidRequest, message));
  }
}

/** Gives a message, or the answer to a line that is none. */
function readLine(line: string): { readonly message: JSONRPCMessage } | { readonly refusal: object } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const text = `The line is not JSON: ${shownText(line, 60)}. Send one JSON-RPC request per line`;
    return { refusal: refusalOf(null, ProtocolErrorCode.ParseError, text) };
  }
  const id = idOf(value);
  const fault = requestFault(value);
  if (fault) return { refusal: refusalOf(id, fault.code, fault.text) };
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return { refusal: refusalOf(id, ProtocolErrorCode.InvalidRequest, noRequest) };
  }
}

const noRequest =
  'The line is not a JSON-RPC 2.0 request. Send an object with "jsonrpc": "2.0", "id", "method" and "params"';

/** Describes the fault of a request, in our own words if the library would list its own checks. */
function requestFault(value: unknown): { readonly code: ProtocolErrorCode; readonly text: string } | undefined {
  if (Array.isArray(value))
    return {
      code: ProtocolErrorCode.InvalidRequest,
      text: 'Multiple requests on one line are not supported. Send one per line',
    };
  if (!isFields(value)) return { code: ProtocolErrorCode.InvalidRequest, text: noRequest };
  if (value.method !== 'tools/call') return undefined;
  const [name, input] = [readMember(value.params, 'name'), readMember(value.params, 'arguments')];
  if (typeof name !== 'string')
    return { code: ProtocolErrorCode.InvalidParams, text: '"params" of tools/call needs "name", the name of a tool' };
  if (input !== undefined && !isFields(input))
    return {
      code: ProtocolErrorCode.InvalidParams,
      text: `"arguments" of ${shownText(name, 50)} must be an object`,
    };
  return undefined;
}

function idOf(value: unknown): Id | null {
  const id = readMember(value, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function refusalOf(id: Id | null, code: ProtocolErrorCode, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
