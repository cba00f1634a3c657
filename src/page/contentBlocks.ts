import { diffArrays } from 'diff';
import { sha256 } from '../api/hashes.ts';
import { type Coin, groupDigits } from '../chain/coin.ts';
import { type Content, type ContentKind, contentKind, plainType } from '../chain/content/content.ts';
import { type Fields, without } from '../chain/fields.ts';
import type { ParamEntry } from '../chain/gov/params.ts';
import { isText, ownWords } from '../chain/gov/proposal.ts';
import { formatJson } from '../chain/json.ts';
import { expectedTime } from '../reads/blockPace.ts';
import { type ProposedValue, proposedValues, spendsPool } from '../reads/proposalReads.ts';
import { listText, sentencesText, type Translate } from '../words/language.ts';
import { durationText } from '../words/time.ts';
import { amountText, exactRatioText, percentText } from '../words/values.ts';
import * as block from './blocks.ts';
import type { Block, Cell, ChangeRow, Fact, Section, TreeNode } from './pageView.ts';
import type { ViewContext } from './proposalFacts.ts';

/** Longer lists and texts are cut. The document of Open JSON has all of them. */
const maxContents = 100;
const maxFields = 5_000;
const maxText = 2_000;

interface DrawnContents {
  readonly section: Section;
  /**
   * Types, authorities and the messages around contents, in a fold below the description. Undefined if there are none.
   */
  readonly technical: Block | undefined;
}
type Drawn = Pick<ViewContext, 'inputs' | 'unitOf' | 't'> & { readonly made: DrawnContents };
const drawn = new WeakMap<ViewContext['proposal'], Drawn>();

/**
 * Draws the contents: each in the form of its kind, then all fields that the form leaves out. The result is kept until
 * an input changes.
 */
export function drawContents(view: ViewContext): DrawnContents {
  const { proposal, inputs, unitOf, t } = view;
  const known = drawn.get(proposal);
  if (known && known.inputs === inputs && known.unitOf === unitOf && known.t === t) return known.made;
  const made = { section: contentsSection(view), technical: technicalFold(proposal.contents, t) };
  drawn.set(proposal, { inputs, unitOf, t, made });
  return made;
}

function contentsSection(view: ViewContext): Section {
  const { t } = view;
  const { contents } = view.proposal;
  const [id, title] = ['proposed', t('Proposal content')];
  const [first] = contents;
  if (!first) {
    const text = isText(view.proposal)
      ? t('Text only. Nothing executes if it passes.')
      : t('No content. Nothing executes if it passes.');
    return block.section(id, title, block.paragraph(text));
  }
  if (contents.length === 1) return block.section(id, title, ...contentBlocks(first, view));
  const blocks = contents
    .slice(0, maxContents)
    .flatMap((content, at): readonly block.Maybe<Block>[] => [
      { kind: 'heading', text: `${at + 1}. ${block.typeName(content, t)}` },
      ...contentBlocks(content, view),
    ]);
  return block.section(id, title, ...blocks, leftOut(contents.length - maxContents, t));
}

function contentBlocks(content: Content, view: ViewContext): readonly block.Maybe<Block>[] {
  const { t } = view;
  const kind = contentKind(content);
  const label = kind.kind === 'tree' ? t('Fields') : t('Other fields');
  const rest = fieldTree(label, without(kind.rest, technicalNames(kind.rest)), t);
  const isBare = kind.kind === 'tree' && Object.keys(kind.rest).length === 0;
  return [
    ...wordBlocks(content, view),
    ...kindBlocks(kind, content, view),
    rest ?? (isBare && block.paragraph(t('No fields.'))),
    ...decodingNotices(content, t),
  ];
}

/** Fields that say who executes a content, and not what it does. Messages of ibc-go name it `signer`. */
const technicalFields: readonly string[] = ['authority', 'signer'];

/** The facts about contents that only developers need. Undefined if there are none. */
function technicalFold(contents: readonly Content[], t: Translate): Block | undefined {
  const shown = contents.slice(0, maxContents).filter(({ typeUrl }) => typeUrl !== '');
  const [first] = shown;
  if (!first) return undefined;
  const isOne = contents.length === 1;
  const blocks = shown.flatMap((content, at): readonly Block[] => {
    const { typeUrl, fields, wrapper } = content;
    const facts = block.facts(
      { label: t('Type'), value: block.codeCell(typeUrl) },
      ...technicalFacts(fields),
      wrapper && { label: t('Wrapped in'), value: block.codeCell(wrapper.typeUrl) },
    );
    const carried = wrapper && fieldTree(t('Fields of the wrapper'), wrapper.fields, t);
    const heading: Block = { kind: 'heading', text: `${at + 1}. ${block.typeName(content, t)}` };
    return [...(isOne ? [] : [heading]), facts, ...(carried ? [carried] : [])];
  });
  return block.fold('technical', t('Technical'), blocks, isOne ? { note: first.typeUrl } : {});
}

