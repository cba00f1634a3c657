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
