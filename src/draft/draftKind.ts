import { closestName } from '../chain/closestName.ts';

/** The kind of a draft. The content decides, never the name of the file. */
export type DraftKind =
  /** `tx gov submit-proposal` (gov v1): messages, or only a text. */
  | 'messages'
  /** `tx gov submit-legacy-proposal`: a text, a change of parameters, or a spend of the community pool. */
  | 'legacyText'
  | 'legacyParams'
  | 'legacySpend'
  /** The body of a transaction, as `--generate-only` writes it. Its messages are checked as those of a proposal. */
  | 'body'
  /** `draft_metadata.json`, which lies beside a draft. */
  | 'metadata';

/** The limit that keeps a draft from being read. */
export type TextLimit = 'size' | 'nesting';

/** The file that `draft-proposal` writes beside `draft_proposal.json`. */
export const metadataFileName = 'draft_metadata.json';

/**
 * Whether the metadata of a draft is in `metadataFileName` beside it. This is so if the file has the name that
 * `draft-proposal` gives it.
 */
export function hasMetadataFile(path: string): boolean {
  return /(?:^|[\\/])draft_proposal\.json$/.test(path);
}

/** Longer texts (in characters) and deeper ones are not read. */
export const maxDraftLength = 2 * 1024 * 1024;

const maxDraftNesting = 200;

/** Characters after which a text counts as no draft, unless a field of a draft was found before. */
const unknownBudget = 20_000;

/** Fields at the top of drafts. Other fields may stand before them. */
const draftFields: readonly string[] = [
  'messages',
  'metadata',
  'deposit',
  'title',
  'summary',
  'description',
  'changes',
];

/**
 * The kind of a draft, or undefined for any other JSON. Other JSON costs little: a walk over the first fields, and a
 * search for the words of a draft if one of these is a field of a draft. A text beyond the limits is recognized if its fields stand before the limit.
 */
