import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import { isRunning, type ProposalRow } from '../../chain/gov/proposal.ts';
import { groupOf, isStatusGroup, type ProposalGroup } from '../../chain/gov/proposalGroups.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { isOpenGroup, maxOpen, type Proposals } from '../../lists/proposals.ts';
import { presentId } from '../../session/source.ts';
import { absenceText } from '../../words/errorWords.ts';
import { listText } from '../../words/language.ts';
import {
  besideLabel,
  filterMeaning,
  filterText,
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
import { setTooltip, soonUri, treeItem, watchedMark } from '../editorTexts.ts';
import { afterDrawing } from '../redraws.ts';
import { language } from '../settings.ts';
import { redrawEveryMinute } from '../timeLeft.ts';
import { filterProposals } from './commands/proposalFilter.ts';
import type { ListScreen } from './listScreen.ts';
import { ListTree, readingRowDelay, type TreeParts, within } from './listTree.ts';
import { childrenOf, isInTrouble, type MoreNode, type NoticeNode, newNotice, troubleNotice } from './rows.ts';
import type { VoteDetails } from './voteDetails.ts';

/** The icons of groups. The icon of an open vote shows its standing. */
const groupIcons: Readonly<Record<ProposalGroup, string>> = {
  voting: 'comment-discussion',
  deposit: 'clock',
  passed: 'pass',
  rejected: 'circle-slash',
  failed: 'error',
  other: 'question',
  unreadable: 'warning',
};

/** The icons of rows. */
export const rowIcons = { ...groupIcons, voting: 'circle-outline' } as const;

/** The icon of a row in which a vote of the reader is due. */
export const voteDue = { icon: 'megaphone', tone: 'warning' } as const;

/** A row of the Proposals view. */
type ProposalsNode =
  | { readonly kind: 'group'; readonly group: ProposalGroup }
  | { readonly kind: 'proposal'; readonly key: string; readonly id: bigint; readonly group: ProposalGroup }
  | MoreNode
  | NoticeNode;

/** Proposals by status. The voting group is read at once. Other groups are counted first, and read when expanded. */
export class ProposalsTree extends ListTree<ProposalsNode> {
  readonly #groups = new Map<ProposalGroup, ProposalsNode>();
  /** The names of the rows at the root. A change redraws the root. */
  #drawnRoot = '';
  #votes: Promise<VoteDetails> | undefined;
  #opened: VoteDetails | undefined;
  /** The time of the rows for which counts and votes were last read. */
  #readFor: Date | undefined;

  constructor(parts: TreeParts) {
    super(parts);
    const endpoints = 'chainInspector.endpoints';
    this.own(
      redrawEveryMinute(this.view, () => this.#redrawTimes()),
      parts.settings.onDidChange((event) => event.affectsConfiguration(endpoints) && this.redraw()),
    );
    this.followSession(
      ({ lists }) => lists.proposals.pager('voting'),
      ({ lists: { proposals, supply } }) => {
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

  get filterWords(): string {
    return filterText(this.#proposals.filter, vscode.l10n.t);
  }

  get #proposals(): Proposals {
    return this.active.session.lists.proposals;
  }

  override getParent(node: ProposalsNode): ProposalsNode | undefined {
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
    const row = node.kind === 'proposal' ? this.#proposals.find(node.id) : undefined;
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

  /** The row of a loaded proposal. Undefined if it is not among the rows. */
  nodeOf(id: bigint): ProposalsNode | undefined {
    const group = this.#proposals.shownGroups.find((shown) => this.#proposals.rows(shown).some((row) => row.id === id));
    return group && proposalNode(id, group);
  }

  protected ownerOf(node: ProposalsNode): string | undefined {
    return node.kind === 'group' ? node.group : undefined;
  }

  protected async loadUnder(node: ProposalsNode | undefined): Promise<void> {
    // Counting in a state file takes no request over the network.
    if (
      !node &&
      this.#isFile &&
      this.#proposals.shownGroups.some((group) => this.#proposals.count(group) === undefined)
    )
      await within(this.#proposals.loadCounts(), readingRowDelay);
    if (node?.kind !== 'group' || !isStatusGroup(node.group)) return;
    await this.load(node.group, this.#proposals.pager(node.group), isOpenGroup(node.group) ? maxOpen : undefined);
  }

  protected rowsUnder(node: ProposalsNode | undefined): ProposalsNode[] {
    void this.#readBehind();
    if (node?.kind === 'notice') return [...(node.ways ?? [])];
    if (node?.kind === 'group') return this.#rowsOf(node.group);
    if (node) return [];
    this.#isRootNew();
    return this.#root();
  }

  get #now(): Date {
    return this.active.session.stillTime ?? new Date();
  }

  #redrawTimes(): void {
    for (const group of ['voting', 'deposit'] as const) {
      const node = this.#groups.get(group);
      if (node && this.#proposals.pager(group).rows.length > 0) this.redraw(node);
    }
  }

  /** A group changed, or the whole list if undefined. */
  #follow(group: ProposalGroup | undefined): void {
    // A proposal that is not found leaves a gap.
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
    const { proposals } = session.lists;
    const pager = proposals.pager('voting');
    const isAwaited = proposals.shownGroups.includes('voting') && this.#isExpanded('voting');
    if (pager.loading || (isAwaited && pager.state !== 'loaded') || this.#dead) return;
    const asOf = pager.asOf ?? new Date(0);
    const isRefreshed = this.#readFor?.getTime() !== asOf.getTime();
    this.#readFor = asOf;
    await afterDrawing();
    if (session !== this.active.session) return;
    if (isRefreshed) await proposals.loadCounts().catch(() => undefined);
    const isOpen = pager.rows.length > 0 || proposals.pager('deposit').rows.length > 0;
    if (session === this.active.session && isOpen) await (await this.#voteDetails()).load(this.#now);
  }

  async #voteDetails(): Promise<VoteDetails> {
    const { session } = this.active;
    this.#votes ??= import('./voteDetails.ts').then((part) => {
      const votes = new part.VoteDetails(session, (group) => this.redraw(this.#groups.get(group)));
      if (session === this.active.session) this.#opened = votes;
      return votes;
    });
    return this.#votes;
  }

  get #dead(): AnyPager | undefined {
    const { proposals, supply } = this.active.session.lists;
    const pagers = proposals.shownGroups.map((group) => proposals.pager(group));
    if (supply.pager.started || pagers.some(({ started }) => started)) return undefined;
    return pagers.find(isInTrouble);
  }

  #root(): ProposalsNode[] {
    if (this.#dead) return [troubleNotice(this.#dead, 'voting')];
    if (!this.#proposals.hasGov) return [this.#absence];
    const { voter, depositor } = this.#proposals.filter;
    const meaning = filterMeaning(this.#proposals.filter, vscode.l10n.t);
    const notices = [
      ...(this.active.isFirstStart ? [newNotice('sample', 'sample', '')] : []),
      ...(voter || depositor ? [newNotice('filter', 'info', meaning?.text ?? '', meaning?.detail)] : []),
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
    const nodes = this.#proposals.rows(group).map(({ id }) => proposalNode(id, group));
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
    const ids = listText(gaps.length > 5 ? [...shown, '…'] : shown, vscode.l10n.t);
    const detail = vscode.l10n.t(
      'Deleted from the chain or omitted by the node. To look up a proposal, use Go to Proposal or Denom.',
    );
    return [newNotice('gaps', 'info', vscode.l10n.t('Not listed: {0}', ids), detail)];
  }

  get #absence(): NoticeNode {
    const { kind } = this.active.session.source;
    return newNotice('gov', 'info', absenceText('proposals', kind !== 'http', vscode.l10n.t));
  }

  get #isFile(): boolean {
    return this.active.session.source.kind === 'file';
  }

  /** The group that is expanded at first: voting, or in a state file the first one with rows. */
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
      // VS Code expands a row by itself only if its id is new.
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
    return this.active.session.stillTime
      ? vscode.l10n.t('{0} · next ends {1} after this state', count, left)
      : vscode.l10n.t('{0} · next ends in {1}', count, left);
  }

  #proposalItem(sourceId: string, id: bigint): vscode.TreeItem {
    const row = this.#proposals.find(id);
    const isWatched = this.#isWatched(id);
    const proposal = row?.kind === 'proposal' ? row : undefined;
    const standing = proposal && this.#opened?.standing(proposal);
    const label = row ? proposalLabel(row, vscode.l10n.t) : `#${id}`;
    const own = this.watched.votesOn(sourceId, id);
    const time = (form: DurationForm): string => (row ? proposalTiming(row, this.#now, language(), form) : '');
    const share = proposal && (standing?.turnout || this.#opened?.deposited(proposal));
    const state = ownVotesText(own) || (share && `${share}%`);
    const description = besideLabel(isWatched ? watchedMark : '', time('brief'), state);
    // Without an icon of its own, a row with a `resourceUri` would get that of a file.
    const isVoting = proposal?.status === 'voting';
    const soon = isVoting && isRunning(proposal, this.#now, 24);
    const turnout = standing?.turnout && vscode.l10n.t('turnout {0} %', standing.turnout);
    const deposited = !isVoting && share && vscode.l10n.t('{0} % of the deposit', share);
    const votes = own.map(({ words }) => words);
    return treeItem({
      id: `${sourceId}/proposal/${id}`,
      label: labelBeside(label, description, isVoting),
      description,
      isWatched,
      accessibleText: listText([label, time('short'), turnout, deposited, standing?.words, ...votes], vscode.l10n.t),
      icon: isVoting ? (standing?.icon ?? rowIcons.voting) : undefined,
      tone: standing?.tone,
      ...(isVoteDue(own) ? voteDue : {}),
      context: `${proposal ? 'proposal' : 'unreadable'}${isWatched ? '.watched' : ''}`,
      resourceUri: soon ? soonUri : undefined,
      command: {
        command: 'chainInspector._openRow',
        title: vscode.l10n.t('Open Proposal'),
        arguments: [proposalNode(id, 'voting')],
      },
    });
  }
}

function proposalNode(id: bigint, group: ProposalGroup): ProposalsNode {
  return { kind: 'proposal', key: `${id}`, id, group };
}

/**
 * The first row while there is no endpoint. It is drawn with the first rows, so it loads nothing. It has no icon, to
 * leave space for the action.
 */
function sampleItem(): vscode.TreeItem {
  const add = vscode.l10n.t('Add Endpoint…');
  return treeItem({
    id: 'sample',
    label: vscode.l10n.t('Sample data'),
    description: add,
    context: 'notice.sample',
    command: { command: 'chainInspector.addEndpoint', title: add },
  });
}

/** The words and commands of Proposals. */
export const proposalsScreen: ListScreen<ProposalRow> = {
  icon: 'note',
  texts: () => ({
    title: vscode.l10n.t('Proposals'),
    name: vscode.l10n.t('proposals'),
    rows: vscode.l10n.t('proposals'),
    loaded: vscode.l10n.t('Loaded proposals'),
    selected: vscode.l10n.t('Selected rows in Proposals'),
  }),
  filterWords: ({ proposals }) => filterText(proposals.filter, vscode.l10n.t),
  item: (_, row) => ({
    label: proposalLabel(row, vscode.l10n.t),
    description: groupName(groupOf(row), vscode.l10n.t),
  }),
  label: (key) => vscode.l10n.t('Proposal #{0}', key),
  async open({ source }, key, { panels, fromRow }): Promise<void> {
    await (await panels.load()).show({ sourceId: source.id, id: BigInt(key) }, fromRow);
  },
  link: (key) => ({ kind: 'proposal', id: BigInt(key) }),
  copies: { copyProposalId: 'id' },
  filter: (session, given, parts) => filterProposals(session, given, parts),
  clear: (session, { filters }) => filters.set(session, {}),
};
