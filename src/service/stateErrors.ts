/**
 * Why a state file, or one module of it, cannot be read: one sentence that names the place.
 * `offset` counts bytes of the (unpacked) JSON from 0; `path` is like `app_state.gov.proposals[41].status`, "" at the top.
 */
export class StateFileError extends Error {
  readonly offset: number;
  readonly path: string;

  constructor(reason: string, offset: number, path: string) {
    super(`${reason} (byte ${offset}${path ? ` at ${shortName(path)}` : ''})`);
    this.name = 'StateFileError';
    this.offset = offset;
    this.path = path;
  }
}

/** What is wrong inside one kept value. `path` is relative to it: `.status`, `.total_deposit[0].amount`. */
export class MisfitError extends Error {
  readonly path: string;

  constructor(reason: string, path: string) {
    super(reason);
    this.name = 'MisfitError';
    this.path = path;
  }
}

/** A member name or path of a file, cut: it may be as long as the file, and the sentence that holds it must stay one. */
export function shortName(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200).toWellFormed()}…` : name;
}

/** gRPC codes that the service answers with, and the HTTP status that a gateway gives each (grpc-gateway runtime/errors.go). */
const httpStatus = { 2: 500, 3: 400, 5: 404, 7: 403, 12: 501, 13: 500, 14: 503 } as const;

export type GrpcCode = keyof typeof httpStatus;

/** An answer that is an error: `{code, message, details}` with the status that belongs to the code. */
export class GatewayError extends Error {
  readonly code: GrpcCode;

  constructor(code: GrpcCode, message: string) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
  }

  get status(): number {
    return httpStatus[this.code];
  }

  get body(): string {
    return JSON.stringify({ code: this.code, message: this.message, details: [] });
  }
}

/** 400, code 3: says which parameter, like the gateway does. */
export function badParameter(name: string, reason: string): GatewayError {
  return new GatewayError(3, `type mismatch, parameter: ${name}, error: ${reason}`);
}

/** 501, code 12: the gateway's answer to a path or a method that it does not know. */
export function notImplemented(): GatewayError {
  return new GatewayError(12, 'Not Implemented');
}
