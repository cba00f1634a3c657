import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { shorten } from '../../api/errors.ts';
import { groupOf, isStatusGroup, type ProposalGroup, type ProposalRow } from '../../chain/proposal.ts';
import { mostOpen } from '../../chain/proposalStore.ts';
import { presentId } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setTooltip, treeItem } from '../labels.ts';
import * as words from '../words.ts';
import { FirstLoads, sendTime, type ViewEvents } from './firstLoads.ts';
import type { OpenVotes } from './openVotes.ts';
import { Redraws } from './redraws.ts';
import {
  type ActionNode,
  actionItem,
  actionsOf,
  childrenOf,
  deadNotice,
  type MoreNode,
  markUri,
  moreItem,
  type NoticeNode,
  noticeItem,
  stateFileDrop,
  type Watched,
} from './rows.ts';
import { TimeLeft } from './timeLeft.ts';

/** A row of the Proposals view. */
export type ProposalsNode =
  | { readonly kind: 'group'; readonly group: ProposalGroup }
  | { readonly kind: 'proposal'; readonly id: bigint; readonly group: ProposalGroup }
  | MoreNode
  | NoticeNode
  | ActionNode;

/** Characters of label and description that fit into a view of 300 px. */
const rowLength = 31;

const groupIcons: Readonly<Record<ProposalGroup, string>> = {
  voting: 'comment-discussion',
  deposit: 'clock',
  passed: 'pass',
  rejected: 'circle-slash',
  failed: 'error',
  other: 'question',
  unreadable: 'warning',
};

const rowIcons = { ...groupIcons, voting: 'circle-outline' };

