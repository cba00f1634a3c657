import { walkJson } from './jsonWalk.ts';
import { MisfitError, StateFileError } from './stateFileError.ts';
import type { Span } from './valueSpan.ts';

/** `JSON.stringify` and every later reader of a kept value recurse. */
const deepestKept = 500;

/**
 * What a kept value was refused for, with its place in the file. `isFatal`: the bytes are no JSON, so that nothing after
 * them can be trusted. Undefined for an error that says nothing of the value.
 */
export function toKeptFault(
  error: unknown,
  { bytes, start, end }: Span,
  offset: number,
  path: string,
): { readonly error: StateFileError; readonly isFatal: boolean } | undefined {
  if (error instanceof MisfitError) {
    const place = walkJson(bytes, start, end, error.path, deepestKept);
    const fault = new StateFileError(error.message, offset + place.offset - start, path + error.path);
    return { error: fault, isFatal: false };
  }
  if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) return undefined;
  const place = walkJson(bytes, start, end, undefined, deepestKept);
  const reason = place.fault ?? 'The value is not valid JSON';
  return { error: new StateFileError(reason, offset + place.offset - start, path + place.path), isFatal: true };
}
