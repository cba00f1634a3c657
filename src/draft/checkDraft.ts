import type { ChainNode } from '../api/node.ts';
import { plainEnglish } from '../words/language.ts';
import { type ChainFacts, govAge, legacyName, nothingKnown } from './chainFacts.ts';
import { checkFields, hasFieldTable } from './checks/fields/fieldChecks.ts';
import { checkHandlers, checkNamedTypes, checkTypeNames, checkTypes } from './checks/fields/typeChecks.ts';
import { checkDeposit, checkExpedited } from './checks/file/depositChecks.ts';
import {
  checkEmpty,
  checkForm,
  checkJsonForm,
  checkLegacyType,
  checkShape,
  checkSyntax,
  checkWrapper,
} from './checks/file/formChecks.ts';
import { checkTexts } from './checks/file/textChecks.ts';
import {
  checkEscapes,
  checkLengths,
  checkMetadata,
  checkMetadataFile,
  checkTitles,
} from './checks/file/titleChecks.ts';
import { checkHarm, setsValidators } from './checks/harm/harmChecks.ts';
import { checkPower } from './checks/harm/powerChecks.ts';
import { checkOpenParams, checkUndone } from './checks/harm/undoneChecks.ts';
import { checkClients, isClientUnknown } from './checks/ibc/clientChecks.ts';
import { checkTransfers } from './checks/ibc/transferChecks.ts';
import { checkUpgradedClients } from './checks/ibc/upgradedClientChecks.ts';
import { checkAccounts, checkAuthority, checkRecipients } from './checks/messages/accountChecks.ts';
import { checkFieldLimits } from './checks/messages/fieldLimits.ts';
import { checkGroups } from './checks/messages/groupChecks.ts';
import { checkLists } from './checks/messages/listChecks.ts';
import { checkMessageValues } from './checks/messages/messageValueChecks.ts';
import { checkReferences, untold } from './checks/messages/referenceChecks.ts';
import { checkTogether, hasAccount, madeAccount } from './checks/messages/togetherChecks.ts';
import { checkValues } from './checks/messages/valueChecks.ts';
import { checkWasmCode, checkWasmSource } from './checks/messages/wasmChecks.ts';
import { checkLegacyParams } from './checks/params/legacyParamChecks.ts';
import { checkNames } from './checks/params/nameChecks.ts';
import { checkParams } from './checks/params/paramsChecks.ts';
import { checkParamTexts } from './checks/params/paramTextChecks.ts';
import { checkParamValues } from './checks/params/paramValueChecks.ts';
import { checkPayments } from './checks/payments/paymentChecks.ts';
import { checkCoins, checkSpends } from './checks/payments/spendChecks.ts';
import { checkOpenPlans, checkUpgrades } from './checks/upgrades/upgradeChecks.ts';
import type { DraftKind, TextLimit } from './draftKind.ts';
import { checkQuestions, type DraftNeeds, needsOf } from './draftNeeds.ts';
import { countRows, type DraftReview, rowsOf } from './draftReview.ts';
import { uncheckedText } from './draftSummary.ts';
import { type Draft, isUpgrade, readDraft } from './draftText.ts';
import { createFactsReader } from './factsReader.ts';
import { type Finding, type Unchecked, warning } from './finding.ts';
import { toProposal } from './proposed/draftProposal.ts';

/** Looks for one sort of mistake. A check adds nothing if a fact that it needs is not known. */
type Check = (draft: Draft, facts: ChainFacts) => readonly Finding[];

/** All checks. Their order counts only for findings of one severity at one place. */
const checks: readonly Check[] = [
  checkWrapper,
  checkForm,
  checkJsonForm,
  checkShape,
  checkLegacyType,
  checkTitles,
  checkEmpty,
  checkMetadata,
  checkLengths,
  checkEscapes,
  checkDeposit,
  checkExpedited,
  checkTypes,
  checkTypeNames,
  checkNamedTypes,
  checkAuthority,
  checkRecipients,
  checkAccounts,
  checkSpends,
  checkPayments,
  checkTransfers,
  checkWasmCode,
  checkWasmSource,
  checkValues,
  checkMessageValues,
  checkFieldLimits,
  checkLists,
  checkGroups,
  checkTogether,
  checkUpgrades,
  checkClients,
  checkUpgradedClients,
  checkHandlers,
  checkFields,
  checkCoins,
  checkParams,
  checkLegacyParams,
  checkParamValues,
  checkNames,
  checkUndone,
  checkOpenParams,
  checkHarm,
  checkPower,
  checkOpenPlans,
  checkReferences,
  checkTexts,
  checkParamTexts,
];

