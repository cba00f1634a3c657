import type { ChainNode } from '../api/node.ts';
import { plainEnglish } from '../words/language.ts';
import { checkQuestions, needsOf } from './draftNeeds.ts';
import {
  commentFault,
  type Draft,
  type DraftKind,
  isUpgrade,
  type LinePlace,
  placesIn,
  readDraft,
} from './draftText.ts';
import { findingText, repairText, uncheckedText } from './draftWords.ts';
import { error, type Finding, type Severity, type Unchecked, warning } from './finding.ts';
import {
  checkDeposit,
  checkEmpty,
  checkEscapes,
  checkExpedited,
  checkForm,
  checkJsonForm,
  checkLengths,
  checkMetadata,
  checkMetadataFile,
  checkShape,
  checkTitles,
} from './formChecks.ts';
import { createFactsReader, govAge, type KnownFacts, legacyName, nothingKnown } from './knownFacts.ts';
import {
  checkAuthority,
  checkFields,
  checkHandlers,
  checkRecipients,
  checkSends,
  checkSpends,
  checkTypes,
  checkUpgrades,
  hasFieldTable,
} from './messageChecks.ts';
import { checkLegacyParams, checkParams } from './paramsChecks.ts';
import { checkParamValues } from './paramValueChecks.ts';

/** Looks for mistakes of one sort; adds nothing where a fact that it needs is not known. */
type Check = (draft: Draft, facts: KnownFacts) => readonly Finding[];

const checks: readonly Check[] = [
  checkForm,
  checkJsonForm,
  checkQuestions,
  checkShape,
  checkTitles,
  checkEmpty,
  checkMetadata,
  checkLengths,
  checkEscapes,
  checkDeposit,
  checkExpedited,
  checkTypes,
  checkAuthority,
  checkRecipients,
  checkSpends,
  checkSends,
  checkUpgrades,
  checkHandlers,
  checkFields,
  checkParams,
  checkLegacyParams,
  checkParamValues,
];

/** What a check came to. */
export interface DraftReport {
  readonly kind: DraftKind;
  /** In the order of the text; at one place errors first. */
  readonly findings: readonly Finding[];
  /** What was not checked since the facts for it are not known. */
  readonly unchecked: readonly Unchecked[];
  /** Messages, or contents of old proposals, whose fields are not known: of those hardly more than the signer was looked at. */
  readonly uncheckedMessages: number;
}

/**
 * Checks a text against what is known of a chain, and against the text of the `draft_metadata.json` beside it; undefined where the
 * text is no draft. Never throws.
 */
export function checkDraft(text: string, facts: KnownFacts, metadataFile?: string): DraftReport | undefined {
  const draft = readDraft(text);
  if (draft === undefined) return undefined;
  if (typeof draft === 'string')
    return {
      kind: 'messages',
      findings: [warning('too-large', { start: 0, end: 1 }, { limit: draft })],
      unchecked: [],
      uncheckedMessages: 0,
    };
  const faults = draft.syntax.filter(({ code }) => code !== commentFault);
  const syntax = faults.map(({ range, code }) => error('json-syntax', range, { fault: code }));
  const beside = metadataFile === undefined ? [] : checkMetadataFile(draft, metadataFile);
  const found: Finding[] = [...syntax, ...checks.flatMap((check) => check(draft, facts)), ...beside];
  const ranks = { error: 0, warning: 1, hint: 2 } as const;
  found.sort((a, b) => a.range.start - b.range.start || ranks[a.severity] - ranks[b.severity]);
  const uncheckedMessages = draft.actions.filter((action) =>
    action.name === 'MsgUpdateParams' ? !facts.moduleParams.has(action.package) : !hasFieldTable(draft, action),
  ).length;
  return { kind: draft.kind, findings: found, unchecked: uncheckedOf(draft, facts), uncheckedMessages };
}

