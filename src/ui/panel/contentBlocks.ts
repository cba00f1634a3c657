import { createHash } from 'node:crypto';
import { type Coin, type DenomUnit, groupDigits } from '../../chain/coin.ts';
import {
  type Content,
  type ContentKind,
  contentKind,
  plainType,
  type Spend,
  type UpgradePlan,
} from '../../chain/content/content.ts';
import { amountText, type Translate } from '../values.ts';
import { paramBlocks } from './paramChanges.ts';
import type { ChainTime } from './proposalInputs.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Cell, Fact, Section, TreeNode } from './protocol.ts';

/** Of longer lists the beginning is shown; the document of Open JSON holds them whole. */
const maxContents = 100;
const maxRows = 500;
const maxFields = 5_000;

/** What is proposed: each content in the form of its kind, then every field that the form does not show. */
export function contentsSection(contents: readonly Content[], facts: ProposalFacts, t: Translate): Section {
  const section = { id: 'proposed', title: t('What is proposed') };
  const [first, ...others] = contents;
  if (!first) {
    const text = t('The source states no content: nothing is executed if this passes.');
    return { ...section, blocks: [{ kind: 'paragraph', text }] };
  }
  if (others.length === 0) {
    const note = first.typeUrl ? { text: first.typeUrl, code: true } : undefined;
    return { ...section, note, blocks: contentBlocks(first, facts, t) };
  }
  const blocks = contents
    .slice(0, maxContents)
    .flatMap((content, at): readonly Block[] => [
      { kind: 'heading', text: `${at + 1}. ${typeName(content, t)}`, note: content.typeUrl },
      ...contentBlocks(content, facts, t),
    ]);
  return { ...section, blocks: [...blocks, ...restNotice(contents.length - maxContents, t)] };
}

function contentBlocks(content: Content, facts: ProposalFacts, t: Translate): readonly Block[] {
  const kind = contentKind(content);
  const label = kind.kind === 'tree' ? t('Fields') : t('Other fields');
  const rest = treeBlocks(label, kind.rest, t);
  const carrier = content.carrier && t('Carried by {0}', content.carrier.typeUrl);
  return [
    ...kindBlocks(kind, facts, t),
    ...rest,
    ...(kind.kind === 'tree' && rest.length === 0 ? [paragraph(t('It has no fields of its own.'))] : []),
    ...(carrier === undefined ? [] : [paragraph(carrier), ...treeBlocks(carrier, content.carrier?.fields ?? {}, t)]),
    ...decodingNotices(content, t),
  ];
}

/** The kind of a content in words. */
export function typeName(content: Content, t: Translate): string {
  return plainType(content.typeUrl) || t('Type not stated');
}

/** One plain line of text. */
export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

function restNotice(count: number, t: Translate): readonly Block[] {
  return count > 0 ? [paragraph(t('{0} more; Open JSON shows all.', count))] : [];
}

function decodingNotices({ unknownFields, fault }: Content, t: Translate): readonly Block[] {
  const blocks: Block[] = [];
  if (unknownFields > 0) {
    const text = t(
      'Fields without a known name: {0}. They stand by their number and how they are written.',
      unknownFields,
    );
    blocks.push({ kind: 'notice', tone: 'plain', text });
  }
  if (fault) {
    const reason = {
      base64: t('the text is not base64'),
      truncated: t('a field is longer than what is left'),
      malformed: t('they are not protobuf'),
      tooMany: t('it has more fields than can be shown'),
    }[fault.reason];
    const cannot = t('The bytes of this content cannot be read from byte {0} on: {1}.', fault.offset, reason);
    const text = `${cannot} ${t('What stands above is the part before.')}`;
    blocks.push({ kind: 'notice', tone: 'warning', text });
  }
  return blocks;
}

