import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import { enumNames } from '../../../chain/content/messageFields.ts';
import { replaceValue } from '../../draftEdits.ts';
import type { Draft } from '../../draftText.ts';
import { error, type Finding, repair } from '../../finding.ts';

/** Reports a name that an enum does not have. A number is read, whatever it stands for (jsonpb of cosmos/gogoproto). */
export function enumFindings(draft: Draft, value: Node, field: string, type: string): readonly Finding[] {
  const names = enumNames(type);
  const name: unknown = value.value;
  if (!names || typeof name !== 'string' || names.includes(name)) return [];
  const meant = closestEnum(name, names);
  const repairs =
    meant === undefined ? [] : [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, value, meant))];
  // The first name stands for an empty value, which hardly anybody means.
  const known = names.slice(1).filter((one) => one !== oldAccess);
  return [error('name-unknown', value, { field, name, meant, known }, repairs)];
}

/** An access that wasmd has no longer. */
const oldAccess = 'ACCESS_TYPE_ONLY_ADDRESS';

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