function uncheckedOf(draft: Draft, facts: KnownFacts): readonly Unchecked[] {
  if (draft.kind === 'metadata') return [];
  const needs = needsOf(draft);
  const actions = draft.actions;
  const hasMessages = draft.kind === 'messages' && actions.length > 0;
  const asked = new Set(needs.packages);
  const params = actions.filter(({ name, package: module }) => name === 'MsgUpdateParams' && asked.has(module));
  const hasUpgrade = actions.some(isUpgrade);
  const open: Readonly<Record<Unchecked, boolean>> = {
    version: govAge(facts) === undefined,
    gov: facts.govParams?.minDeposit === undefined,
    authority: hasMessages && facts.govAccount === undefined,
    params: params.some((action) => !facts.moduleParams.has(action.package)),
    legacy: needs.legacy.some((change) => !facts.legacyParams.has(legacyName(change))),
    pool: needs.pool && facts.communityPool === undefined,
    height: hasUpgrade && facts.height === undefined,
    blockTime: hasUpgrade && facts.height !== undefined && facts.blockSeconds === undefined,
    plan: needs.plans.some((name) => !facts.appliedPlans.has(name)),
    types: !actions.every((action) => hasFieldTable(draft, action)),
  };
  const isUnchecked = (name: string): name is Unchecked => Object.hasOwn(open, name);
  return Object.entries(open).flatMap(([name, isOpen]) => (isOpen && isUnchecked(name) ? [name] : []));
}

/** A draft that was checked, in plain English. */
export interface DraftReview {
  /** Against what. */
  readonly facts: KnownFacts;
  readonly rows: readonly ReviewRow[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** What was not checked, in one sentence; "" where everything was. */
  readonly unchecked: string;
  /** Messages whose fields were not checked. */
  readonly uncheckedMessages: number;
}

/** A finding. */
export interface ReviewRow extends LinePlace {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** Where it ends, exclusive. */
  readonly end: LinePlace;
  /** What would mend it. */
  readonly repairs: readonly ReviewRepair[];
}

/** A way to mend a finding: its name, and the changes that it makes, which do not overlap. */
export interface ReviewRepair {
  readonly title: string;
  readonly edits: readonly ReviewEdit[];
}

/** What stands from a place up to `end` is replaced. */
export interface ReviewEdit extends LinePlace {
  readonly end: LinePlace;
  readonly newText: string;
}

/**
 * Checks drafts against a node, which is asked for each fact once. Undefined for a text that is no draft; rejects where the node
 * does not answer.
 */
export function createReviewer(
  openNode: () => Promise<ChainNode>,
  signal: AbortSignal,
): (text: string, metadataFile?: string) => Promise<DraftReview | undefined> {
  let readFacts: ReturnType<typeof createFactsReader> | undefined;
  return async (text, metadataFile) => {
    const draft = readDraft(text);
    if (typeof draft === 'object') readFacts ??= createFactsReader(await openNode(), signal);
    const facts = (typeof draft === 'object' && (await readFacts?.(needsOf(draft)))) || nothingKnown;
    const report = checkDraft(text, facts, metadataFile);
    if (!report) return undefined;
    const placeOf = placesIn(text);
    const rows = report.findings.map((finding) => ({
      ...placeOf(finding.range.start),
      end: placeOf(finding.range.end),
      severity: finding.severity,
      code: finding.code,
      message: findingText(finding, plainEnglish),
      repairs: finding.repairs.map((repair) => ({
        title: repairText(repair, plainEnglish),
        edits: repair.edits.map(({ range, newText }) => ({
          ...placeOf(range.start),
          end: placeOf(range.end),
          newText,
        })),
      })),
    }));
    const count = (severity: Severity): number => rows.filter((row) => row.severity === severity).length;
    const counts = { error: count('error'), warning: count('warning'), hint: count('hint') };
    const { uncheckedMessages } = report;
    return { facts, rows, counts, unchecked: uncheckedText(report.unchecked, plainEnglish), uncheckedMessages };
  };
}
