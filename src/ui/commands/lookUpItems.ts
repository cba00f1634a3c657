import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { groupOf } from '../../chain/proposalGroup.ts';
import type { LookUp } from '../../session/find/lookUps.ts';
import type { PickItem } from '../ask.ts';
import { plain } from '../plain.ts';
import { groupName, proposalLabel } from '../words.ts';

/** A line of Look Up…. `goal` is what accepting it opens; `search` reads all pages; without either it only says something. */
export interface LookUpItem extends PickItem {
  readonly goal?: LookUp;
  readonly search?: true;
}

/** A proposal that was found. */
export function proposalItem(sourceId: string, row: ProposalRow): LookUpItem {
  const label = proposalLabel(row);
  return {
    icon: 'note',
    label: plain(label),
    description: groupName(groupOf(row)),
    alwaysShow: true,
    goal: { kind: 'proposal', sourceId, id: `${row.id}`, title: label },
  };
}

/** A denom that was found; `symbol` where somebody states one. */
export function coinItem(sourceId: string, coin: Coin, symbol: string | undefined): LookUpItem {
  return {
    icon: 'circle-outline',
    label: plain(coin.denom),
    description: [...(symbol ? [plain(symbol)] : []), groupDigits(coin.amount)].join(' · '),
    alwaysShow: true,
    goal: { kind: 'denom', sourceId, denom: coin.denom },
  };
}

/** Something that was looked up before; `known` is what has been learned of a proposal since. */
export function recentItem(entry: LookUp, known?: ProposalRow): LookUpItem {
  const base = { icon: 'history', alwaysShow: true, goal: entry };
  switch (entry.kind) {
    case 'proposal':
      return { ...base, label: plain(known ? proposalLabel(known) : entry.title || `#${entry.id}`) };
    case 'denom':
      return { ...base, label: plain(entry.denom), description: vscode.l10n.t('supply') };
    case 'text':
      return { ...base, label: `“${plain(entry.text)}”`, description: vscode.l10n.t('text') };
    default:
      return entry satisfies never;
  }
}

export function separator(label: string): LookUpItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** A line that only says something. */
export function wordsItem(icon: string, label: string, detail?: string): LookUpItem {
  return { icon, label, alwaysShow: true, ...(detail ? { detail: plain(detail) } : {}) };
}
