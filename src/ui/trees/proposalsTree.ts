import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import { groupOf, isRunning, isStatusGroup, type ProposalGroup, type ProposalRow } from '../../chain/proposal.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { maxOpen, type ProposalStore } from '../../lists/proposalStore.ts';
import { presentId } from '../../session/source.ts';
import {
  besideLabel,
  groupName,
  isVoteDue,
  labelBeside,
  noProposals,
  ownVotesText,
  proposalLabel,
  proposalTiming,
} from '../../words/proposalWords.ts';
import type { DurationForm } from '../../words/time.ts';
import { loadedText } from '../../words/values.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setTooltip, treeItem, watchedMark } from '../labels.ts';
import { afterDrawing } from '../redraws.ts';
import { language, type Settings } from '../settings.ts';
import { redrawEveryMinute } from '../timeLeft.ts';
import type { Watched } from '../watch/watchScreen.ts';
import { ListTree, patience, rowDetails, within } from './listTree.ts';
import type { VoteDetails } from './rowDetails.ts';
import {
  childrenOf,
  groupIcons,
  isInTrouble,
  type MoreNode,
  type NoticeNode,
  newNotice,
  rowIcons,
  sampleItem,
  soonUri,
  troubleNotice,
  voteDue,
} from './rows.ts';

/** A row of the Proposals view. */
export type ProposalsNode =
  | { readonly kind: 'group'; readonly group: ProposalGroup }
  | { readonly kind: 'proposal'; readonly id: bigint; readonly group: ProposalGroup }
  | MoreNode
  | NoticeNode;

/** Proposals by status. What is in voting is read at once, another group when it is first expanded; its count before that. */
export class ProposalsTree extends ListTree<ProposalsNode> {
  readonly #groups = new Map<ProposalGroup, ProposalsNode>();
  /** The rows of the root by their names: where they change, the root is drawn again. */
  #drawnRoot = '';
  #votes: Promise<VoteDetails> | undefined;
  #opened: VoteDetails | undefined;
  /** Of when the list in voting was when counts and votes were read for it. */
  #readFor: Date | undefined;

