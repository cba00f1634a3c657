import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import type {
  ComparedSide,
  Comparison,
  ParamDifference,
  ProposalDifference,
  ProposalFacts,
  Section,
  SideName,
  SupplyDifference,
} from '../../session/compare/comparison.ts';
import type { Source } from '../../session/source.ts';
import { errorText } from '../report.ts';
import { groupName } from '../words.ts';
import { plainLine } from './plainLine.ts';

/** The three things that are compared. */
export const sectionNames = ['supply', 'proposals', 'params'] as const;
export type SectionName = (typeof sectionNames)[number];

/** How one thing differs; `value` is a parameter. */
export type Change = SupplyDifference['change'] | ProposalDifference['change'];

export type Difference = SupplyDifference | ProposalDifference | ParamDifference;

export function sectionTitle(section: SectionName): string {
  switch (section) {
    case 'supply':
      return vscode.l10n.t('Supply');
    case 'proposals':
      return vscode.l10n.t('Proposals');
    case 'params':
      return vscode.l10n.t('Gov parameters');
    default:
      return section satisfies never;
  }
}

export function changeTitle(section: SectionName, change: Change): string {
  switch (change) {
    case 'added':
      return section === 'proposals' ? vscode.l10n.t('New') : vscode.l10n.t('Added');
    case 'gone':
      return vscode.l10n.t('Gone');
    case 'changed':
      return section === 'proposals' ? vscode.l10n.t('Status changed') : vscode.l10n.t('Changed');
    case 'replaced':
      return vscode.l10n.t('Same ID, other title');
    default:
      return change satisfies never;
  }
}

/** `3 added, 2 gone`, or that nothing differs, or that it cannot be told. */
export function sectionSummary(section: SectionName, comparison: Comparison): string {
  const found: Section<Difference> = comparison[section];
  if (found.kind !== 'compared') return vscode.l10n.t('Not compared');
  const { differences } = found;
  if (differences.length === 0) return vscode.l10n.t('No difference');
  if (section === 'params') return vscode.l10n.t('{0} changed', count(differences.length));
  return [...countChanges(differences)]
    .map(
      ([change, number]) => `${count(number)} ${changeTitle(section, change).toLocaleLowerCase(vscode.env.language)}`,
    )
    .join(', ');
}

/** How many there are of each change, in the order in which they are shown. */
export function countChanges(differences: readonly Difference[]): Map<Change, number> {
  const counts = new Map<Change, number>(
    (['added', 'gone', 'changed', 'replaced'] as const).map((change) => [change, 0]),
  );
  for (const difference of differences)
    if ('change' in difference) counts.set(difference.change, (counts.get(difference.change) ?? 0) + 1);
  return new Map([...counts].filter(([, number]) => number > 0));
}

export function count(number: number): string {
  return groupDigits(BigInt(number));
}

/** `+1,234` or `-1,234`: what the right side has more or less. */
export function exactDifference({ left, right }: SupplyDifference): string {
  return `${right > left ? '+' : ''}${groupDigits(right - left)}`;
}

/** The status as the chain words it; one that the contract does not name as it came. */
export function statusText({ status }: ProposalFacts): string {
  switch (status) {
    case 'PROPOSAL_STATUS_DEPOSIT_PERIOD':
      return groupName('deposit');
    case 'PROPOSAL_STATUS_VOTING_PERIOD':
      return groupName('voting');
    case 'PROPOSAL_STATUS_PASSED':
      return groupName('passed');
    case 'PROPOSAL_STATUS_REJECTED':
      return groupName('rejected');
    case 'PROPOSAL_STATUS_FAILED':
      return groupName('failed');
    case 'unreadable':
      return groupName('unreadable');
    default:
      return plainLine(status);
  }
}

export function titleText({ title }: ProposalFacts): string {
  return title === undefined ? vscode.l10n.t('(no title)') : plainLine(title);
}

/** The value of a parameter, or that a side does not state it. */
export function paramText(value: string | undefined): string {
  return value === undefined ? vscode.l10n.t('not stated') : plainLine(value);
}

/** The names of both sides; two files of the same name are told apart by their paths. */
export function sideNames(left: Source, right: Source): Readonly<Record<SideName, string>> {
  const name = (source: Source) => plainLine(left.name === right.name ? addressOf(source) : source.name);
  return { left: name(left), right: name(right) };
}

function addressOf(source: Source): string {
  return source.kind === 'file' ? source.path : source.id || source.name;
}

/** What to know of the reading: a part that could not be compared, a height that was not kept, a file's own notices. */
export function comparisonNotices(comparison: Comparison): { readonly text: string; readonly isFailure: boolean }[] {
  const names = sideNames(comparison.left.source, comparison.right.source);
  const failed = sectionNames.flatMap((name) => {
    const section: Section<Difference> = comparison[name];
    const title = sectionTitle(name);
    if (section.kind === 'compared') return [];
    if (section.kind === 'notOffered')
      return [{ text: vscode.l10n.t('{0}: {1} does not state any', title, names[section.side]), isFailure: false }];
    const reason = plainLine(errorText(section.error));
    return [{ text: vscode.l10n.t('{0} of {1}: {2}', title, names[section.side], reason), isFailure: true }];
  });
  const told = (side: ComparedSide, name: string) => {
    const { heightDropped: reason } = side;
    const dropped =
      reason === undefined ? [] : [vscode.l10n.t('{0} was not read at one height: {1}', name, plainLine(reason))];
    return [...dropped, ...side.notices.map((notice) => `${name}: ${plainLine(notice)}`)];
  };
  const others = [...told(comparison.left, names.left), ...told(comparison.right, names.right)];
  return [...failed, ...others.map((text) => ({ text, isFailure: false }))];
}
