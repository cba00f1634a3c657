import * as vscode from 'vscode';
import { heightRefusal, isHttpError, isReplyError, messageOf } from '../../api/errors.ts';
import { faultName } from '../../api/pages.ts';
import { groupDigits } from '../../chain/coin.ts';
import type { AnyPager } from '../../lists/pager.ts';
import type { Session } from '../../session/session.ts';
import { byteOf, causeText, isServed } from '../../words/errorWords.ts';
import { clockText } from '../../words/time.ts';
import { loadedWords } from '../../words/values.ts';
import { treeItem } from '../editorTexts.ts';

/** The most rows under one parent, since trees get slow. An export has no such limit. */
export const maxTreeRows = 5000;

/** The last row of a list with further rows. `owner` is the list, or its group. */
export interface MoreNode {
  readonly kind: 'more';
  readonly owner: string;
}

/** A row about a list, or a row of it that cannot be read. `silent`: there is no answer yet. */
export interface NoticeNode {
  readonly kind: 'notice';
  readonly owner: string;
  readonly notice:
    | ('loading' | 'empty' | 'unfound' | 'silent' | 'failed' | 'stale' | 'info' | 'unreadable')
    | ('retry' | 'header' | 'latest' | 'edit' | 'test' | 'switch' | 'openAt' | 'otherFile')
    | 'sample';
  /** "" for a way to continue, which has the words of its command. */
  readonly text: string;
  readonly detail?: string | undefined;
  /** Rows below this one, each with a way to continue. */
  readonly ways?: readonly NoticeNode[];
}

/** Makes a row about a list, or about the whole source. */
export function newNotice(owner: string, notice: NoticeNode['notice'], text: string, detail?: string): NoticeNode {
  return { kind: 'notice', owner, notice, text, detail };
}

/** The time without an answer after which a list says so. In milliseconds. */
export const longSilence = 5000;

/** Whether a list could not be read, or got no answer for long. */
export function isInTrouble({ state, silence }: AnyPager): boolean {
  return state === 'failed' || silence >= longSilence;
}

/** The row of a list in trouble: the cause, or the time without an answer. The ways to continue are below it. */
export function troubleNotice({ error, loading, silence }: AnyPager, owner: string): NoticeNode {
  const { t } = vscode.l10n;
  const waiting = silence >= longSilence ? t('No response for {0} s', Math.floor(silence / 1000)) : t('Trying again…');
  const row = loading
    ? newNotice(owner, 'silent', waiting)
    : newNotice(owner, 'failed', causeText(error, t), messageOf(error));
  return { ...row, ways: waysOn(owner, error) };
}

function waysOn(owner: string, error: unknown): NoticeNode[] {
  if (isHttpError(error) && isServed(error)) return waysOnOfFile(owner, error);
  const isKeyMissing = isHttpError(error) && (error.status === 401 || error.status === 403);
  const isHeightRefused = heightRefusal(error) !== undefined || (isReplyError(error) && error.code === 'height');
  const asked = [...(isKeyMissing ? ['header' as const] : []), ...(isHeightRefused ? ['latest' as const] : [])];
  return (['retry', ...asked, 'edit', 'test', 'switch'] as const).map((way) => newNotice(owner, way, ''));
}

function waysOnOfFile(owner: string, error: Error): NoticeNode[] {
  const byte = byteOf(error.message);
  const text = byte === undefined ? '' : vscode.l10n.t('Open at Byte {0}', groupDigits(byte));
  const others = (['otherFile', 'retry', 'switch'] as const).map((way) => newNotice(owner, way, ''));
  return byte === undefined ? others : [newNotice(owner, 'openAt', text, error.message), ...others];
}

/** The row of a list whose source is not reached, if Proposals already explain why. Undefined if they do not. */
export function unreachedNotice(
  { source, lists: { proposals }, pagers }: Session,
  pager: AnyPager,
): NoticeNode | undefined {
  if (!isInTrouble(pager) || pagers.some(({ started }) => started)) return undefined;
  if (!proposals.shownGroups.some((group) => isInTrouble(proposals.pager(group)))) return undefined;
  const { name, kind } = source;
  const text =
    kind === 'http' ? vscode.l10n.t('{0} is not reachable', name) : vscode.l10n.t('Could not read {0}', name);
  return newNotice('source', 'info', text);
}

