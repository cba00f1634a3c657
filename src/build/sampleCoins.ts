import { accountAddress, hexAddress, upperHash } from './sampleAddresses.ts';
import type { SampleMetadata } from './sampleTypes.ts';
import { type SeededRandom, seededRandom } from './seededRandom.ts';

/** One coin of the sample chain: what there is of it, and what the chain says about it. */
export interface SampleSupply {
  readonly denom: string;
  readonly amount: bigint;
  readonly metadata: SampleMetadata | undefined;
}

/** The coin that is staked. */
export const bondDenom = 'usample';

/** symbol, exponent and name of the coins that were issued on the sample chain itself. */
const native: readonly [string, number, string][] = [
  ['ember', 6, 'Ember'],
  ['fjord', 6, 'Fjord'],
  ['glacier', 18, 'Glacier'],
  ['quartz', 9, 'Quartz'],
  ['brook', 8, 'Brook'],
  ['ticket', 0, 'Conference ticket'],
  ['lumen', 6, 'Lantern credit'],
  ['harbor', 18, 'Harbor'],
  ['meadow', 6, 'Meadow'],
  ['orchard', 9, 'Orchard share'],
  ['pebble', 0, 'Pebble'],
  ['ridge', 8, 'Ridge'],
  ['tundra', 18, 'Tundra'],
  ['willow', 6, 'Willow'],
];
const prefixOf = new Map([
  [0, ''],
  [6, 'u'],
  [8, 'sat'],
  [9, 'n'],
  [18, 'a'],
]);
/** Denoms that came over IBC: the coin on the other side and its exponent. */
const foreign = [
  'ucoral',
  'udelta',
  'amaple',
  'nslate',
  'uviolet',
  'satopal',
  'stk/ucoral',
  'aonyx',
  'uplume',
  'ujuniper',
];
const bridged = [
  'USDX',
  'EURX',
  'WNORTH',
  'SEED',
  'BOLT',
  'KITE',
  'MOSS',
  'REEF',
  'ALDER',
  'FINCH',
  'GROVE',
  'THISTLE',
];
const undescribed = ['ACORN', 'LPbeta', 'ibcfee', 'stusample', 'testcoin', 'uold', 'voucher-7', 'zzz'];

/** Every coin, by the bytes of its denom, which is the order of an export. */
export function sampleCoins(): SampleSupply[] {
  const random = seededRandom(20_260_101);
  const drafts = [...nativeCoins(), ...ibcCoins(), ...factoryCoins(random), ...poolCoins(), ...bridgedCoins()];
  const undescribedDenoms = drafts.filter((one) => !one.metadata).map((one) => one.denom);
  const coins = drafts.map(({ denom, metadata }) => ({
    denom,
    metadata,
    amount: amountOf(random, undescribedDenoms.indexOf(denom), metadata),
  }));
  return coins.sort((a, b) => Buffer.compare(Buffer.from(a.denom), Buffer.from(b.denom)));
}

type Draft = Pick<SampleSupply, 'denom' | 'metadata'>;

/** Coins that say nothing about themselves run through every length from 1 to 40 digits. */
function amountOf(random: SeededRandom, index: number, metadata: SampleMetadata | undefined): bigint {
  if (metadata?.base === bondDenom) return 412_500_000_000_000n + random.digits(12);
  if (!metadata) return random.digits((index % 40) + 1);
  const exponent = Math.max(0, ...metadata.denom_units.map((unit) => unit.exponent));
  return random.digits(Math.min(40, exponent + 2 + random.below(9)));
}

function nativeCoins(): Draft[] {
  const staked = {
    denom: bondDenom,
    metadata: describe(bondDenom, 'sample', 'SAMPLE', 6, 'Sample', 'The coin that secures the sample chain.'),
  };
  const described = native.map(([word, exponent, name]) => {
    const denom = `${prefixOf.get(exponent) ?? ''}${word}`;
    return {
      denom,
      metadata: describe(denom, word, word.toUpperCase(), exponent, name, `${name}, issued on the sample chain.`),
    };
  });
  return [staked, ...described, ...undescribed.map((denom) => ({ denom, metadata: undefined }))];
}

function ibcCoins(): Draft[] {
  return Array.from({ length: 62 }, (_, index) => {
    const base = foreign[index % foreign.length] ?? 'ucoral';
    const path = `transfer/channel-${index * 3}/${base}`;
    const denom = `ibc/${upperHash(path)}`;
    if (index % 3 === 0) return { denom, metadata: undefined };
    const exponent = /^(.*\/)?a/.test(base) ? 18 : /^n/.test(base) ? 9 : /^sat/.test(base) ? 8 : 6;
    const word = base.replace(/^stk\/u/, 'st').replace(/^(sat|[uan])/, '');
    return { denom, metadata: describe(denom, word, word.toUpperCase(), exponent, word, `IBC coin, path ${path}`) };
  });
}

function factoryCoins(random: SeededRandom): Draft[] {
  const words = ['points', 'lp/shares', 'uvote', 'badge-2', 'alpha', 'ubeta', 'GOLD', 'season/1/reward', 'x'];
  return Array.from({ length: 36 }, (_, index) => {
    const word = words[index % words.length] ?? 'points';
    const denom = `factory/${accountAddress(`creator ${index % 14}`)}/${word}`;
    if (index % 4 !== 0) return { denom, metadata: undefined };
    const exponent = [6, 6, 0, 18][random.below(4)] ?? 6;
    return { denom, metadata: describe(denom, `${denom}-display`, word.toUpperCase(), exponent, word, '') };
  });
}

function poolCoins(): Draft[] {
  const numbers = [
    1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 15, 18, 19, 20, 21, 27, 34, 55, 99, 100, 101, 110, 560, 1000, 1001, 1999,
  ];
  return numbers.map((number) => {
    const denom = `gamm/pool/${number}`;
    return number % 2
      ? {
          denom,
          metadata: describe(
            denom,
            `GAMM-${number}`,
            `GAMM-${number}`,
            18,
            `Pool ${number}`,
            `The share token of pool ${number}`,
          ),
        }
      : { denom, metadata: undefined };
  });
}

function bridgedCoins(): Draft[] {
  return bridged.flatMap((symbol, index) => {
    const exponent = [6, 18, 8][index % 3] ?? 18;
    const both = [
      `peggy0x${hexAddress(symbol)}`,
      `erc20/0x${hexAddress(`${symbol} erc20`)}`,
      `share/vault/${symbol.toLowerCase()}`,
    ];
    return both.map((denom, kind) => ({
      denom,
      metadata:
        kind === 2 ? undefined : describe(denom, symbol.toLowerCase(), symbol, exponent, symbol, `${symbol}, bridged`),
    }));
  });
}

/** The display unit comes last; at exponent 0 the base is the display unit. */
function describe(
  base: string,
  display: string,
  symbol: string,
  exponent: number,
  name: string,
  description: string,
): SampleMetadata {
  const units = [{ denom: base, exponent: 0, aliases: [] }];
  return exponent === 0
    ? { description, denom_units: units, base, display: base, name, symbol }
    : { description, denom_units: [...units, { denom: display, exponent, aliases: [] }], base, display, name, symbol };
}
