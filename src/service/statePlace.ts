import { headFields } from './head.ts';
import type { PartName } from './state.ts';

const partOfModule: Readonly<Record<string, PartName>> = {
  bank: 'bank',
  supply: 'bank',
  accounts: 'bank',
  auth: 'bank',
  gov: 'gov',
  staking: 'staking',
};

/** Which module or field of the head `path` leads into, and which part is read from there, if any. */
export function toStatePlace(path: string): { readonly name: string; readonly part: PartName | undefined } {
  const inside = path.replace(/^(result\.)?(genesis\.)?(app_state\.)?/, '');
  const name = /^\w*/.exec(inside)?.[0] ?? '';
  return { name, part: headFields.includes(name) ? 'head' : partOfModule[name] };
}
