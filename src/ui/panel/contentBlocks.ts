import { createHash } from 'node:crypto';
import { groupDigits } from '../../chain/coin.ts';
import {
  type Content,
  type ContentKind,
  type ContractMessage,
  contentKind,
  plainType,
  type Spend,
  type UpgradePlan,
} from '../../chain/content/content.ts';
import type { DecodeFaultReason } from '../../chain/content/protobuf.ts';
import type { Translate } from '../values.ts';
import { amountCell, cell, cutText, fieldTree } from './blocks.ts';
import { moduleParamBlocks, paramChangeBlocks } from './paramChanges.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Section } from './protocol.ts';

/** What is proposed: each content in the form of its kind, then every field that the form does not show. */
export function contentsSection(contents: readonly Content[], facts: ProposalFacts, t: Translate): Section {
  const section = { id: 'proposed', title: t('What is proposed') };
  const [first, ...others] = contents;
  if (!first) {
    const text = t('The source states no content: nothing is executed if this passes.');
    return { ...section, blocks: [{ kind: 'paragraph', text }] };
  }
  if (others.length === 0) {
    const note = first.typeUrl ? { note: cell(first.typeUrl, { code: true }) } : {};
    return { ...section, ...note, blocks: contentBlocks(first, facts, t) };
  }
  const blocks = contents.flatMap((content, at) => [
    { kind: 'heading', text: `${at + 1}. ${typeName(content, t)}`, note: content.typeUrl } as const,
    ...contentBlocks(content, facts, t),
  ]);
  return { ...section, blocks };
}

function contentBlocks(content: Content, facts: ProposalFacts, t: Translate): readonly Block[] {
  const kind = contentKind(content);
  return [
    ...kindBlocks(kind, facts, t),
    ...restBlocks(kind, t),
    ...carrierBlocks(content, t),
    ...decodingNotices(content, t),
  ];
}

/** The kind of a content in words. */
export function typeName(content: Content, t: Translate): string {
  return plainType(content.typeUrl) || t('Type not stated');
}

function restBlocks(kind: ContentKind, t: Translate): readonly Block[] {
  const nodes = fieldTree(kind.rest, cutText(t));
  if (nodes.length > 0) return [{ kind: 'tree', label: kind.kind === 'tree' ? t('Fields') : t('Other fields'), nodes }];
  if (kind.kind === 'tree') return [{ kind: 'paragraph', text: t('It has no fields of its own.') }];
  return [];
}

function carrierBlocks(content: Content, t: Translate): readonly Block[] {
  if (!content.carrier) return [];
  const nodes = fieldTree(content.carrier.fields, cutText(t));
  const text = t('Carried by {0}', content.carrier.typeUrl);
  return [{ kind: 'paragraph', text }, ...(nodes.length > 0 ? [{ kind: 'tree', label: text, nodes } as const] : [])];
}

function decodingNotices(content: Content, t: Translate): readonly Block[] {
  const blocks: Block[] = [];
  if (content.unknownFields > 0) {
    const text =
      content.unknownFields === 1
        ? t('The name of one field is not known here: it stands by its number and how it is written.')
        : t(
            'The names of {0} fields are not known here: they stand by number and how they are written.',
            content.unknownFields,
          );
    blocks.push({ kind: 'notice', tone: 'plain', text });
  }
  if (content.fault) {
    const text = t(
      'The bytes of this content cannot be read from byte {0} on: {1}. What stands above is the part before.',
      content.fault.offset,
      faultWords(content.fault.reason, t),
    );
    blocks.push({ kind: 'notice', tone: 'warning', text });
  }
  return blocks;
}

function faultWords(reason: DecodeFaultReason, t: Translate): string {
  switch (reason) {
    case 'base64':
      return t('the text is not base64');
    case 'truncated':
      return t('a field is longer than what is left');
    case 'varint':
      return t('a number does not end');
    case 'fieldNumber':
      return t('a field has a number that does not exist');
    case 'wireType':
      return t('a field is written in a way that does not exist');
    case 'tooMany':
      return t('it has more fields than can be shown');
    default:
      return reason satisfies never;
  }
}

