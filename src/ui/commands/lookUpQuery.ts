import * as vscode from 'vscode';
import { toMatcher } from '../../session/find/matcher.ts';
import type { Query } from '../../session/find/readQuery.ts';
import type { Session } from '../../session/session.ts';
import { plain } from '../plain.ts';
import { coinItem, type LookUpItem, proposalItem, separator, wordsItem } from './lookUpItems.ts';

/** Rows of a search that a pick shows well. */
export const mostShown = 500;

/** What a typed text may mean, what of the loaded rows holds it, and the way to all pages; asks nothing of the chain. */
export function queryItems(session: Session, query: Query): LookUpItem[] {
  if (query.isAddress && query.id === undefined) {
    return [wordsItem('error', vscode.l10n.t('This address names no proposal'))];
  }
  const direct = directItems(session, query);
  if (query.isAddress) return direct;
  const found = loadedItems(session, query);
  // A word is more often part of a title than a denom, unless it looks like one.
  const denomFirst = /[/\d]/.test(query.text) || query.id !== undefined;
  const rest = found.length > 0 ? [separator(vscode.l10n.t('Loaded rows')), ...found] : [];
  const search = searchItem(session, query);
  return denomFirst ? [...direct, ...rest, separator(''), search] : [...rest, separator(''), ...direct, search];
}

function directItems({ proposals, source }: Session, { id, denom }: Query): LookUpItem[] {
  const sourceId = source.id;
  if (id !== undefined) {
    const known = proposals.known(id);
    if (known) return [proposalItem(sourceId, known)];
    const goal = { kind: 'proposal', sourceId, id: `${id}`, title: '' } as const;
    return [{ icon: 'note', label: vscode.l10n.t('Proposal #{0}', `${id}`), alwaysShow: true, goal }];
  }
  if (denom === undefined) return [];
  const label = vscode.l10n.t('Supply of {0}', plain(denom));
  return [{ icon: 'circle-outline', label, alwaysShow: true, goal: { kind: 'denom', sourceId, denom } }];
}

function loadedItems({ proposals, supply, source }: Session, { text, id }: Query): LookUpItem[] {
  const matcher = toMatcher(text);
  const rows = [...proposals.all()].filter((row) => row.id !== id && matcher.proposal(row));
  const coins = supply.pager.rows.filter((coin) => matcher.coin(coin, (denom) => supply.unit(denom)));
  return [
    ...rows.sort((a, b) => (a.id < b.id ? 1 : -1)).map((row) => proposalItem(source.id, row)),
    ...coins.map((coin) => coinItem(source.id, coin, supply.unit(coin.denom)?.symbol)),
  ].slice(0, mostShown);
}

function searchItem({ proposals, supply }: Session, { text }: Query): LookUpItem {
  const detail = vscode.l10n.t(
    '{0} proposals and {1} denoms are loaded and were searched',
    [...proposals.all()].length,
    supply.pager.rows.length,
  );
  const label = vscode.l10n.t('Search all pages for “{0}”', plain(text));
  return { icon: 'search', label, detail, alwaysShow: true, search: true };
}
