import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import { type ChainFacts, govAge } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import type { DraftKind } from '../../draftKind.ts';
import { allMembers, commentFault, type Draft, type Member, member, rangeOf, type TextRange } from '../../draftText.ts';
import type { WantedForm } from '../../fieldForms.ts';
import { error, errorIf, type Finding, repair, warning } from '../../finding.ts';

/** The fields of each kind with their JSON types, in the order of x/gov/client/cli/util.go. */
const shapes: Readonly<Record<DraftKind, Readonly<Record<string, string>>>> = {
  body: { body: 'object' },
  messages: {
    messages: 'array',
    metadata: 'string',
    deposit: 'string',
    title: 'string',
    summary: 'string',
    expedited: 'boolean',
  },
  legacyText: { title: 'string', description: 'string', type: 'string', deposit: 'string' },
  legacyParams: { title: 'string', description: 'string', changes: 'array', deposit: 'string' },
  legacySpend: { title: 'string', description: 'string', recipient: 'string', amount: 'string', deposit: 'string' },
  metadata: {
    title: 'string',
    authors: 'any',
    summary: 'string',
    details: 'string',
    proposal_forum_url: 'string',
    vote_option_context: 'string',
  },
};

const wanted: ReadonlyMap<string, WantedForm> = new Map([
  ['string', 'text'],
  ['array', 'list'],
  ['boolean', 'true or false'],
]);

/** Checks the fields at the top. Go refuses a file with a wrong JSON type. It skips names that it does not know. */
export function checkShape(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const { title: _, summary: _summary, ...untitled } = shapes[draft.kind];
  // SDK 0.46 accepts messages, but has no titles yet.
  const shape = draft.kind === 'messages' && govAge(facts) === 'messages' ? untitled : shapes[draft.kind];
  return allMembers(draft.root).flatMap((found): readonly Finding[] => {
    const { name, value } = found;
    // Go accepts names in any case.
    const known = Object.keys(shape).find((one) => one === name.toLowerCase());
    // Forks read this field in their legacy files.
    if (name === 'is_expedited' && draft.kind.startsWith('legacy')) return [];
    if (namesForm(draft, found)) return [];
    if (known === undefined && name !== '$schema' && name !== 'proposer')
      return [unknownField(draft, found, '', Object.keys(shape))];
    const type = known && shape[known];
    const isDeposit = name === 'deposit' || value.type === 'null';
    if (type === undefined || type === 'any' || type === value.type || isDeposit) return [];
    const report = errorIf(!isOldList(draft, facts, value));
    return [report('field-type', value, { field: name, wanted: wanted.get(type) ?? 'text' })];
  });
}

/** Legacy contents that have a form of file of their own, by the kind of draft. */
const formNames: ReadonlyMap<DraftKind, RegExp> = new Map([
  ['legacyParams', /(?:^|\.)Param(?:eter)?Change(?:Proposal)?$/],
  ['legacySpend', /(?:^|\.)CommunityPoolSpend(?:Proposal)?$/],
]);

/** Whether a field only says which content the file has, as its other fields do. Nodes ignore it. */
function namesForm({ kind }: Draft, { name, value }: Member): boolean {
  return ['type', '@type'].includes(name) && formNames.get(kind)?.test(String(value.value)) === true;
}

/**
 * Checks the type of a legacy proposal: only `Text` has a file with one (ContentFromProposalType,
 * x/gov/types/v1beta1/proposal.go). SDK 0.37 and older had others. Files of other modules have other fields, too.
 */
export function checkLegacyType(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const { kind, root } = draft;
  const type = kind === 'legacyText' ? member(root, 'type')?.value : undefined;
  const isOwn = allMembers(root).every(({ name }) => textFields.includes(name.toLowerCase()));
  if (typeof type?.value !== 'string' || type.value.toLowerCase() === 'text' || !isOwn) return [];
  const meant = 'Text';
  const repairs = [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, type, meant))];
  const report = errorIf(govAge(facts) !== undefined);
  return [report('name-unknown', type, { field: 'type', name: type.value, meant, known: [meant] }, repairs)];
}

/** Fields of such a file, also of forks. */
const textFields: readonly string[] = [
  'title',
  'description',
  'type',
  'deposit',
  'proposer',
  'expedited',
  'is_expedited',
  '$schema',
];

