import type { Node } from 'jsonc-parser';
import type { Digest } from '../api/download.ts';
import type { AddressFault } from '../chain/address.ts';
import type { Coin } from '../chain/coin.ts';
import type { ProposalStatus } from '../chain/proposal.ts';
import type { Ratio } from '../chain/ratio.ts';
import type { TimeUnit } from './checks/messages/timeUnits.ts';
import type { ParamLimit, ParamOrder } from './checks/params/paramRules.ts';
import { countUpTo, type DraftText, member, rangeOf, type TextRange } from './draftText.ts';
import type { WantedForm } from './fieldForms.ts';
import type { OpenPlan } from './knownFacts.ts';

/**
 * `error` is certain to be refused, to fail or to do harm. `warning` rests on a guess, and its text names the guess.
 * `hint` is worth a look.
 */
export type Severity = 'error' | 'warning' | 'hint';

/** The facts of each kind of finding, by its code. The code is also the heading of its section in docs/drafts.md. */
export interface FindingFacts {
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
  };
  'gov-form': { readonly wanted: 'messages' | 'legacy' };
  'title-missing': { readonly field: string };
  'summary-missing': { readonly field: string };
  'empty-proposal': Record<never, never>;
  /** A field that must not be empty is absent, or is empty or 0. */
  'field-empty': { readonly field: string; readonly fails: FailTime };
  /** `isZero` is true for an amount of 0 that must be above 0. */
  'field-type': { readonly field: string; readonly wanted: WantedForm; readonly isZero?: boolean | undefined };
  /**
   * `of` is the type that lacks the field, or "" for the draft itself. `meant` is the field that it most likely stands
   * for.
   */
  'field-unknown': { readonly field: string; readonly of: string; readonly meant?: string | undefined };
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
  };
  'deposit-denom': { readonly denom: string; readonly accepted: readonly string[] };
  'deposit-waits': { readonly minimum: readonly Coin[] };
  'expedited-unsupported': Record<never, never>;
  'type-missing': Record<never, never>;
  /** `isListed`: the chain lists its types, and this one is not in the list. */
  'type-unknown': {
    readonly type: string;
    readonly meant: string | undefined;
    readonly isListed: boolean;
    /** `named`: a message names it as that of others. `misplaced`: a message stands where something else does. */
    readonly use: 'message' | 'named' | 'misplaced';
  };
  'type-form': { readonly type: string };
  'legacy-in-messages': { readonly type: string };
  /** `fault` is undefined if `found` is an address of this chain. */
  'authority-wrong': {
    readonly found: string;
    readonly expected: string;
    readonly field: string;
    readonly fault: AddressFault | undefined;
  };
  /** A name that an enum does not have. `known` are its names. */
  'name-unknown': {
    readonly field: string;
    readonly name: string;
    readonly meant: string | undefined;
    readonly known: readonly string[];
  };
  /** A type of IBC clients that ibc-go does not have. `name` is undefined if no type is allowed. */
  'client-types': { readonly name: string | undefined; readonly meant: string | undefined };
  'address-invalid': { readonly field: string; readonly fault: AddressFault };
  'recipient-module': { readonly module: string };
  /** `holds` is what the pool holds of any denom, the first few. */
  'spend-over-pool': {
    readonly asked: Coin;
    readonly held: bigint;
    readonly holds: readonly Coin[];
    readonly fails: FailTime;
  };
  /** A spend of nearly all that the pool holds of a denom. `share` is its share of that. */
  'spend-most-of-pool': { readonly asked: Coin; readonly share: Ratio };
  'spend-over-balance': { readonly asked: Coin; readonly held: bigint };
  /** Coins that are staked are of another denom than `wanted`, the bond denom. */
  'stake-denom': { readonly field: string; readonly denom: string; readonly wanted: string };
  'coins-form': { readonly fault: 'empty' | 'order' | 'twice' };
  'client-recovery': RecoveryFault;
  /** `said` is what the text `field` names, and `does` what the message has. */
  'text-differs': {
    readonly what: 'amount' | 'recipient' | 'plan' | 'height' | 'param';
    readonly field: string;
    readonly said: string;
    readonly does: string;
    /** The parameter, where it is about one. */
    readonly param?: string | undefined;
  };
  'transfer-timeout': TimeoutFault;
  /** `end` is the end of a vote that begins now. */
  'time-early': { readonly field: string; readonly time: Date; readonly end: Date };
  'wasm-code': { readonly fault: WasmFault; readonly fails: FailTime };
  'validator-unknown': { readonly field: string };
  /** `status` is undefined if the chain has no proposal with this id. */
  'proposal-closed': { readonly id: string; readonly status: ProposalStatus | undefined };
  /** `touched` is a denom of which deposits would be spent. Undefined if the deposits are not known. */
  'send-from-gov': { readonly touched: TouchedDeposits | undefined };
  'upgrade-plan': { readonly field: 'name' | 'height' | 'time' };
  'upgrade-height-past': { readonly asked: bigint; readonly height: bigint; readonly fails: FailTime };
  'upgrade-height-early': { readonly asked: bigint; readonly earliest: bigint; readonly blockSeconds: number };
  /** `seconds` is the expected time from the end of a vote that starts now to the block. */
  'upgrade-height-soon': { readonly asked: bigint; readonly seconds: number };
  /** `when` is the time that is expected for the height. */
  'upgrade-height-far': { readonly asked: bigint; readonly when: Date };
  'upgrade-applied': { readonly name: string; readonly height: bigint };
  /** Other open proposals plan upgrades. */
  'upgrade-open': { readonly plans: readonly OpenPlan[] };
  /** A file of an upgrade plan. Reported only by the command that downloads it. */
  'upgrade-binary': { readonly platform: string; readonly outcome: BinaryOutcome };
  'upgrade-info': InfoFault;
  'legacy-handler': { readonly type: string; readonly instead: string };
  'number-unquoted': { readonly field: string; readonly isLarge: boolean };
  'params-incomplete': { readonly missing: readonly MissingParam[]; readonly fails: FailTime };
  /** Parameters are given, but today's are not known, so that nothing shows whether one is missing. */
  'params-empty': { readonly module: string };
  'param-value': { readonly field: string; readonly limit: ParamLimit; readonly fails: FailTime };
  'param-order': ParamOrder & { readonly fails: FailTime };
  'message-value': MessageFault;
  'vote-extensions': VoteExtensionFault;
  /**
   * `name` is one of these: the package whose parameters are set twice, the upgrade plan that is replaced or cancelled,
   * the legacy parameter that is changed twice, or the type of the message that stands there twice.
   */
  'message-undone': { readonly by: 'params' | 'plan' | 'cancellation' | 'change' | 'same'; readonly name: string };
  /**
   * `supply` is how much of the new denom exists, and `bonded` how much of today's denom is staked. Undefined if not
   * known.
   */
  'denom-changed': {
    readonly field: string;
    readonly today: string;
    readonly asked: string;
    readonly supply: bigint | undefined;
    readonly bonded: bigint | undefined;
  };
  'denom-unissued': { readonly field: string; readonly denom: string };
  'deposit-over-supply': { readonly field: string; readonly asked: Coin; readonly supply: bigint };
  /** `count` of `of` bonded validators fall out. `share` is their share of all stake. */
  'validators-out': { readonly count: number; readonly of: number; readonly share: Ratio };
  'names-dropped': { readonly field: string; readonly names: readonly string[] };
  'param-extreme': { readonly field: string; readonly effect: Extreme; readonly asked: string; readonly today: string };
  /** Both in seconds. */
  'evidence-age': { readonly unbonding: number; readonly evidence: number };
  /** `factor` is rounded down, unless it `isExact`. */
  'value-jump': {
    readonly field: string;
    readonly asked: string;
    readonly today: string;
    readonly factor: bigint;
    readonly isExact: boolean;
  };
  'period-cut': { readonly field: string; readonly seconds: number; readonly today: number };
  /** `denom` can no longer be sent. If absent, this holds for all denoms without a setting of their own. */
  'sends-off': { readonly field: string; readonly denom?: string | undefined };
  unchanged: { readonly what: 'params' | 'legacy'; readonly name: string };
  /**
   * `meant` is the key, or with `isSubspace` the subspace, that was most likely meant. `inside` is the field of its
   * value that the key stands for.
   */
  'legacy-param-unknown': {
    readonly subspace: string;
    readonly key: string;
    readonly meant: string | undefined;
    readonly isSubspace?: boolean | undefined;
    readonly inside?: string | undefined;
  };
  'legacy-param-moved': { readonly subspace: string; readonly key: string };
  'legacy-value-type': { readonly today: string };
}