/** The technical fields that hold a text. Others stay among the fields. */
function technicalNames(fields: Fields): readonly string[] {
  return technicalFields.filter((name) => typeof fields[name] === 'string');
}

function technicalFacts(fields: Fields): readonly Fact[] {
  return technicalNames(fields).map((name) => ({ label: name, value: block.codeCell(String(fields[name])) }));
}

/** Title and description of a content. The vote is about these words. */
function wordBlocks(content: Content, { proposal, t }: ViewContext): readonly block.Maybe<Block>[] {
  const { title, description } = ownWords(proposal, content);
  return [
    title !== undefined && block.facts({ label: t('Title in the content'), value: title }),
    description !== undefined && block.paragraph(t('Description in the content:')),
    description !== undefined && block.markdown(description),
  ];
}

function leftOut(count: number, t: Translate): Block | undefined {
  return count > 0 ? block.paragraph(t('{0} more. Open JSON to see all.', groupDigits(count))) : undefined;
}

function decodingNotices({ unknownFields, fault }: Content, t: Translate): readonly block.Maybe<Block>[] {
  const reasons = {
    base64: t('not base64'),
    truncated: t('a field is longer than the remaining bytes'),
    malformed: t('not protobuf'),
    tooMany: t('too many fields to show'),
  };
  const unknown = t('Number of fields without a known name: {0}. They are listed by field number.', unknownFields);
  const broken = t('The content cannot be read beyond byte {0}', fault?.offset ?? 0);
  const before = t('The fields above were read before that point.');
  return [
    unknownFields > 0 && block.notice(unknown, 'plain'),
    fault && block.notice(sentencesText([t('{0}: {1}.', broken, reasons[fault.reason]), before], t)),
  ];
}

function kindBlocks(kind: ContentKind, content: Content, view: ViewContext): readonly block.Maybe<Block>[] {
  const { t } = view;
  switch (kind.kind) {
    case 'text':
      return [block.paragraph(t('Text only. Nothing executes if it passes.'))];
    case 'parameterChange':
    case 'moduleParams':
      return paramBlocks(kind, view);
    case 'spend':
      return spendBlocks(kind, spendsPool(content) ? view.inputs?.communityPool : undefined, view);
    case 'upgrade':
      return upgradeBlocks(kind, view);
    case 'cancelUpgrade':
      return [block.paragraph(t('Cancels the planned upgrade of the chain.'))];
    case 'clientUpdate': {
      const { subject, substitute } = kind;
      const from = substitute !== undefined && { label: t('Substitute client'), value: block.codeCell(substitute) };
      return [block.facts({ label: t('Client to recover'), value: block.codeCell(subject) }, from)];
    }
    case 'wasm':
      return [
        kind.code !== undefined && byteCode(kind.code, t),
        ...kind.messages.flatMap(({ field, json }) => {
          const label = field === 'migrate_msg' ? t('Migration message') : t('Contract message');
          return [block.paragraph(label), block.code(label, json)];
        }),
      ];
    case 'amendment':
      return [{ kind: 'code', label: t('Changes to the constitution'), text: kind.patch, isPatch: true }];
    case 'tree':
      return [];
    default:
      return kind satisfies never;
  }
}

type KindOf<K extends ContentKind['kind']> = Extract<ContentKind, { kind: K }>;

/** `pool` is the balance of the community pool, if the spend is paid from it. */
function spendBlocks(
  { spends }: KindOf<'spend'>,
  pool: readonly Coin[] | undefined,
  { unitOf, t }: ViewContext,
): (Block | undefined)[] {
  const poolNote = ({ denom, amount }: Coin): string | undefined => {
    const held = pool?.find((coin) => coin.denom === denom)?.amount ?? 0n;
    if (!pool || amount <= 0n) return undefined;
    if (held <= 0n) return t('not in the community pool');
    return t('{0} of the community pool', percentText(Number((amount * 10_000n) / held), amount));
  };
  const rows = spends.flatMap(({ recipient, coins }): readonly (readonly Cell[])[] => {
    if (coins.length === 0) return [[block.codeCell(recipient), t('none')]];
    return coins.map((coin) => {
      return [block.codeCell(recipient), { ...block.amountCell(coin, unitOf(coin.denom)), note: poolNote(coin) }];
    });
  });
  const columns = [t('Recipient'), t('Amount')];
  return [block.table(t('Spends'), columns, rows, [1]), leftOut(rows.length - block.maxTableRows, t)];
}

