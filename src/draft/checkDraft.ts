import { type Draft, type DraftKind, isPoolSpend, isUpgrade, legacyChanges, readDraft } from './draftText.ts';
import { error, type Finding, warning } from './finding.ts';
import {
  checkDeposit,
  checkEmpty,
  checkEscapes,
  checkExpedited,
  checkForm,
  checkLengths,
  checkMetadata,
  checkShape,
  checkTitles,
} from './formChecks.ts';
import { type DraftNeeds, govAge, type KnownFacts, legacyName } from './knownFacts.ts';
import {
  checkAuthority,
  checkFields,
  checkHandlers,
  checkRecipients,
  checkSends,
  checkSpends,
  checkTypes,
  checkUpgrades,
  plannedNames,
} from './messageChecks.ts';
import { checkLegacyParams, checkParams } from './paramsChecks.ts';

/** Looks for mistakes of one sort; adds nothing where a fact that it needs is not known. */
type Check = (draft: Draft, facts: KnownFacts) => readonly Finding[];

const checks: readonly Check[] = [
  checkForm,
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
];

/** What the checks that need a fact could not ask; each is said once, above the file. */
export type Unchecked =
  | 'gov'
  | 'params'
  | 'legacy'
  | 'height'
  | 'blockTime'
  | 'authority'
  | 'pool'
  | 'plan'
  | 'version';

/** What a check came to. */
export interface DraftReport {
  readonly kind: DraftKind;
  /** In the order of the text; at one place errors first. */
  readonly findings: readonly Finding[];
  /** What was not checked since the facts for it are not known. */
  readonly unchecked: readonly Unchecked[];
}

/** Checks a text against what is known of a chain; undefined where the text is no draft. Never throws. */
export function checkDraft(text: string, facts: KnownFacts): DraftReport | undefined {
  const draft = readDraft(text);
  if (draft === undefined) return undefined;
  if (typeof draft === 'string')
    return {
      kind: 'messages',
      findings: [warning('too-large', { start: 0, end: 1 }, { limit: draft })],
      unchecked: [],
    };
  const syntax = draft.syntax.map(({ range, code }) => error('json-syntax', range, { fault: code }));
  const found: Finding[] = [...syntax, ...checks.flatMap((check) => check(draft, facts))];
  const ranks = { error: 0, warning: 1, hint: 2 } as const;
  found.sort((a, b) => a.range.start - b.range.start || ranks[a.severity] - ranks[b.severity]);
  return { kind: draft.kind, findings: found, unchecked: uncheckedOf(draft, facts) };
}

/** What has to be known to check a draft. */
export function needsOf(draft: Draft): DraftNeeds {
  const actions = draft.actions;
  const legacy = actions.flatMap(legacyChanges).filter(({ subspace, key }) => subspace !== '' && key !== '');
  const params = actions.filter(({ name }) => name === 'MsgUpdateParams').map((action) => action.package);
  return {
    packages: [...new Set([...params, ...legacy.map(({ subspace }) => `cosmos.${subspace}.v1beta1`)])],
    legacy: legacy.map(({ subspace, key }) => ({ subspace, key })),
    plans: [...new Set(plannedNames(draft))].filter((name) => name !== ''),
    pool: actions.some(isPoolSpend),
    pace: actions.some(isUpgrade),
  };
}

function uncheckedOf(draft: Draft, facts: KnownFacts): readonly Unchecked[] {
  if (draft.kind === 'metadata') return [];
  const needs = needsOf(draft);
  const actions = draft.actions;
  const hasMessages = draft.kind === 'messages' && actions.length > 0;
  const params = actions.filter(({ name }) => name === 'MsgUpdateParams');
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
  };
  const isUnchecked = (name: string): name is Unchecked => Object.hasOwn(open, name);
  return Object.entries(open).flatMap(([name, isOpen]) => (isOpen && isUnchecked(name) ? [name] : []));
}
