import type { Node } from 'jsonc-parser';
import type { FieldFindings } from './checks/fields/fieldFindings.ts';
import type { FileFindings } from './checks/file/fileFindings.ts';
import type { HarmFindings } from './checks/harm/harmFindings.ts';
import type { IbcFindings } from './checks/ibc/ibcFindings.ts';
import type { MessageFindings } from './checks/messages/messageFindings.ts';
import type { ParamFindings } from './checks/params/paramFindings.ts';
import type { PaymentFindings } from './checks/payments/paymentFindings.ts';
import type { UpgradeFindings } from './checks/upgrades/upgradeFindings.ts';
import type { TextEdit } from './draftEdits.ts';
import { rangeOf, type TextRange } from './draftText.ts';

/**
 * `error` is certain to be refused, to fail or to do harm. `warning` rests on a guess, and its text names the guess.
 * `hint` is worth a look.
 */
export type Severity = 'error' | 'warning' | 'hint';

/** The details of each kind of finding, by its code. The code is also the heading of its section in docs/drafts.md. */
export type FindingDetails = FileFindings &
  FieldFindings &
  MessageFindings &
  PaymentFindings &
  UpgradeFindings &
  IbcFindings &
  ParamFindings &
  HarmFindings;

export type FindingCode = keyof FindingDetails;

/** Subjects that checks could not ask the chain about. Each is reported once, above the file. */
export type Unchecked =
  | 'gov'
  | 'params'
  | 'legacy'
  | 'height'
  | 'blockTime'
  | 'authority'
  | 'pool'
  | 'plan'
  | 'version'
  | 'clients'
  | 'validators'
  | 'supply'
  | 'proposals'
  | 'operators'
  | 'accounts'
  | 'grants'
  | 'groups'
  | 'nfts'
  /** Messages whose fields are in no table. */
  | 'types';

/** The details of each kind of repair, by its code. */
export interface RepairDetails {
  'params-from-chain': { readonly count: number };
  'authority-from-chain': { readonly account: string };
  'deposit-to-submit': { readonly deposit: string };
  'deposit-to-vote': { readonly deposit: string; readonly isExpedited: boolean };
  quote: Record<never, never>;
  'text-from-metadata': { readonly field: 'title' | 'summary' };
  'metadata-from-text': { readonly field: 'title' | 'summary' };
  'metadata-remove': Record<never, never>;
  'metadata-inline': Record<never, never>;
  /**
   * Sets the height to the block at `time`, which is a day after the end of a vote that begins now. The editor also
   * offers to ask for another time.
   */
  'height-at-time': { readonly height: bigint; readonly time: Date };
  unescape: { readonly field: string };
  'wrap-legacy': Record<never, never>;
  'drop-unchanged': Record<never, never>;
  'key-rename': { readonly name: string };
  'slash-add': Record<never, never>;
  /** Takes away the braces around a draft. */
  unwrap: Record<never, never>;
  'comma-remove': Record<never, never>;
  'spend-from-pool': Record<never, never>;
  'expedited-remove': Record<never, never>;
  'deposit-as-text': Record<never, never>;
  'type-rename': { readonly type: string };
  /** The same value in another notation. */
  convert: { readonly value: string };
  'coins-sort': Record<never, never>;
}

/** A repair of one code. Its edits are for the text that was checked, and do not overlap. */
export interface RepairOf<C extends keyof RepairDetails> {
  readonly code: C;
  readonly details: RepairDetails[C];
  readonly edits: readonly TextEdit[];
}
export type Repair = { readonly [C in keyof RepairDetails]: RepairOf<C> }[keyof RepairDetails];

/** Makes a repair of a code, with its details and edits. */
export function repair<C extends keyof RepairDetails>(
  code: C,
  details: RepairDetails[C],
  ...edits: readonly TextEdit[]
): RepairOf<C> {
  return { code, details, edits };
}

/** A finding of one code. */
export interface FindingOf<C extends FindingCode> {
  readonly code: C;
  readonly severity: Severity;
  readonly range: TextRange;
  readonly details: FindingDetails[C];
  /** The likeliest first. Empty if only a person can mend it. */
  readonly repairs: readonly Repair[];
}
export type Finding = { readonly [C in FindingCode]: FindingOf<C> }[FindingCode];

/** The place of a finding: a value of the text, or a part of the text. */
export type Place = Node | TextRange;

/** Makes a finding of a code at a place. */
type MakeFinding = <C extends FindingCode>(
  code: C,
  at: Place,
  details: FindingDetails[C],
  repairs?: readonly Repair[],
) => FindingOf<C>;

function reportOf(severity: Severity): MakeFinding {
  return (code, at, details, repairs = []) => {
    return { code, severity, range: 'start' in at ? at : rangeOf(at), details, repairs };
  };
}

/** Reports a finding that is certain to be refused, to fail or to do harm. */
export const error: MakeFinding = reportOf('error');
/** Reports a finding that rests on a guess. */
export const warning: MakeFinding = reportOf('warning');
/** Reports a finding that is worth a look. */
export const hint: MakeFinding = reportOf('hint');

/** Reports an error if it is certain, otherwise a warning. */
export function errorIf(isCertain: boolean): MakeFinding {
  return isCertain ? error : warning;
}