/** The row of a list in which no loaded row passes the filter. Undefined if there is a row to show. */
export function nothingFound(
  list: { readonly name: string; readonly pager: AnyPager; readonly shown: readonly unknown[] },
  text: string,
  detail?: string,
): NoticeNode[] {
  return list.pager.rows.length > 0 && list.shown.length === 0 ? [newNotice(list.name, 'unfound', text, detail)] : [];
}

/** The rows of a list in their order, with the rows about the list before and after them. */
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
  return rows.length + faults.length === 0 ? [newNotice(owner, 'empty', emptyText(owner))] : [];
}

function emptyText(owner: string): string {
  const { t } = vscode.l10n;
  if (owner === 'supply') return t('No denoms');
  return owner === 'validators' ? t('No validators') : t('No proposals');
}

interface NoticeLook {
  readonly icon: string;
  readonly command?: string;
  readonly text?: string;
}

function noticeLook(notice: NoticeNode['notice']): NoticeLook {
  const { t } = vscode.l10n;
  const looks: Readonly<Record<NoticeNode['notice'], NoticeLook>> = {
    loading: { icon: 'loading~spin' },
    empty: { icon: 'circle-slash' },
    unfound: { icon: 'circle-slash' },
    silent: { icon: 'loading~spin' },
    failed: { icon: 'error' },
    stale: { icon: 'warning', command: 'retry' },
    info: { icon: 'info' },
    unreadable: { icon: 'warning' },
    retry: { icon: 'refresh', command: 'retry', text: t('Retry') },
    header: { icon: 'key', command: 'setHeader', text: t('Set API Key…') },
    latest: { icon: 'history', command: 'showLatest', text: t('Show Latest Block') },
    edit: { icon: 'edit', command: 'editEndpoint', text: t('Edit Address…') },
    test: { icon: 'pulse', command: 'testConnection', text: t('Test Connection') },
    openAt: { icon: 'go-to-file', command: '_openAtByte' },
    otherFile: { icon: 'folder-opened', command: 'editEndpoint', text: t('Choose Another File…') },
    switch: { icon: 'plug', command: 'switchEndpoint', text: t('Switch Endpoint…') },
    sample: { icon: 'info', command: 'addEndpoint' },
  };
  return looks[notice];
}

/** The item of a row about a list. */
export function noticeItem(sourceId: string, node: NoticeNode): vscode.TreeItem {
  const { owner, notice, detail } = node;
  const { icon, command, text: ownText } = noticeLook(notice);
  const text = node.text || (ownText ?? '');
  const descriptions: Partial<Record<typeof notice, string | undefined>> = {
    unreadable: vscode.l10n.t('Unreadable'),
    stale: detail,
  };
  const args = command === 'retry' || command === '_openAtByte' ? [node] : [];
  return treeItem({
    id: `${sourceId}/notice/${owner}/${notice}${notice === 'unreadable' ? `/${text}` : ''}`,
    label: text,
    description: descriptions[notice],
    tooltip: detail === undefined || detail === text ? [text] : [text, detail],
    icon,
    context: `notice.${notice}`,
    state: node.ways ? vscode.TreeItemCollapsibleState.Expanded : undefined,
    command: command ? { command: `chainInspector.${command}`, title: text, arguments: args } : undefined,
  });
}

/** The item of "Load more". Enter runs it, as it opens any row. */
export function moreItem(sourceId: string, node: MoreNode, pager: AnyPager | undefined): vscode.TreeItem {
  const loading = pager?.loading ?? false;
  const paused = pager?.paused && vscode.l10n.t('No new rows in the last 20 pages');
  return treeItem({
    id: `${sourceId}/more/${node.owner}`,
    label: loading ? vscode.l10n.t('Loading…') : paused ? vscode.l10n.t('Continue') : vscode.l10n.t('Load More'),
    description: loading || !paused ? undefined : paused,
    tooltip: pager && [...(paused ? [paused] : []), loadedWords(pager.rows.length, pager.total, vscode.l10n.t)],
    icon: loading ? 'loading~spin' : 'ellipsis',
    context: 'more',
    command: { command: 'chainInspector._loadMore', title: vscode.l10n.t('Load More'), arguments: [node] },
  });
}
