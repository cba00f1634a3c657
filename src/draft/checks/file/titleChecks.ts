import { isFields } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { replaceValue, setMember } from '../../draftEdits.ts';
import type { DraftKind } from '../../draftKind.ts';
import { type Draft, member, textedNodes } from '../../draftText.ts';
import { error, errorIf, type Finding, type Repair, repair, warning } from '../../finding.ts';
import { opening } from './formChecks.ts';

/** DefaultMaxMetadataLen of x/gov/types/config.go. A summary may be 40 times as long (x/gov/keeper/proposal.go). */
const maxMetadata = 255;

const maxSummary = 40 * maxMetadata;

/** x/gov/types/v1beta1/content.go. */
const maxLegacyTitle = 140;

const maxDescription = 10_000;

const placeholder = 'ipfs://CID';

/** Whether a kind of file has no title and no deposit of its own. */
export function isWithoutTexts(kind: DraftKind): boolean {
  return kind === 'metadata' || kind === 'body';
}

/**
 * Checks title and summary. Drafts need both since SDK 0.47. Legacy files always need title and description, except for
 * contents in messages. Nothing is reported if the version is not known. The line above the file says so instead.
 */
export function checkTitles(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const { kind, root } = draft;
  const isLegacy = kind !== 'messages';
  const isRequired = isLegacy || isSince(facts, 'titles') === true;
  if (isWithoutTexts(kind) || !isRequired) return [];
  return (['title', 'summary'] as const).flatMap((part) => {
    const field = isLegacy && part === 'summary' ? 'description' : part;
    const value = member(root, field)?.value;
    // The SDK trims only the texts of legacy contents.
    const text = isLegacy && typeof value?.value === 'string' ? value.value.trim() : value?.value;
    if (value && text !== '') return [];
    return [error(`${part}-missing`, value ?? opening(root), { field }, textRepairs(draft, part))];
  });
}

/** Checks for texts that are too long for the SDK. An app may set another limit, which cannot be asked for. */
export function checkLengths({ kind, root }: Draft, facts: ChainFacts): readonly Finding[] {
  if (isWithoutTexts(kind)) return [];
  if (kind !== 'messages') return tooLong(root, { title: maxLegacyTitle, description: maxDescription });
  const titled: Readonly<Record<string, number>> =
    isSince(facts, 'titles') === false ? {} : { title: maxMetadata, summary: maxSummary };
  return tooLong(root, { metadata: maxMetadata, ...titled });
}

function tooLong(node: Draft['root'], limits: Readonly<Record<string, number>>): readonly Finding[] {
  return Object.entries(limits).flatMap(([field, limit]) => {
    const value = member(node, field)?.value;
    const bytes = typeof value?.value === 'string' ? new TextEncoder().encode(value.value).length : 0;
    return value && bytes > limit ? [warning('text-long', value, { field, bytes, limit })] : [];
  });
}

/**
 * Checks that metadata repeats title and summary. This holds if it reads as ProposalMetadata
 * (x/gov/keeper/msg_server.go, since SDK 0.47).
 */
export function checkMetadata(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const { kind, root } = draft;
  const metadata = member(root, 'metadata')?.value;
  if (kind !== 'messages' || typeof metadata?.value !== 'string') return [];
  if (metadata.value === placeholder) return [warning('metadata-placeholder', metadata, {}, placeholderRepairs(draft))];
  const stated = inlineMetadata(metadata.value);
  if (!stated || isSince(facts, 'titles') === false) return [];
  return (['title', 'summary'] as const).flatMap((field) => {
    const own = member(root, field)?.value;
    const text: unknown = own?.value ?? '';
    if (typeof text !== 'string' || text === stated[field]) return [];
    // A missing title is another finding.
    if (text === '' && stated[field] !== '') return [];
    const inMetadata = stated[field];
    const written = JSON.stringify({ ...metadataFields(metadata.value), [field]: text });
    const repairs = [
      ...textRepairs(draft, field),
      repair('metadata-from-text', { field }, replaceValue(draft, metadata, written)),
    ];
    return [
      errorIf(isSince(facts, 'titles') === true)('metadata-contradicts', metadata, { field, inMetadata }, repairs),
    ];
  });
}

