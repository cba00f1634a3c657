import type { Content } from '../../chain/content/content.ts';
import { type ContentKind, contentKind } from '../../chain/content/contentKind.ts';
import { type DecodedContent, decodeContent } from '../../chain/content/decodeContent.ts';
import { plainType } from '../../chain/content/plainType.ts';
import type { BreakReason } from '../../chain/content/wire.ts';
import type { Block } from './block.ts';
import { cutText } from './cutText.ts';
import { fieldTree } from './fieldTree.ts';
import { kindBlocks } from './kindBlocks.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';

/** What is proposed: each content in the form of its kind, then every field that the form does not show. */
export function toContentBlocks(contents: readonly Content[], facts: ProposalFacts, t: Translate): readonly Block[] {
  if (contents.length === 0) {
    return [{ kind: 'paragraph', text: t('The source states no content: nothing is executed if this passes.') }];
  }
  return contents.flatMap((content, at) => contentBlocks(content, contents.length > 1 ? at + 1 : undefined, facts, t));
}

function contentBlocks(
  content: Content,
  number: number | undefined,
  facts: ProposalFacts,
  t: Translate,
): readonly Block[] {
  const decoded = decodeContent(content);
  const kind = contentKind(decoded);
  const name = typeName(decoded, t);
  const heading: Block = {
    kind: 'heading',
    text: number === undefined ? name : `${number}. ${name}`,
    ...(decoded.typeUrl ? { note: decoded.typeUrl } : {}),
  };
  return [
    heading,
    ...kindBlocks(kind, facts, t),
    ...restBlocks(kind, t),
    ...carrierBlocks(decoded, t),
    ...breakBlocks(decoded, t),
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

function carrierBlocks(content: DecodedContent, t: Translate): readonly Block[] {
  if (!content.carrier) return [];
  const nodes = fieldTree(content.carrier.fields, cutText(t));
  const text = t('Carried by {0}', content.carrier.typeUrl);
  return [{ kind: 'paragraph', text }, ...(nodes.length > 0 ? [{ kind: 'tree', label: text, nodes } as const] : [])];
}

function breakBlocks(content: DecodedContent, t: Translate): readonly Block[] {
  const blocks: Block[] = [];
  if (content.unnamed > 0) {
    const text =
      content.unnamed === 1
        ? t('The name of one field is not known here: it stands by its number and how it is written.')
        : t(
            'The names of {0} fields are not known here: they stand by number and how they are written.',
            content.unnamed,
          );
    blocks.push({ kind: 'notice', tone: 'plain', text });
  }
  if (content.broken) {
    const text = t(
      'The bytes of this content cannot be read from byte {0} on: {1}. What stands above is the part before.',
      content.broken.offset,
      breakWords(content.broken.reason, t),
    );
    blocks.push({ kind: 'notice', tone: 'warning', text });
  }
  return blocks;
}

function breakWords(reason: BreakReason, t: Translate): string {
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
