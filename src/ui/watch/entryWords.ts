import * as vscode from 'vscode';
import { type DenomUnit, displayAmount, groupDigits } from '../../chain/coin.ts';
import { shares } from '../../chain/proposal.ts';
import { whole } from '../../chain/ratio.ts';
import type { DenomReading, ProposalReading, TallyReading, WatchedStatus } from '../../session/watch/reading.ts';
import type { WatchTarget } from '../../session/watch/watchEntry.ts';
import { plain } from '../plain.ts';
import { clockOf, dayOf, duration } from '../words.ts';

/** `#42 Title`, or the denom; made plain, since it stands in sentences. */
export function entryLabel(target: WatchTarget, title: string | undefined): string {
  if (target.kind === 'denom') return plain(target.denom);
  return plain(title ? `#${target.id} ${title}` : `#${target.id}`);
}

/** A status in the middle of a sentence. */
export function statusWord(status: WatchedStatus): string {
  switch (status) {
    case 'deposit':
      return vscode.l10n.t('in deposit period');
    case 'voting':
      return vscode.l10n.t('voting');
    case 'passed':
      return vscode.l10n.t('passed');
    case 'rejected':
      return vscode.l10n.t('rejected');
    case 'failed':
    case 'vetoed':
      return vscode.l10n.t('failed');
    case 'missing':
      return vscode.l10n.t('not on the chain any more');
    case 'unspecified':
    case 'unknown':
      return vscode.l10n.t('status unknown');
    default:
      return status satisfies never;
  }
}

/** `voting, 3 h left, 61 % yes`. `now` is the time at the source, milliseconds since 1970. */
export function proposalWords(reading: ProposalReading, now: number): string {
  const neverSeen = reading.status === 'missing' && reading.submitTime === undefined;
  const parts = [neverSeen ? vscode.l10n.t('not found on this chain') : statusWord(reading.status)];
  const end =
    reading.status === 'voting' ? reading.votingEnd : reading.status === 'deposit' ? reading.depositEnd : undefined;
  if (end !== undefined) {
    parts.push(
      end > now ? vscode.l10n.t('{0} left', duration(end - now)) : vscode.l10n.t('time is over, result not known yet'),
    );
  } else if (reading.votingEnd !== undefined) parts.push(dayOf(new Date(reading.votingEnd)));
  const yes = reading.status === 'voting' ? yesShare(reading.tally) : undefined;
  if (yes !== undefined) parts.push(vscode.l10n.t('{0} % yes', yes));
  return parts.join(', ');
}

function yesShare(tally: TallyReading | undefined): string | undefined {
  if (!tally) return undefined;
  const { yes, abstain, no, noWithVeto } = tally;
  const found = shares({ yes: BigInt(yes), abstain: BigInt(abstain), no: BigInt(no), noWithVeto: BigInt(noWithVeto) });
  return found && String((found.yes * 100n) / whole);
}

/** `+1,250 ATOM since yesterday`. */
export function supplyWords(reading: DenomReading, unit: DenomUnit | undefined, now: number): string {
  const change = BigInt(reading.amount) - BigInt(reading.earlier.amount);
  const since = sinceWords(reading.earlier.at, now);
  const amount = amountWords(BigInt(reading.amount), unit);
  if (change === 0n) return vscode.l10n.t('{0}, unchanged {1}', amount, since);
  return `${change > 0n ? '+' : '−'}${amountWords(change > 0n ? change : -change, unit)} ${since}`;
}

/** An amount as exact as it is, in display units where they are stated. */
export function amountWords(amount: bigint, unit: DenomUnit | undefined): string {
  return unit ? `${displayAmount(amount, unit.exponent)} ${plain(unit.symbol)}` : groupDigits(amount);
}

/** `since 14:02`, `since yesterday`, `since Mar 3, 2026`. */
export function sinceWords(time: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (time >= midnight) return vscode.l10n.t('since {0}', clockOf(new Date(time)));
  if (time >= midnight - 24 * 3_600_000) return vscode.l10n.t('since yesterday');
  return vscode.l10n.t('since {0}', dayOf(new Date(time)));
}
