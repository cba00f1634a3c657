import { diffArrays } from 'diff';
import { groupDigits } from '../chain/coin.ts';
import { type Content, type ContentKind, contentKind, plainType } from '../chain/content/content.ts';
import type { ParamEntry } from '../chain/params.ts';
import { isText, ownWords } from '../chain/proposal.ts';
import { formatJson } from '../chain/text.ts';
import { readByteCode } from '../session/byteCode.ts';
import { expectedTime, type ProposedValue, proposedValues } from '../session/proposalReads.ts';
import type { Translate } from '../words/language.ts';
import { durationText } from '../words/time.ts';
import { amountText, exactRatioText } from '../words/values.ts';
import * as block from './blocks.ts';
import type { Block, Cell, ChangeRow, Fact, Section, TreeNode } from './pageView.ts';
import type { ViewContext } from './proposalFacts.ts';

/** Of longer lists and texts the beginning is shown; the document of Open JSON holds them whole. */
const maxContents = 100;
const maxFields = 5_000;
const maxText = 2_000;

interface DrawnContents {
  readonly section: Section;
  /** The messages that contents came in, for below the description. */
  readonly wrappers: readonly block.Maybe<Block>[];
}
type Drawn = Pick<ViewContext, 'inputs' | 'unitOf' | 't'> & { readonly made: DrawnContents };
const drawn = new WeakMap<ViewContext['proposal'], Drawn>();

/**
 * What is proposed: each content in the form of its kind, then every field that the form does not show. It is kept for the next
 * draw of the proposal, until one of its inputs is another one.
 */
export function drawContents(view: ViewContext): DrawnContents {
  const { proposal, inputs, unitOf, t } = view;
  const known = drawn.get(proposal);
  if (known && known.inputs === inputs && known.unitOf === unitOf && known.t === t) return known.made;
  const made = { section: contentsSection(view), wrappers: wrapperBlocks(proposal.contents, t) };
  drawn.set(proposal, { inputs, unitOf, t, made });
  return made;
}

function contentsSection(view: ViewContext): Section {
  const { t } = view;
  const { contents } = view.proposal;
  const [id, title] = ['proposed', t('What is proposed')];
  const [first] = contents;
  if (!first) {
    const text = isText(view.proposal)
      ? t('A text: nothing is executed if it passes.')
      : t('The source states no content: nothing is executed if this passes.');
    return block.section(id, title, block.paragraph(text));
  }
  if (contents.length === 1) {
    const section = block.section(id, title, ...contentBlocks(first, view));
    return first.typeUrl ? { ...section, note: block.codeCell(first.typeUrl) } : section;
  }
  const blocks = contents
    .slice(0, maxContents)
    .flatMap((content, at): readonly block.Maybe<Block>[] => [
      { kind: 'heading', text: `${at + 1}. ${block.typeName(content, t)}`, note: content.typeUrl },
      ...contentBlocks(content, view),
    ]);
  return block.section(id, title, ...blocks, leftOut(contents.length - maxContents, t));
}

function contentBlocks(content: Content, view: ViewContext): readonly block.Maybe<Block>[] {
  const { t } = view;
  const kind = contentKind(content);
  const label = kind.kind === 'tree' ? t('Fields') : t('Other fields');
  const rest = fieldTree(label, kind.rest, t);
  return [
    ...wordBlocks(content, view),
    ...kindBlocks(kind, view),
    rest ?? (kind.kind === 'tree' && block.paragraph(t('It has no fields of its own.'))),
    ...decodingNotices(content, t),
  ];
}

function wrapperBlocks(contents: readonly Content[], t: Translate): readonly block.Maybe<Block>[] {
  const wrappers = contents.slice(0, maxContents).flatMap(({ wrapper }) => wrapper ?? []);
  return wrappers.flatMap(({ typeUrl, fields }) => {
    const label = t('Carried by {0}', typeUrl.split('.').at(-1) ?? typeUrl);
    return [block.paragraph(label), fieldTree(label, fields, t)];
  });
}

/** The words of the content itself are those that are voted on. */
function wordBlocks(content: Content, { proposal, t }: ViewContext): readonly block.Maybe<Block>[] {
  const { title, description } = ownWords(proposal, content);
  return [
    title !== undefined && block.facts({ label: t('Title in the content'), value: title }),
    description !== undefined && block.paragraph(t('Description in the content:')),
    description !== undefined && block.markdown(description),
  ];
}

