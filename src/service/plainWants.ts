import { MisfitError } from './stateFileError.ts';
import type { ListWant, ObjectWant, ValueWant } from './want.ts';

/** A value that nobody wants. */
export const skipped: ValueWant = { kind: 'value', value: () => undefined };

/** A number or a word is always checked: it is short, and garbage shows there first. */
export const checked: ValueWant = {
  kind: 'value',
  value: (bytes, start, end) => void JSON.parse(bytes.toString('utf8', start, end)),
};

/** What stands where an object or a list belongs and is neither: null counts as an empty one, all else is a misfit. */
export function onlyNull(want: ObjectWant | ListWant): ValueWant {
  return {
    kind: 'value',
    value: (bytes, start, end) => {
      const value: unknown = JSON.parse(bytes.toString('utf8', start, end));
      if (value !== null) throw new MisfitError(`Expected ${want.kind === 'list' ? 'a list' : 'an object'}`, '');
      want.end?.();
    },
  };
}
