import type { Random } from '../../support/random.ts';

const tokens: readonly [string, ...string[]] = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u0041',
  '\\"',
  'null',
  'true',
  '-1',
  '1e400',
  '0.5',
  ' ',
  '\n',
  '\ufeff',
  '"app_state":',
  '"result":{"genesis":',
  '"bank":{',
  '"gov":{',
  '"proposals":[',
  '"balances":[',
  '"coins":[',
  '"supply":[]',
  '"amount":"1"',
  '"denom":"x"',
  '"proposal_id":"18446744073709551616"',
  '"status":3',
  '"__proto__":',
  '"exported":true',
  '[[[[[[[[',
  '{"a":{"a":{"a":',
  '\u0000',
  '\xff',
  'é',
];

/** One to five random changes: bytes, pieces left out, repeated, moved, cut off, tokens put in. */
export function mutate(source: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(source);
  for (let change = 1 + random.below(5); change > 0; change--) {
    const at = random.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + 1 + random.below(random.chance(80) ? 12 : 400));
    const [before, middle, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    switch (random.below(6)) {
      case 0:
        if (at < bytes.length) bytes[at] = random.below(256);
        break;
      case 1:
        bytes = Buffer.concat([before, after]);
        break;
      case 2:
        bytes = Buffer.concat([before, middle, middle, after]);
        break;
      case 3:
        bytes = random.chance(20) ? Buffer.from(before) : Buffer.concat([after, middle]);
        break;
      default:
        bytes = Buffer.concat([before, Buffer.from(random.pick(tokens), 'latin1'), after]);
    }
  }
  return bytes;
}