function upgradeBlocks({ plan }: KindOf<'upgrade'>, view: ViewContext): (false | Block)[] {
  const { name, height, time, binaries } = plan;
  const { proposal, inputs, t } = view;
  const expected = expectedTime(height, inputs?.chainTime);
  const end = proposal.status === 'voting' ? proposal.votingEndTime : undefined;
  const early = t('The chain is expected to reach this height before voting ends. The upgrade would come too late.');
  const rows = binaries.map(({ platform, url }) => [block.codeCell(platform), block.codeCell(url)]);
  const label = t('Plan info');
  const info = block.code(label, plan.infoJson ?? plan.info);
  const shownInfo = binaries.length > 0 ? block.fold(`info ${name}`, label, [info]) : info;
  return [
    block.facts(
      { label: t('Name'), value: block.codeCell(name) },
      height !== undefined && {
        label: t('Height'),
        value: { text: groupDigits(height), note: blocksAway(height, view) },
      },
      height !== undefined && expectedFact(height, view),
      time !== undefined && { label: t('Time'), value: time },
    ),
    expected !== undefined && end !== undefined && expected < end && block.notice(early),
    binaries.length > 0 && block.table(t('Binaries'), [t('Platform'), t('Binary')], rows),
    plan.info !== '' && shownInfo,
  ];
}

function blocksAway(height: bigint, { row, isPast, inputs, t }: ViewContext): string | undefined {
  const now = isPast ? row.height : (inputs?.chainTime?.height ?? row.height);
  if (!now) return undefined;
  if (height > now) {
    const distance = height - now;
    return distance === 1n ? t('1 block from now') : t('{0} blocks from now', groupDigits(distance));
  }
  return now - height === 1n ? t('1 block ago') : t('{0} blocks ago', groupDigits(now - height));
}

/** The expected time of a height. Undefined if the height was reached, or if that is not known. */
function expectedFact(height: bigint, { row, inputs, t }: ViewContext): Fact | undefined {
  const now = inputs?.chainTime?.height ?? row.height;
  if (!inputs || (now !== undefined && height <= now)) return undefined;
  const label = t('Expected');
  const expected = expectedTime(height, inputs.chainTime);
  if (!expected || !inputs.chainTime) return { label, value: t('unknown (no block time)') };
  const { blockTime, blocks } = inputs.chainTime;
  const seconds = blockTime.toFixed(2);
  const measured = t('{0} s per block, measured over the last {1} blocks', seconds, groupDigits(blocks ?? 0));
  const assumed = t('{0} s per block, from the mint parameters', seconds);
  return {
    label,
    value: { text: '', time: block.chainTime(expected), note: blocks === undefined ? assumed : measured },
  };
}

function byteCode(base64: string, t: Translate): Block {
  const bytes = Buffer.from(base64, 'base64');
  return block.facts(
    { label: t('Bytecode'), value: t('{0} bytes', groupDigits(bytes.length)) },
    { label: t('SHA-256'), value: block.codeCell(sha256(bytes).toString('hex')) },
  );
}

/** Draws fields as a tree, with empty lists and objects too. Undefined if there are no fields. */
function fieldTree(label: string, fields: object, t: Translate): Block | undefined {
  let left = maxFields;
  const leafText = (value: unknown): string => {
    if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
    return value === '' ? '""' : block.shortened(String(value), maxText, t);
  };
  const toNodes = (value: object): TreeNode[] => {
    const nodes: TreeNode[] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (left-- <= 0) return [...nodes, { label: '…', value: t('more fields. Open JSON to see all.') }];
      const shown = Array.isArray(value) ? String(Number(name) + 1) : name;
      const children = typeof inner === 'object' && inner !== null ? toNodes(inner) : [];
      nodes.push(children.length > 0 ? { label: shown, children } : { label: shown, value: leafText(inner) });
    }
    return nodes;
  };
  const nodes = toNodes(fields);
  return nodes.length > 0 ? { kind: 'tree', label, nodes } : undefined;
}

function paramChanges(
  kind: KindOf<'parameterChange' | 'moduleParams'>,
  view: ViewContext,
): { readonly changes: readonly ParamChange[]; readonly left: number } {
  const { values, left } = proposedValues(kind, view.inputs?.currentParams ?? new Map(), block.maxTableRows);
  const changes = values.map(({ name, now, proposed }): ParamChange => {
    const after = valueText(proposed, view);
    const isLost = kind.kind === 'moduleParams' && view.zeroed?.has(`${kind.module}/${name}`) === true;
    return { name, now, proposed, before: now && valueText(now, view), after, isLost };
  });
  return { changes, left };
}

