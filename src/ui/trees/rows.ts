import * as vscode from 'vscode';
import type { AnyPager, Pager } from '../../chain/pager.ts';
import { treeItem } from '../labels.ts';
import { errorText, reasonText } from '../report.ts';
import { clockOf, loadAllWords, loadedWords } from '../words.ts';

/** The owner of the one list of the Supply view. */
export const supplyOwner = 'supply';

/** The last row of a list that goes on. `owner` is the list: a proposal group, or `supplyOwner`. */
export interface MoreNode {
  readonly kind: 'more';
  readonly owner: string;
}

/** A row about a list: loading, empty, failed, stale; or a row of it that cannot be read, by its name. */
export interface NoticeNode {
  readonly kind: 'notice';
  readonly owner: string;
  readonly notice: 'loading' | 'empty' | 'failed' | 'stale' | 'info' | 'unreadable';
  readonly text: string;
  readonly detail?: string;
}

/** The rows of a list and how it goes on. `shown`: the rows as they are filtered and ordered. */
export function childrenOf<Row, Node>(
  pager: Pager<Row>,
  owner: string,
  toNode: (row: Row) => Node,
  shown: readonly Row[] = pager.rows,
): (Node | MoreNode | NoticeNode)[] {
  return [...before(pager, owner), ...shown.map(toNode), ...unreadable(pager, owner), ...after(pager, owner)];
}

function before<Row>(pager: Pager<Row>, owner: string): NoticeNode[] {
  if (pager.state !== 'stale' || pager.asOf === undefined) return [];
  const text = vscode.l10n.t('As of {0}', clockOf(pager.asOf));
  return [{ kind: 'notice', owner, notice: 'stale', text, detail: reasonText(pager.error) }];
}

function unreadable<Row>({ faults }: Pager<Row>, owner: string): NoticeNode[] {
  return faults.map(({ row, reason }) => ({ kind: 'notice', owner, notice: 'unreadable', text: row, detail: reason }));
}

function after<Row>(pager: Pager<Row>, owner: string): (MoreNode | NoticeNode)[] {
  if (pager.state === 'failed') {
    const detail = errorText(pager.error);
    return [{ kind: 'notice', owner, notice: 'failed', text: reasonText(pager.error), detail }];
  }
  if (!pager.started) return [{ kind: 'notice', owner, notice: 'loading', text: vscode.l10n.t('Loading…') }];
  if (pager.hasMore) return [{ kind: 'more', owner }];
  if (pager.rows.length === 0 && pager.faults.length === 0)
    return [{ kind: 'notice', owner, notice: 'empty', text: vscode.l10n.t('None') }];
  return [];
}

/** The item of "Load more", which Enter runs as it opens any row. */
export function moreItem(
  sourceId: string,
  node: MoreNode,
  pager: Pick<AnyPager, 'loading' | 'paused' | 'total' | 'rows'> | undefined,
): vscode.TreeItem {
  const loading = pager?.loading ?? false;
  const paused = pager?.paused && vscode.l10n.t('The last 20 pages had no new row');
  return treeItem({
    id: `${sourceId}/more/${node.owner}`,
    label: loading ? vscode.l10n.t('Loading…') : paused ? vscode.l10n.t('Continue') : vscode.l10n.t('Load more'),
    description: loading || !paused ? undefined : paused,
    tooltip: pager && [...(paused ? [paused] : []), loadedWords(pager), loadAllWords(pager)],
    icon: loading ? 'loading~spin' : 'ellipsis',
    context: 'more',
    command: { command: 'chainInspector._loadMore', title: vscode.l10n.t('Load More'), arguments: [node] },
  });
}

const noticeIcons = {
  loading: 'loading~spin',
  empty: 'circle-slash',
  failed: 'error',
  stale: 'warning',
  info: 'info',
  unreadable: 'warning',
} as const;

/** The item of a notice; failed and stale ones retry when opened. */
export function noticeItem(sourceId: string, node: NoticeNode): vscode.TreeItem {
  const { owner, notice, text, detail } = node;
  const mayRetry = notice === 'failed' || notice === 'stale';
  return treeItem({
    id: `${sourceId}/notice/${owner}/${notice}${notice === 'unreadable' ? `/${text}` : ''}`,
    label: text,
    description: noticeDescription(node),
    tooltip: notice === 'failed' || !detail ? [detail ?? text] : [text, detail],
    icon: noticeIcons[notice],
    context: `notice.${notice}`,
    command: mayRetry
      ? { command: 'chainInspector.retry', title: vscode.l10n.t('Retry'), arguments: [node] }
      : undefined,
  });
}

/** Opens the state files that are dropped onto a view; the last one is shown. */
export const stateFileDrop: vscode.TreeDragAndDropController<unknown> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list', 'files'],
  handleDrop: async (_target, transfer) => {
    await vscode.commands.executeCommand('chainInspector._dropStateFiles', transfer);
  },
};

function noticeDescription({ notice, detail }: NoticeNode): string | undefined {
  switch (notice) {
    case 'failed':
      return vscode.l10n.t('Press Enter to retry');
    case 'unreadable':
      return vscode.l10n.t('Unreadable');
    case 'stale':
      return detail;
    case 'loading':
    case 'empty':
    case 'info':
      return undefined;
    default:
      return notice satisfies never;
  }
}
