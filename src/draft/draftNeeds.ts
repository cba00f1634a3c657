import { type Draft, isPoolSpend, isUpgrade, type LegacyChange, legacyChanges, member } from './draftText.ts';
import { type Finding, type Place, warning } from './finding.ts';
import { type DraftNeeds, legacyName } from './knownFacts.ts';

/** A source is asked at most so many questions for one draft. */
const maxQuestions = 100;
/** So many of them are kept for the facts that are read for every draft: parameters of gov, the last block, the community pool. */
const generalQuestions = 20;

/** One question that a part of a draft raises. */
interface Question {
  readonly kind: 'params' | 'legacy' | 'plan';
  /** A package, `subspace/key`, or the name of an upgrade. */
  readonly name: string;
  readonly change?: LegacyChange;
  /** The part of the draft that raises it. */
  readonly at: Place;
}

/** The questions of a draft, each once, in the order of the text. */
function questionsOf(draft: Draft): readonly Question[] {
  const questions = new Map<string, Question>();
  const add = (question: Question): void => {
    const key = `${question.kind} ${question.name}`;
    if (question.name !== '' && !questions.has(key)) questions.set(key, question);
  };
  for (const action of draft.actions) {
    const { node } = action;
    if (action.name === 'MsgUpdateParams')
      add({ kind: 'params', name: action.package, at: member(node, '@type')?.value ?? node });
    for (const change of legacyChanges(action)) {
      if (change.subspace === '' || change.key === '') continue;
      add({ kind: 'legacy', name: legacyName(change), change, at: change.node });
      add({ kind: 'params', name: `cosmos.${change.subspace}.v1beta1`, at: change.node });
    }
    const plan = isUpgrade(action) ? member(member(node, 'plan')?.value, 'name')?.value : undefined;
    if (typeof plan?.value === 'string') add({ kind: 'plan', name: plan.value, at: plan });
  }
  return [...questions.values()];
}

/** What has to be known to check a draft: of the questions that its parts raise those of the first parts, up to the limit. */
export function needsOf(draft: Draft): DraftNeeds {
  const asked = questionsOf(draft).slice(0, maxQuestions - generalQuestions);
  const namesOf = (kind: Question['kind']): readonly string[] =>
    asked.filter((question) => question.kind === kind).map(({ name }) => name);
  return {
    packages: namesOf('params'),
    legacy: asked.flatMap(({ change }) => (change ? [{ subspace: change.subspace, key: change.key }] : [])),
    plans: namesOf('plan'),
    pool: draft.actions.some(isPoolSpend),
    pace: draft.actions.some(isUpgrade),
  };
}

/** Says from where on the source is not asked, since the draft raises more questions than one may. */
export function checkQuestions(draft: Draft): readonly Finding[] {
  const left = questionsOf(draft).slice(maxQuestions - generalQuestions);
  const [first] = left;
  const count = (wanted: Question['kind']): number => left.filter(({ kind }) => kind === wanted).length;
  const counts = { params: count('params'), legacy: count('legacy'), plans: count('plan') };
  return first ? [warning('too-many-questions', first.at, { limit: maxQuestions, ...counts })] : [];
}