/** The form of a kind of content: what is special about it, the other fields aside. */
function kindBlocks(kind: ContentKind, facts: ProposalFacts, t: Translate): readonly Block[] {
  switch (kind.kind) {
    case 'text':
      return [{ kind: 'paragraph', text: t('A text: nothing is executed if it passes.') }];
    case 'parameterChange':
      return paramChangeBlocks(kind.changes, facts, t);
    case 'moduleParams':
      return moduleParamBlocks(kind, facts, t);
    case 'spend':
      return [spendsTable(kind.spends, facts, t)];
    case 'upgrade':
      return upgradeBlocks(kind.plan, t);
    case 'cancelUpgrade':
      return [{ kind: 'paragraph', text: t('The planned upgrade of the chain is cancelled.') }];
    case 'clientUpdate':
      return [
        {
          kind: 'facts',
          rows: [
            { label: t('Client to be updated'), value: cell(kind.subject, { code: true }) },
            ...(kind.substitute === undefined
              ? []
              : [{ label: t('Takes its state from'), value: cell(kind.substitute, { code: true }) }]),
          ],
        },
      ];
    case 'wasm':
      return [
        ...(kind.code ? [codeFacts(kind.code, t)] : []),
        ...kind.messages.flatMap((message) => messageBlocks(message, t)),
      ];
    case 'amendment':
      return [{ kind: 'code', label: t('Changes of the constitution'), text: kind.patch, isPatch: true }];
    case 'tree':
      return [];
    default:
      return kind satisfies never;
  }
}

function spendsTable(spends: readonly Spend[], facts: ProposalFacts, t: Translate): Block {
  return {
    kind: 'table',
    label: t('Spends'),
    columns: [{ label: t('Recipient') }, { label: t('Amount'), numeric: true }],
    rows: spends.flatMap(({ recipient, coins }) => {
      const name = cell(recipient, { code: true });
      if (coins.length === 0) return [[name, cell(t('nothing'))]];
      return coins.map((coin) => [name, amountCell(coin, facts.unitOf(coin.denom))]);
    }),
  };
}

function upgradeBlocks(plan: UpgradePlan, t: Translate): readonly Block[] {
  const rows = [
    { label: t('Name'), value: cell(plan.name, { code: true }) },
    ...(plan.height === undefined ? [] : [{ label: t('Height'), value: cell(groupDigits(plan.height)) }]),
    ...(plan.time === undefined ? [] : [{ label: t('Time'), value: cell(plan.time) }]),
  ];
  const blocks: Block[] = [{ kind: 'facts', rows }];
  if (plan.binaries.length > 0) {
    blocks.push({
      kind: 'table',
      label: t('Binaries'),
      columns: [{ label: t('Platform') }, { label: t('Binary') }],
      rows: plan.binaries.map(({ platform, url }) => [cell(platform, { code: true }), cell(url, { code: true })]),
    });
  }
  if (plan.info === '') return blocks;
  const info: Block = { kind: 'code', label: t('Info of the plan'), text: plan.infoJson ?? plan.info };
  if (plan.binaries.length === 0) return [...blocks, info];
  return [...blocks, { kind: 'fold', id: `info ${plan.name}`, summary: info.label, blocks: [info] }];
}

function codeFacts(code: string, t: Translate): Block {
  const bytes = Buffer.from(code, 'base64');
  const digest = createHash('sha256').update(bytes).digest('hex');
  return {
    kind: 'facts',
    rows: [
      { label: t('Byte code'), value: cell(t('{0} bytes', groupDigits(BigInt(bytes.length)))) },
      { label: t('SHA-256 of these bytes'), value: cell(digest, { code: true }) },
    ],
  };
}

function messageBlocks(message: ContractMessage, t: Translate): readonly Block[] {
  const label = message.field === 'migrate_msg' ? t('Message for the migration') : t('Message for the contract');
  return [
    { kind: 'paragraph', text: label },
    { kind: 'code', label, text: message.json },
  ];
}