function leftOut(count: number, t: Translate): Block | undefined {
  return count > 0 ? block.paragraph(t('{0} more; Open JSON shows all.', groupDigits(count))) : undefined;
}

function decodingNotices({ unknownFields, fault }: Content, t: Translate): readonly block.Maybe<Block>[] {
  const reasons = {
    base64: t('the text is not base64'),
    truncated: t('a field is longer than what is left'),
    malformed: t('they are not protobuf'),
    tooMany: t('it has more fields than can be shown'),
  };
  const unknown = t('Fields without a known name: {0}. They stand by their number.', unknownFields);
  const broken = fault && t('The bytes of this content cannot be read from byte {0} on', fault.offset);
  const before = t('What stands above is the part before.');
  return [
    unknownFields > 0 && block.notice(unknown, 'plain'),
    fault && block.notice(`${broken}: ${reasons[fault.reason]}. ${before}`),
  ];
}

function kindBlocks(kind: ContentKind, view: ViewContext): readonly block.Maybe<Block>[] {
  const { t } = view;
  switch (kind.kind) {
    case 'text':
      return [block.paragraph(t('A text: nothing is executed if it passes.'))];
    case 'parameterChange':
    case 'moduleParams':
      return paramBlocks(kind, view);
    case 'spend':
      return spendBlocks(kind, view);
    case 'upgrade':
      return upgradeBlocks(kind, view);
    case 'cancelUpgrade':
      return [block.paragraph(t('The planned upgrade of the chain is cancelled.'))];
    case 'clientUpdate': {
      const { subject, substitute } = kind;
      const from = substitute !== undefined && { label: t('Takes its state from'), value: block.codeCell(substitute) };
      return [block.facts({ label: t('Client to be updated'), value: block.codeCell(subject) }, from)];
    }
    case 'wasm':
      return [
        kind.code !== undefined && byteCode(kind.code, t),
        ...kind.messages.flatMap(({ field, json }) => {
          const label = field === 'migrate_msg' ? t('Message for the migration') : t('Message for the contract');
          return [block.paragraph(label), block.code(label, json)];
        }),
      ];
    case 'amendment':
      return [{ kind: 'code', label: t('Changes of the constitution'), text: kind.patch, isPatch: true }];
    case 'tree':
      return [];
    default:
      return kind satisfies never;
  }
}

type KindOf<K extends ContentKind['kind']> = Extract<ContentKind, { kind: K }>;

function spendBlocks({ spends }: KindOf<'spend'>, { unitOf, t }: ViewContext): (Block | undefined)[] {
  const rows = spends.flatMap(({ recipient, coins }): readonly (readonly Cell[])[] => {
    if (coins.length === 0) return [[block.codeCell(recipient), t('nothing')]];
    return coins.map((coin) => [block.codeCell(recipient), block.amountCell(coin, unitOf(coin.denom))]);
  });
  const columns = [t('Recipient'), t('Amount')];
  return [block.table(t('Spends'), columns, rows, [1]), leftOut(rows.length - block.maxRows, t)];
}

