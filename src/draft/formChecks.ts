import type { Node } from 'jsonc-parser';
import { isFields } from '../api/wireValues.ts';
import { type Coin, coinsText, type Ratio, readCoins, whole } from '../chain/coin.ts';
import { parseJson } from '../chain/text.ts';
import { closestName } from './closestName.ts';
import {
  commentFault,
  type Draft,
  type DraftKind,
  type Member,
  member,
  membersOf,
  rangeOf,
  type TextRange,
} from './draftText.ts';
import {
  error,
  errorIf,
  type Finding,
  hint,
  type Repair,
  removeChild,
  repair,
  replaceValue,
  setMember,
  type TextEdit,
  warning,
} from './finding.ts';
import { govAge, isSince, type KnownFacts } from './knownFacts.ts';

/** x/gov/types/config.go: DefaultMaxMetadataLen; the summary may be 40 times as long (x/gov/keeper/proposal.go). */
const maxMetadata = 255;
const maxSummary = 40 * maxMetadata;
/** x/gov/types/v1beta1/content.go. */
const maxLegacyTitle = 140;
const maxDescription = 10_000;

const placeholder = 'ipfs://CID';

/** The fields of each kind and their JSON types, in the order of x/gov/client/cli/util.go. */
const shapes: Readonly<Record<DraftKind, Readonly<Record<string, string>>>> = {
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

const wanted: Readonly<Record<string, string>> = { string: 'text', array: 'list', boolean: 'true or false' };

/** Fields at the top of the draft: of another JSON type (Go refuses the file), or with a name that is not read. */
export function checkShape(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const { title: _, summary: _summary, ...untitled } = shapes[draft.kind];
  // SDK 0.46 takes messages, and has no titles yet.
  const shape = draft.kind === 'messages' && govAge(facts) === 'messages' ? untitled : shapes[draft.kind];
  return membersOf(draft.root).flatMap((found): readonly Finding[] => {
    const { name, value } = found;
    // Go takes names in any case.
    const known = Object.keys(shape).find((one) => one === name.toLowerCase());
    // Forks read it in their legacy files.
    if (name === 'is_expedited' && draft.kind !== 'messages' && draft.kind !== 'metadata') return [];
    if (known === undefined && name !== '$schema' && name !== 'proposer')
      return [unknownField(draft, found, '', Object.keys(shape))];
    const type = known && shape[known];
    const isDeposit = name === 'deposit' || value.type === 'null';
    if (type === undefined || type === 'any' || type === value.type || isDeposit) return [];
    return [error('field-type', value, { field: name, wanted: wanted[type] ?? type })];
  });
}

/** A mark of the byte order, comments, and names that stand twice in an object: one finding, at the first of them. */
export function checkJsonForm({ text, root, syntax }: Draft): readonly Finding[] {
  const hasMark = text.startsWith('\ufeff');
  const comments = syntax.filter(({ code }) => code === commentFault).map(({ range }) => range);
  const repeated = namesTwice(root);
  const [first] = [...comments, ...repeated.map(rangeOf)].toSorted((a, b) => a.start - b.start);
  const at = hasMark ? { start: 0, end: 1 } : first;
  if (!at) return [];
  const twice = [...new Set(repeated.map(({ value }) => String(value)))];
  // Go refuses the mark and comments. Of equal names it takes the last one.
  return [errorIf(hasMark || comments.length > 0)('json-form', at, { hasMark, comments: comments.length, twice })];
}

/** The names that an object has had before. */
function namesTwice(root: Node): readonly Node[] {
  const repeated: Node[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const seen = new Set<unknown>();
    for (const child of node.children ?? []) {
      const key = node.type === 'object' ? child.children?.[0] : undefined;
      if (key && seen.has(key.value)) repeated.push(key);
      if (key) seen.add(key.value);
      open.push(child);
    }
  }
  return repeated;
}

/** A draft that says nothing: x/gov/keeper/msg_server.go refuses it. */
export function checkEmpty({ kind, root }: Draft): readonly Finding[] {
  const messages = member(root, 'messages');
  const isEmpty = (found: Member | undefined): boolean => !found?.value.children?.length && !found?.value.value;
  if (kind !== 'messages' || !isEmpty(messages) || !isEmpty(member(root, 'metadata'))) return [];
  return [error('empty-proposal', messages?.key ?? opening(root), {})];
}

/**
 * Title and summary: required since SDK 0.47, of legacy files title and description always (contents in messages may lack them).
 * Where the version is not known, nothing is said here; the line above the file does.
 */
export function checkTitles(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const { kind, root } = draft;
  const isLegacy = kind !== 'messages';
  const isRequired = isLegacy || isSince(facts, 'titles') === true;
  if (kind === 'metadata' || !isRequired) return [];
  return (['title', 'summary'] as const).flatMap((part) => {
    const field = isLegacy && part === 'summary' ? 'description' : part;
    const value = member(root, field)?.value;
    // The SDK trims the texts of legacy contents alone.
    const text = isLegacy && typeof value?.value === 'string' ? value.value.trim() : value?.value;
    if (value && text !== '') return [];
    return [error(`${part}-missing`, value ?? opening(root), { field }, textRepairs(draft, part))];
  });
}

/** Texts that are longer than the SDK lets them be; an app may set another limit, which cannot be asked. */
export function checkLengths({ kind, root }: Draft, facts: KnownFacts): readonly Finding[] {
  if (kind === 'metadata') return [];
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

/** Metadata that reads as ProposalMetadata has to repeat title and summary (x/gov/keeper/msg_server.go, since SDK 0.47). */
export function checkMetadata(draft: Draft, facts: KnownFacts): readonly Finding[] {
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
    // A missing title is reported as such.
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

/** `draft_metadata.json` is put where the metadata leads; a node does not read it, and refuses nothing for it. */
export function checkMetadataFile(draft: Draft, metadataFile: string): readonly Finding[] {
  const { kind, root } = draft;
  const stated = metadataFields(metadataFile.replace(/^\ufeff/, ''));
  const own: unknown = member(root, 'metadata')?.value.value;
  if (kind !== 'messages' || (typeof own === 'string' && inlineMetadata(own))) return [];
  return (['title', 'summary'] as const).flatMap((field) => {
    const value = member(root, field)?.value;
    const inFile = stated[field];
    // What is empty is yet to be written.
    if (!value?.value || typeof inFile !== 'string' || inFile === '' || value.value === inFile) return [];
    const repairs = [repair('text-from-metadata', { field }, replaceValue(draft, value, inFile))];
    return [warning('metadata-file', value, { field, inFile }, repairs)];
  });
}

/** Takes over the text that the metadata states. */
function textRepairs(draft: Draft, field: 'title' | 'summary'): readonly Repair[] {
  const metadata: unknown = member(draft.root, 'metadata')?.value.value;
  const stated = typeof metadata === 'string' ? inlineMetadata(metadata)?.[field] : undefined;
  return stated ? [repair('text-from-metadata', { field }, setMember(draft, draft.root, field, stated))] : [];
}

/** Without messages, a text has to stand somewhere: then the metadata states title and summary itself. */
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

/** Fields of `ProposalMetadata` (x/gov/types/metadata.go) that are texts. */
const metadataTexts = ['title', 'summary', 'details', 'proposal_forum_url', 'vote_option_context'];

function metadataFields(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isFields(value) ? value : {};
}

/** Title and summary of metadata as Go reads them; undefined where it does not, and compares nothing. */
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

/** A line end that was escaped twice shows as a backslash and an n. */
export function checkEscapes(draft: Draft): readonly Finding[] {
  const texts = [
    draft.root,
    ...draft.actions.flatMap(({ isLegacy, node }) => (isLegacy && node !== draft.root ? [node] : [])),
  ];
  return texts.flatMap((node) =>
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

/** The bracket that opens an object. */
export function opening(node: Draft['root']): TextRange {
  const { start } = rangeOf(node);
  return { start, end: start + 1 };
}

/** A field that is not among those of its object, with the one that it most likely stands for, unless the object has that one. */
export function unknownField(draft: Draft, { name, key }: Member, of: string, fields: readonly string[]): Finding {
  const object = key.parent?.parent;
  const meant = closestName(
    name,
    fields.filter((field) => member(object, field) === undefined),
  );
  const repairs = meant === undefined ? [] : [repair('key-rename', { name: meant }, replaceValue(draft, key, meant))];
  return warning('field-unknown', key, { field: name, of, meant }, repairs);
}

/** What a proposal of a kind (expedited or not) has to deposit; each part undefined where the chain does not state it. */
interface Deposits {
  /** What starts the vote: all of these coins. */
  readonly minimum: readonly Coin[] | undefined;
  /** What the submission needs: all of these coins. */
  readonly initial: readonly Coin[];
  /** What a single deposit needs: one of these coins; none where any will do. */
  readonly single: readonly Coin[];
}

/** x/gov/keeper/deposit.go (validateInitialDeposit, AddDeposit), SDK 0.47 to 0.53. */
function depositsOf({ govParams }: KnownFacts, isExpedited: boolean): Deposits {
  const minimum = isExpedited ? (govParams?.expeditedMinDeposit ?? undefined) : govParams?.minDeposit;
  const share = (ratio: Ratio | undefined, toAmount: (product: bigint) => bigint): readonly Coin[] =>
    ratio && minimum ? minimum.map(({ denom, amount }) => ({ denom, amount: toAmount(amount * ratio) })) : [];
  // AtomOne has the parameter, and does not look at it when a proposal is submitted.
  const ratio = govParams?.burnNoThreshold === undefined ? govParams?.minDepositRatio : undefined;
  return {
    minimum,
    initial: share(govParams?.minInitialDepositRatio, roundHalfEven),
    // A deposit that is cut to 0 still has to name the coin.
    single: share(ratio, (product) => product / whole || 1n),
  };
}

/** RoundInt of LegacyDec (cosmossdk.io/math). */
function roundHalfEven(product: bigint): bigint {
  const cut = product / whole;
  const twice = (product % whole) * 2n;
  return twice > whole || (twice === whole && cut % 2n === 1n) ? cut + 1n : cut;
}

/** The deposit against what the chain asks for. */
export function checkDeposit(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const { kind, root } = draft;
  if (kind === 'metadata') return [];
  const value = member(root, 'deposit')?.value;
  const at = value ?? opening(root);
  const text: unknown = value?.value ?? '';
  const isExpedited = isExpeditedDraft(draft);
  const deposits = depositsOf(facts, isExpedited);
  const repairs = depositRepairs(draft, deposits, isExpedited);
  if (typeof text !== 'string' || value?.type === 'array') {
    const coins = value?.type === 'array' ? listedCoins(value) : undefined;
    const written = coins ? [repair('deposit-as-text', {}, setMember(draft, root, 'deposit', coinsText(coins)))] : [];
    return [error('deposit-form', at, {}, [...written, ...repairs])];
  }
  const { govParams } = facts;
  const accepted = acceptedDenoms(facts);
  const coins = text.trim() === '' ? [] : readDeposit(text, facts);
  if (!coins) return [error('deposit-form', at, {}, repairs)];
  const refused = accepted && coins.find(({ denom }) => !accepted.includes(denom));
  if (accepted && refused) {
    const report = errorIf(isSince(facts, 'expedited') === true || govParams?.minDepositRatio !== undefined);
    return [report('deposit-denom', at, { denom: refused.denom, accepted }, repairs)];
  }
  const { initial, single, minimum } = deposits;
  if (!reachesAll(coins, initial))
    return [error('deposit-small', at, { needed: initial, isAnyEnough: false }, repairs)];
  if (single.length > 0 && !single.some((one) => reachesAll(coins, [one])))
    return [error('deposit-small', at, { needed: single, isAnyEnough: true }, repairs)];
  if (!minimum || reachesAll(coins, minimum)) return [];
  return [
    hint(
      'deposit-waits',
      at,
      { minimum },
      repairs.filter(({ code }) => code === 'deposit-to-vote'),
    ),
  ];
}

/** Expedited votes where the chain has none: the field is dropped without a word. */
export function checkExpedited(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const found = isExpeditedDraft(draft) ? member(draft.root, 'expedited') : undefined;
  const isKnown = facts.govParams?.quorum !== undefined && facts.govParams.expeditedVotingPeriod === undefined;
  if (!found || !isKnown) return [];
  const entry = found.key.parent;
  const repairs = entry ? [repair('expedited-remove', {}, removeChild(entry))] : [];
  return [warning('expedited-unsupported', found.key, {}, repairs)];
}

/** Messages where the chain takes contents only (SDK up to 0.45). */
export function checkForm(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const isMissing = draft.kind === 'messages' && facts.hasGovV1 === false && govAge(facts) === 'legacy';
  const { start } = rangeOf(draft.root);
  return isMissing ? [error('gov-form', { start, end: start + 1 }, { wanted: 'legacy' })] : [];
}

/** Whether a draft asks for an expedited vote. */
export function isExpeditedDraft({ kind, root }: Draft): boolean {
  return kind === 'messages' && member(root, 'expedited')?.value.value === true;
}

/** What has to be deposited to submit, and to start the vote at once. */
function depositRepairs(draft: Draft, deposits: Deposits, isExpedited: boolean): readonly Repair[] {
  const { minimum, initial, single } = deposits;
  const first = single[0];
  const needed = initial.map((coin) => (coin.denom === first?.denom && first.amount > coin.amount ? first : coin));
  const toSubmit = needed.length === 0 && first ? [first] : needed;
  const put = (coins: readonly Coin[]): TextEdit => setMember(draft, draft.root, 'deposit', coinsText(coins));
  const vote = minimum ? [repair('deposit-to-vote', { deposit: coinsText(minimum), isExpedited }, put(minimum))] : [];
  return toSubmit.length > 0
    ? [...vote, repair('deposit-to-submit', { deposit: coinsText(toSubmit) }, put(toSubmit))]
    : vote;
}

/**
 * The coins of a deposit (sdk.ParseCoinsNormalized): undefined where it is none, or a denom stands there twice. Denoms have at least
 * three characters; a chain that set another rule (sdk.SetCoinDenomRegex) shows it by the denoms that it accepts.
 */
export function readDeposit(text: string, facts: KnownFacts): readonly Coin[] | undefined {
  const accepted = acceptedDenoms(facts) ?? [];
  // Decimals are cut.
  const coins = readCoins(
    text.split(',').map((part) => {
      const [, amount, denom] =
        /^\s*(\d{1,100})(?:\.\d{1,18})?\s*([a-zA-Z][a-zA-Z0-9/:._-]{0,127})\s*$/.exec(part) ?? [];
      const isDenom = denom !== undefined && (denom.length > 2 || accepted.includes(denom));
      return { denom: isDenom ? denom : undefined, amount };
    }),
  );
  return coins && new Set(coins.map(({ denom }) => denom)).size === coins.length ? coins : undefined;
}

function acceptedDenoms({ govParams }: KnownFacts): readonly string[] | undefined {
  return govParams?.minDeposit?.map(({ denom }) => denom);
}

function listedCoins(list: Draft['root']): readonly Coin[] | undefined {
  return readCoins(
    list.children?.map((coin) => ({
      denom: member(coin, 'denom')?.value.value,
      amount: String(member(coin, 'amount')?.value.value),
    })),
  );
}

function reachesAll(coins: readonly Coin[], needed: readonly Coin[]): boolean {
  return needed.every(
    ({ denom, amount }) => amount === 0n || coins.some((coin) => coin.denom === denom && coin.amount >= amount),
  );
}
