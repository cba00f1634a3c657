import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import { type Coin, coinsText, readCoins } from '../../../chain/coin.ts';
import { isFields } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import { type Ratio, whole } from '../../../chain/ratio.ts';
import {
  allMembers,
  commentFault,
  type Draft,
  type DraftKind,
  type Member,
  member,
  rangeOf,
  type TextRange,
} from '../../draftText.ts';
import type { WantedForm } from '../../fieldForms.ts';
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
} from '../../finding.ts';
import { govAge, isSince, type KnownFacts } from '../../knownFacts.ts';

/** DefaultMaxMetadataLen of x/gov/types/config.go. A summary may be 40 times as long (x/gov/keeper/proposal.go). */
const maxMetadata = 255;
const maxSummary = 40 * maxMetadata;
/** x/gov/types/v1beta1/content.go. */
const maxLegacyTitle = 140;
const maxDescription = 10_000;

const placeholder = 'ipfs://CID';

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
export function checkShape(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const { title: _, summary: _summary, ...untitled } = shapes[draft.kind];
  // SDK 0.46 accepts messages, but has no titles yet.
  const shape = draft.kind === 'messages' && govAge(facts) === 'messages' ? untitled : shapes[draft.kind];
  return allMembers(draft.root).flatMap((found): readonly Finding[] => {
    const { name, value } = found;
    // Go accepts names in any case.
    const known = Object.keys(shape).find((one) => one === name.toLowerCase());
    // Forks read this field in their legacy files.
    if (name === 'is_expedited' && draft.kind.startsWith('legacy')) return [];
    if (known === undefined && name !== '$schema' && name !== 'proposer')
      return [unknownField(draft, found, '', Object.keys(shape))];
    const type = known && shape[known];
    const isDeposit = name === 'deposit' || value.type === 'null';
    if (type === undefined || type === 'any' || type === value.type || isDeposit) return [];
    const report = errorIf(!isOldList(draft, facts, value));
    return [report('field-type', value, { field: name, wanted: wanted.get(type) ?? 'text' })];
  });
}

/**
 * Whether a deposit may be a list of coins. Legacy files had lists up to SDK 0.39, so this is a guess if the version is
 * not known.
 */
function isOldList({ kind }: Draft, facts: KnownFacts, value: Node | undefined): boolean {
  return kind.startsWith('legacy') && value?.type === 'array' && govAge(facts) === undefined;
}

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

/** Whether a kind of file has no title and no deposit of its own. */
function isWithoutTexts(kind: DraftKind): boolean {
  return kind === 'metadata' || kind === 'body';
}

/** Checks for a draft without any content, which x/gov/keeper/msg_server.go refuses. */
export function checkEmpty({ kind, root }: Draft): readonly Finding[] {
  const messages = member(root, 'messages');
  const isEmpty = (found: Member | undefined): boolean => !found?.value.children?.length && !found?.value.value;
  if (kind !== 'messages' || !isEmpty(messages) || !isEmpty(member(root, 'metadata'))) return [];
  return [error('empty-proposal', messages?.key ?? opening(root), {})];
}

/**
 * Checks title and summary. Drafts need both since SDK 0.47. Legacy files always need title and description, except for
 * contents in messages. Nothing is reported if the version is not known. The line above the file says so instead.
 */
