import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../../chain/coin.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { groupOf } from '../../chain/proposalGroup.ts';
import { showControls } from '../../chain/text/showControls.ts';
import type { LookUp } from '../../session/find/lookUps.ts';
import { plain } from '../plain.ts';
import { groupName, proposalLabel } from '../words.ts';

/** A line of Look Up…. `goal` is what accepting it opens; `search` reads all pages; without either it only says something. */
export interface LookUpItem extends vscode.QuickPickItem {
  readonly goal?: LookUp;
  readonly search?: true;
}

/** A proposal that was found. */
export function proposalItem(sourceId: string, row: ProposalRow): LookUpItem {
  const label = proposalLabel(row);
  return {
    label: `$(note) ${shown(label)}`,
    description: groupName(groupOf(row)),
    alwaysShow: true,
    goal: { kind: 'proposal', sourceId, id: `${row.id}`, title: label },
  };
}

/** A denom that was found; `symbol` where somebody states one. */
export function coinItem(sourceId: string, coin: Coin, symbol: string | undefined): LookUpItem {
  return {
    label: `$(circle-outline) ${shown(coin.denom)}`,
    description: [...(symbol ? [shown(symbol)] : []), groupDigits(coin.amount)].join(' · '),
    alwaysShow: true,
    goal: { kind: 'denom', sourceId, denom: coin.denom },
  };
}

/** Something that was looked up before; `known` is what has been learned of a proposal since. */
export function recentItem(entry: LookUp, known?: ProposalRow): LookUpItem {
  const base = { alwaysShow: true, goal: entry };
  switch (entry.kind) {
    case 'proposal':
      return { ...base, label: `$(history) ${shown(known ? proposalLabel(known) : entry.title || `#${entry.id}`)}` };
    case 'denom':
      return { ...base, label: `$(history) ${shown(entry.denom)}`, description: vscode.l10n.t('supply') };
    case 'text':
      return { ...base, label: `$(history) “${shown(entry.text)}”`, description: vscode.l10n.t('text') };
    default:
      return entry satisfies never;
  }
}

export function separator(label: string): LookUpItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** A line that only says something. */
export function wordsItem(label: string, detail?: string): LookUpItem {
  return { label, alwaysShow: true, ...(detail ? { detail: shown(detail) } : {}) };
}

/** Text of others on one line, where it can neither draw icons nor disguise itself. */
export function shown(text: string): string {
  return plain(showControls(text.replace(/\s+/g, ' ').slice(0, 200)));
}
