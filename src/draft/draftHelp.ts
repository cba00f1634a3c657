import { findNodeAtLocation, getLocation, type JSONPath, type Node } from 'jsonc-parser';
import { type Coin, coinsText } from '../chain/coin.ts';
import { readContent } from '../chain/content/content.ts';
import { contentTypes, type Field, fieldsOf, nestedFields, nestedTypes } from '../chain/content/messageFields.ts';
import { type Fields, isFields } from '../chain/fields.ts';
import { type Proposal, readProposalMetadata } from '../chain/gov/proposal.ts';
import { type ChainFacts, govAge, isSince } from './chainFacts.ts';
import { isExpeditedDraft, readDeposit } from './checks/file/depositChecks.ts';
import { opening } from './checks/file/formChecks.ts';
import { isZero, unsetBesideAuthority } from './checks/params/paramsChecks.ts';
import { setMember, type TextEdit } from './draftEdits.ts';
import {
  allMembers,
  type Draft,
  type DraftAction,
  isUpgrade,
  itemsOf,
  member,
  messagesOf,
  rangeOf,
  rawOf,
  readDraft,
  type TextRange,
  textOf,
  toCamel,
} from './draftText.ts';

/** Full names, with a slash, of all messages in the tables, and of `MsgUpdateParams` of the SDK's modules. */
export function messageTypes(): readonly string[] {
  const named = Object.entries(contentTypes).flatMap(([name, types]) =>
    Object.keys(types).flatMap((type) => (type.startsWith('Msg') ? [`/${name}.${type}`] : [])),
  );
  return [...named, ...paramsModules.map((module) => `/${module}.MsgUpdateParams`)].toSorted();
}

/** The fields of a message or content. `typeUrl` begins with a slash. Undefined if no table has the type. */
export function messageFields(typeUrl: string): readonly Pick<Field, 'name' | 'type'>[] | undefined {
  const known = fieldsOf(typeUrl.slice(1));
  const isParams = paramsModules.some((module) => typeUrl === `/${module}.MsgUpdateParams`);
  return known ?? (isParams ? ['authority', 'params'].map((name) => ({ name, type: 'string' })) : undefined);
}

/** The texts that can be completed at a place of a draft. */
export interface Completions {
  readonly kind: 'types' | 'fields';
  /** Full types, or names of fields that are not there yet. */
  readonly names: readonly string[];
}

/** Completes types in the value of `@type`, and names of fields inside a message. Undefined at any other place. */
export function completionsAt(text: string, offset: number, facts: ChainFacts): Completions | undefined {
  const { path, isAtPropertyKey } = getLocation(text, offset);
  const draft = readDraft(text);
  if (path[0] !== 'messages' || typeof draft !== 'object') return undefined;
  if (!isAtPropertyKey) return path.at(-1) === '@type' ? { kind: 'types', names: messageTypes() } : undefined;
  const object = findNodeAtLocation(draft.root, path.slice(0, -1));
  const present = new Set(object?.children?.map(({ children }) => String(children?.[0]?.value)));
  const names = namesIn(draft.root, path.slice(0, -1), facts).filter((name) => !present.has(name));
  return names.length > 0 ? { kind: 'fields', names } : undefined;
}

/** The names that an object of a draft may have. The type of the message and the path inside it decide. */
function namesIn(root: Node, path: JSONPath, facts: ChainFacts): readonly string[] {
  const message = findNodeAtLocation(root, path.slice(0, 2));
  const typeUrl = textOf(message, '@type');
  if (typeUrl === undefined) return path.length === 2 ? ['@type'] : [];
  let fields = messageFields(typeUrl);
  for (const step of path.slice(2)) {
    if (step === 'params') return Object.keys(paramsOf(typeUrl, facts));
    if (typeof step === 'number') continue;
    fields = nestedFields(fields?.find(({ name }) => name === step)?.type ?? '');
  }
  return fields?.map(({ name }) => name) ?? [];
}

