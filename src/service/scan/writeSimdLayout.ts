// The table of simdLayout.ts as AssemblyScript. The build and the type check write it; nothing of it is packed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  accountFields,
  accountKinds,
  codes,
  comparedEnds,
  comparedTexts,
  nestedAccounts,
  otherAccountForms,
  places,
  records,
} from './simdLayout.ts';

/** Results of `fieldOf` that are no field. */
const otherMembers = { noField: -1, nestedField: -2, otherForm: -3 } as const;

/** Writes `simdLayout.ts` into a folder. Throws as `node:fs` does. */
export function writeSimdLayout(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'simdLayout.ts'), layoutText());
}

function layoutText(): string {
  const offsets = Object.entries(records).flatMap(([record, members]) =>
    Object.entries(members).map(([member, at]) => constant(record + capitalized(member), 'usize', at)),
  );
  const lines = [
    '// Written by the build from src/service/scan/simdLayout.ts.',
    ...Object.entries(places).map(([name, at]) => constant(`${name}Place`, 'usize', at)),
    ...offsets,
    ...Object.entries(codes).map(([name, value]) => constant(name, 'u32', value)),
    ...accountKinds.map((kind, index) => constant(`${kind}Rank`, 'u32', index + 1)),
    ...accountFields.map((name, index) => constant(`${camelCased(name)}Field`, 'usize', index)),
    ...Object.entries(otherMembers).map(([name, value]) => constant(name, 'i32', value)),
  ];
  for (const [name, text] of Object.entries(comparedTexts)) {
    lines.push(
      constant(`length${name}`, 'usize', text.length),
      comparer(`is${name}(at: usize)`, comparison(text, 'at')),
    );
  }
  for (const [name, text] of Object.entries(comparedEnds)) {
    const position = `end - ${text.length}`;
    lines.push(
      constant(`length${name}`, 'usize', text.length),
      comparer(`endsWith${name}(end: usize)`, comparison(text, position)),
    );
  }
  return `${[...lines, fieldOf()].join('\n')}\n`;
}

/** A function that tells which member of an account a name is: the index of a field, or one of `otherMembers`. */
function fieldOf(): string {
  const results = [
    ...accountFields.map((name, index) => ({ name, result: `${index}` })),
    ...nestedAccounts.map((name) => ({ name, result: 'nestedField' })),
    ...otherAccountForms.map((name) => ({ name, result: 'otherForm' })),
  ];
  const lengths = [...new Set(results.map(({ name }) => name.length))];
  const cases = lengths.flatMap((length) => {
    const same = results.filter(({ name }) => name.length === length);
    return [
      `    case ${length}:`,
      ...same.map(({ name, result }) => `      if (${comparison(name, 'at')}) return ${result};`),
      '      return noField;',
    ];
  });
  const body = ['  switch (<i32>length) {', ...cases, '    default:', '      return noField;', '  }'];
  return ['export function fieldOf(at: usize, length: usize): i32 {', ...body, '}'].join('\n');
}

/** An expression that compares the bytes from `position` on with a text of ASCII. */
function comparison(text: string, position: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const loads = loadsOf(bytes.length).map(({ at, size }) => {
    const number = Buffer.from(bytes.subarray(at, at + size))
      .reverse()
      .toString('hex');
    return `load<u${size * 8}>(${position}, ${at}) === 0x${number}`;
  });
  return loads.join(' && ');
}

/** Loads of 8, 4, 2 or 1 bytes that cover `length` bytes; the last one may overlap the one before. */
function loadsOf(length: number): readonly { readonly at: number; readonly size: number }[] {
  const largest = [8, 4, 2].find((size) => size <= length) ?? 1;
  const whole = Math.floor(length / largest);
  const loads = Array.from({ length: whole }, (_, index) => ({ at: index * largest, size: largest }));
  const rest = length - whole * largest;
  const size = [1, 2, 4].find((known) => known >= rest) ?? 8;
  return rest === 0 ? loads : [...loads, { at: length - size, size }];
}

function constant(name: string, type: 'usize' | 'u32' | 'i32', value: number): string {
  return `export const ${name}: ${type} = ${value};`;
}

function comparer(declaration: string, expression: string): string {
  return `// @ts-ignore: decorator\n@inline\nexport function ${declaration}: bool {\n  return ${expression};\n}`;
}

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** `@type` → `type`, `end_time` → `endTime`. */
function camelCased(name: string): string {
  const [first = '', ...others] = name.replace('@', '').split('_');
  return first + others.map(capitalized).join('');
}