/** A change of a parameter. `before` is the value in effect, and undefined if it is not available. */
interface ParamChange extends ProposedValue {
  readonly before: string | undefined;
  readonly after: string;
  readonly isLost: boolean;
}

function paramBlocks(
  kind: KindOf<'parameterChange' | 'moduleParams'>,
  view: ViewContext,
): (false | Block | undefined)[] {
  const { inputs, t } = view;
  const { changes: all, left } = paramChanges(kind, view);
  const same = all.filter(({ before, after }) => before === after);
  const changed = all.filter(({ before, after }) => before !== after);
  const isAsked = inputs !== undefined;
  const isPartly = isAsked && all.some(({ now }) => now !== undefined);
  const isEnded = view.proposal.status !== 'deposit' && view.proposal.status !== 'voting';
  // An ended proposal may have set these values itself, so none of them "stays".
  const [shown, folded] = isEnded ? [all, []] : changed.length > 0 ? [changed, same] : [same, []];
  const summary = folded.length === 1 ? t('1 value unchanged') : t('{0} values unchanged', folded.length);
  const rows = folded.map(({ name, proposed, after }) => ({ label: name, value: valueCell(proposed, after) }));
  const changes: Block = {
    kind: 'changes',
    rows: shown.map((change) => (isEnded ? setRow(change, isPartly, t) : changeRow(change, isPartly, t))),
  };
  return [
    changes,
    folded.length > 0 && block.fold(`same ${folded[0]?.name}`, summary, [block.facts(...rows)]),
    leftOut(left, t),
    isAsked && !isPartly && !isEnded && block.paragraph(t('Current values are not available.')),
  ];
}

/** `isPartly`: the source offers some of the current values, so that a missing one is named. */
function changeRow(
  { name, now, proposed, before, after: text, isLost }: ParamChange,
  isPartly: boolean,
  t: Translate,
): ChangeRow {
  const label = paramLabel(name);
  const after = valueCell(proposed, text);
  const rawBefore = now === undefined || now.raw === proposed.raw ? '' : `${now.raw} → `;
  const note = `${name}${proposed.value ? ` ${rawBefore}${proposed.raw}` : ''}`;
  if (before === undefined)
    return { label, after, note: isPartly ? `${note} · ${t('current value not available')}` : note };
  if (before === text) return { label, after, note: `${note} · ${t('no change')}` };
  const missing = `${name} · ${t('missing from the draft')}`;
  if (isLost) return { label, before, after: lostText(proposed, t), note: missing, isLost };
  const patch = before.includes('\n') && text.includes('\n') ? linePatch(before, text) : undefined;
  return { label, before, after, note, patch };
}

/** Draws a parameter of an ended proposal: the value that it set or proposed, and today's if that differs. */
function setRow({ name, proposed, before, after: text }: ParamChange, isPartly: boolean, t: Translate): ChangeRow {
  const raw = `${name}${proposed.value ? ` ${proposed.raw}` : ''}`;
  const unknown = isPartly ? t('current value not available') : '';
  const today = before === text ? t('no change') : before === undefined ? unknown : t('now {0}', before);
  return { label: paramLabel(name), after: valueCell(proposed, text), note: today === '' ? raw : `${raw} · ${today}` };
}

function paramLabel(name: string): string {
  const words = plainType(name);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function lostText({ raw }: ParamEntry, t: Translate): string {
  return /^(0|false)/.test(raw) ? t('becomes {0}', raw === 'false' ? raw : '0') : t('becomes empty');
}

function valueCell({ value }: ParamEntry, text: string): Cell {
  return value || /^[\w.-]{1,40}$/.test(text) ? text : block.codeCell(text);
}

function valueText({ raw, value }: ParamEntry, { unitOf, t }: ViewContext): string {
  switch (value?.kind) {
    case 'duration':
      return durationText(value.seconds * 1000, 'exact', t);
    case 'ratio':
      return exactRatioText(value.ratio);
    case 'coins':
      return (
        listText(
          value.coins.map((coin) => amountText(coin, unitOf(coin.denom))),
          t,
        ) || t('none')
      );
    case undefined:
      return raw === '' ? t('empty') : (formatJson(raw) ?? raw);
    default:
      return value satisfies never;
  }
}

/**
 * Compares two texts by lines. Each line begins with `-`, `+` or a space. A comma at its end is ignored, since it only
 * means that another line follows.
 */
export function linePatch(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const comparator = (a: string, b: string): boolean => a.replace(/,$/, '') === b.replace(/,$/, '');
  // The time of a diff grows with the square of the differing lines. Beyond this number all lines are marked.
  const parts = diffArrays(old, now, { maxEditLength: 400, comparator }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  return parts
    .flatMap(({ value, added, removed }) => value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`))
    .join('\n');
}