/** Today's value, as JSON, of the parameter at a place of a draft. Undefined at any other place. */
export function todayAt(text: string, offset: number, facts: ChainFacts): { name: string; json: string } | undefined {
  const { path } = getLocation(text, offset);
  const draft = readDraft(text);
  const [list, index, params, ...steps] = path;
  if (list !== 'messages' || index === undefined || params !== 'params' || typeof draft !== 'object') return undefined;
  let value: unknown = paramsOf(textOf(findNodeAtLocation(draft.root, [list, index]), '@type') ?? '', facts);
  for (const step of steps) value = isFields(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value === undefined || steps.length === 0 ? undefined : { name: steps.join('.'), json: JSON.stringify(value) };
}

function paramsOf(typeUrl: string, { moduleParams }: ChainFacts): object {
  return moduleParams.get(typeUrl.slice(1, typeUrl.lastIndexOf('.'))) ?? {};
}

/** The purpose of a new draft. */
export type NewDraft =
  | { readonly kind: 'text' }
  /** Sets all parameters of a package (`cosmos.staking.v1beta1`). They begin with today's values. */
  | { readonly kind: 'params'; readonly module: string; readonly params: Fields }
  | { readonly kind: 'upgrade'; readonly height: bigint | undefined }
  | { readonly kind: 'spend' };

/** Modules of the SDK whose parameters a new draft can set. */
export const paramsModules: readonly string[] = [
  'cosmos.auth.v1beta1',
  'cosmos.bank.v1beta1',
  'cosmos.consensus.v1',
  'cosmos.distribution.v1beta1',
  'cosmos.gov.v1',
  'cosmos.mint.v1beta1',
  'cosmos.slashing.v1beta1',
  'cosmos.staking.v1beta1',
];

/**
 * The text of a new draft, laid out as `draft-proposal` lays it out. Its deposit starts the vote. Known facts are
 * filled in. A field that only a person can fill is "", and the checks report it.
 */
export function newDraftText(draft: NewDraft, facts: ChainFacts): string {
  const messages = draft.kind === 'text' ? [] : [message(draft, facts)];
  const fields = {
    messages,
    // A proposal without messages needs some metadata.
    metadata: draft.kind === 'text' ? 'Text proposal' : '',
    deposit: coinsText(facts.govParams?.minDeposit ?? []),
    ...(govAge(facts) === 'messages' ? {} : { title: '', summary: '' }),
    ...(facts.govParams?.expeditedVotingPeriod === undefined ? {} : { expedited: false }),
  };
  return `${JSON.stringify(fields, null, 1)}\n`;
}

function message(draft: Exclude<NewDraft, { readonly kind: 'text' }>, facts: ChainFacts): object {
  const authority = facts.govAccount ?? '';
  switch (draft.kind) {
    case 'params': {
      const { version: _, ...own } = draft.params;
      const isBeside = draft.module === 'cosmos.consensus.v1';
      return { '@type': `/${draft.module}.MsgUpdateParams`, authority, ...(isBeside ? own : { params: draft.params }) };
    }
    case 'upgrade': {
      const plan = { name: '', height: String(draft.height ?? 0), info: '' };
      return { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority, plan };
    }
    case 'spend': {
      const denom = facts.communityPool?.[0]?.denom ?? facts.govParams?.minDeposit?.[0]?.denom ?? '';
      const type = '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend';
      return { '@type': type, authority, recipient: '', amount: [{ denom, amount: '0' }] };
    }
    default:
      return draft satisfies never;
  }
}

const text = (description: string): object => ({ type: 'string', description });

/**
 * The JSON schema for `draft_proposal.json`. Types are examples of `@type` and not an enum, since chains have types of
 * their own.
 */
export function draftSchema(): object {
  const types = messageTypes();
  const type = { ...text('Full name of the message, including the slash.'), examples: types };
  const cases = types.map((name) => {
    const condition = { required: ['@type'], properties: { '@type': { const: name } } };
    return Object.fromEntries([
      ['if', condition],
      ['then', { properties: properties(name) }],
    ]);
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      messages: {
        type: 'array',
        description: 'Messages that execute if the proposal passes. Empty for a text proposal.',
        items: { type: 'object', properties: { '@type': type }, allOf: cases },
      },
      metadata: text(
        'Address of the metadata (ipfs://…), or the metadata itself as JSON. The JSON repeats title and summary.',
      ),
      deposit: text('Amounts with their denoms, such as 1000uatom,5stake.'),
      title: text('Title of the proposal.'),
      summary: text('Summary of the proposal, in Markdown.'),
      expedited: { type: 'boolean', description: 'Whether to hold a shorter vote with a higher threshold.' },
    },
  };
}

function properties(typeUrl: string): object {
  const fields = messageFields(typeUrl) ?? [];
  return Object.fromEntries(
    fields.map(({ name, type }) => [name, { description: Object.hasOwn(nestedTypes, type) ? type : name }]),
  );
}

/** The JSON schema of `draft_metadata.json`. */
export const draftMetadataSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    title: text('Title of the proposal, as in the draft.'),
    authors: { type: ['array', 'string'], items: { type: 'string' }, description: 'Authors of the proposal.' },
    summary: text('Summary of the proposal, as in the draft.'),
    details: text('Full text, in Markdown.'),
    proposal_forum_url: text('Address of the discussion.'),
    vote_option_context: text('What each vote option means.'),
  },
};

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

/**
 * Turns values of legacy parameters into texts. A file holds a value as JSON, and a proposal holds the text of that
 * JSON.
 */
