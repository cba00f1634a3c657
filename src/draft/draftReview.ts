import type { Proposal } from '../chain/gov/proposal.ts';
import { plainEnglish } from '../words/language.ts';
import type { ChainFacts } from './chainFacts.ts';
import { type LinePlace, placesIn } from './draftText.ts';
import { findingText, repairText } from './draftWords.ts';
import type { Finding, Severity } from './finding.ts';

/** The findings of a draft in plain English. */
export interface DraftReview {
  /** The facts that the draft was checked against. */
  readonly facts: ChainFacts;
  /** The proposal that the draft would be. */
  readonly proposal: Proposal | undefined;
  readonly rows: readonly ReviewRow[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** Names everything that was not checked, in one sentence. "" if everything was checked. */
  readonly unchecked: string;
  /** The number of messages whose fields were not checked. */
  readonly uncheckedMessages: number;
}

/** A finding with its place. */
export interface ReviewRow extends LinePlace {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** The place behind it. */
  readonly end: LinePlace;
  /** Edits that would mend it, the likeliest first. */
  readonly repairs: readonly ReviewRepair[];
}

/** A way to mend a finding: its name, and its edits, which do not overlap. */
export interface ReviewRepair {
  readonly title: string;
  readonly edits: readonly ReviewEdit[];
}

/** Replaces the text from this place up to `end`. */
export interface ReviewEdit extends LinePlace {
  readonly end: LinePlace;
  readonly newText: string;
}

/** Puts findings into plain English, with lines and columns of `text`. */
export function rowsOf(text: string, findings: readonly Finding[]): readonly ReviewRow[] {
  const placeOf = placesIn(text);
  return findings.map((finding) => ({
    ...placeOf(finding.range.start),
    end: placeOf(finding.range.end),
    severity: finding.severity,
    code: finding.code,
    message: findingText(finding, plainEnglish),
    repairs: finding.repairs.map((repair) => ({
      title: repairText(repair, plainEnglish),
      edits: repair.edits.map(({ range, newText }) => ({
        ...placeOf(range.start),
        end: placeOf(range.end),
        newText,
      })),
    })),
  }));
}

/** The number of rows of each severity. */
export function countRows(rows: readonly ReviewRow[]): DraftReview['counts'] {
  const count = (severity: Severity): number => rows.filter((row) => row.severity === severity).length;
  return { error: count('error'), warning: count('warning'), hint: count('hint') };
}
