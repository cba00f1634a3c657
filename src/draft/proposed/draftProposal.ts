import { readContent } from '../../chain/content/content.ts';
import { type Fields, isFields } from '../../chain/fields.ts';
import { type Proposal, readProposalMetadata } from '../../chain/gov/proposal.ts';
import type { ChainFacts } from '../chainFacts.ts';
import { isExpeditedDraft, readDeposit } from '../checks/file/depositChecks.ts';
import { isZero, unsetBesideAuthority } from '../checks/params/paramsChecks.ts';
import { type Draft, type DraftAction, textOf, toCamel } from '../draftText.ts';
import { memberValues, withTexts } from './draftValues.ts';

/** A draft, shown as a proposal. */
export interface ProposedDraft {
  readonly proposal: Proposal;
  /**
   * Parameters that the draft leaves out, and that would become zero. Each is a path `package/name.inner`. The proposal
   * has them as zeros.
   */
  readonly zeroed: ReadonlySet<string>;
}

/**
 * The proposal that a draft would be if it was submitted now. It is in its deposit period. Title and text may be
 * missing.
 */
export function toProposal(draft: Draft, facts: ChainFacts): ProposedDraft {
  const { root } = draft;
  const zeroed = new Set<string>();
  const own = draft.actions.filter(({ node, isLegacy }) => !isLegacy || node === root);
  const contents = own.map((action) => readContent(toMessage(draft, action, facts, zeroed)));
  const metadata = readProposalMetadata(textOf(root, 'metadata') ?? '');
  const proposal: Proposal = {
    kind: 'proposal',
    id: 0n,
    status: 'deposit',
    wireStatus: '',
    title: textOf(root, 'title'),
    description: textOf(root, 'summary') ?? textOf(root, 'description'),
    contents,
    finalTally: undefined,
    submitTime: undefined,
    depositEndTime: undefined,
    votingStartTime: undefined,
    votingEndTime: undefined,
    totalDeposit: readDeposit(textOf(root, 'deposit') ?? '', facts) ?? [],
    form: 'v1',
    proposer: undefined,
    metadata,
    expedited: isExpeditedDraft(draft),
    statesExpedited: true,
    isStoredAsV1: false,
    emergency: false,
    endorsed: false,
    failedReason: undefined,
    raw: {},
    faults: [],
  };
  return { proposal, zeroed };
}

function toMessage(draft: Draft, action: DraftAction, facts: ChainFacts, zeroed: Set<string>): Fields {
  const { node, typeUrl, name, package: module } = action;
  const fields: Fields = { ...memberValues(draft, node), '@type': typeUrl };
  if (name !== 'MsgUpdateParams') return node === draft.root ? withTexts(draft, action, fields) : fields;
  const today = facts.moduleParams.get(module);
  const unset = unsetBesideAuthority(action);
  if (!today) return fields;
  const expected = Object.fromEntries(Object.entries(today).filter(([one]) => !unset?.includes(one)));
  const fill = (given: unknown): Fields => withZeros(isFields(given) ? given : {}, expected, `${module}/`, zeroed);
  return unset ? { ...fields, ...fill(fields) } : { ...fields, params: fill(fields.params) };
}

/** The parameters as the chain would read them. Fields that are left out, and are not zero today, become zero. */
function withZeros(given: Fields, today: Fields, path: string, zeroed: Set<string>): Fields {
  const entries = Object.entries(today).map(([name, value]): readonly [string, unknown] => {
    const own = given[name] ?? given[toCamel(name)] ?? undefined;
    if (isFields(value) && isFields(own) && !isZero(value))
      return [name, withZeros(own, value, `${path}${name}.`, zeroed)];
    if (own !== undefined) return [name, own];
    markZeros(value, path + name, zeroed);
    return [name, zeroLike(value)];
  });
  const camel = new Set(Object.keys(today).map(toCamel));
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(today, name) && !camel.has(name));
  return Object.fromEntries([...entries, ...others]);
}

function markZeros(today: unknown, path: string, zeroed: Set<string>): void {
  if (isZero(today)) return;
  zeroed.add(path);
  if (!isFields(today)) return;
  for (const [name, value] of Object.entries(today)) markZeros(value, `${path}.${name}`, zeroed);
}

/** The zero of a type in proto JSON. Today's value shows the type. */
function zeroLike(today: unknown): unknown {
  if (typeof today === 'number') return 0;
  if (typeof today === 'boolean') return false;
  if (Array.isArray(today)) return [];
  if (isFields(today)) return Object.fromEntries(Object.entries(today).map(([name, value]) => [name, zeroLike(value)]));
  if (typeof today !== 'string') return today;
  if (/^[\d.]+s$/.test(today)) return '0s';
  return /^-?\d+(\.\d+)?$/.test(today) ? '0' : '';
}
