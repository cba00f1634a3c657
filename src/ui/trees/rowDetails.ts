// What rows show beyond their labels: how open votes stand, tooltips, and the rows that are seldom on the screen. Loaded when the
// first of them is; brings the rules of votes.

import * as vscode from 'vscode';
import { type Coin, type DenomUnit, groupDigits, whole } from '../../chain/coin.ts';
import { type Proposal, type ProposalRow, periodEnd } from '../../chain/proposal.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { BondStatus, Validator } from '../../chain/validator.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { isMade, isNamed, type SupplyStore } from '../../lists/supplyStore.ts';
import { maxAges } from '../../session/kept.ts';
import { OpenVotes } from '../../session/openVotes.ts';
import type { Session, Stores } from '../../session/session.ts';
import { absenceText, causeText } from '../../words/errorWords.ts';
import { contentName, filterMeaning, proposalLabel, statusName } from '../../words/proposalWords.ts';
import { endText } from '../../words/time.ts';
import {
  amountText,
  amountWithRaw,
  classShares,
  denomLabel,
  exactRatioText,
  loadedWords,
  originText,
  percentText,
  ratioText,
  rowAmount,
} from '../../words/values.ts';
import { powerText, standingOf, standingWords, verdictWords } from '../../words/verdictWords.ts';
import { treeItem, watchedMark } from '../labels.ts';
import { language } from '../settings.ts';
import {
  type ClassNode,
  type CoinNode,
  type MoreNode,
  type NoticeNode,
  newNotice,
  stakingOwner,
  supplyOwner,
} from './rows.ts';

/** The votes of a session in words, for the rows of Proposals. */
export class VoteDetails implements vscode.Disposable {
  readonly #session: Session;
  readonly #votes: OpenVotes;

  /** `onRead` is called after each count that was read. */
  constructor(session: Session, onRead: () => void) {
    this.#session = session;
    this.#votes = new OpenVotes(session, onRead);
  }

  /** As `OpenVotes.load`. */
  load(now: Date): Promise<void> {
    return this.#votes.load(now);
  }

  /** Of an open vote: its turnout in whole percent (`16`, "" where it is not known) and how it stands. Undefined where the votes were not read. */
  standing(proposal: Proposal): (ReturnType<typeof standingWords> & { readonly turnout: string }) | undefined {
    const verdict = this.#votes.known(proposal);
    if (verdict === undefined) return undefined;
    const turnout = verdict.turnout === undefined ? '' : `${(verdict.turnout * 100n) / whole}`;
    return { ...standingWords(standingOf(verdict), vscode.l10n.t), turnout };
  }

