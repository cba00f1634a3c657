import type { ObjectWant, Take, Want } from './want.ts';

/** What `want` takes of a module, and its `params` for `keep` as well; `onMember` hears of each member that the module has. */
export function withParams(want: ObjectWant, keep: Take, onMember: () => void): ObjectWant {
  const member = (key: string): Want | undefined => {
    onMember();
    const wanted = want.member(key);
    if (key !== 'params') return wanted;
    const both: Take = (bytes, start, end, index) => {
      keep(bytes, start, end, index);
      if (wanted?.kind === 'value') wanted.value(bytes, start, end, index);
    };
    return { kind: 'value', value: both };
  };
  return { ...want, member };
}