/**
 * Compares a draft with `draft_metadata.json`. Nodes do not read that file and do not refuse the draft, so differences
 * are warnings.
 */
export function checkMetadataFile(draft: Draft, metadataFile: string): readonly Finding[] {
  const { kind, root } = draft;
  const stated = metadataFields(metadataFile.replace(/^\ufeff/, ''));
  const own: unknown = member(root, 'metadata')?.value.value;
  if (kind !== 'messages' || (typeof own === 'string' && inlineMetadata(own))) return [];
  return (['title', 'summary'] as const).flatMap((field) => {
    const value = member(root, field)?.value;
    const inFile = stated[field];
    // An empty text is not written yet.
    if (!value?.value || typeof inFile !== 'string' || inFile === '' || value.value === inFile) return [];
    const repairs = [repair('text-from-metadata', { field }, replaceValue(draft, value, inFile))];
    return [warning('metadata-file', value, { field, inFile }, repairs)];
  });
}

/** Replaces a text of the draft by the one in the metadata. */
function textRepairs(draft: Draft, field: 'title' | 'summary'): readonly Repair[] {
  const metadata: unknown = member(draft.root, 'metadata')?.value.value;
  const stated = typeof metadata === 'string' ? inlineMetadata(metadata)?.[field] : undefined;
  return stated ? [repair('text-from-metadata', { field }, setMember(draft, draft.root, field, stated))] : [];
}

/**
 * Removes a placeholder from the metadata. A draft without messages needs metadata, and gets its title and summary there.
 */
function placeholderRepairs(draft: Draft): readonly Repair[] {
  const { root } = draft;
  const metadata = member(root, 'metadata');
  if (!metadata) return [];
  if (member(root, 'messages')?.value.children?.length)
    return [repair('metadata-remove', {}, replaceValue(draft, metadata.value, ''))];
  const [title, summary] = ['title', 'summary'].map((field): unknown => member(root, field)?.value.value);
  const written = JSON.stringify({ title, summary });
  const isShort = new TextEncoder().encode(written).length <= maxMetadata;
  return title && summary && isShort
    ? [repair('metadata-inline', {}, replaceValue(draft, metadata.value, written))]
    : [];
}

/** The text fields of `ProposalMetadata` (x/gov/types/metadata.go). */
const metadataTexts = ['title', 'summary', 'details', 'proposal_forum_url', 'vote_option_context'];

function metadataFields(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isFields(value) ? value : {};
}

/** Title and summary of metadata as Go reads them. Undefined if Go cannot read them, and then compares nothing. */
function inlineMetadata(text: string): { readonly title: string; readonly summary: string } | undefined {
  const value = parseJson(text);
  if (value !== null && !isFields(value)) return undefined;
  const fields = new Map(Object.entries(value ?? {}).map(([name, one]) => [name.toLowerCase(), one]));
  const isText = (one: unknown): boolean => one === undefined || one === null || typeof one === 'string';
  if (!metadataTexts.every((name) => isText(fields.get(name)))) return undefined;
  const authors = fields.get('authors') ?? [];
  if (!Array.isArray(authors) || !authors.every((one) => typeof one === 'string')) return undefined;
  return { title: String(fields.get('title') ?? ''), summary: String(fields.get('summary') ?? '') };
}

/** Checks for line ends that were escaped twice. They show as a backslash and an n. */
export function checkEscapes(draft: Draft): readonly Finding[] {
  return [...textedNodes(draft)].flatMap((node) =>
    ['title', 'summary', 'description', 'details'].flatMap((field) => {
      const value = member(node, field)?.value;
      const text: unknown = value?.value;
      if (!value || typeof text !== 'string' || !/\\[nrt"]/.test(text)) return [];
      const plain = text.replace(/\\(?:r\\n|[nrt"\\])/g, (found) => unescaped[found] ?? '\n');
      return [
        warning('escaped-twice', value, { field }, [repair('unescape', { field }, replaceValue(draft, value, plain))]),
      ];
    }),
  );
}

const unescaped: Readonly<Record<string, string>> = { '\\t': '\t', '\\"': '"', '\\\\': '\\' };
