import { hasCoinParams } from '../chain/gov/params.ts';
import { legacyName } from './chainFacts.ts';
import { isPayment } from './checks/file/textChecks.ts';
import { heldAgainst, riskyDenoms, setsValidators } from './checks/harm/harmChecks.ts';
import { clientIds } from './checks/ibc/clientChecks.ts';
import { namedOperators, namedProposal, takenFrom } from './checks/messages/referenceChecks.ts';
import { madeAccount } from './checks/messages/togetherChecks.ts';
import { bondedCoin, sentDenoms } from './checks/payments/paymentChecks.ts';
import { type Draft, isPoolSpend, isUpgrade, type LegacyChange, legacyChanges, member } from './draftText.ts';
import { type Finding, type Place, warning } from './finding.ts';

/** The facts that the checks of a draft need. Parameters of gov, its account, and the last block are always read. */
export interface DraftNeeds {
  /** Packages whose parameters are compared. */
  readonly packages: readonly string[];
  readonly legacy: readonly { readonly subspace: string; readonly key: string }[];
  /** Names of upgrades. */
  readonly plans: readonly string[];
  readonly pool: boolean;
  /** Whether the time between blocks is needed. */
  readonly pace: boolean;
  /** Denoms whose supply is needed. */
  readonly denoms: readonly string[];
  /** Denoms that the gov account pays. */
  readonly paidByGov: readonly string[];
  /** Whether the stakes of the bonded validators are needed. */
  readonly validators: boolean;
  /** Ids of IBC clients. */
  readonly clients: readonly string[];
  /** Addresses at which accounts are made. */
  readonly accounts: readonly string[];
  /** Whether the list of message types is needed. */
  readonly types: boolean;
  /** Whether the plans of open proposals count. */
  readonly openPlans: boolean;
  /** Whether the parameters that open proposals set count. */
  readonly openParams: boolean;
  /** Ids of proposals whose status counts. */
  readonly proposals: readonly string[];
  /** Whether it counts which validators there are. */
  readonly operators: boolean;
  /** Whether it counts which validators the gov account delegates to. */
  readonly delegations: boolean;
  /** Whether the units of denoms count. */
  readonly units: boolean;
  /** The questions beyond the limit, which are not asked. */
  readonly unasked: readonly ChainQuestion[];
}

/** No needs. A draft that does not exist yet adds those of its purpose. */
export const noNeeds: DraftNeeds = {
  packages: [],
  legacy: [],
  plans: [],
  pool: false,
  pace: false,
  denoms: [],
  paidByGov: [],
  validators: false,
  clients: [],
  accounts: [],
  types: false,
  openPlans: false,
  openParams: false,
  proposals: [],
  operators: false,
  delegations: false,
  units: false,
  unasked: [],
};

/** The most questions that a source is asked for one draft. */
const maxQuestions = 100;
/** Questions that are reserved for the facts of every draft: parameters of gov, the last block, the community pool. */
const generalQuestions = 20;

/** A question about the chain that a part of a draft raises. */
interface ChainQuestion {
  readonly kind: 'params' | 'legacy' | 'plan' | 'denom' | 'balance' | 'client' | 'proposal' | 'account';
  /** A package, `subspace/key`, the name of an upgrade, a denom, the id of a client or a proposal, or an address. */
  readonly name: string;
  readonly change?: LegacyChange;
  /** The part of the draft that raises the question. */
  readonly at: Place;
}

