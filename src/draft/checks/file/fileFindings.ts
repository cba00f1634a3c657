import type { Coin } from '../../../chain/coin.ts';

/** Findings about the file of a draft (its JSON, texts, metadata and deposit): the details of each, by its code. */
export interface FileFindings {
  /** A fault of the JSON, with the code of the parser, or `TrailingComma`. */
  'json-syntax': { readonly fault: string };
  /**
   * JSON that some readers accept and others refuse. Reported once a file. `twice` has the names that stand in an
   * object more than once.
   */
  'json-form': { readonly hasMark: boolean; readonly comments: number; readonly twice: readonly string[] };
  'too-large': { readonly limit: 'size' | 'nesting' };
  /** A draft raises more questions than `limit`. The rest says what is left out. */
  'too-many-questions': {
    readonly limit: number;
    readonly params: number;
    readonly legacy: number;
    readonly plans: number;
    readonly denoms: number;
    readonly clients: number;
    readonly proposals: number;
    readonly accounts: number;
  };
  'draft-wrapped': Record<never, never>;
  'gov-form': { readonly wanted: 'messages' | 'legacy' };
  'title-missing': { readonly field: string };
  'summary-missing': { readonly field: string };
  'empty-proposal': Record<never, never>;
  'metadata-contradicts': { readonly field: 'title' | 'summary'; readonly inMetadata: string };
  'metadata-file': { readonly field: 'title' | 'summary'; readonly inFile: string };
  'metadata-placeholder': Record<never, never>;
  /** In bytes of UTF-8. */
  'text-long': { readonly field: string; readonly bytes: number; readonly limit: number };
  'escaped-twice': { readonly field: string };
  'deposit-form': Record<never, never>;
  'deposit-small': {
    readonly needed: readonly Coin[];
    readonly isAnyEnough: boolean;
    readonly isExpedited: boolean;
    /** Whether it is a deposit on another proposal. */
    readonly isInMessage?: boolean;
  };
  /** `base` is an accepted denom that the command line may convert the other one to. */
  'deposit-denom': {
    readonly denom: string;
    readonly accepted: readonly string[];
    readonly base?: string | undefined;
  };
  'deposit-waits': { readonly minimum: readonly Coin[] };
  'expedited-unsupported': Record<never, never>;
  /** `said` is what the text `field` names, and `does` what the message has. */
  'text-differs': {
    readonly what: 'amount' | 'recipient' | 'contract' | 'plan' | 'height' | 'param';
    readonly field: string;
    readonly said: string;
    readonly does: string;
    /** The parameter, if the text is about one. */
    readonly param?: string | undefined;
  };
}