/** A denom that the gov account holds, the deposits in it, and what the draft sends of it. */
export interface TouchedDeposits {
  readonly denom: string;
  readonly held: bigint;
  readonly deposits: bigint;
  readonly paid: bigint;
}

/** The reason for which a message refuses one of its values, or does something else with it than is meant. */
export type MessageFault =
  | { readonly fault: 'weight'; readonly fails: FailTime }
  | { readonly fault: 'weightSum'; readonly sum: string; readonly fails: FailTime }
  | { readonly fault: 'optionTwice'; readonly option: string; readonly fails: FailTime }
  | {
      readonly fault: 'sums';
      readonly inputs: readonly Coin[];
      readonly outputs: readonly Coin[];
      readonly fails: FailTime;
    }
  | { readonly fault: 'inputs'; readonly fails: FailTime }
  /** Two fields have the same value. */
  | { readonly fault: 'same'; readonly field: string; readonly other: string; readonly fails: FailTime }
  | { readonly fault: 'limit'; readonly field: string; readonly limit: ParamLimit; readonly fails: FailTime }
  /** A number stands twice in a list. */
  | { readonly fault: 'twice'; readonly value: string; readonly fails: FailTime }
  | { readonly fault: 'order'; readonly larger: string; readonly smaller: string; readonly fails: FailTime }
  /** JSON stands as a text, or as the base64 of one, in place of itself. */
  | { readonly fault: 'encoded'; readonly field: string; readonly isBase64: boolean }
  /** A time in another unit than nanoseconds. */
  | { readonly fault: 'short'; readonly field: string }
  /** No port, channel, connection or denom has such a name. */
  | { readonly fault: 'id'; readonly field: string; readonly example: string }
  /** A setting of a denom is set and removed. */
  | { readonly fault: 'reset'; readonly denom: string }
  /** A time since 1970 is in another unit than seconds, or too short to be one. */
  | { readonly fault: 'unit'; readonly field: string; readonly unit: Exclude<TimeUnit, 'seconds'> }
  | { readonly fault: 'period'; readonly field: string; readonly time: Date };

