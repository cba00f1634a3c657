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
