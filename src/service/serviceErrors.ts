import { codeOf, messageOf } from '../api/errors.ts';

/**
 * A fault of a state file: reason and place in less than 200 characters. `path` is like
 * `app_state.gov.proposals[41].status`, or "" at the top.
 */
export class StateFileError extends Error {
  /**
   * `syntax`: no JSON or no state, so reading ends. `shape`: not the expected list or object. `value`: a value that
   * cannot be used. `repeated`: a member that stands twice.
   */
  readonly code: 'syntax' | 'shape' | 'value' | 'repeated';
  readonly path: string;

  /** `offset` counts bytes of the unpacked JSON from 0. */
  constructor(code: StateFileError['code'], reason: string, offset: number, path: string) {
    super(`${reason} (byte ${offset}${path ? ` at ${shortenMiddle(path, 70)}` : ''})`);
    this.code = code;
    this.path = path;
  }
}

/**
 * A value that cannot be used, with the reason. `path` is relative to the value: `.status`, `.total_deposit[0].amount`.
 */
export class ValueError extends Error {
  readonly path: string;
  readonly code: 'value' | 'shape';

  constructor(reason: string, path = '', code: 'value' | 'shape' = 'value') {
    super(reason);
    this.path = path;
    this.code = code;
  }
}

/** Another file was written over or in place of this one while it was being read. */
export class FileChangedError extends Error {
  constructor(path: string) {
    super(`${shortenMiddle(path, 80)} changed while it was being read. Open it again`);
  }
}

/** Shortens a text of any length to its beginning and its end, at most `longest` characters together. */
export function shortenMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor(longest / 3);
  return `${text.slice(0, longest - end - 1)}…${text.slice(-end)}`.toWellFormed();
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'the file is too large for this disk',
  EROFS: 'the disk is read-only',
  EEXIST: 'a file with that name already exists',
  ENOTEMPTY: 'it is not empty',
  ENOTDIR: 'part of the path is a file, not a folder',
  EISDIR: 'a folder with that name already exists',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links form a loop',
  Z_BUF_ERROR: 'the gzip data is cut off or corrupted',
  Z_DATA_ERROR: 'the gzip data is cut off or corrupted',
};

/** Says what went wrong with a file, in words if the code is known. */
export function fileReason(error: unknown): string {
  return fileReasons[codeOf(error)] ?? messageOf(error);
}

/**
 * The gRPC codes that the service answers with, by their names, and the HTTP status that a gateway gives each
 * (grpc-gateway runtime/errors.go).
 */
const codes = {
  unknown: { code: 2, status: 500 },
  invalidArgument: { code: 3, status: 400 },
  notFound: { code: 5, status: 404 },
  permissionDenied: { code: 7, status: 403 },
  resourceExhausted: { code: 8, status: 429 },
  unimplemented: { code: 12, status: 501 },
  internal: { code: 13, status: 500 },
  unavailable: { code: 14, status: 503 },
} as const;

/** An error as an answer: `{code, message, details}`, with the HTTP status of the code. */
export class GatewayError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(name: keyof typeof codes, message: string) {
    super(message);
    const { code, status } = codes[name];
    this.status = status;
    this.body = JSON.stringify({ code, message, details: [] });
  }
}

/** Makes the error of a bad parameter (400, code 3), which names the parameter as the gateway does. */
export function badParameter(name: string, reason: string): GatewayError {
  return new GatewayError('invalidArgument', `type mismatch, parameter: ${name}, error: ${reason}`);
}

/** Makes the gateway's error for an unknown path or method (501, code 12). */
export function notImplemented(): GatewayError {
  return new GatewayError('unimplemented', 'Not Implemented');
}