/** The result of the checks of one draft. */
export interface DraftReport {
  readonly kind: DraftKind;
  /** In the order of the text. Findings at one place have errors first. */
  readonly findings: readonly Finding[];
  /** Subjects that were not checked, because their facts are not known. */
  readonly unchecked: readonly Unchecked[];
  /**
   * The number of messages, or contents of old proposals, whose fields are not known. Little more than their signer was
   * checked.
   */
  readonly uncheckedMessages: number;
}

/**
 * Checks a draft against the facts of a chain, and against the text of the `draft_metadata.json` beside it. Undefined
 * if the text is no draft. Never throws.
 */
export function checkDraft(text: string, facts: ChainFacts, metadataFile?: string): DraftReport | undefined {
  const draft = readDraft(text);
  return draft === undefined ? undefined : checkRead(draft, facts, metadataFile);
}

/** The same for a draft that was read before, or that is beyond a limit. */
export function checkRead(draft: Draft | TextLimit, facts: ChainFacts, metadataFile?: string): DraftReport {
  if (typeof draft === 'string')
    return {
      kind: 'messages',
      findings: [warning('too-large', { start: 0, end: 1 }, { limit: draft })],
      unchecked: [],
      uncheckedMessages: 0,
    };
  const syntax = checkSyntax(draft);
  const beside = metadataFile === undefined ? [] : checkMetadataFile(draft, metadataFile);
  const needs = needsOf(draft);
  const found = [...syntax, ...checkQuestions(needs), ...checks.flatMap((check) => check(draft, facts)), ...beside];
  const ranks = { error: 0, warning: 1, hint: 2 } as const;
  found.sort((a, b) => a.range.start - b.range.start || ranks[a.severity] - ranks[b.severity]);
  const uncheckedMessages = draft.actions.filter((action) =>
    action.name === 'MsgUpdateParams' ? !facts.moduleParams.has(action.package) : !hasFieldTable(draft, action),
  ).length;
  return { kind: draft.kind, findings: found, unchecked: uncheckedOf(draft, facts, needs), uncheckedMessages };
}

function uncheckedOf(draft: Draft, facts: ChainFacts, needs: DraftNeeds): readonly Unchecked[] {
  if (draft.kind === 'metadata') return [];
  const actions = draft.actions;
  const hasMessages = draft.kind === 'messages' && actions.length > 0;
  const asked = new Set(needs.packages);
  const params = actions.filter(({ name, package: module }) => name === 'MsgUpdateParams' && asked.has(module));
  const hasUpgrade = actions.some(isUpgrade);
  const isLacking: Readonly<Record<Unchecked, boolean>> = {
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
    clients: actions.some((action) => isClientUnknown(action, facts)),
    validators: actions.some(setsValidators) && facts.bondedStakes === undefined,
    supply: needs.denoms.some((denom) => !facts.supplies?.has(denom)),
    proposals:
      (needs.openPlans && facts.openPlans === undefined) ||
      (needs.openParams && facts.openParams === undefined) ||
      needs.proposals.some((id) => !facts.proposals?.has(id)),
    operators: needs.operators && facts.operators === undefined,
    accounts: actions.some((action) => {
      const made = madeAccount(action);
      return made !== undefined && hasAccount(made.value, facts) === undefined;
    }),
    ...untold(draft, facts),
  };
  const isUnchecked = (name: string): name is Unchecked => Object.hasOwn(isLacking, name);
  return Object.entries(isLacking).flatMap(([name, lacks]) => (lacks && isUnchecked(name) ? [name] : []));
}

/**
 * Checks drafts against a node. Each fact is asked for once. The result is undefined for a text that is no draft.
 * Rejects with an `ApiError` if the node does not answer.
 */
export function createReviewer(
  openNode: () => Promise<ChainNode>,
  signal: AbortSignal,
): (text: string, metadataFile?: string) => Promise<DraftReview | undefined> {
  let readFacts: ReturnType<typeof createFactsReader> | undefined;
  return async (text, metadataFile) => {
    const draft = readDraft(text);
    if (draft === undefined) return undefined;
    if (typeof draft === 'object') readFacts ??= createFactsReader(await openNode(), signal);
    const facts = (typeof draft === 'object' && (await readFacts?.(needsOf(draft)))) || nothingKnown;
    const report = checkRead(draft, facts, metadataFile);
    const rows = rowsOf(text, report.findings);
    const counts = countRows(rows);
    const { uncheckedMessages } = report;
    const proposal = typeof draft === 'object' ? toProposal(draft, facts).proposal : undefined;
    return {
      facts,
      proposal,
      rows,
      counts,
      unchecked: uncheckedText(report.unchecked, plainEnglish),
      uncheckedMessages,
    };
  };
}
