// What rows show beyond their labels: how open votes stand, tooltips, and the rows that are seldom on the screen. Loaded when the
// first of them is; brings the rules of votes.

import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import { type Coin, type DenomUnit, groupDigits, whole } from '../../chain/coin.ts';
import { type Proposal, type ProposalRow, periodEnd } from '../../chain/proposal.ts';
import type { SupplyStore } from '../../chain/supplyStore.ts';
import type { BondStatus, Validator } from '../../chain/validator.ts';
import { OpenVotes } from '../../session/judge.ts';
import type { LastAnswer, LastAnswers, SourceMemory } from '../../session/memory.ts';
import type { Session, Sessions } from '../../session/session.ts';
import { presentId, type Source } from '../../session/source.ts';
import { causeText } from '../../words/errorWords.ts';
import { originText } from '../../words/listWords.ts';
import { contentName, filterMeaning, proposalLabel, statusName } from '../../words/proposalWords.ts';
import { durationText, timeText } from '../../words/time.ts';
import { amountText, exactRatioText, ratioText, rowAmount } from '../../words/values.ts';
import { powerText, standingOf, standingWords, verdictWords } from '../../words/verdictWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import { treeItem } from '../labels.ts';
import type { Settings } from '../settings.ts';
import type { NoticeNode } from './rows.ts';

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

  /** Of an open vote: its turnout (`16 %`, "" where it is not known) and how it stands. Undefined where the votes were not read. */
  standing(proposal: Proposal): (ReturnType<typeof standingWords> & { readonly turnout: string }) | undefined {
    const verdict = this.#votes.known(proposal);
    if (verdict === undefined) return undefined;
    const turnout = verdict.turnout === undefined ? '' : `${(verdict.turnout * 100n) / whole} %`;
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
      ...(end ? [endText(end, now, this.#isStateTime)] : []),
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
    const { isStill, pastTime, proposals } = this.#session;
    return isStill && (pastTime ?? proposals.date) !== undefined;
  }

  /** `Turnout 16 %, no quorum yet`; nothing once the vote has ended. */
  #standingLine(row: Proposal): string[] {
    const standing = this.standing(row);
    if (!standing) return [];
    return [vscode.l10n.t('Turnout {0}, {1}', standing.turnout || vscode.l10n.t('not known'), standing.words)];
  }

  async #sentence(proposal: Proposal, now: Date): Promise<string | undefined> {
    const verdict = await this.#votes.verdict(proposal);
    if (verdict === undefined) return undefined;
    const { supply } = this.#session;
    const power = powerText(supply.staking?.denom, (denom) => supply.unit(denom), vscode.l10n.t);
    const { lead, text } = verdictWords({ proposal, verdict, now, power, t: vscode.l10n.t });
    return `${lead} ${text}`.trim();
  }
}