/** A parameter that a message leaves out, with today's value. `isRefused` is true if its module refuses zero. */
export interface MissingParam {
  readonly name: string;
  readonly today: string;
  readonly isRefused: boolean;
}

/** The time at which a chain refuses a value. `either` depends on a version that is not known. */
export type FailTime = 'submission' | 'execution' | 'either';

/**
 * `enabled` is the height since which vote extensions are on. `earliest` is the height that is expected when the vote
 * ends.
 */
export type VoteExtensionFault =
  | { readonly fault: 'negative' }
  | { readonly fault: 'past'; readonly height: bigint }
  | { readonly fault: 'enabled'; readonly enabled: bigint }
  | { readonly fault: 'early'; readonly earliest: bigint };

/**
 * The reason for which bytes are no WebAssembly. `twice` is base64 of base64, `text` its text form (.wat), and `short`
 * are too few bytes.
 */
export type WasmFault = 'hex' | 'twice' | 'zip' | 'text' | 'short' | 'other';

/** A fault in the timeout of an IBC transfer. `end` is the end of a vote that begins now. */
export type TimeoutFault =
  | { readonly fault: 'none'; readonly fails: FailTime }
  /** The time is in another unit than nanoseconds. */
  | { readonly fault: 'unit'; readonly unit: 'seconds' | 'milliseconds' | 'microseconds' }
  /** A time from the execution on that is less than a second. */
  | { readonly fault: 'relative' }
  | { readonly fault: 'past'; readonly time: Date; readonly now: Date }
  | { readonly fault: 'early'; readonly time: Date; readonly end: Date };

/** A fault in the info of an upgrade plan. */
export type InfoFault =
  | { readonly fault: 'json' | 'checksum' }
  /** The algorithm of a checksum is broken, or cosmovisor does not know it. */
  | { readonly fault: 'digest'; readonly digest: string; readonly isKnown: boolean }
  /** There are binaries for these platforms only, and most validators run another one. */
  | { readonly fault: 'platform'; readonly platforms: readonly string[] };

/** The effect of a value at the end of its range. */
export type Extreme =
  | 'noQuorum'
  | 'highQuorum'
  | 'highCommission'
  | 'fullQuorum'
  | 'oneNo'
  | 'noVeto'
  | 'noHistory'
  | 'noRewards'
  | 'oneEntry'
  | 'everyBlock'
  | 'noSlash'
  | 'wholeStake'
  | 'doubled'
  | 'allTaxed'
  | 'noGas'
  | 'noGasLimit'
  | 'oneSignature';

/** The reason for which a file of an upgrade plan is not downloaded. */
export type UncheckedFileReason = 'getter' | 'scheme' | 'checksum' | 'address';

