import type { WantedForm } from '../../fieldForms.ts';
import type { FailTime } from '../failTime.ts';

/** Findings about the types and fields of messages: the details of each, by its code. */
export interface FieldFindings {
  /** `form` is what stands in place of a message with a type. `text` is JSON in a text, and `value` no object at all. */
  'type-missing': { readonly form: 'text' | 'value' | 'amino' | 'object' };
  'type-form': { readonly type: string };
  /** `isListed`: the chain lists its types, and this one is not in the list. */
  'type-unknown': {
    readonly type: string;
    readonly meant: string | undefined;
    readonly isListed: boolean;
    /**
     * `named`: a message names it as that of others. `misplaced`: a message stands where something else does. `content`: it
     * stands where a legacy content does. `absent`: the chain does not have its `module`.
     */
    readonly use: 'message' | 'named' | 'misplaced' | 'content' | 'absent';
    readonly module?: string;
  };
  'legacy-in-messages': { readonly type: string };
  'legacy-handler': { readonly type: string; readonly instead: string };
  /** `isZero` is true for an amount of 0 that must be above 0. */
  'field-type': { readonly field: string; readonly wanted: WantedForm; readonly isZero?: boolean | undefined };
  /** A field that must not be empty is absent, or is empty or 0. */
  'field-empty': { readonly field: string; readonly isZero?: boolean | undefined; readonly fails: FailTime };
  /**
   * `of` is the type that lacks the field, or "" for the draft itself. `meant` is the field that it most likely stands
   * for.
   */
  'field-unknown': { readonly field: string; readonly of: string; readonly meant?: string | undefined };
  'number-unquoted': { readonly field: string; readonly isLarge: boolean };
  /** A name that an enum does not have. `known` are its names. */
  'name-unknown': {
    readonly field: string;
    readonly name: string;
    readonly meant: string | undefined;
    readonly known: readonly string[];
  };
}
