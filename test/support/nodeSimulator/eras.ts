import { collectionPaginate, type Engine, filteredPaginate } from './pagingEngines.ts';

export type Era = '0.40' | '0.45' | '0.46' | '0.47' | '0.50' | '0.53';

export const eras: readonly Era[] = ['0.40', '0.45', '0.46', '0.47', '0.50', '0.53'];

/** What a node of an era does (docs/nodes.md). */
export interface EraRules {
  readonly sdkVersion: string;
  /** The whole supply at once, without `pagination`. */
  readonly supplyUnpaged: boolean;
  readonly supplyOf: 'path' | 'byDenom';
  readonly knowsReverse: boolean;
  readonly denoms: RegExp;
  readonly engine: Engine;
  /** Rows of a supply page are sorted upwards, whatever the order of the pages. */
  readonly sortsPages: boolean;
  readonly statusNames: boolean;
  readonly govV1: boolean;
  /** What v1beta1 says of a proposal without exactly one message. */
  readonly wordless: string;
  /** 0.46.0 to 0.46.7: such a proposal has `content: null` instead of an error. */
  readonly hidesWordless: boolean;
  /** Errors of the application come through ABCI, wrapped. */
  readonly abci: boolean;
  readonly indent: number;
  /** Fields of gov v1 beside those of 0.46. */
  readonly titles: boolean;
}

const modern = {
  supplyUnpaged: false,
  supplyOf: 'byDenom',
  knowsReverse: true,
  denoms: /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/,
  govV1: true,
  abci: false,
  indent: 0,
  titles: true,
  sortsPages: false,
  statusNames: true,
  hidesWordless: false,
  wordless: "can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one",
} as const;

const old = {
  ...modern,
  supplyOf: 'path',
  denoms: /^[a-zA-Z][a-zA-Z0-9/-]{2,127}$/,
  govV1: false,
  abci: true,
  indent: 2,
  sortsPages: true,
} as const;

export const eraRules: Readonly<Record<Era, EraRules>> = {
  '0.40': {
    ...old,
    sdkVersion: '',
    supplyUnpaged: true,
    knowsReverse: false,
    engine: filteredPaginate({ overwritesNextKey: true }),
  },
  '0.45': { ...old, sdkVersion: 'v0.45.9', engine: filteredPaginate({ overwritesNextKey: true }) },
  '0.46': {
    ...modern,
    sdkVersion: 'v0.46.10',
    indent: 2,
    titles: false,
    statusNames: false,
    sortsPages: true,
    wordless:
      "can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages is more than one",
    engine: filteredPaginate({ overwritesNextKey: false }),
  },
  '0.47': {
    ...modern,
    sdkVersion: 'v0.47.5',
    statusNames: false,
    sortsPages: true,
    engine: filteredPaginate({ overwritesNextKey: false }),
  },
  '0.50': {
    ...modern,
    sdkVersion: 'v0.50.6',
    engine: collectionPaginate({ losesRowAtKey: true, countsMisses: true }),
  },
  '0.53': {
    ...modern,
    sdkVersion: 'v0.53.4',
    engine: collectionPaginate({ losesRowAtKey: false, countsMisses: false }),
  },
};
