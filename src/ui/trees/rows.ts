import * as vscode from 'vscode';
import type { AnyPager } from '../../chain/pager.ts';
import type { WatchTarget } from '../../watch/list.ts';
import { treeItem } from '../labels.ts';
import { addressText, reasonText } from '../report.ts';
import { clockOf, loadAllWords, loadedWords } from '../words.ts';

/** The owner of the one list of the Supply view. */
export const supplyOwner = 'supply';

/** Rows under one parent beyond which a tree gets slow; an export has no such limit. */
export const mostRows = 5000;

/** The last row of a list that goes on. `owner` is the list: a proposal group, or `supplyOwner`. */
export interface MoreNode {
  readonly kind: 'more';
  readonly owner: string;
}

/**
 * A row about a list: loading, empty, failed, stale; or a row of it that cannot be read, by its name. `dead`: nothing of the
 * source could be read, and what can be done about it is under the row.
 */
export interface NoticeNode {
  readonly kind: 'notice';
  readonly owner: string;
  readonly notice: 'loading' | 'empty' | 'failed' | 'dead' | 'stale' | 'info' | 'unreadable';
  readonly text: string;
  readonly detail?: string;
}

/** What can be done about a source that does not answer; a row under its failure. */
export interface ActionNode {
  readonly kind: 'action';
  readonly owner: string;
  readonly action: 'retry' | 'edit' | 'test' | 'switch';
}

/** The row of a source of which nothing could be read. */
export function deadNotice({ error, loading }: Pick<AnyPager, 'error' | 'loading'>, owner: string): NoticeNode {
  const text = loading ? vscode.l10n.t('Trying again…') : reasonText(error);
  return { kind: 'notice', owner, notice: 'dead', text, detail: addressText(error) };
}

/** The rows under it. */
export function actionsOf({ owner }: NoticeNode): ActionNode[] {
  return (['retry', 'edit', 'test', 'switch'] as const).map((action) => ({ kind: 'action', owner, action }));
}

/** The item of such a row. */
export function actionItem(sourceId: string, { owner, action }: ActionNode): vscode.TreeItem {
  const retried: Pick<NoticeNode, 'kind' | 'owner'> = { kind: 'notice', owner };
  const actions = {
    retry: ['retry', 'refresh', vscode.l10n.t('Retry')],
    edit: ['editEndpoint', 'edit', vscode.l10n.t('Edit Address…')],
    test: ['testConnection', 'pulse', vscode.l10n.t('Test Connection')],
    switch: ['switchEndpoint', 'plug', vscode.l10n.t('Switch Endpoint…')],
  } as const;
  const [command, icon, label] = actions[action];
  const args = action === 'retry' ? [retried] : [];
  return treeItem({
    id: `${sourceId}/action/${owner}/${action}`,
    label,
    icon,
    context: 'action',
    command: { command: `chainInspector.${command}`, title: label, arguments: args },
  });
}

/** The rows of a list and how it goes on. `shown`: the rows as they are filtered and ordered. */
export function childrenOf<Row, Node>(
  pager: AnyPager,
  owner: string,
  toNode: (row: Row) => Node,
  shown: readonly Row[],
): (Node | MoreNode | NoticeNode)[] {
  return [...before(pager, owner), ...shown.map(toNode), ...unreadable(pager, owner), ...after(pager, owner)];
}

function before(pager: AnyPager, owner: string): NoticeNode[] {
  if (pager.state !== 'stale' || pager.asOf === undefined) return [];
  const text = vscode.l10n.t('As of {0}', clockOf(pager.asOf));
  return [{ kind: 'notice', owner, notice: 'stale', text, detail: reasonText(pager.error) }];
}

function unreadable({ faults }: AnyPager, owner: string): NoticeNode[] {
  return faults.map(({ row, reason }) => ({ kind: 'notice', owner, notice: 'unreadable', text: row, detail: reason }));
}

function after(pager: AnyPager, owner: string): (MoreNode | NoticeNode)[] {
  if (pager.state === 'failed') {
    const detail = addressText(pager.error);
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

/** The watch list as the trees need it. `isWatched` is undefined until the list is loaded. */
export interface Watched {
  readonly isWatched: (target: WatchTarget) => boolean | undefined;
  /** How the user's accounts voted on a proposal, in words. */
  readonly votesOn: (sourceId: string, id: bigint) => readonly string[];
  readonly onDidChange: (listener: () => void) => vscode.Disposable;
}

const markScheme = 'chain-inspector-row';
const marks = ['watched', 'soon', 'unknown'] as const;

/** An address that gives a row its decoration, and says nothing else of it; undefined for none. */
export function markUri(set: Readonly<Partial<Record<(typeof marks)[number], boolean>>>): vscode.Uri | undefined {
  const query = marks.filter((mark) => set[mark]).join('&');
  return query === '' ? undefined : vscode.Uri.from({ scheme: markScheme, path: '/', query });
}

/** Draws marked rows: a dot for watched ones, colours for those that end soon and those of unknown sources. */
export function decorateRows(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) => {
      if (scheme !== markScheme) return undefined;
      const set = query.split('&');
      const color = set.includes('unknown')
        ? 'disabledForeground'
        : set.includes('soon')
          ? 'problemsWarningIcon.foreground'
          : '';
      return {
        ...(set.includes('watched') ? { badge: '●', tooltip: vscode.l10n.t('Watched') } : {}),
        ...(color ? { color: new vscode.ThemeColor(color) } : {}),
      };
    },
  });
}

const noticeIcons = {
  loading: 'loading~spin',
  empty: 'circle-slash',
  failed: 'error',
  dead: 'error',
  stale: 'warning',
  info: 'info',
  unreadable: 'warning',
} as const;

/** The item of a notice; failed and stale ones retry when opened. */
export function noticeItem(sourceId: string, node: NoticeNode): vscode.TreeItem {
  const { owner, notice, text, detail } = node;
  const mayRetry = notice === 'failed' || notice === 'stale';
  const descriptions: Partial<Record<typeof notice, string | undefined>> = {
    failed: vscode.l10n.t('Press Enter to retry'),
    unreadable: vscode.l10n.t('Unreadable'),
    stale: detail,
  };
  return treeItem({
    id: `${sourceId}/notice/${owner}/${notice}${notice === 'unreadable' ? `/${text}` : ''}`,
    label: text,
    description: descriptions[notice],
    tooltip: detail === undefined || detail === text ? [text] : [text, detail],
    icon: noticeIcons[notice],
    context: `notice.${notice}`,
    state: notice === 'dead' ? vscode.TreeItemCollapsibleState.Expanded : undefined,
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