function upgradeBlocks({ plan }: KindOf<'upgrade'>, view: ViewContext): (false | Block)[] {
  const { name, height, time, binaries } = plan;
  const { proposal, inputs, t } = view;
  const expected = expectedTime(height, inputs?.chainTime);
  const end = proposal.status === 'voting' ? proposal.votingEndTime : undefined;
  const early = t('This height is expected before voting ends: the upgrade could not happen there.');
  const rows = binaries.map(({ platform, url }) => [block.codeCell(platform), block.codeCell(url)]);
  const label = t('Info of the plan');
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

/** Undefined where the height was reached, and while that is not known yet. */
function expectedFact(height: bigint, { row, inputs, t }: ViewContext): Fact | undefined {
  const now = inputs?.chainTime?.height ?? row.height;
  if (!inputs || (now !== undefined && height <= now)) return undefined;
  const label = t('Expected');
  const expected = expectedTime(height, inputs.chainTime);
  if (!expected || !inputs.chainTime)
    return { label, value: t('not known, this source does not state how long a block takes') };
  const { blockTime, blocks } = inputs.chainTime;
  const seconds = blockTime.toFixed(2);
  const measured = t('at {0} s a block, measured over the last {1} blocks', seconds, groupDigits(blocks ?? 0));
  const assumed = t('at {0} s a block, as the parameters of mint assume', seconds);
  return {
    label,
    value: { text: '', time: block.chainTime(expected), note: blocks === undefined ? assumed : measured },
  };
}

function byteCode(base64: string, t: Translate): Block {
  const { size, sha256 } = readByteCode(base64);
  return block.facts(
    { label: t('Byte code'), value: t('{0} bytes', groupDigits(size)) },
    { label: t('SHA-256 of these bytes'), value: block.codeCell(sha256) },
  );
}

/** Fields as a tree of labels and values; nothing is left out, empty lists and objects included. Undefined for no fields. */
function fieldTree(label: string, fields: object, t: Translate): Block | undefined {
  let left = maxFields;
  const leafText = (value: unknown): string => {
    if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
    return value === '' ? '""' : block.shortened(String(value), maxText, t);
  };
  const toNodes = (value: object): TreeNode[] => {
    const nodes: TreeNode[] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (left-- <= 0) return [...nodes, { label: '…', value: t('more fields; Open JSON shows all') }];
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
  const { values, left } = proposedValues(kind, view.inputs?.currentParams ?? new Map(), block.maxRows);
  const changes = values.map(({ name, now, proposed }): ParamChange => {
    const after = valueText(proposed, view);
    const isLost = kind.kind === 'moduleParams' && view.zeroed?.has(`${kind.module}/${name}`) === true;
    return { name, now, proposed, before: now && valueText(now, view), after, isLost };
  });
  return { changes, left };
}

/** `before`: what is in effect, undefined where that is not offered. */
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
  // A proposal that has ended made these values what they are: none of them "stays".
  const [shown, folded] = isEnded ? [all, []] : changed.length > 0 ? [changed, same] : [same, []];
  const summary = folded.length === 1 ? t('1 value stays as it is') : t('{0} values stay as they are', folded.length);
  const rows = folded.map(({ name, proposed, after }) => ({ label: name, value: valueCell(proposed, after) }));
  const changes: Block = {
    kind: 'changes',
    rows: shown.map((change) => (isEnded ? setRow(change, isPartly, t) : changeRow(change, isPartly, t))),
  };
  return [
    changes,
    folded.length > 0 && block.fold(`same ${folded[0]?.name}`, summary, [block.facts(...rows)]),
    leftOut(left, t),
    isAsked && !isPartly && block.paragraph(t('Current values are not offered by this source.')),
  ];
}

/** `isPartly`: the source offers some current values, so that a missing one is named. */
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
    return { label, after, note: isPartly ? `${note} · ${t('current value not offered')}` : note };
  if (before === text) return { label, after, note: `${note} · ${t('as it is now')}` };
  const missing = `${name} · ${t('missing in the draft')}`;
  if (isLost) return { label, before, after: lostText(proposed, t), note: missing, isLost };
  const patch = before.includes('\n') && text.includes('\n') ? linePatch(before, text) : undefined;
  return { label, before, after, note, patch };
}

/** Of an ended proposal: the value that it set, or would have set, and where today's is another one. */
function setRow({ name, proposed, before, after: text }: ParamChange, isPartly: boolean, t: Translate): ChangeRow {
  const raw = `${name}${proposed.value ? ` ${proposed.raw}` : ''}`;
  const unknown = isPartly ? t('current value not offered') : '';
  const today = before === text ? t('as it is now') : before === undefined ? unknown : t('now {0}', before);
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
      return value.coins.map((coin) => amountText(coin, unitOf(coin.denom))).join(', ') || t('nothing');
    case undefined:
      return raw === '' ? t('empty') : (formatJson(raw) ?? raw);
    default:
      return value satisfies never;
  }
}

/** Two texts as lines marked `-`, `+` or with a space; a comma at the end only means that another line follows. */
export function linePatch(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const comparator = (a: string, b: string): boolean => a.replace(/,$/, '') === b.replace(/,$/, '');
  // Beyond so many differing lines everything is marked: the time of a diff grows with the square of it.
  const parts = diffArrays(old, now, { maxEditLength: 400, comparator }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  return parts
    .flatMap(({ value, added, removed }) => value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`))
    .join('\n');
}