/** Proposals by status. What is in voting is read at once, another group when it is first expanded; its count before that. */
export class ProposalsTree implements vscode.TreeDataProvider<ProposalsNode>, vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #watched: Watched;
  readonly #redraws = new Redraws<ProposalsNode>();
  readonly #loads = new FirstLoads();
  readonly #groups = new Map<ProposalGroup, ProposalsNode>();
  readonly #expanded = new Set<ProposalGroup>(['voting']);
  readonly #listeners: vscode.Disposable[];
  /** What the root shows beside the rows of groups: where it changes, the root is drawn again. */
  #extras = '';
  #votes: Promise<OpenVotes> | undefined;
  /** What `#votes` resolved with. */
  #opened: OpenVotes | undefined;
  /** Of when the list in voting was when counts and votes were read for it. */
  #readFor: Date | undefined;

  constructor(active: ActiveSession, watched: Watched) {
    this.#active = active;
    this.#watched = watched;
    const following = active.follow((session) => {
      this.#loads.clear();
      this.#groups.clear();
      this.#extras = '';
      this.#readFor = undefined;
      this.#opened?.dispose();
      this.#opened = undefined;
      this.#votes = undefined;
      this.redraw();
      const { proposals, supply } = session;
      return [
        proposals.onDidChange(({ group }) => this.#follow(group)),
        supply.pager.onDidChange(() => this.#isExtraNew() && this.redraw()),
        session.onDidChangeState(({ kind }) => kind === 'ready' && void this.#loads.retry(proposals.pager('voting'))),
      ];
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
    this.#listeners.push(
      view,
      new TimeLeft(view, () => this.#redrawTimes()),
      view.onDidExpandElement(({ element }) => element.kind === 'group' && this.#expanded.add(element.group)),
      view.onDidCollapseElement(({ element }) => element.kind === 'group' && this.#expanded.delete(element.group)),
      this.#watched.onDidChange(() => this.redraw()),
    );
    return view;
  }

  readonly onDidChangeTreeData = this.#redraws.event;

  get #proposals() {
    return this.#active.session.proposals;
  }

  async getChildren(node?: ProposalsNode): Promise<ProposalsNode[]> {
    const { session } = this.#active;
    const group = node?.kind === 'group' && isStatusGroup(node.group) ? node.group : undefined;
    const upTo = group === 'voting' ? mostOpen : 0;
    const load = group && this.#loads.start(group, session.proposals.pager(group), upTo);
    await this.#redraws.during(load ?? Promise.resolve());
    // After a switch the groups of the other session are asked for next.
    if (session !== this.#active.session) return [];
    void this.#readBehind();
    if (node) return this.#under(node);
    this.#redraws.settle();
    this.#isExtraNew();
    return this.#root();
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
      case 'action':
        return actionItem(sourceId, node);
      default:
        return node satisfies never;
    }
  }

  /** Makes the tooltip of a proposal when it is shown: its votes are asked for then. */
  async resolveTreeItem(item: vscode.TreeItem, node: ProposalsNode): Promise<vscode.TreeItem> {
    const row = node.kind === 'proposal' ? this.#proposals.known(node.id) : undefined;
    if (!row) return item;
    const sentence = row.kind === 'proposal' ? await (await this.#openVotes()).sentence(row, this.#now) : undefined;
    setTooltip(item, words.proposalTooltip(row, this.#now, sentence));
    return item;
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
    this.#opened?.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  /** The source's own time, where that stands still. */
  get #now(): Date {
    const { isStill, pastTime, proposals } = this.#active.session;
    return pastTime ?? (isStill ? proposals.date : undefined) ?? new Date();
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
    if (group !== undefined && this.#loads.isReadingOn(group)) return;
    const isGroupOnly = !this.#isExtraNew() && group !== undefined && this.#groups.has(group);
    this.redraw(isGroupOnly ? group : undefined);
  }

  #isExtraNew(): boolean {
    const before = this.#extras;
    const nodes = this.#root().map((node) =>
      node.kind === 'notice' ? node.text : node.kind === 'group' && node.group,
    );
    this.#extras = nodes.join();
    return before !== this.#extras;
  }

  /** Once the first rows were sent: the counts of the groups that are not read, and how the open votes stand. */
  async #readBehind(): Promise<void> {
    const { session } = this.#active;
    const { shownGroups } = session.proposals;
    const pager = session.proposals.pager('voting');
    const isAwaited = shownGroups.includes('voting') && this.#expanded.has('voting');
    if (pager.loading || (isAwaited && pager.state !== 'loaded') || this.#dead) return;
    const asOf = pager.asOf ?? new Date(0);
    if (this.#readFor?.getTime() === asOf.getTime()) return;
    this.#readFor = asOf;
    await setTimeout(sendTime);
    if (session !== this.#active.session) return;
    await session.proposals.loadCounts().catch(() => undefined);
    if (session === this.#active.session && pager.rows.length > 0) await (await this.#openVotes()).load(this.#now);
  }

  async #openVotes(): Promise<OpenVotes> {
    const { session } = this.#active;
    this.#votes ??= import('./openVotes.ts').then((part) => {
      const votes = new part.OpenVotes(session, () => this.redraw('voting'));
      if (session === this.#active.session) this.#opened = votes;
      return votes;
    });
    return this.#votes;
  }

  /** The list that could not be read, where nothing of the source could. */
  get #dead() {
    const { proposals, supply } = this.#active.session;
    const pagers = proposals.shownGroups.map((group) => proposals.pager(group));
    if (supply.pager.started || pagers.some(({ started }) => started)) return undefined;
    return pagers.find(({ state }) => state === 'failed');
  }

  #root(): ProposalsNode[] {
    if (this.#dead) return [deadNotice(this.#dead, 'voting')];
    if (!this.#proposals.hasGov) {
      return [
        { kind: 'notice', owner: 'gov', notice: 'info', text: vscode.l10n.t('This chain has no governance module') },
      ];
    }
    const groups = this.#rootGroups();
    if (groups.every((group) => isStatusGroup(group) && this.#proposals.count(group) === 0n)) {
      const { height } = this.#proposals.pager('voting');
      return [
        ...this.#filterNotice(),
        { kind: 'notice', owner: 'all', notice: 'empty', text: words.noProposals(height) },
      ];
    }
    return [...this.#filterNotice(), ...groups.map((group) => this.#groupNode(group)), ...this.#gapNotice()];
  }

  #under(node: ProposalsNode): ProposalsNode[] {
    if (node.kind === 'notice' && node.notice === 'dead') return actionsOf(node);
    if (node.kind !== 'group') return [];
    const { group } = node;
    const toNode = (row: ProposalRow): ProposalsNode => ({ kind: 'proposal', id: row.id, group });
    const rows = this.#proposals.rows(group);
    return isStatusGroup(group) ? childrenOf(this.#proposals.pager(group), group, toNode, rows) : rows.map(toNode);
  }

  #rootGroups(): ProposalGroup[] {
    const { shownGroups, filter } = this.#proposals;
    const extras = (['other', 'unreadable'] as const).filter((group) => this.#proposals.rows(group).length > 0);
    return [...shownGroups, ...extras.filter((group) => !filter.statuses || group === 'unreadable')];
  }

  #groupNode(group: ProposalGroup): ProposalsNode {
    const node = this.#groups.get(group) ?? { kind: 'group', group };
    this.#groups.set(group, node);
    return node;
  }

  /** What a filter by address means on a chain. */
  #filterNotice(): NoticeNode[] {
    const meaning = words.filterMeaning(this.#proposals.filter);
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
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const isEmpty = isStatusGroup(group) && this.#proposals.count(group) === 0n;
    return treeItem({
      id: `${sourceId}/group/${group}`,
      label: words.groupName(group),
      description: this.#groupText(group),
      icon: groupIcons[group],
      context: `group.${group}`,
      state: isEmpty ? None : this.#expanded.has(group) ? Expanded : Collapsed,
    });
  }

  #groupText(group: ProposalGroup): string | undefined {
    const rows = this.#proposals.rows(group);
    if (!isStatusGroup(group)) return `${rows.length}`;
    const pager = this.#proposals.pager(group);
    if (!pager.started) return this.#proposals.count(group)?.toString();
    const count = words.loadedText(pager.rows.length, pager.total, pager.hasMore);
    const next = group === 'voting' && rows.find((row) => row.kind === 'proposal' && words.isRunning(row, this.#now));
    if (!next) return count;
    return vscode.l10n.t('{0} · next ends in {1}', count, words.proposalTiming(next, this.#now));
  }

  #proposalItem(sourceId: string, id: bigint): vscode.TreeItem {
    const row = this.#proposals.known(id);
    const target = { kind: 'proposal', sourceId: presentId(this.#active.session.source), id } as const;
    const watched = this.#watched.isWatched(target) === true;
    const proposal = row?.kind === 'proposal' ? row : undefined;
    const votes = proposal && this.#opened?.brief(proposal);
    const label = row ? words.proposalLabel(row) : `#${id}`;
    const mine = this.#watched.votesOn(sourceId, id).join(', ');
    const description = [row && words.proposalTiming(row, this.#now), mine, votes?.text].filter(Boolean).join(' · ');
    const soon = proposal && words.isRunning(proposal, this.#now, 24);
    return treeItem({
      id: `${sourceId}/proposal/${id}`,
      // The editor cuts the description first, which is what matters while a vote is open.
      label: proposal?.status === 'voting' ? shorten(label, Math.max(11, rowLength - description.length)) : label,
      description,
      spoken: [label, description, ...(watched ? [vscode.l10n.t('watched')] : [])].filter(Boolean).join(', '),
      // A row with an address gets the icon of a file where it has none.
      icon: votes?.icon ?? (row ? rowIcons[groupOf(row)] : 'circle-outline'),
      context: `${proposal ? 'proposal' : 'unreadable'}${watched ? '.watched' : ''}`,
      resourceUri: markUri({ watched, soon }),
      command: {
        command: 'chainInspector._openProposal',
        title: vscode.l10n.t('Open Proposal'),
        arguments: [{ kind: 'proposal', id, group: 'voting' } satisfies ProposalsNode],
      },
    });
  }
}