/** The form of a kind of content: what is special about it, the other fields aside. */
function kindBlocks(kind: ContentKind, facts: ProposalFacts, t: Translate): readonly Block[] {
  switch (kind.kind) {
    case 'text':
      return [paragraph(t('A text: nothing is executed if it passes.'))];
    case 'parameterChange':
    case 'moduleParams':
      return paramBlocks(kind, facts, t);
    case 'spend':
      return spendBlocks(kind.spends, facts, t);
    case 'upgrade':
      return upgradeBlocks(kind.plan, facts, t);
    case 'cancelUpgrade':
      return [paragraph(t('The planned upgrade of the chain is cancelled.'))];
    case 'clientUpdate': {
      const rows: Fact[] = [{ label: t('Client to be updated'), value: { text: kind.subject, code: true } }];
      const { substitute } = kind;
      if (substitute !== undefined)
        rows.push({ label: t('Takes its state from'), value: { text: substitute, code: true } });
      return [{ kind: 'facts', rows }];
    }
    case 'wasm':
      return [
        ...(kind.code ? [codeFacts(kind.code, t)] : []),
        ...kind.messages.flatMap(({ field, json }): readonly Block[] => {
          const label = field === 'migrate_msg' ? t('Message for the migration') : t('Message for the contract');
          return [paragraph(label), { kind: 'code', label, text: json }];
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

function spendBlocks(spends: readonly Spend[], facts: ProposalFacts, t: Translate): readonly Block[] {
  const rows = spends.flatMap(({ recipient, coins }): readonly (readonly Cell[])[] => {
    const name = { text: recipient, code: true };
    if (coins.length === 0) return [[name, t('nothing')]];
    return coins.map((coin) => [name, amountCell(coin, facts.unitOf(coin.denom))]);
  });
  const columns = [t('Recipient'), t('Amount')];
  const table: Block = { kind: 'table', label: t('Spends'), columns, numeric: [1], rows: rows.slice(0, maxRows) };
  return [table, ...restNotice(rows.length - maxRows, t)];
}

/** An amount with its base units below where the display unit is another. */
export function amountCell(coin: Coin, unit: DenomUnit | undefined): Cell {
  const text = amountText(coin, unit);
  return unit ? { text, note: `${coin.amount} ${coin.denom}` } : text;
}

function upgradeBlocks(plan: UpgradePlan, facts: ProposalFacts, t: Translate): readonly Block[] {
  const rows: Fact[] = [{ label: t('Name'), value: { text: plan.name, code: true } }];
  const { height } = plan;
  const chainTime = facts.inputs?.chainTime;
  const expected = height === undefined ? undefined : expectedTime(height, chainTime);
  if (height !== undefined) {
    rows.push({ label: t('Height'), value: { text: groupDigits(height), note: blocksAway(height, facts, t) } });
  }
  if (expected && chainTime) {
    const { blockTime, blocks } = chainTime;
    const time = { at: expected.toISOString(), future: '{0}', past: '{0}', clock: 'chain' } as const;
    const over = groupDigits(BigInt(blocks));
    const note = t('at {0} s a block, measured over the last {1} blocks', blockTime.toFixed(2), over);
    rows.push({ label: t('Expected'), value: { text: '', time, note } });
  }
  if (plan.time !== undefined) rows.push({ label: t('Time'), value: plan.time });
  const blocks: Block[] = [{ kind: 'facts', rows }];
  const { row } = facts;
  const end = row.kind === 'proposal' && row.status === 'voting' ? row.votingEndTime : undefined;
  if (expected !== undefined && end !== undefined && expected < end) {
    const text = t('This height is expected before voting ends: the upgrade could not happen there.');
    blocks.push({ kind: 'notice', tone: 'warning', text });
  }
  if (plan.binaries.length > 0) {
    blocks.push({
      kind: 'table',
      label: t('Binaries'),
      columns: [t('Platform'), t('Binary')],
      rows: plan.binaries.slice(0, maxRows).map(({ platform, url }) => [
        { text: platform, code: true },
        { text: url, code: true },
      ]),
    });
  }
  if (plan.info === '') return blocks;
  const info: Block = { kind: 'code', label: t('Info of the plan'), text: plan.infoJson ?? plan.info };
  if (plan.binaries.length === 0) return [...blocks, info];
  return [...blocks, { kind: 'fold', id: `info ${plan.name}`, summary: info.label, blocks: [info] }];
}

function blocksAway(
  height: bigint,
  { height: readAt, isPast, inputs }: ProposalFacts,
  t: Translate,
): string | undefined {
  const now = isPast ? readAt : (inputs?.chainTime?.height ?? readAt);
  if (now === undefined || now === 0n) return undefined;
  const [isAhead, distance] = height > now ? [true, height - now] : [false, now - height];
  if (distance === 1n) return isAhead ? t('1 block from now') : t('1 block ago');
  return isAhead ? t('{0} blocks from now', groupDigits(distance)) : t('{0} blocks ago', groupDigits(distance));
}

/** When the chain is at a height, by its measured block time. */
function expectedTime(height: bigint, chainTime: ChainTime | undefined): Date | undefined {
  if (!chainTime || height <= chainTime.height) return undefined;
  const time = new Date(chainTime.time.getTime() + Number(height - chainTime.height) * chainTime.blockTime * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function codeFacts(code: string, t: Translate): Block {
  const bytes = Buffer.from(code, 'base64');
  const digest = createHash('sha256').update(bytes).digest('hex');
  return {
    kind: 'facts',
    rows: [
      { label: t('Byte code'), value: t('{0} bytes', groupDigits(BigInt(bytes.length))) },
      { label: t('SHA-256 of these bytes'), value: { text: digest, code: true } },
    ],
  };
}

const longValue = 2_000;

/** Fields as a tree of labels and values; nothing is left out, empty lists and objects included. */
function treeBlocks(label: string, fields: object, t: Translate): readonly Block[] {
  let left = maxFields;
  const toNodes = (value: object): TreeNode[] => {
    const nodes: TreeNode[] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (left-- <= 0) return [...nodes, { label: '…', value: t('more fields; Open JSON shows all') }];
      nodes.push(toNode(Array.isArray(value) ? String(Number(name) + 1) : name, inner));
    }
    return nodes;
  };
  const toNode = (name: string, value: unknown): TreeNode => {
    if (typeof value !== 'object' || value === null) {
      return { label: name, value: value === '' ? '""' : shortened(String(value), longValue, t) };
    }
    const children = toNodes(value);
    return children.length > 0 ? { label: name, children } : { label: name, value: Array.isArray(value) ? '[]' : '{}' };
  };
  const nodes = toNodes(fields);
  return nodes.length > 0 ? [{ kind: 'tree', label, nodes }] : [];
}

/** The beginning of a long text and how long it is; the document of Open JSON holds it whole. */
export function shortened(text: string, limit: number, t: Translate): string {
  if (text.length <= limit) return text;
  return t('{0}… ({1} characters; Open JSON shows all)', text.slice(0, limit), text.length);
}