/** Finds faults of the JSON itself. A comma before a closing bracket is one fault. The parser names two. */
export function checkSyntax({ text, syntax }: Draft): readonly Finding[] {
  const commas = new Set<number>();
  return syntax.flatMap(({ range, code }): readonly Finding[] => {
    if (code === commentFault) return [];
    const before = text.slice(0, range.start).trimEnd().length - 1;
    const isTrailing = text[before] === ',' && /[\]}]/.test(text[range.start] ?? '');
    if (!isTrailing) return [error('json-syntax', range, { fault: code })];
    if (commas.has(before)) return [];
    commas.add(before);
    const comma = { start: before, end: before + 1 };
    return [
      error('json-syntax', comma, { fault: 'TrailingComma' }, [
        repair('comma-remove', {}, { range: comma, newText: '' }),
      ]),
    ];
  });
}

/**
 * Checks for a byte order mark, comments, and names that stand twice in an object. Reports one finding, at the first of
 * them.
 */
export function checkJsonForm({ text, root, syntax }: Draft): readonly Finding[] {
  const hasMark = text.startsWith('\ufeff');
  const comments = syntax.filter(({ code }) => code === commentFault).map(({ range }) => range);
  const repeated = namesTwice(root);
  const [first] = [...comments, ...repeated.map(rangeOf)].toSorted((a, b) => a.start - b.start);
  const at = hasMark ? { start: 0, end: 1 } : first;
  if (!at) return [];
  const twice = [...new Set(repeated.map(({ value }) => String(value)))];
  // Go refuses the mark and comments. It takes the last of equal names.
  return [errorIf(hasMark || comments.length > 0)('json-form', at, { hasMark, comments: comments.length, twice })];
}

/** Names that stand in an object for the second time. */
function namesTwice(root: Node): readonly Node[] {
  const repeated: Node[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const { type, children = [] } = node;
    if (type === 'object' && allMembers(node).length < children.length)
      for (const name of namesTwiceIn(children)) repeated.push(name);
    for (const child of children) if (child.children) open.push(child);
  }
  return repeated;
}

function namesTwiceIn(properties: readonly Node[]): readonly Node[] {
  const seen = new Set<unknown>();
  return properties.flatMap(({ children }) => {
    const key = children?.[0];
    if (!key) return [];
    const isRepeated = seen.has(key.value);
    seen.add(key.value);
    return isRepeated ? [key] : [];
  });
}

/** Checks for a draft without any content, which x/gov/keeper/msg_server.go refuses. */
export function checkEmpty({ kind, root }: Draft): readonly Finding[] {
  const messages = member(root, 'messages');
  const isEmpty = (found: Member | undefined): boolean => !found?.value.children?.length && !found?.value.value;
  if (kind !== 'messages' || !isEmpty(messages) || !isEmpty(member(root, 'metadata'))) return [];
  return [error('empty-proposal', messages?.key ?? opening(root), {})];
}

/** The bracket that opens an object. */
export function opening(node: Draft['root']): TextRange {
  const { start } = rangeOf(node);
  return { start, end: start + 1 };
}

/**
 * Reports a field that its object does not have. Names the field that is most likely meant, unless the object has that
 * one already.
 */
export function unknownField(draft: Draft, { name, key }: Member, of: string, fields: readonly string[]): Finding {
  const object = key.parent?.parent;
  const meant = closestName(
    name,
    fields.filter((field) => member(object, field) === undefined),
  );
  const repairs = meant === undefined ? [] : [repair('key-rename', { name: meant }, replaceValue(draft, key, meant))];
  return warning('field-unknown', key, { field: name, of, meant }, repairs);
}

/**
 * Checks for a draft inside of a "proposal". The command line skips fields that it does not know (parseSubmitProposal in
 * x/gov/client/cli/util.go), so that nothing is left of it.
 */
export function checkWrapper({ root, wrapper }: Draft): readonly Finding[] {
  const key = root.parent?.children?.[0];
  if (!wrapper || !key) return [];
  const [inner, outer] = [rangeOf(root), rangeOf(wrapper)];
  const edits = [
    { range: { start: outer.start, end: inner.start }, newText: '' },
    { range: { start: inner.end, end: outer.end }, newText: '' },
  ];
  const repairs = wrapper.children?.length === 1 ? [repair('unwrap', {}, ...edits)] : [];
  return [error('draft-wrapped', key, {}, repairs)];
}

/** Checks for messages on a chain that accepts only contents (SDK up to 0.45). */
export function checkForm(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const isMissing = draft.kind === 'messages' && facts.hasGovV1 === false && govAge(facts) === 'legacy';
  const { start } = rangeOf(draft.root);
  return isMissing ? [error('gov-form', { start, end: start + 1 }, { wanted: 'legacy' })] : [];
}

/**
 * Whether a deposit may be a list of coins. Legacy files had lists up to SDK 0.39, so this is a guess if the version is
 * not known.
 */
export function isOldList({ kind }: Draft, facts: ChainFacts, value: Node | undefined): boolean {
  return kind.startsWith('legacy') && value?.type === 'array' && govAge(facts) === undefined;
}
