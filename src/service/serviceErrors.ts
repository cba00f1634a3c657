import { codeOf, messageOf } from '../api/errors.ts';

/** Reason and place in less than 200 characters. `path`: `app_state.gov.proposals[41].status`, "" at the top. */
export class StateFileError extends Error {
  /** `syntax`: no JSON or state, reading ends; `shape`: not the list or object expected; `repeated`: member twice. */
  readonly code: 'syntax' | 'shape' | 'value' | 'repeated';
  readonly path: string;

  /** `offset` counts bytes of the (unpacked) JSON from 0. */
  constructor(code: StateFileError['code'], reason: string, offset: number, path: string) {
    super(`${reason} (byte ${offset}${path ? ` at ${shorten(path, 70)}` : ''})`);
    this.code = code;
    this.path = path;
  }
}

/** Why one value cannot be used. `path` is relative to it: `.status`, `.total_deposit[0].amount`. */
export class ValueError extends Error {
  readonly path: string;
  readonly code: 'value' | 'shape';

  constructor(reason: string, path = '', code: 'value' | 'shape' = 'value') {
    super(reason);
    this.path = path;
    this.code = code;
  }
}

/** The file was overwritten or replaced while it was read. */
export class FileChangedError extends Error {
  constructor(path: string) {
    super(`${shorten(path, 80)} changed while it was read. Open it again`);
  }
}

/** At most `longest` characters of a text that may be as long as the file: its beginning and its end. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor(longest / 3);
  return `${text.slice(0, longest - end - 1)}…${text.slice(-end)}`.toWellFormed();
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'files may not be that large here',
  EROFS: 'the disk is read-only',
  EEXIST: 'there is a file of that name',
  ENOTEMPTY: 'it holds files',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'there is a folder of that name',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  Z_BUF_ERROR: 'the gzip data is cut off or damaged',
  Z_DATA_ERROR: 'the gzip data is cut off or damaged',
};

/** What went wrong with a file, in words where the code is known. */
export function reasonOf(error: unknown): string {
  return fileReasons[codeOf(error)] ?? messageOf(error);
}

/** gRPC codes that the service answers with, and the HTTP status that a gateway gives each (grpc-gateway runtime/errors.go). */
const httpStatus = { 2: 500, 3: 400, 5: 404, 7: 403, 8: 429, 12: 501, 13: 500, 14: 503 } as const;

/** An answer that is an error: `{code, message, details}` with the status that belongs to the code. */
export class GatewayError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(code: keyof typeof httpStatus, message: string) {
    super(message);
    this.status = httpStatus[code];
    this.body = JSON.stringify({ code, message, details: [] });
  }
}

/** 400, code 3: names the parameter, like the gateway does. */
export function badParameter(name: string, reason: string): GatewayError {
  return new GatewayError(3, `type mismatch, parameter: ${name}, error: ${reason}`);
}

/** 501, code 12: the gateway's answer to a path or a method that it does not know. */
export function notImplemented(): GatewayError {
  return new GatewayError(12, 'Not Implemented');
}