  /** The lines of the tooltip of a row, `own` being the reader's votes; reads all votes for it. */
  async tooltip(row: ProposalRow, now: Date, own: readonly string[]): Promise<string[]> {
    if (row.kind === 'unreadable') return [proposalLabel(row, vscode.l10n.t), row.reason];
    const end = periodEnd(row) ?? row.votingEndTime;
    const sentence = row.status === 'deposit' ? undefined : await this.#sentence(row, now);
    return [
      proposalLabel(row, vscode.l10n.t),
      [statusName(row.status, row.wireStatus, vscode.l10n.t), contentName(row, vscode.l10n.t)].join(' · '),
      ...(end ? [endText(end, now, language(), this.#isStateTime ? 'still' : 'running')] : []),
      ...(sentence ? [...this.#standingLine(row), sentence] : []),
      ...own,
      ...row.faults.map(({ reason }) => vscode.l10n.t('Unreadable: {0}', reason)),
    ];
  }

  dispose(): void {
    this.#votes.dispose();
  }

  /** Whether times are relative to that of the state: it stands still, and states one. */
  get #isStateTime(): boolean {
    const { isStill, pastTime, stores } = this.#session;
    return isStill && (pastTime ?? stores.proposals.date) !== undefined;
  }

  /** `Turnout 16 %, no quorum yet`; nothing once the vote has ended. */
  #standingLine(row: Proposal): string[] {
    const standing = this.standing(row);
    if (!standing) return [];
    const turnout = standing.turnout ? `${standing.turnout} %` : vscode.l10n.t('not known');
    return [vscode.l10n.t('Turnout {0}, {1}', turnout, standing.words)];
  }

  async #sentence(proposal: Proposal, now: Date): Promise<string | undefined> {
    const verdict = await this.#votes.verdict(proposal);
    if (verdict === undefined) return undefined;
    const { supply } = this.#session.stores;
    const power = powerText(supply.staking?.denom, (denom) => supply.unit(denom), vscode.l10n.t);
    const { lead, text } = verdictWords({ proposal, verdict, now, power, t: vscode.l10n.t });
    return `${lead} ${text}`.trim();
  }
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
    header: { icon: 'key', command: 'setHeader', text: t('Set Header…') },
    latest: { icon: 'history', command: 'showLatest', text: t('Show Latest') },
    edit: { icon: 'edit', command: 'editEndpoint', text: t('Edit Address…') },
    test: { icon: 'pulse', command: 'testConnection', text: t('Test Connection') },
    switch: { icon: 'plug', command: 'switchEndpoint', text: t('Switch Endpoint…') },
    sample: { icon: 'info', command: 'addEndpoint' },
  };
  return looks[notice];
}

/** The item of a row about a list. */
export function noticeItem(session: Session, node: NoticeNode): vscode.TreeItem {
  const { owner, notice } = node;
  const { icon, command, text: own } = noticeLook(notice);
  const { text = own ?? '', detail } = noticeTexts(session, node);
  const descriptions: Partial<Record<typeof notice, string | undefined>> = {
    unreadable: vscode.l10n.t('Unreadable'),
    stale: detail,
  };
  const args = command === 'retry' ? [node] : [];
  return treeItem({
    id: `${session.source.id}/notice/${owner}/${notice}${notice === 'unreadable' ? `/${text}` : ''}`,
    label: text,
    description: descriptions[notice],
    tooltip: detail === undefined || detail === text ? [text] : [text, detail],
    icon,
    context: `notice.${notice}`,
    state: node.ways ? vscode.TreeItemCollapsibleState.Expanded : undefined,
    command: command ? { command: `chainInspector.${command}`, title: text, arguments: args } : undefined,
  });
}

/** The item of "Load more", which Enter runs as it opens any row. */
export function moreItem(sourceId: string, node: MoreNode, pager: AnyPager | undefined): vscode.TreeItem {
  const loading = pager?.loading ?? false;
  const paused = pager?.paused && vscode.l10n.t('The last 20 pages had no new row');
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

/** Rows that are seldom there get their sentences here. */
function noticeTexts(
  { source, stores }: Session,
  { owner, notice, text, detail }: NoticeNode,
): Partial<Pick<NoticeNode, 'text' | 'detail'>> {
  if (notice === 'unfound') return unfoundTexts(owner, stores);
  if (owner === 'source') return { text: vscode.l10n.t('{0} is not reached', source.name) };
  if (owner === 'gov') return { text: absenceText('proposals', source.kind !== 'http', vscode.l10n.t) };
  if (owner === 'filter') return filterMeaning(stores.proposals.filter, vscode.l10n.t) ?? {};
  if (owner !== 'gaps') return { text: text || undefined, detail };
  return {
    text: vscode.l10n.t('Not listed: {0}', text),
    detail: vscode.l10n.t(
      'Deleted on the chain, or left out by the node. Go to Proposal or Denom… asks for one of them.',
    ),
  };
}

function unfoundTexts(owner: string, { supply, validators }: Stores): Partial<Pick<NoticeNode, 'text' | 'detail'>> {
  if (owner !== supplyOwner)
    return { text: vscode.l10n.t('No validator holds “{0}”', escapeForUi(validators.view.text)) };
  const { pager, view } = supply;
  const detail = vscode.l10n.t(
    '{0} are loaded. Go to Proposal or Denom… searches all of them.',
    groupDigits(pager.rows.length),
  );
  const text = vscode.l10n.t('No denom contains “{0}”', escapeForUi(view.text));
  return { text, detail: pager.hasMore ? detail : undefined };
}

/** The lines of the tooltip of a denom. */
export function coinTooltip(supply: SupplyStore, coin: Coin, isWatched: boolean): string[] {
  const { denom, amount } = coin;
  const unit = supply.unit(denom);
  const facts = [
    originText(supply.origin(denom), vscode.l10n.t),
    denom === supply.staking?.denom ? vscode.l10n.t('Staked') : '',
    isWatched ? vscode.l10n.t('Watched') : '',
  ];
  return [
    denom,
    ...facts.filter(Boolean),
    ...(unit ? [unitText(coin, unit)] : []),
    vscode.l10n.t('{0} base units', groupDigits(amount)),
  ];
}

function unitText(coin: Coin, unit: DenomUnit): string {
  const amount = amountText(coin, unit);
  return unit.source === 'chain'
    ? vscode.l10n.t('{0} (exponent {1}, metadata of the chain)', amount, unit.exponent)
    : vscode.l10n.t('{0} (exponent {1} of {2}, from the chain registry)', amount, unit.exponent, coin.denom);
}

/** The command of a row that opens the page of a denom. */
function openDenom(coin: Coin): vscode.Command {
  const title = vscode.l10n.t('Open Denom');
  return { command: 'chainInspector._openRow', title, arguments: [{ kind: 'coin', coin } satisfies CoinNode] };
}

/** The item of a denom. `isOpen`: whether the classes of the staking denom are shown below it. */
export function coinItem(
  { source, stores: { supply } }: Session,
  coin: Coin,
  { isWatched, isOpen }: { readonly isWatched: boolean; readonly isOpen: boolean | undefined },
): vscode.TreeItem {
  const { denom, amount } = coin;
  const unit = supply.unit(denom);
  const isStaking = denom === supply.staking?.denom;
  const staked = isStaking ? vscode.l10n.t('staked') : '';
  const origin = originText(supply.origin(denom), vscode.l10n.t);
  const named = isNamed(denom, unit) ? unit : undefined;
  return treeItem({
    id: `${source.id}/coin/${denom}`,
    label: named?.symbol ?? denomLabel(denom),
    description: `${isWatched ? watchedMark : ''}${rowAmount(amount, named?.exponent ?? 0)}`,
    accessibleText: [escapeForUi(denom), amountWithRaw(coin, unit), origin, staked].filter(Boolean).join(', '),
    icon: isStaking ? 'star-full' : undefined,
    context: isWatched ? 'coin.watched' : 'coin',
    state: isStaking ? openState(isOpen) : vscode.TreeItemCollapsibleState.None,
    isWatched,
    command: openDenom(coin),
  });
}

function openState(isOpen: boolean | undefined): vscode.TreeItemCollapsibleState {
  return isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}

/** The item of the group of denoms whose names anyone can choose. */
export function othersItem(
  { source, stores }: Session,
  coins: readonly Coin[],
  isOpen: boolean | undefined,
): vscode.TreeItem {
  const { pager } = stores.supply;
  const count = groupDigits(coins.length);
  return treeItem({
    id: `${source.id}/others`,
    label: coins.every(({ denom }) => isMade(denom))
      ? vscode.l10n.t('Factory, IBC, ERC-20')
      : vscode.l10n.t('Other Denoms'),
    description: pager.hasMore ? vscode.l10n.t('{0} of the first {1}', count, groupDigits(pager.rows.length)) : count,
    context: 'others',
    state: openState(isOpen),
  });
}

/** The rows under the staking denom. Never rejects: a failure is a row. */
export async function readClasses(
  session: Session,
  coin: Coin,
  isFresh: boolean,
): Promise<readonly (ClassNode | NoticeNode)[]> {
  try {
    const { readSplit } = await import('../../session/readSplit.ts');
    const split = await readSplit(session, coin.denom, { maxAge: isFresh ? 0 : maxAges.screen });
    return classShares(split, vscode.l10n.t).map((share) => ({ kind: 'class', coin, share }));
  } catch (error) {
    return [newNotice(stakingOwner, 'info', causeText(error, vscode.l10n.t))];
  }
}

/** The item of a class of the staking denom; it opens the page of the denom. */
export function classItem({ source, stores }: Session, { coin, share }: ClassNode): vscode.TreeItem {
  const { label, amount, points } = share;
  const exponent = stores.supply.unit(coin.denom)?.exponent ?? 0;
  const parts = [rowAmount(amount, exponent), ...(amount > 0n ? [percentText(points)] : [])];
  const id = `${source.id}/class/${label}`;
  return treeItem({ id, label, description: parts.join(' · '), command: openDenom(coin) });
}

/** What is known of a validator, a name and a value each. */
export function validatorLines({ stores }: Session, row: Validator): readonly (readonly [string, string])[] {
  const { t } = vscode.l10n;
  const { supply, validators } = stores;
  const denom = supply.staking?.denom ?? '';
  const share = validators.share(row);
  const status = { bonded: t('bonded'), unbonding: t('unbonding'), unbonded: t('unbonded'), unknown: t('unknown') };
  return [
    [t('Moniker'), row.moniker],
    [t('Operator'), row.operator],
    [t('Status'), row.jailed ? `${status[row.status]}, ${t('jailed')}` : status[row.status]],
    [t('Power'), amountText({ denom, amount: row.tokens }, supply.unit(denom))],
    [t('Base units'), groupDigits(row.tokens)],
    [t('Share of bonded tokens'), share === undefined ? t('not known') : ratioText(share)],
    [t('Commission'), row.commission === undefined ? t('not stated') : exactRatioText(row.commission)],
  ];
}

const validatorIcons: Readonly<Record<BondStatus, string>> = {
  bonded: 'server',
  unbonding: 'clock',
  unbonded: 'circle-outline',
  unknown: 'question',
};

/** The item of a row of Validators. */
export function validatorItem({ source, stores }: Session, row: Validator): vscode.TreeItem {
  const { supply, validators } = stores;
  const { t } = vscode.l10n;
  const unit = supply.staking && supply.unit(supply.staking.denom);
  const share = validators.share(row);
  const unbonded = { bonded: '', unbonding: t('unbonding'), unbonded: t('unbonded'), unknown: t('unknown status') };
  const parts = [
    row.jailed ? t('jailed') : unbonded[row.status],
    share === undefined ? '' : ratioText(share),
    row.commission === undefined ? '' : t('{0} commission', exactRatioText(row.commission)),
    // Last: it is the longest, and the share says the same.
    rowAmount(row.tokens, unit?.exponent ?? 0),
  ];
  return treeItem({
    id: `${source.id}/validator/${row.operator}`,
    label: row.moniker.trim() || row.operator,
    description: parts.filter(Boolean).join(' · '),
    icon: row.jailed ? 'lock' : validatorIcons[row.status],
    context: 'validator',
    command: {
      command: 'chainInspector._openRow',
      title: t('Open Validator'),
      arguments: [{ kind: 'validator', key: row.operator }],
    },
  });
}