function withTexts(draft: Draft, { node }: DraftAction, fields: Fields): Fields {
  const changes = itemsOf(member(node, 'changes')?.value).map((change) => {
    const value = member(change, 'value')?.value;
    return { ...memberValues(draft, change), value: value ? rawOf(draft, value) : '' };
  });
  const { deposit: _, type: _type, ...own } = fields;
  return 'changes' in own ? { ...own, changes } : own;
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

function memberValues(draft: Draft, node: Node): Fields {
  return Object.fromEntries(allMembers(node).map(({ name, value }) => [name, toValue(draft, value)]));
}

/** The value of a node. Integers that JavaScript would round stay texts, which nodes accept too. */
function toValue(draft: Draft, node: Node): unknown {
  if (node.type === 'object') return memberValues(draft, node);
  if (node.type === 'array') return itemsOf(node).map((item) => toValue(draft, item));
  const value: unknown = node.value;
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? rawOf(draft, node) : value;
}

/** The message that submits a draft in the form of this chain. A deposit that cannot be read is left out. */
export function submissionOf(draft: Draft, proposer: string, facts: ChainFacts): Fields {
  const { root, kind } = draft;
  const text = (name: string): string => textOf(root, name) ?? '';
  const initial_deposit = toWire(readDeposit(text('deposit'), facts) ?? []);
  const [own] = draft.actions;
  if (kind !== 'messages' && own) {
    const fields: Fields = { ...withTexts(draft, own, memberValues(draft, root)), '@type': own.typeUrl };
    const { recipient, amount, ...content } = fields;
    const paid = recipient === undefined ? {} : { recipient, amount: toWire(readDeposit(String(amount), facts) ?? []) };
    return {
      '@type': '/cosmos.gov.v1beta1.MsgSubmitProposal',
      content: { ...content, ...paid },
      initial_deposit,
      proposer,
    };
  }
  const messages = messagesOf(draft).map((message) => toValue(draft, message));
  const titles = isSince(facts, 'titles') === false ? {} : { title: text('title'), summary: text('summary') };
  const expedited = isExpeditedDraft(draft) ? { expedited: true } : {};
  const fields = { messages, initial_deposit, proposer, metadata: text('metadata'), ...titles, ...expedited };
  return { '@type': '/cosmos.gov.v1.MsgSubmitProposal', ...fields };
}

function toWire(coins: readonly Coin[]): readonly Fields[] {
  return coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }));
}

/** Sentences of nodes, and the field that each is about (x/gov/keeper/msg_server.go, proposal.go, deposit.go). */
const sentences: readonly (readonly [sentence: RegExp, field: string])[] = [
  [/metadata (title|summary) .{0,500} must equal|metadata too long/, 'metadata'],
  [/proposal title|title too long/, 'title'],
  [/proposal summary|summary too long/, 'summary'],
  [/deposit|insufficient funds|is smaller than/, 'deposit'],
  [/messages proposed/, 'messages'],
];

/** The place for a node's answer: the field that the sentence is about, or the first bracket if that is not clear. */
export function placeOfAnswer(draft: Draft, sentence: string): TextRange {
  const { root, actions } = draft;
  const own = sentences.find(([said]) => said.test(sentence))?.[1];
  const known = own === undefined ? undefined : member(root, own);
  if (own !== undefined) return known ? rangeOf(known.value) : opening(root);
  const named = actions.find(({ typeUrl }) => typeUrl !== '' && sentence.includes(typeUrl.replace(/^\//, '')));
  const type = named && member(named.node, '@type');
  if (type) return rangeOf(type.value);
  if (/gov account|address|hrp|bech32/i.test(sentence)) {
    const signers = actions.flatMap(({ node }) => member(node, 'authority')?.value ?? []);
    const wrong = signers.find(({ value }) => value !== '' && sentence.includes(String(value)));
    const empty = signers.find(({ value }) => value === '');
    const signer = wrong ?? empty ?? signers[0];
    if (signer) return rangeOf(signer);
  }
  const ofType = actions.find(({ name }) => sentence.includes(`.${name}:`));
  return opening(ofType?.node ?? root);
}

/**
 * Sets the height of an upgrade. Takes the plan around `offset`, otherwise the first plan. Undefined if there is no
 * plan.
 */
export function upgradeHeightEdit(draft: Draft, offset: number, height: bigint): TextEdit | undefined {
  const upgrades = draft.actions.filter(isUpgrade);
  const own = upgrades.find(({ node }) => offset >= node.offset && offset <= node.offset + node.length);
  const plan = member((own ?? upgrades[0])?.node, 'plan')?.value;
  return plan?.type === 'object' ? setMember(draft, plan, 'height', String(height)) : undefined;
}