export function checkTitles(draft: Draft, facts: KnownFacts): readonly Finding[] {
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
export function checkLengths({ kind, root }: Draft, facts: KnownFacts): readonly Finding[] {
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

/** The deposits that a proposal needs, expedited or not. */
interface Deposits {
  /** All of these coins start the vote. Undefined if the chain does not state them. */
  readonly minimum: readonly Coin[] | undefined;
  /** All of these coins are needed to submit. */
  readonly initial: readonly Coin[];
  /** One of these coins is needed in each deposit. Empty if any coin will do. */
  readonly single: readonly Coin[];
}

/** The deposits of a chain, by validateInitialDeposit and AddDeposit of SDK 0.47 to 0.53 (x/gov/keeper/deposit.go). */
function depositsOf({ govParams }: KnownFacts, isExpedited: boolean): Deposits {
  const minimum = isExpedited ? (govParams?.expeditedMinDeposit ?? undefined) : govParams?.minDeposit;
  const share = (ratio: Ratio | undefined, toAmount: (product: bigint) => bigint): readonly Coin[] =>
    ratio && minimum ? minimum.map(({ denom, amount }) => ({ denom, amount: toAmount(amount * ratio) })) : [];
  // AtomOne has the parameter, but does not check it when a proposal is submitted.
  const ratio = govParams?.burnNoThreshold === undefined ? govParams?.minDepositRatio : undefined;
  return {
    minimum,
    initial: share(govParams?.minInitialDepositRatio, roundHalfEven),
    // A deposit that rounds to 0 still has to name the coin.
    single: share(ratio, (product) => product / whole || 1n),
  };
}

/** Rounds as RoundInt of LegacyDec (cosmossdk.io/math). */
function roundHalfEven(product: bigint): bigint {
  const cut = product / whole;
  const twice = (product % whole) * 2n;
  return twice > whole || (twice === whole && cut % 2n === 1n) ? cut + 1n : cut;
}

/** Checks the deposit against the minimum of the chain. */
export function checkDeposit(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const { kind, root } = draft;
  if (isWithoutTexts(kind)) return [];
  const value = member(root, 'deposit')?.value;
  const at = value ?? opening(root);
  const text: unknown = value?.value ?? '';
  const isExpedited = isExpeditedDraft(draft);
  const deposits = depositsOf(facts, isExpedited);
  const repairs = depositRepairs(draft, deposits, isExpedited);
  if (typeof text !== 'string' || value?.type === 'array') {
    const coins = value?.type === 'array' ? listedCoins(value) : undefined;
    const written = coins ? [repair('deposit-as-text', {}, setMember(draft, root, 'deposit', coinsText(coins)))] : [];
    return [errorIf(!isOldList(draft, facts, value))('deposit-form', at, {}, [...written, ...repairs])];
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
    return [error('deposit-small', at, { needed: initial, isAnyEnough: false, isExpedited }, repairs)];
  if (single.length > 0 && !single.some((one) => reachesAll(coins, [one])))
    return [error('deposit-small', at, { needed: single, isAnyEnough: true, isExpedited }, repairs)];
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

/** Checks for an expedited vote on a chain that has none. The chain drops the field silently. */
export function checkExpedited(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const found = isExpeditedDraft(draft) ? member(draft.root, 'expedited') : undefined;
  const isKnown = facts.govParams?.quorum !== undefined && facts.govParams.expeditedVotingPeriod === undefined;
  if (!found || !isKnown) return [];
  const entry = found.key.parent;
  const repairs = entry ? [repair('expedited-remove', {}, removeChild(entry))] : [];
  return [warning('expedited-unsupported', found.key, {}, repairs)];
}

/** Checks for messages on a chain that accepts only contents (SDK up to 0.45). */
export function checkForm(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const isMissing = draft.kind === 'messages' && facts.hasGovV1 === false && govAge(facts) === 'legacy';
  const { start } = rangeOf(draft.root);
  return isMissing ? [error('gov-form', { start, end: start + 1 }, { wanted: 'legacy' })] : [];
}

/** Whether a draft asks for an expedited vote. */
export function isExpeditedDraft({ kind, root }: Draft): boolean {
  return kind === 'messages' && member(root, 'expedited')?.value.value === true;
}

/** Sets the deposit to the amount that is needed to submit, or to the one that starts the vote. */
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
 * The coins of a deposit (sdk.ParseCoinsNormalized). Undefined if the text is no list of coins, or has a denom twice.
 * Denoms have at least three characters. A chain may set another rule (sdk.SetCoinDenomRegex), and the denoms that it
 * accepts show it.
 */
export function readDeposit(text: string, facts: KnownFacts): readonly Coin[] | undefined {
  const accepted = acceptedDenoms(facts) ?? [];
  // The SDK cuts decimals.
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