/** The result of a download. */
export type BinaryOutcome =
  | { readonly kind: 'matches'; readonly bytes: number; readonly hosts: readonly string[] }
  | { readonly kind: 'differs'; readonly digest: Digest; readonly found: string; readonly hosts: readonly string[] }
  /** No checksum was stated that it could be compared with. */
  | { readonly kind: 'read'; readonly found: string; readonly bytes: number; readonly hosts: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unchecked'; readonly reason: UncheckedFileReason };

/** The reason for which an IBC client cannot be recovered, or only for a short time. */
export type RecoveryFault =
  | { readonly fault: 'id' | 'same' | 'missing' | 'active' }
  | { readonly fault: 'inactive'; readonly status: string }
  /** Latest heights. `own` is that of the substitute, `other` that of the client to recover. */
  | { readonly fault: 'height'; readonly own: string; readonly other: string }
  | { readonly fault: 'differs'; readonly field: string; readonly own: string; readonly other: string }
  | { readonly fault: 'expires'; readonly expires: Date; readonly end: Date };

export type FindingCode = keyof FindingFacts;

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
  /** Messages whose fields are in no table. */
  | 'types';

/** The facts of each kind of repair, by its code. */
export interface RepairFacts {
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
export interface RepairOf<C extends keyof RepairFacts> {
  readonly code: C;
  readonly facts: RepairFacts[C];
  readonly edits: readonly TextEdit[];
}
export type Repair = { readonly [C in keyof RepairFacts]: RepairOf<C> }[keyof RepairFacts];

/** Makes a repair of a code, with its facts and edits. */
export function repair<C extends keyof RepairFacts>(
  code: C,
  facts: RepairFacts[C],
  ...edits: readonly TextEdit[]
): RepairOf<C> {
  return { code, facts, edits };
}

/** A finding of one code. */
export interface FindingOf<C extends FindingCode> {
  readonly code: C;
  readonly severity: Severity;
  readonly range: TextRange;
  readonly facts: FindingFacts[C];
  /** The likeliest first. Empty if only a person can mend it. */
  readonly repairs: readonly Repair[];
}
export type Finding = { readonly [C in FindingCode]: FindingOf<C> }[FindingCode];

/** The place of a finding: a value of the text, or a part of the text. */
export type Place = Node | TextRange;

/** Makes a finding of a code at a place. */
type Report = <C extends FindingCode>(
  code: C,
  at: Place,
  facts: FindingFacts[C],
  repairs?: readonly Repair[],
) => FindingOf<C>;

function reportOf(severity: Severity): Report {
  return (code, at, facts, repairs = []) => {
    return { code, severity, range: 'start' in at ? at : rangeOf(at), facts, repairs };
  };
}

/** Reports a finding that is certain to be refused, to fail or to do harm. */
export const error: Report = reportOf('error');
/** Reports a finding that rests on a guess. */
export const warning: Report = reportOf('warning');
/** Reports a finding that is worth a look. */
export const hint: Report = reportOf('hint');

/** Reports an error if it is certain, otherwise a warning. */
export function errorIf(isCertain: boolean): Report {
  return isCertain ? error : warning;
}

/** A change of the text: `newText` replaces the range. */
export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** Replaces a value. Numbers with many digits are given as text. */
export function replaceValue(draft: DraftText, node: Node, value: unknown): TextEdit {
  return { range: rangeOf(node), newText: layOut(draft, value, indentAt(draft, node.offset)) };
}

/** Sets a member, or adds it at the end of its object. */
export function setMember(draft: DraftText, object: Node, name: string, value: unknown): TextEdit {
  const found = member(object, name);
  return found ? replaceValue(draft, found.value, value) : addMembers(draft, object, [[name, value]]);
}

/** Adds members at the end of an object, laid out as its other members are. */
export function addMembers(
  draft: DraftText,
  object: Node,
  members: readonly (readonly [name: string, value: unknown])[],
): TextEdit {
  const last = object.children?.at(-1);
  const outer = indentAt(draft, object.offset);
  const inner = last ? indentAt(draft, last.offset) : outer + draft.indent;
  const isOneLine = last !== undefined && !draft.text.slice(object.offset, last.offset).includes('\n');
  const before = isOneLine ? ' ' : draft.lineEnd + inner;
  const written = members.map(([name, value]) => `${before}${JSON.stringify(name)}: ${layOut(draft, value, inner)}`);
  if (last) {
    const end = last.offset + last.length;
    return { range: { start: end, end }, newText: `,${written.join(',')}` };
  }
  const range = { start: object.offset + 1, end: object.offset + object.length - 1 };
  return { range, newText: written.join(',') + draft.lineEnd + outer };
}

/** Removes a member or an element, with the comma beside it. */
export function removeChild(child: Node): TextEdit {
  const siblings = child.parent?.children ?? [];
  const at = countUpTo(siblings, child.offset, ({ offset }) => offset) - 1;
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  const end = child.offset + child.length;
  if (before) return { range: { start: before.offset + before.length, end }, newText: '' };
  if (after) return { range: { start: child.offset, end: after.offset }, newText: '' };
  const parent = child.parent ?? child;
  return { range: { start: parent.offset + 1, end: parent.offset + parent.length - 1 }, newText: '' };
}

function layOut(draft: DraftText, value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, draft.indent);
  return text.replaceAll('\n', draft.lineEnd + indent);
}

/** The indentation of the line that holds this place. */
function indentAt({ text, lineStarts }: DraftText, offset: number): string {
  const start = lineStarts[countUpTo(lineStarts, offset, (one) => one) - 1] ?? 0;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
