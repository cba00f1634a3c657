// The standings of open votes, and the tooltips of proposals. Entry of a lazily loaded part, since it loads the rules
// of votes.

import * as vscode from 'vscode';
import type { StatedGovParams } from '../../api/node.ts';
import { depositStanding, type Proposal, type ProposalRow, periodEnd } from '../../chain/gov/proposal.ts';
import { whole } from '../../chain/ratio.ts';
import { OpenVotes } from '../../reads/openVotes.ts';
import { screenAge } from '../../session/kept.ts';
import type { Session } from '../../session/session.ts';
import { sentencesText } from '../../words/language.ts';
import { contentName, proposalLabel, statusName } from '../../words/proposalWords.ts';
import { endText, stateTimeText } from '../../words/time.ts';
import { powerText, standingOf, standingWords, verdictWords } from '../../words/verdictWords.ts';
import { language } from '../settings.ts';

/** The votes of a session in words, for the rows of Proposals. */
export class VoteDetails implements vscode.Disposable {
  readonly #session: Session;
  readonly #votes: OpenVotes;

  readonly #onRead: (group: 'voting' | 'deposit') => void;
  readonly #abort = new AbortController();

  /** `onRead` is called after each count that was read, and when the minimum deposit is known. */
  constructor(session: Session, onRead: (group: 'voting' | 'deposit') => void) {
    this.#session = session;
    this.#onRead = onRead;
    this.#votes = new OpenVotes(session, () => onRead('voting'));
  }

  /**
   * Reads open votes as `OpenVotes.load` does, and then the minimum deposit if a proposal needs it. Never rejects. The
   * order saves a request: the votes read the parameters anew, and the minimum deposit is one of them.
   */
  async load(now: Date): Promise<void> {
    await this.#votes.load(now);
    await this.#loadMinimum();
  }

  /** The deposited share of the minimum, in whole percent, of a proposal in its deposit period. "" if not known. */
  deposited({ status, expedited, totalDeposit }: Proposal): string {
    if (status !== 'deposit') return '';
    const params = this.#session.kept.govParams.young('', screenAge(this.#session))?.value?.values;
    const minimum = (expedited ? params?.expeditedMinDeposit : params?.minDeposit) ?? [];
    const shares = depositStanding(totalDeposit, minimum).map(({ deposited, needed }) => {
      return needed > deposited ? (deposited * 100n) / needed : 100n;
    });
    const [least] = shares.toSorted((a, b) => (a < b ? -1 : 1));
    return least === undefined ? '' : `${least}`;
  }

  /**
   * The standing of an open vote, and its turnout in whole percent (`16`, or "" if not known). Undefined if its votes
   * were not read.
   */
  standing(proposal: Proposal): (ReturnType<typeof standingWords> & { readonly turnout: string }) | undefined {
    const verdict = this.#votes.known(proposal);
    if (verdict === undefined) return undefined;
    const turnout = verdict.turnout === undefined ? '' : `${(verdict.turnout * 100n) / whole}`;
    return { ...standingWords(standingOf(verdict), vscode.l10n.t), turnout };
  }

  /** The lines of the tooltip of a row. Reads the votes for it. `own` are the reader's votes. */
  async tooltip(row: ProposalRow, now: Date, own: readonly string[]): Promise<string[]> {
    if (row.kind === 'unreadable') return [proposalLabel(row, vscode.l10n.t), row.reason];
    const end = periodEnd(row) ?? row.votingEndTime;
    const share = this.deposited(row);
    const sentence = row.status === 'deposit' ? undefined : await this.#sentence(row, now);
    return [
      proposalLabel(row, vscode.l10n.t),
      [statusName(row.status, row.wireStatus, vscode.l10n.t), contentName(row, vscode.l10n.t)].join(' · '),
      ...(end ? [endText(end, now, language(), this.#session.stillTime ? 'still' : 'running')] : []),
      ...this.#estimate(),
      ...(sentence ? [...this.#standingLine(row), sentence] : []),
      ...(share === '' ? [] : [vscode.l10n.t('{0} % of the deposit', share)]),
      ...own,
      ...row.faults.map(({ reason }) => vscode.l10n.t('Unreadable: {0}', reason)),
    ];
  }

  dispose(): void {
    this.#abort.abort();
    this.#votes.dispose();
  }

  async #loadMinimum(): Promise<void> {
    const { kept, lists } = this.#session;
    if (lists.proposals.pager('deposit').rows.length === 0 || kept.govParams.young('', screenAge(this.#session)))
      return;
    const question = { maxAge: screenAge(this.#session), signal: this.#abort.signal };
    const load = async (own: AbortSignal): Promise<{ value: StatedGovParams | undefined }> => {
      return { value: await (await this.#session.node()).govParams(own) };
    };
    const read = await kept.govParams.read('', question, load).catch(() => undefined);
    if (read && !this.#abort.signal.aborted) this.#onRead('deposit');
  }

  /** Says that the time of the state is estimated. Empty if it is not. */
  #estimate(): string[] {
    const { stateTime } = this.#session;
    return stateTime?.from === undefined ? [] : [stateTimeText(stateTime, language(), 'hover')];
  }

  /** `Turnout 16 %, no quorum yet`. Empty after the end of the vote. */
  #standingLine(row: Proposal): string[] {
    const standing = this.standing(row);
    if (!standing) return [];
    const turnout = standing.turnout ? `${standing.turnout} %` : vscode.l10n.t('unknown');
    return [vscode.l10n.t('Turnout {0}, {1}', turnout, standing.words)];
  }

  async #sentence(proposal: Proposal, now: Date): Promise<string | undefined> {
    const verdict = await this.#votes.verdict(proposal);
    if (verdict === undefined) return undefined;
    const { supply } = this.#session.lists;
    const power = powerText(supply.staking?.denom, (denom) => supply.unit(denom), vscode.l10n.t);
    const { lead, text } = verdictWords({ proposal, verdict, now, power, t: vscode.l10n.t });
    return sentencesText([lead, text], vscode.l10n.t);
  }
}
