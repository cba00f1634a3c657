import type { Fields } from '../../chain/fields.ts';
import type { Proposal } from '../../chain/gov/proposal.ts';
import type { RuleName } from '../../chain/gov/rules.ts';
import type { RuleResult, Verdict } from '../../chain/gov/verdict.ts';
import type { Judgement } from '../../reads/judge.ts';
import { plainEnglish } from '../../words/language.ts';
import { assumptionWords, limitSigns, ruleWords, verdictWords } from '../../words/verdictWords.ts';
import { shareOf, stated, wordOf } from './answer.ts';
import { flag, listOf, maybe, membersOf, rarely, record, text } from './answerSchema.ts';
import { missingText } from './proposalMembers.ts';

/** The schema of a verdict with the rules that it rests on. */
export const verdictSchema = membersOf({
  outcome: text,
  sentence: text,
  rule: text,
  rules: listOf(
    membersOf({
      rule: text,
      formula: text,
      result: text,
      part: maybe(text),
      of: maybe(text),
      value: maybe(text),
      limit: maybe(text),
      margin: text,
      more_yes_needed: maybe(text),
      more_no_with_veto_for_veto: rarely(text),
      unknown: rarely(record),
    }),
  ),
  turnout: maybe(text),
  not_voted: text,
  more_yes_needed: text,
  rules_of: text,
  becomes_regular: flag,
  end_may_move: rarely(text),
  rules_that_may_have_decided: rarely(listOf(text)),
  assumes: rarely(listOf(text)),
  parameters_have_changed_since: rarely(listOf(text)),
  not_read: rarely(listOf(text)),
  unknown: rarely(record),
});

/** Gives the outcome of a vote, in words and with its rules. `now` is the time of the chain. */
export function verdictAnswer(row: Proposal, judgement: Judgement, now: Date): Fields {
  const { verdict, faults } = judgement;
  const { outcome } = verdict;
  const isOpen = row.status === 'voting';
  const power = (amount: bigint): string => `${amount} base units`;
  const { lead, text } = verdictWords({ proposal: row, verdict, now, power, t: plainEnglish });
  const candidates = outcome.kind === 'rejected' ? outcome.candidates.map(wordOf) : [];
  return {
    outcome: wordOf(outcome.kind),
    // The reason of a failed one is the chain's own text, which has a field of its own.
    sentence:
      outcome.kind === 'failed' && outcome.reason !== undefined
        ? lead.replace(/:$/, '.')
        : [lead, text].join(' ').trim(),
    ...('rule' in outcome && outcome.rule ? { rule: wordOf(outcome.rule) } : {}),
    ...(candidates.length > 1 ? { rules_that_may_have_decided: candidates } : {}),
    ...(outcome.kind === 'notVoting' ? { rules: verdict.rules.flatMap(limitAnswer) } : votesAnswer(verdict, isOpen)),
    rules_of: verdict.variant.name,
    ...(verdict.assumptions.length > 0 ? { assumes: assumptionWords(verdict, plainEnglish) } : {}),
    ...(verdict.contradicting.length > 0 ? { parameters_have_changed_since: verdict.contradicting.map(wordOf) } : {}),
    ...(faults.length > 0 ? { not_read: faults.map(({ read }) => read) } : {}),
  };
}

/** Gives the condition that a rule sets: `No with veto / all votes ≤ limit`. */
function conditionOf(rule: RuleName): string {
  const { formula } = ruleWords(rule, plainEnglish);
  if (rule === 'bonded') return `${formula} > 0`;
  return rule === 'notAllAbstain' ? `${formula} < 1` : `${formula} ${limitSigns[rule]} limit`;
}

/** Gives the limit that a vote will be held against, before the vote begins. */
function limitAnswer({ name, limit }: RuleResult): readonly Fields[] {
  if (limit === undefined) return [];
  return [{ rule: wordOf(name), formula: conditionOf(name), limit: shareOf(limit) }];
}

/** Gives the rules and the votes held against them. */
function votesAnswer(verdict: Verdict, isOpen: boolean): Fields {
  const { turnout, unvoted, moreYes } = verdict;
  return {
    rules: verdict.rules.map((rule) => ruleAnswer(rule, isOpen)),
    ...stated(
      { turnout: turnout === undefined ? undefined : shareOf(turnout) },
      { turnout: missingText(isOpen ? verdict.missing : ['bonded'], isOpen) },
    ),
    ...(unvoted === undefined ? {} : { not_voted: `${unvoted}` }),
    ...(moreYes === undefined ? {} : { more_yes_needed: `${moreYes}` }),
    ...(verdict.becomesRegular ? { becomes_regular: true } : {}),
    ...(verdict.endMayMove ? { end_may_move: verdict.endMayMove } : {}),
  };
}

/** Gives a rule. Amounts are in base units of the bond denom, shares are parts of 1. */
function ruleAnswer(
  { name, part, of, value, limit, result, margin, moreYes, moreVeto, missing }: RuleResult,
  isOpen: boolean,
): Fields {
  const digits = (amount: bigint | undefined): string | undefined => (amount === undefined ? undefined : `${amount}`);
  const share = (ratio: bigint | undefined): string | undefined => (ratio === undefined ? undefined : shareOf(ratio));
  const reason = missingText(missing, isOpen);
  const hasShare = name !== 'bonded' && name !== 'notAllAbstain';
  return {
    rule: wordOf(name),
    formula: conditionOf(name),
    result,
    ...stated(
      {
        part: digits(part),
        ...(name === 'bonded' ? {} : { of: digits(of) }),
        // Without a total there is no quotient, for the same reason.
        ...(hasShare && of !== undefined ? { value: share(value) } : {}),
        ...(hasShare ? { limit: share(limit) } : {}),
      },
      { part: reason, of: reason, value: reason, limit: reason },
    ),
    ...(margin === undefined ? {} : { margin: `${margin}` }),
    ...(isOpen && result === 'missed'
      ? stated({ more_yes_needed: digits(moreYes) }, { more_yes_needed: 'no number of Yes votes would be enough' })
      : {}),
    ...(isOpen && moreVeto !== undefined ? { more_no_with_veto_for_veto: `${moreVeto}` } : {}),
  };
}
