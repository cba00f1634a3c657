import { createHash } from 'node:crypto';
import { groupDigits } from '../../chain/coin.ts';
import type { ContentKind } from '../../chain/content/contentKind.ts';
import type { Spend } from '../../chain/content/spends.ts';
import type { UpgradePlan } from '../../chain/content/upgradePlan.ts';
import type { ContractMessage } from '../../chain/content/wasmContent.ts';
import type { Block } from './block.ts';
import { amountCell, cell } from './cell.ts';
import { changesBlocks, moduleBlocks } from './paramTables.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';

/** The form of a kind of content: what is special about it, the other fields aside. */
export function kindBlocks(kind: ContentKind, facts: ProposalFacts, t: Translate): readonly Block[] {
  switch (kind.kind) {
    case 'text':
      return [{ kind: 'paragraph', text: t('A text: nothing is executed if it passes.') }];
    case 'parameterChange':
      return changesBlocks(kind.changes, facts, t);
    case 'moduleParams':
      return moduleBlocks(kind, facts, t);
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
  const info: Block = { kind: 'code', label: t('Info'), text: plan.infoJson ?? plan.info };
  const open = plan.binaries.length === 0;
  blocks.push({ kind: 'fold', id: `info ${plan.name}`, summary: t('Info of the plan'), open, blocks: [info] });
  return blocks;
}

function codeFacts(code: { readonly base64: string; readonly size: number }, t: Translate): Block {
  const bytes = Buffer.from(code.base64, 'base64');
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
