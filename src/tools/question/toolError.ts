/**
 * The reason why there is no answer, in sentences for a model. `input`: change the question in the way that the message
 * says. `missing`: the thing does not exist. `source`: the source did not answer. Bundles have copies of this class, so
 * test for it with `isToolError`.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly kind: 'input' | 'missing' | 'source';
  /** The fault, in whole sentences. */
  readonly reason: string;
  /** The call that a model should make instead; "" if the reason says it. */
  readonly advice: string;

  constructor(kind: ToolError['kind'], reason: string, advice = '', options?: ErrorOptions) {
    super(advice === '' ? reason : `${reason} ${advice}`, options);
    this.kind = kind;
    this.reason = reason;
    this.advice = advice;
  }
}

/** True if `error` is a `ToolError`, from any bundle. */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && error.name === 'ToolError';
}