/** `Ends in 3 h 10 min: 24 Nov 2026, 10:12 (09:12 UTC)`; UTC once where it is the local time, too. */
function endText(end: Date, now: Date, isStill: boolean): string {
  const { t } = vscode.l10n;
  const left = end.getTime() - now.getTime();
  const utc = `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const time = end.getTimezoneOffset() === 0 ? utc : `${timeText(end, vscode.env.language)} (${utc})`;
  const span = durationText(Math.abs(left), isStill ? 'long' : 'short', t);
  if (isStill)
    return left > 0
      ? t('Ends {0} after this state: {1}', span, time)
      : t('Ended {0} before this state: {1}', span, time);
  return left > 0 ? t('Ends in {0}: {1}', span, time) : t('Ended {0} ago: {1}', span, time);
}

/** The decoration of a row with some marks (`markUri`). */
export function decorationOf(marks: readonly string[]): vscode.FileDecoration {
  const color = marks.includes('unknown')
    ? 'disabledForeground'
    : marks.includes('soon') && 'problemsWarningIcon.foreground';
  return {
    ...(marks.includes('watched') ? { badge: '●', tooltip: vscode.l10n.t('Watched') } : {}),
    ...(color ? { color: new vscode.ThemeColor(color) } : {}),
  };
}

const notices: Readonly<Record<NoticeNode['notice'], { readonly icon: string; readonly command?: string }>> = {
  loading: { icon: 'loading~spin' },
  empty: { icon: 'circle-slash' },
  silent: { icon: 'loading~spin' },
  failed: { icon: 'error' },
  stale: { icon: 'warning', command: 'retry' },
  info: { icon: 'info' },
  unreadable: { icon: 'warning' },
  retry: { icon: 'refresh', command: 'retry' },
  header: { icon: 'key', command: 'setHeader' },
  latest: { icon: 'history', command: 'showLatest' },
  edit: { icon: 'edit', command: 'editEndpoint' },
  test: { icon: 'pulse', command: 'testConnection' },
  switch: { icon: 'plug', command: 'switchEndpoint' },
  sample: { icon: 'info', command: 'addEndpoint' },
};

/** The item of a row about a list. */
export function noticeItem(session: Session, node: NoticeNode): vscode.TreeItem {
  const { owner, notice } = node;
  const { text, detail } = noticeTexts(session, node);
  const { icon, command } = notices[notice];
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

/** Rows that are seldom there get their sentences here. */
function noticeTexts({ proposals }: Session, { owner, text, detail }: NoticeNode): Pick<NoticeNode, 'text' | 'detail'> {
  if (owner === 'filter' && text === '') return filterMeaning(proposals.filter, vscode.l10n.t) ?? { text, detail };
  if (owner !== 'gaps') return { text, detail };
  return {
    text: vscode.l10n.t('Not listed: {0}', text),
    detail: vscode.l10n.t(
      'Deleted on the chain, or left out by the node. Go to Proposal or Denom… asks for one of them.',
    ),
  };
}

/** The lines of the tooltip of a denom. */
export function coinTooltip(supply: SupplyStore, coin: Coin): string[] {
  const { denom, amount } = coin;
  const unit = supply.unit(denom);
  const facts = [
    originText(supply.origin(denom), vscode.l10n.t),
    denom === supply.staking?.denom ? vscode.l10n.t('Staked') : '',
  ];
  return [
    denom,
    ...facts.filter(Boolean),
    ...(unit ? [unitText(coin, unit)] : []),
    vscode.l10n.t('{0} base units', groupDigits(amount)),
    amount.toString(),
  ];
}

function unitText(coin: Coin, unit: DenomUnit): string {
  const amount = amountText(coin, unit);
  return unit.source === 'chain'
    ? vscode.l10n.t('{0} (exponent {1}, metadata of the chain)', amount, unit.exponent)
    : vscode.l10n.t('{0} (exponent {1} of {2}, from the chain registry)', amount, unit.exponent, coin.denom);
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

const endpointIcons = {
  'pass-filled': 'testing.iconPassed',
  warning: 'problemsWarningIcon.foreground',
  'circle-outline': 'foreground',
} as const;

/** A row of the Endpoints view. */
export interface EndpointNode {
  readonly kind: 'endpoint';
  readonly sourceId: string;
}

/** What the rows are made from. */
export interface EndpointsContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly dialects: SourceMemory;
  readonly answers: LastAnswers;
}

/** The item of a source in the Endpoints view: its name, its chain, and how it answered last. */
export function endpointItem(context: EndpointsContext, sourceId: string): vscode.TreeItem {
  const { active, settings } = context;
  const source = settings.source(sourceId);
  const isShown = source.id === presentId(active.session.source);
  const isSaved = settings.endpoints.some(({ url }) => settings.source(url).id === source.id);
  const answer = lastAnswer(source, context);
  const answered = answer?.cause === undefined ? 'pass-filled' : 'warning';
  const icon = answer ? answered : 'circle-outline';
  const chain = chainOf(source, context);
  // What a narrow view cuts first is in the status bar, too.
  const facts = [chain === source.name ? '' : chain, answerText(source, answer), isShown ? vscode.l10n.t('shown') : ''];
  return treeItem({
    id: `endpoint/${source.id}`,
    label: source.name,
    description: facts.filter(Boolean).join(' · '),
    tooltip: [source.name, source.id, chain, answer ? answerLine(answer) : ''].filter(Boolean),
    icon: new vscode.ThemeIcon(icon, new vscode.ThemeColor(endpointIcons[icon])),
    context: `endpoint.${source.kind}.${isSaved ? 'saved' : 'unsaved'}`,
    command: {
      command: 'chainInspector.switchEndpoint',
      title: vscode.l10n.t('Show'),
      arguments: [{ kind: 'endpoint', sourceId: source.id } satisfies EndpointNode],
    },
  });
}

/** A session that is open knows better than an answer to one of its requests whether it is of use. */
function lastAnswer(source: Source, { active, sessions, answers }: EndpointsContext): LastAnswer | undefined {
  const answer = answers.get(source.id);
  const open = source.id === presentId(active.session.source) ? active.session : sessions.find(source);
  if (open?.state.kind !== 'failed') return answer;
  return { at: Date.now(), ...answer, cause: causeText(open.state.error, vscode.l10n.t) };
}

/** The chain that an endpoint stated, or that its setting names; "" where neither is known. */
function chainOf(source: Source, { dialects }: EndpointsContext): string {
  const stated = member(dialects.get(source.id), 'chainId');
  if (typeof stated === 'string') return stated;
  return source.kind === 'http' ? (source.setting.chain ?? '') : '';
}

/** `84 ms`, `84 ms, 5 min ago`, `2 d ago: Needs a key (401)`; that the sample chain needs no network, or nothing was asked yet. */
function answerText({ kind }: Source, answer: LastAnswer | undefined): string {
  if (kind === 'sample') return vscode.l10n.t('works offline');
  if (!answer) return vscode.l10n.t('not asked yet');
  const { at, cause } = answer;
  const result = cause ?? vscode.l10n.t('{0} ms', Math.round(answer.ms ?? 0));
  const age = Date.now() - at;
  if (age < 60_000) return result;
  const ago = durationText(age, 'brief', vscode.l10n.t);
  return cause === undefined ? vscode.l10n.t('{0}, {1} ago', result, ago) : vscode.l10n.t('{0} ago: {1}', ago, result);
}

function answerLine({ at, ms, cause }: LastAnswer): string {
  const time = timeText(new Date(at), vscode.env.language);
  return cause === undefined
    ? vscode.l10n.t('Answered in {0} ms: {1}', Math.round(ms ?? 0), time)
    : vscode.l10n.t('{0}: {1}', cause, time);
}