export function draftKind(text: string): DraftKind | undefined {
  const offset = wrappedOffset(text);
  if (offset !== undefined) return wrappedKind(text.slice(offset));
  const opensBody = /^\s*\{\s*"body"\s*:\s*\{\s*"messages"/.test(text);
  // The names that begin within the budget are whole in this start.
  const start = text.slice(0, unknownBudget + 100);
  if (!opensBody && !topFields(start).some((name) => draftFields.includes(name))) return undefined;
  const isMetadata = text.includes('"proposal_forum_url"') || text.includes('"vote_option_context"');
  const hasMessages = text.includes('"messages"') && text.includes('"@type"');
  if (!isMetadata && !hasMessages && !text.includes('"deposit"')) return undefined;
  const isBody = hasMessages && opensBody;
  const names = new Set(topFields(text, isBody ? text.length : unknownBudget));
  const has = (...wanted: readonly string[]): boolean => wanted.every((name) => names.has(name));
  if (!has('deposit') && hasMessages) {
    // Files of chats have a list of messages too, but their messages have no types.
    if (has('messages') && ['title', 'summary', 'metadata'].some((name) => names.has(name))) return 'messages';
    // A file with fees and signatures is a transaction and not a draft.
    if (names.size === 1 && isBody) return 'body';
  }
  if (!has('deposit')) {
    const isNamed = has('title') && (has('proposal_forum_url') || has('vote_option_context'));
    return isNamed ? 'metadata' : undefined;
  }
  if (has('messages')) return 'messages';
  if (has('title', 'description', 'changes')) return 'legacyParams';
  if (has('title', 'description', 'recipient', 'amount')) return 'legacySpend';
  if (has('title', 'description', 'type')) return 'legacyText';
  // A legacy file without its description. The files of other modules have a summary.
  if (has('changes') && !has('summary') && text.includes('"subspace"')) return 'legacyParams';
  const isText = has('title', 'summary') || has('title', 'metadata') || has('metadata', 'summary');
  // SDK 0.46 has no titles. Its text proposals have only metadata and a deposit.
  const isBare = has('metadata') && /"deposit"\s*:\s*"\d/.test(text);
  return (isText || isBare) && ![...names].some(isForeign) ? 'messages' : undefined;
}

/** Fields of a proposal as nodes answer it, which no draft has. */
const replyFields: readonly string[] = ['id', 'proposal_id', 'status', 'final_tally_result', 'total_deposit'];

/**
 * The offset of an object that stands alone as `proposal`, as people write it after the answer of a node. Undefined for
 * any other text.
 */
export function wrappedOffset(text: string): number | undefined {
  return /^\s*\{\s*"proposal"\s*:\s*(?=\{)/.exec(text)?.[0].length;
}

function wrappedKind(text: string): DraftKind | undefined {
  const kind = wrappedOffset(text) === undefined ? draftKind(text) : undefined;
  const isReply = kind !== undefined && topFields(text, text.length).some((name) => replyFields.includes(name));
  return kind === 'body' || kind === 'metadata' || isReply ? undefined : kind;
}

/** The forms that people write, and the fields of each. */
const formFields = {
  messages: ['messages', 'deposit'],
  legacyText: ['title', 'description', 'type', 'deposit'],
  legacyParams: ['title', 'description', 'changes', 'deposit'],
  legacySpend: ['title', 'description', 'recipient', 'amount', 'deposit'],
} as const;

/** Gives the fields that a text lacks to be each form. Undefined if it has none of them. Never throws. */
export function lackingFields(text: string): Readonly<Record<keyof typeof formFields, readonly string[]>> | undefined {
  const names = new Set(topFields(text));
  const lacks = (fields: readonly string[]): readonly string[] => fields.filter((name) => !names.has(name));
  const { messages, legacyText, legacyParams, legacySpend } = formFields;
  if (![...messages, ...legacyText, ...legacyParams, ...legacySpend].some((name) => names.has(name))) return undefined;
  return {
    messages: lacks(messages),
    legacyText: lacks(legacyText),
    legacyParams: lacks(legacyParams),
    legacySpend: lacks(legacySpend),
  };
}

/** Fields of a text proposal, of its metadata, and other fields that people write beside them. */
const textFields: readonly string[] = [
  'messages',
  'metadata',
  'deposit',
  'title',
  'summary',
  'expedited',
  'description',
  'type',
  'authors',
  'details',
  'proposal_forum_url',
  'vote_option_context',
  'proposer',
  'depositor',
  '$schema',
];

/**
 * Whether a field belongs to a file of another module, which may have a title and a summary too. Misspelt fields of
 * drafts do not count.
 */
function isForeign(name: string): boolean {
  return !textFields.includes(name.toLowerCase()) && closestName(name, textFields) === undefined;
}

/**
 * The names at the top of an object, in their order, up to the limit if none before it is a field of a draft. Empty for
 * any other JSON. Never throws.
 */
function topFields(text: string, budget = unknownBudget): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  let limit = budget;
  for (let at = text.search(/\S/); at >= 0 && at < text.length && at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = stringEnd(text, at);
      if (depth === 1 && /^\s*:/.test(text.slice(end, end + 20))) {
        const name = text.slice(at + 1, Math.min(end - 1, at + 60));
        names.push(name);
        if (draftFields.includes(name)) limit = text.length;
      }
      at = end - 1;
    } else if (code === openBrace || code === openBracket) {
      depth++;
      if (depth === 1 && code === openBracket) return [];
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
      if (depth === 0) break;
    } else if (code === slash) at = commentEnd(text, at) - 1;
    else if (depth === 0 && code > space) return [];
  }
  return names;
}

/** Whether objects and lists are nested beyond the limit. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at) - 1;
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxDraftNesting) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
    else if (code === slash) at = commentEnd(text, at) - 1;
  }
  return false;
}

const [space, quote, backslash, slash, lineFeed] = [0x20, 0x22, 0x5c, 0x2f, 0x0a];

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The end of the string that begins at `start`: behind its quote, at the end of its line, or at the end of the text.
 */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at + 1;
    else if (code === lineFeed) return at;
  }
  return text.length;
}

/** The end of the comment that begins at `start`. The next character if there is no comment. */
function commentEnd(text: string, start: number): number {
  const next = text[start + 1];
  if (next !== '/' && next !== '*') return start + 1;
  const end = next === '/' ? text.indexOf('\n', start) : text.indexOf('*/', start);
  return end < 0 ? text.length : end + (next === '/' ? 0 : 2);
}