  constructor(active: ActiveSession, watched: Watched, settings: Settings) {
    super({ id: 'chainInspector.proposals', showCollapseAll: true }, active, watched);
    const endpoints = 'chainInspector.endpoints';
    this.own(
      redrawEveryMinute(this.view, () => this.#redrawTimes()),
      settings.onDidChange((event) => event.affectsConfiguration(endpoints) && this.redraw()),
    );
    this.followSession(
      ({ stores }) => stores.proposals.pager('voting'),
      ({ stores: { proposals, supply } }) => {
        this.#groups.clear();
        this.#drawnRoot = '';
        this.#readFor = undefined;
        this.#votes = undefined;
        this.#opened = undefined;
        return [
          proposals.onDidChange(({ group }) => this.#follow(group)),
          supply.pager.onDidChange(() => this.#isRootNew() && this.redraw()),
          { dispose: () => this.#opened?.dispose() },
        ];
      },
    );
  }

  get #proposals(): ProposalStore {
    return this.active.session.stores.proposals;
  }

  getParent(node: ProposalsNode): ProposalsNode | undefined {
    return node.kind === 'proposal' ? this.#groupNode(node.group) : undefined;
  }

  getTreeItem(node: ProposalsNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    const sourceId = this.active.session.source.id;
    if (node.kind === 'group') return this.#groupItem(sourceId, node.group);
    if (node.kind === 'proposal') return this.#proposalItem(sourceId, node.id);
    if (node.kind === 'notice' && node.notice === 'sample') return sampleItem();
    return this.itemAbout(node, isStatusGroup(node.owner) ? this.#proposals.pager(node.owner) : undefined);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ProposalsNode): Promise<vscode.TreeItem> {
    const row = node.kind === 'proposal' ? this.#proposals.known(node.id) : undefined;
    if (row) setTooltip(item, await this.#tooltip(row));
    return item;
  }

  async #tooltip(row: ProposalRow): Promise<string[]> {
    const own = this.watched.votesOn(this.active.session.source.id, row.id).map(({ words }) => words);
    const marks = this.#isWatched(row.id) ? [vscode.l10n.t('Watched')] : [];
    return (await this.#voteDetails()).tooltip(row, this.#now, [...own, ...marks]);
  }

  #isWatched(id: bigint): boolean {
    return this.watched.isWatched({ kind: 'proposal', sourceId: presentId(this.active.session.source), id });
  }

  /** The row of a proposal whose group was read; undefined where it is not among the rows. */
  nodeOf(id: bigint): ProposalsNode | undefined {
    const group = this.#proposals.shownGroups.find((shown) => this.#proposals.rows(shown).some((row) => row.id === id));
    return group && { kind: 'proposal', id, group };
  }

  protected ownerOf(node: ProposalsNode): string | undefined {
    return node.kind === 'group' ? node.group : undefined;
  }

  protected async loadUnder(node: ProposalsNode | undefined): Promise<void> {
    // What is on this disk is counted at once.
    if (
      !node &&
      this.#isFile &&
      this.#proposals.shownGroups.some((group) => this.#proposals.count(group) === undefined)
    )
      await within(this.#proposals.loadCounts(), patience);
    if (node?.kind !== 'group' || !isStatusGroup(node.group)) return;
    await this.load(node.group, this.#proposals.pager(node.group), node.group === 'voting' ? maxOpen : undefined);
  }

  protected rowsUnder(node: ProposalsNode | undefined): ProposalsNode[] {
    void this.#readBehind();
    if (node?.kind === 'notice') return [...(node.ways ?? [])];
    if (node?.kind === 'group') return this.#rowsOf(node.group);
    if (node) return [];
    this.#isRootNew();
    return this.#root();
  }

  /** The source's own time, where that stands still. */
  get #stateTime(): Date | undefined {
    const { isStill, pastTime } = this.active.session;
    return pastTime ?? (isStill ? this.#proposals.date : undefined);
  }

  get #now(): Date {
    return this.#stateTime ?? new Date();
  }

  #redrawTimes(): void {
    for (const group of ['voting', 'deposit'] as const) {
      const node = this.#groups.get(group);
      if (node && this.#proposals.pager(group).rows.length > 0) this.redraw(node);
    }
  }

  /** A group changed or, undefined, the lists as such. */
  #follow(group: ProposalGroup | undefined): void {
    // Proposals that are not found are shown as a gap.
    void this.#proposals.loadUnlisted().catch(() => undefined);
    if (group !== undefined && this.isReadingOn(group)) return;
    this.redraw(this.#isRootNew() || group === undefined ? undefined : this.#groups.get(group));
  }

  #isRootNew(): boolean {
    const before = this.#drawnRoot;
    const names = this.#root().map((node) =>
      node.kind === 'notice' ? `${node.notice} ${node.text}` : node.kind === 'group' && node.group,
    );
    this.#drawnRoot = names.join();
    return before !== this.#drawnRoot;
  }

  async #readBehind(): Promise<void> {
    const { session } = this.active;
    const { proposals } = session.stores;
    const pager = proposals.pager('voting');
    const isAwaited = proposals.shownGroups.includes('voting') && this.#isExpanded('voting');
    if (pager.loading || (isAwaited && pager.state !== 'loaded') || this.#dead) return;
    const asOf = pager.asOf ?? new Date(0);
    const isRefreshed = this.#readFor?.getTime() !== asOf.getTime();
    this.#readFor = asOf;
    await afterDrawing();
    if (session !== this.active.session) return;
    if (isRefreshed) await proposals.loadCounts().catch(() => undefined);
    if (session === this.active.session && pager.rows.length > 0) await (await this.#voteDetails()).load(this.#now);
  }

  async #voteDetails(): Promise<VoteDetails> {
    const { session } = this.active;
    this.#votes ??= rowDetails().then((part) => {
      const votes = new part.VoteDetails(session, () => this.redraw(this.#groups.get('voting')));
      if (session === this.active.session) this.#opened = votes;
      return votes;
    });
    return this.#votes;
  }

  get #dead(): AnyPager | undefined {
    const { proposals, supply } = this.active.session.stores;
    const pagers = proposals.shownGroups.map((group) => proposals.pager(group));
    if (supply.pager.started || pagers.some(({ started }) => started)) return undefined;
    return pagers.find(isInTrouble);
  }

  #root(): ProposalsNode[] {
    if (this.#dead) return [troubleNotice(this.#dead, 'voting')];
    if (!this.#proposals.hasGov) return [newNotice('gov', 'info', '')];
    const { voter, depositor } = this.#proposals.filter;
    const notices = [
      ...(this.active.isFirstStart ? [newNotice('sample', 'sample', '')] : []),
      ...(voter || depositor ? [newNotice('filter', 'info', '')] : []),
    ];
    const groups = this.#rootGroups();
    if (groups.every((group) => isStatusGroup(group) && this.#proposals.count(group) === 0n))
      return [
        ...notices,
        newNotice('all', 'empty', noProposals(this.#proposals.pager('voting').height, vscode.l10n.t)),
      ];
    return [...notices, ...groups.map((group) => this.#groupNode(group)), ...this.#gapNotice()];
  }

  #rowsOf(group: ProposalGroup): ProposalsNode[] {
    const nodes = this.#proposals.rows(group).map(({ id }): ProposalsNode => ({ kind: 'proposal', id, group }));
    return isStatusGroup(group) ? childrenOf(this.#proposals.pager(group), group, nodes) : nodes;
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

  #gapNotice(): NoticeNode[] {
    const gaps = this.#proposals.gaps() ?? [];
    if (gaps.length === 0) return [];
    const shown = gaps.slice(0, 5).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
    const ids = gaps.length > 5 ? `${shown.join(', ')}, …` : shown.join(', ');
    return [newNotice('gaps', 'info', ids)];
  }

  get #isFile(): boolean {
    return this.active.session.source.kind === 'file';
  }

  /** That in voting; of a state file the first one with rows. */
  get #firstOpen(): ProposalGroup {
    const { shownGroups } = this.#proposals;
    const filled = shownGroups.find((group) => (this.#proposals.count(group) ?? 0n) > 0n);
    return (this.#isFile && filled) || 'voting';
  }

  #isExpanded(group: ProposalGroup): boolean {
    return this.isExpanded(group) ?? group === this.#firstOpen;
  }

  #groupItem(sourceId: string, group: ProposalGroup): vscode.TreeItem {
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const isEmpty = isStatusGroup(group) && this.#proposals.count(group) === 0n;
    return treeItem({
      // The editor opens a row by itself only where it is new.
      id: `${sourceId}/group/${group}${group !== 'voting' && group === this.#firstOpen ? '/first' : ''}`,
      label: groupName(group, vscode.l10n.t),
      description: this.#groupText(group),
      icon: groupIcons[group],
      context: `group.${group}`,
      state: isEmpty ? None : this.#isExpanded(group) ? Expanded : Collapsed,
    });
  }

  #groupText(group: ProposalGroup): string | undefined {
    const rows = this.#proposals.rows(group);
    if (!isStatusGroup(group)) return groupDigits(rows.length);
    const pager = this.#proposals.pager(group);
    const all = this.#proposals.count(group);
    if (!pager.started) return all === undefined ? undefined : groupDigits(all);
    const count = loadedText(pager.rows.length, pager.total, pager.hasMore, vscode.l10n.t);
    const next = group === 'voting' && rows.find((row) => row.kind === 'proposal' && isRunning(row, this.#now));
    if (!next) return count;
    const left = proposalTiming(next, this.#now, language(), 'brief');
    return this.#stateTime
      ? vscode.l10n.t('{0} · next {1} after state', count, left)
      : vscode.l10n.t('{0} · next ends in {1}', count, left);
  }

  #proposalItem(sourceId: string, id: bigint): vscode.TreeItem {
    const row = this.#proposals.known(id);
    const isWatched = this.#isWatched(id);
    const proposal = row?.kind === 'proposal' ? row : undefined;
    const standing = proposal && this.#opened?.standing(proposal);
    const label = row ? proposalLabel(row, vscode.l10n.t) : `#${id}`;
    const own = this.watched.votesOn(sourceId, id);
    const time = (form: DurationForm): string => (row ? proposalTiming(row, this.#now, language(), form) : '');
    const state = ownVotesText(own, vscode.l10n.t) || (standing?.turnout && `${standing.turnout}%`);
    const description = besideLabel(isWatched ? watchedMark : '', time('brief'), state);
    const soon = proposal && isRunning(proposal, this.#now, 24);
    const turnout = standing?.turnout && vscode.l10n.t('turnout {0} %', standing.turnout);
    const votes = own.map(({ words }) => words);
    return treeItem({
      id: `${sourceId}/proposal/${id}`,
      label: proposal?.status === 'voting' ? labelBeside(label, description) : label,
      description,
      isWatched,
      accessibleText: [label, time('short'), turnout, standing?.words, ...votes].filter(Boolean).join(', '),
      // A row with an address gets the icon of a file where it has none.
      icon: standing?.icon ?? (row ? rowIcons[groupOf(row)] : 'circle-outline'),
      tone: standing?.tone,
      ...(isVoteDue(own) ? voteDue : {}),
      context: `${proposal ? 'proposal' : 'unreadable'}${isWatched ? '.watched' : ''}`,
      resourceUri: soon ? soonUri : undefined,
      command: {
        command: 'chainInspector._openRow',
        title: vscode.l10n.t('Open Proposal'),
        arguments: [{ kind: 'proposal', id, group: 'voting' } satisfies ProposalsNode],
      },
    });
  }
}
