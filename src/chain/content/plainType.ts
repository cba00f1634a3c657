import { shortName } from './content.ts';

/** A short readable name of a type, in its own words: `/a.v1.MsgCommunityPoolSpend` → `Community pool spend`. */
export function plainType(typeUrl: string): string {
  const name = shortName(typeUrl);
  const bare = name.replace(/^Msg(?=[A-Z])/, '').replace(/(?<=.)Proposal$/, '');
  const words = bare.replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4').split(/[\s_]+/);
  return words.map((word, index) => (index === 0 || isAcronym(word) ? word : word.toLowerCase())).join(' ');
}

/** Two capitals or more, with digits: `IBC`, `ERC20`. */
function isAcronym(word: string): boolean {
  return /^[A-Z0-9]{2,}$/.test(word);
}
