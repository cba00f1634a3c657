import * as vscode from 'vscode';
import { heightRefusal, isHttpError, isReplyError, messageOf } from '../../api/errors.ts';
import { faultName } from '../../api/pages.ts';
import type { Coin } from '../../chain/coin.ts';
import type { ProposalGroup } from '../../chain/proposal.ts';
import type { AnyPager } from '../../lists/pager.ts';
import type { Session } from '../../session/session.ts';
import { causeText } from '../../words/errorWords.ts';
import { clockText } from '../../words/time.ts';
import type { ClassShare } from '../../words/values.ts';
import { treeItem } from '../labels.ts';

/** The icons of proposals by their groups; an open vote has one of how it stands. */
export const groupIcons: Readonly<Record<ProposalGroup, string>> = {
  voting: 'comment-discussion',
  deposit: 'clock',
  passed: 'pass',
  rejected: 'circle-slash',
  failed: 'error',
  other: 'question',
  unreadable: 'warning',
};

/** The same for the rows in them. */
export const rowIcons = { ...groupIcons, voting: 'circle-outline' } as const;

/** The owner of the one list of the Supply view. */
export const supplyOwner = 'supply';

/** The owner of the rows under the staking denom. */
export const stakingOwner = 'staking';

/** Rows under one parent beyond which a tree gets slow; an export has no such limit. */
export const maxRows = 5000;

/** The last row of a list that goes on. `owner` is the list: a proposal group, or `supplyOwner`. */
export interface MoreNode {
  readonly kind: 'more';
  readonly owner: string;
}

/** A denom in the Supply view. */
export interface CoinNode {
  readonly kind: 'coin';
  readonly coin: Coin;
}

/** A class of the coins of the staking denom, under it. */
export interface ClassNode {
  readonly kind: 'class';
  readonly coin: Coin;
  readonly share: ClassShare;
}

/** A row about a list, or one of it that cannot be read. `silent`: there is no answer yet. */
export interface NoticeNode {
  readonly kind: 'notice';
  readonly owner: string;
  readonly notice:
    | ('loading' | 'empty' | 'unfound' | 'silent' | 'failed' | 'stale' | 'info' | 'unreadable')
    | ('retry' | 'header' | 'latest' | 'edit' | 'test' | 'switch')
    | 'sample';
  /** "" where the maker of the item has the words. */
  readonly text: string;
  readonly detail?: string | undefined;
  /** The ways on, rows under it. */
  readonly ways?: readonly NoticeNode[];
}

/** A row about a list, or about the source as such. */
export function newNotice(owner: string, notice: NoticeNode['notice'], text: string, detail?: string): NoticeNode {
  return { kind: 'notice', owner, notice, text, detail };
}

/** Milliseconds without an answer that are no longer only loading. */
export const longSilence = 5000;

/** Whether a list cannot be shown for now: it could not be read, or there is no answer for long. */
export function isInTrouble({ state, silence }: AnyPager): boolean {
  return state === 'failed' || silence >= longSilence;
}

/** Its row: the cause, or for how long there is no answer; under it the ways on. */
export function troubleNotice({ error, loading, silence }: AnyPager, owner: string): NoticeNode {
  const { t } = vscode.l10n;
  const waiting = silence >= longSilence ? t('No answer for {0} s', Math.floor(silence / 1000)) : t('Trying again…');
  const row = loading
    ? newNotice(owner, 'silent', waiting)
    : newNotice(owner, 'failed', causeText(error, t), messageOf(error));
  return { ...row, ways: waysOn(owner, error) };
}

function waysOn(owner: string, error: unknown): NoticeNode[] {
  const isKeyMissing = isHttpError(error) && (error.status === 401 || error.status === 403);
  const isHeightRefused = heightRefusal(error) !== undefined || (isReplyError(error) && error.code === 'height');
  const asked = [...(isKeyMissing ? ['header' as const] : []), ...(isHeightRefused ? ['latest' as const] : [])];
  return (['retry', ...asked, 'edit', 'test', 'switch'] as const).map((way) => newNotice(owner, way, ''));
}

/** The row of a list whose source is not reached, where Proposals say why; undefined where they do not. */
export function unreachedNotice({ stores: { proposals }, pagers }: Session, pager: AnyPager): NoticeNode | undefined {
  if (!isInTrouble(pager) || pagers.some(({ started }) => started)) return undefined;
  if (!proposals.shownGroups.some((group) => isInTrouble(proposals.pager(group)))) return undefined;
  return newNotice('source', 'info', '');
}

/** The row of a list whose filter none of the loaded rows passes; none where there is a row to show. */
export function nothingFound(
  owner: string,
  { pager, shown }: { readonly pager: AnyPager; readonly shown: readonly unknown[] },
): NoticeNode[] {
  return pager.rows.length > 0 && shown.length === 0 ? [newNotice(owner, 'unfound', '')] : [];
}

/** The rows of a list, filtered and ordered, with those about it before and behind them. */
export function childrenOf<Node>(
  pager: AnyPager,
  owner: string,
  rows: readonly Node[],
): (MoreNode | NoticeNode | Node)[] {
  const { state, asOf, error, faults } = pager;
  const stale = state === 'stale' && asOf !== undefined;
  return [
    ...(stale
      ? [
          newNotice(
            owner,
            'stale',
            vscode.l10n.t('As of {0}', clockText(asOf, vscode.env.language)),
            causeText(error, vscode.l10n.t),
          ),
        ]
      : []),
    ...rows,
    ...faults.map((fault) => newNotice(owner, 'unreadable', faultName(fault), fault.reason)),
    ...lastRow(pager, owner),
  ];
}

function lastRow(pager: AnyPager, owner: string): (MoreNode | NoticeNode)[] {
  const { started, hasMore, rows, faults } = pager;
  if (isInTrouble(pager)) return [troubleNotice(pager, owner)];
  if (!started) return [newNotice(owner, 'loading', vscode.l10n.t('Loading…'))];
  if (hasMore) return [{ kind: 'more', owner }];
  return rows.length + faults.length === 0 ? [newNotice(owner, 'empty', vscode.l10n.t('None'))] : [];
}

/** The first row as long as there is no endpoint. Drawn with the first rows: it loads nothing. An icon would take the space of the action. */
export function sampleItem(): vscode.TreeItem {
  const add = vscode.l10n.t('Add Endpoint…');
  return treeItem({
    id: 'sample',
    label: vscode.l10n.t('Made-up sample data'),
    description: add,
    context: 'notice.sample',
    command: { command: 'chainInspector.addEndpoint', title: add },
  });
}

/** The look of a row for which a vote of the reader is due. */
export const voteDue = { icon: 'megaphone', tone: 'warning' } as const;

/** The address of rows whose period ends within a day: it gives them their colour, and says nothing else of them. */
export const soonUri = vscode.Uri.from({ scheme: 'chain-inspector-soon', path: '/' });