/** The questions of a draft, each once, in the order of the text. */
function questionsOf(draft: Draft): readonly ChainQuestion[] {
  const questions = new Map<string, ChainQuestion>();
  const add = (question: ChainQuestion): void => {
    const key = `${question.kind} ${question.name}`;
    if (question.name !== '' && !questions.has(key)) questions.set(key, question);
  };
  for (const action of draft.actions) {
    const { node } = action;
    if (action.name === 'MsgUpdateParams')
      add({ kind: 'params', name: action.package, at: member(node, '@type')?.value ?? node });
    if (bondedCoin(action)) add({ kind: 'params', name: 'cosmos.staking.v1beta1', at: node });
    const other = heldAgainst(action);
    if (other !== undefined) add({ kind: 'params', name: other, at: member(node, '@type')?.value ?? node });
    for (const change of legacyChanges(action)) {
      if (change.subspace === '' || change.key === '') continue;
      add({ kind: 'legacy', name: legacyName(change), change, at: change.node });
      add({ kind: 'params', name: `cosmos.${change.subspace}.v1beta1`, at: change.node });
    }
    const plan = isUpgrade(action) ? member(member(node, 'plan')?.value, 'name')?.value : undefined;
    if (typeof plan?.value === 'string') add({ kind: 'plan', name: plan.value, at: plan });
    for (const { denom, at } of riskyDenoms(draft, action)) add({ kind: 'denom', name: denom, at });
    for (const denom of sentDenoms(action)) add({ kind: 'balance', name: String(denom.value), at: denom });
    for (const id of clientIds(action)) add({ kind: 'client', name: String(id.value), at: id });
    const made = madeAccount(action);
    if (made) add({ kind: 'account', name: String(made.value), at: made });
    const named = namedProposal(action);
    if (named) add({ kind: 'proposal', name: String(named.value), at: named });
  }
  return [...questions.values()];
}

/**
 * The facts that the checks of a draft need. Beyond the limit of questions, only the first parts of the draft count.
 */
export function needsOf(draft: Draft): DraftNeeds {
  const questions = questionsOf(draft);
  const asked = withinLimit(questions);
  const namesOf = (kind: ChainQuestion['kind']): readonly string[] =>
    asked.filter((question) => question.kind === kind).map(({ name }) => name);
  return {
    packages: namesOf('params'),
    legacy: asked.flatMap(({ change }) => (change ? [{ subspace: change.subspace, key: change.key }] : [])),
    plans: namesOf('plan'),
    pool: draft.actions.some(isPoolSpend),
    pace: draft.actions.some((action) => isUpgrade(action) || action.package === 'cosmos.consensus.v1'),
    denoms: namesOf('denom'),
    paidByGov: namesOf('balance'),
    validators: draft.actions.some(setsValidators),
    clients: namesOf('client'),
    accounts: namesOf('account'),
    types: draft.kind === 'messages' && draft.actions.length > 0,
    openPlans: draft.actions.some(isUpgrade),
    openParams:
      asked.some(({ kind }) => kind === 'legacy') || draft.actions.some(({ name }) => name === 'MsgUpdateParams'),
    units: draft.actions.some(isPayment) || namesOf('params').some(hasCoinParams),
    proposals: namesOf('proposal'),
    operators: draft.actions.some((action) => namedOperators(action).length > 0),
    unasked: questions.slice(asked.length),
    delegations: draft.actions.some((action) => takenFrom(action) !== undefined),
  };
}

/**
 * The first questions, up to the limit. A client takes three requests: its status, its state, and the time of its last
 * update.
 */
function withinLimit(questions: readonly ChainQuestion[]): readonly ChainQuestion[] {
  let left = maxQuestions - generalQuestions;
  return questions.filter(({ kind }) => {
    left -= kind === 'client' ? 3 : 1;
    return left >= 0;
  });
}

/** Reports the place from which on nothing is asked, if a draft raises more questions than the limit. */
export function checkQuestions({ unasked: left }: DraftNeeds): readonly Finding[] {
  const [first] = left;
  const count = (wanted: ChainQuestion['kind']): number => left.filter(({ kind }) => kind === wanted).length;
  const denoms = count('denom') + count('balance');
  const counts = {
    params: count('params'),
    legacy: count('legacy'),
    plans: count('plan'),
    denoms,
    clients: count('client'),
    proposals: count('proposal'),
    accounts: count('account'),
  };
  return first ? [warning('too-many-questions', first.at, { limit: maxQuestions, ...counts })] : [];
}
