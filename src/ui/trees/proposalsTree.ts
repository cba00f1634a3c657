import * as vscode from 'vscode';
import { isStatusGroup, type ProposalGroup, type ProposalRow } from '../../chain/proposal.ts';
import type { ActiveSession } from '../activeSession.ts';
import { treeItem } from '../labels.ts';
import { filterMeaning, groupName, loadedText, proposalLabel, proposalTiming } from '../words.ts';
import { FirstLoads, type ViewEvents } from './firstLoads.ts';
import { Redraws } from './redraws.ts';
import { childrenOf, type MoreNode, moreItem, type NoticeNode, noticeItem, stateFileDrop } from './rows.ts';
import { TimeLeft } from './timeLeft.ts';

/** A row of the Proposals view. */
export type ProposalsNode =
  | { readonly kind: 'group'; readonly group: ProposalGroup }
  | { readonly kind: 'proposal'; readonly id: bigint; readonly group: ProposalGroup }
  | MoreNode
  | NoticeNode;

/** Proposals by status, newest first, a page at a time; a group is read when it is first expanded. */
export class ProposalsTree implements vscode.TreeDataProvider<ProposalsNode>, vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #redraws = new Redraws<ProposalsNode>();
  readonly #loads = new FirstLoads();
  readonly #groups = new Map<ProposalGroup, ProposalsNode>();
  readonly #listeners: vscode.Disposable[];
  /** What the root shows beside the groups that are always there: where it changes, the root is drawn again. */
  #extras = '';

  constructor(active: ActiveSession) {
    this.#active = active;
    const following = active.follow(({ proposals }) => {
      this.#loads.clear();
      this.#groups.clear();
      this.#extras = '';
      this.redraw();
      return [proposals.onDidChange(({ group }) => this.#follow(group))];
    });
    this.#listeners = [following, this.#redraws];
  }

  /** Creates the view. */
  createView(): vscode.TreeView<ProposalsNode> {
    const view = vscode.window.createTreeView<ProposalsNode>('chainInspector.proposals', {
      treeDataProvider: this,
      dragAndDropController: stateFileDrop,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.follow(view);
    this.#listeners.push(view, new TimeLeft(view, () => this.#redrawTimes()));
    return view;
  }

  readonly onDidChangeTreeData = this.#redraws.event;

  get #proposals() {
    return this.#active.session.proposals;
  }

  async getChildren(node?: ProposalsNode): Promise<ProposalsNode[]> {
    const { session } = this.#active;
    const group = node?.kind === 'group' && isStatusGroup(node.group) ? node.group : undefined;
    const load = group && this.#loads.start(group, session.proposals.pager(group));
    await this.#redraws.during(load ?? Promise.resolve());
    // After a switch the groups of the other session are asked for next.
    if (session !== this.#active.session) return [];
    return node ? this.#under(node) : this.#root();
  }

  getParent(node: ProposalsNode): ProposalsNode | undefined {
    if (node.kind === 'proposal') return this.#groupNode(node.group);
    return undefined;
  }

  getTreeItem(node: ProposalsNode): vscode.TreeItem {
    const sourceId = this.#active.session.source.id;
    switch (node.kind) {
      case 'group':
        return this.#groupItem(sourceId, node.group);
      case 'proposal':
        return this.#proposalItem(sourceId, node.id);
      case 'more':
        return moreItem(sourceId, node, isStatusGroup(node.owner) ? this.#proposals.pager(node.owner) : undefined);
      case 'notice':
        return noticeItem(sourceId, node);
      default:
        return node satisfies never;
    }
  }

  /** Draws one group again, or everything. */
  redraw(group?: ProposalGroup): void {
    this.#redraws.fire(group && this.#groups.get(group));
  }

  /** Stops automatic reading while the view is hidden or a group collapsed. */
  follow(view: ViewEvents<ProposalsNode>): void {
    const groupOf = (node: ProposalsNode) => (node.kind === 'group' ? node.group : undefined);
    const redraw = (owner?: string) => this.redraw(owner !== undefined && isStatusGroup(owner) ? owner : undefined);
    this.#listeners.push(...this.#loads.follow(view, groupOf, redraw));
  }

  /** The row of a proposal whose group was read; undefined where it is not among the rows. */
  nodeOf(id: bigint): ProposalsNode | undefined {
    const group = this.#proposals.shownGroups.find((shown) => this.#proposals.rows(shown).some((row) => row.id === id));
    return group && { kind: 'proposal', id, group };
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  /** Draws again the groups that were read and whose rows show the time left. */
  #redrawTimes(): void {
    for (const group of ['voting', 'deposit'] as const)
      if (this.#proposals.pager(group).rows.length > 0 && this.#groups.has(group)) this.redraw(group);
  }

  /** A group changed or, undefined, the lists as such. */
  #follow(group: ProposalGroup | undefined): void {
    // Proposals that are not found are shown as a gap.
    void this.#proposals.loadUnlisted().catch(() => undefined);
    const extras = [
      ...(this.#proposals.hasGov ? [] : ['no gov']),
      ...this.#presentGroups(),
      ...this.#gapNotice().map(({ text }) => text),
    ].join();
    const isGroupOnly = extras === this.#extras && group !== undefined && this.#groups.has(group);
    this.#extras = extras;
    this.redraw(isGroupOnly ? group : undefined);
  }

  #root(): ProposalsNode[] {
    this.#redraws.settle();
    if (!this.#proposals.hasGov) {
      return [
        { kind: 'notice', owner: 'gov', notice: 'info', text: vscode.l10n.t('This chain has no governance module') },
      ];
    }
    return [...this.#filterNotice(), ...this.#rootGroups(), ...this.#gapNotice()];
  }

  #under(node: ProposalsNode): ProposalsNode[] {
    if (node.kind !== 'group') return [];
    const { group } = node;
    const toNode = (row: ProposalRow): ProposalsNode => ({ kind: 'proposal', id: row.id, group });
    if (!isStatusGroup(group)) return this.#proposals.rows(group).map(toNode);
    return childrenOf(this.#proposals.pager(group), group, toNode);
  }

  #presentGroups(): ProposalGroup[] {
    const extras = ['other', 'unreadable'] as const;
    return extras.filter((group) => this.#proposals.rows(group).length > 0);
  }

  #rootGroups(): ProposalsNode[] {
    const { shownGroups, filter } = this.#proposals;
    const extras = this.#presentGroups().filter((group) => !filter.statuses || group === 'unreadable');
    return [...shownGroups, ...extras].map((group) => this.#groupNode(group));
  }

  #groupNode(group: ProposalGroup): ProposalsNode {
    const node = this.#groups.get(group) ?? { kind: 'group', group };
    this.#groups.set(group, node);
    return node;
  }

  /** What a filter by address means on a chain. */
  #filterNotice(): NoticeNode[] {
    const meaning = filterMeaning(this.#proposals.filter);
    return meaning ? [{ kind: 'notice', owner: 'filter', notice: 'info', ...meaning }] : [];
  }

  #gapNotice(): NoticeNode[] {
    const gaps = this.#proposals.gaps() ?? [];
    if (gaps.length === 0) return [];
    const shown = gaps.slice(0, 5).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
    const ids = gaps.length > 5 ? `${shown.join(', ')}, …` : shown.join(', ');
    const text = vscode.l10n.t('Not listed: {0}', ids);
    const detail = vscode.l10n.t(
      'Deleted on the chain, or left out by the node. Go to Proposal or Denom… asks for one of them.',
    );
    return [{ kind: 'notice', owner: 'gaps', notice: 'info', text, detail }];
  }

  #groupItem(sourceId: string, group: ProposalGroup): vscode.TreeItem {
    return treeItem({
      id: `${sourceId}/group/${group}`,
      label: groupName(group),
      description: this.#groupCount(group),
      context: `group.${group}`,
      state: vscode.TreeItemCollapsibleState.Collapsed,
    });
  }

  #groupCount(group: ProposalGroup): string | undefined {
    if (!isStatusGroup(group)) return `${this.#proposals.rows(group).length}`;
    const pager = this.#proposals.pager(group);
    return pager.started ? loadedText(pager.rows.length, pager.total, pager.hasMore) : undefined;
  }

  #proposalItem(sourceId: string, id: bigint): vscode.TreeItem {
    const row = this.#proposals.known(id);
    return treeItem({
      id: `${sourceId}/proposal/${id}`,
      label: row ? proposalLabel(row) : `#${id}`,
      description: row && proposalTiming(row, this.#active.session.pastTime ?? new Date()),
      tooltip: row && unreadableLines(row),
      icon: row?.kind === 'unreadable' ? 'warning' : undefined,
      context: row?.kind === 'unreadable' ? 'unreadable' : 'proposal',
      command: {
        command: 'chainInspector._openProposal',
        title: vscode.l10n.t('Open Proposal'),
        arguments: [{ kind: 'proposal', id, group: 'voting' } satisfies ProposalsNode],
      },
    });
  }
}

/** Why a proposal, or some of its fields, cannot be read; undefined where all can. */
function unreadableLines(row: ProposalRow): string[] | undefined {
  if (row.kind === 'unreadable') return [proposalLabel(row), row.reason];
  if (row.faults.length === 0) return undefined;
  return [proposalLabel(row), ...row.faults.map(({ reason }) => vscode.l10n.t('Unreadable: {0}', reason))];
}
