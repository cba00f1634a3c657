import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import { enumNames } from '../../../chain/content/messageFields.ts';
import { replaceValue } from '../../draftEdits.ts';
import type { Draft } from '../../draftText.ts';
import { error, type Finding, repair } from '../../finding.ts';

/**
 * The names of access types in JSON, by their numbers. They are not those of the .proto file: wasmd reads a text
 * itself, takes any other one for `Unspecified`, which it rejects, and reads no number (AccessType.UnmarshalText and
 * UnmarshalJSONPB, x/wasm/types/params.go).
 */
const accessNames: readonly string[] = ['Unspecified', 'Nobody', 'OnlyAddress', 'Everybody', 'AnyOfAddresses'];

/** The names of an enum as a draft has them, the empty one first. Undefined for any other type. */
export function draftNames(type: string): readonly string[] | undefined {
  return type === 'AccessType' ? accessNames : enumNames(type);
}

/**
 * Reports a name that an enum does not have. A number is read, whatever it stands for (jsonpb of cosmos/gogoproto),
 * except for an access.
 */
export function enumFindings(draft: Draft, value: Node, field: string, type: string): readonly Finding[] {
  const names = draftNames(type);
  const isName = value.type === 'string' || (value.type === 'number' && names === accessNames);
  const name = String(value.value);
  if (!names || !isName || names.includes(name)) return [];
  const meant = names === accessNames ? meantAccess(name) : closestEnum(name, names);
  const repairs =
    meant === undefined ? [] : [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, value, meant))];
  // The first name stands for an empty value, which hardly anybody means.
  const known = names.slice(1).filter((one) => one !== oldAccess);
  return [error('name-unknown', value, { field, name, meant, known }, repairs)];
}

/** An access that wasmd has no longer (`AllAccessTypes` in x/wasm/types/params.go: wasmd 0.31 has it, 0.41 does not). */
export const oldAccess = 'OnlyAddress';

/** The access that a number stands for, or a name of the .proto file, such as `ACCESS_TYPE_EVERYBODY`. */
function meantAccess(name: string): string | undefined {
  const known = /^[1-4]$/.test(name) ? accessNames[Number(name)] : undefined;
  const meant = known ?? closestName(name.replace(/^ACCESS_TYPE_?/i, '').replaceAll('_', ''), accessNames.slice(1));
  return meant === oldAccess ? 'AnyOfAddresses' : meant;
}

/** The name that is most likely meant, also by a name without the prefix of the enum: `yes`, `NoWithVeto`. */
function closestEnum(name: string, names: readonly string[]): string | undefined {
  const prefix = commonPrefix(names);
  const short = closestName(
    name,
    names.map((one) => one.slice(prefix.length)),
  );
  return short === undefined ? closestName(name, names) : `${prefix}${short}`;
}

function commonPrefix([first = '', ...others]: readonly string[]): string {
  const words = [...first.matchAll(/_/g)].map(({ index }) => first.slice(0, index + 1));
  return words.findLast((prefix) => others.every((one) => one.startsWith(prefix))) ?? '';
}
