import type { DraftReview, ReviewRow } from '../../draft/draftReview.ts';
import { uncheckedMessagesText } from '../../draft/draftSummary.ts';
import type { Severity } from '../../draft/finding.ts';
import { plainEnglish } from '../../words/language.ts';
import { type Annotation, printAnnotations, printErrors, printJson, printLines } from '../terminal.ts';

/** A file that was checked, or the reason why it was not. */
export type CheckedFile =
  | { readonly file: string; readonly state: 'checked' | 'too large'; readonly review: DraftReview }
  | { readonly file: string; readonly state: 'not a draft' | 'failed'; readonly reason: string }
  /** The file is no draft, and was not named by the user. */
  | { readonly file: string; readonly state: 'skipped' };

/** The result of `check`. */
export interface CheckReport {
  readonly files: readonly CheckedFile[];
  readonly version: string;
  /** True if everything was checked that should be. */
  readonly isComplete: boolean;
}

/** Prints for people: findings on stdout, parts that could not be checked on stderr. */
export function printCheckText({ files }: CheckReport): void {
  for (const one of files) {
    if ('review' in one) printLines(textLines(one.file, one.review, one.state === 'checked'));
    else if ('reason' in one) printErrors([one.reason]);
  }
  const passed = files.filter(({ state }) => state === 'skipped').length;
  if (passed > 0) printErrors([passed === 1 ? '1 file is not a draft.' : `${passed} files are not drafts.`]);
}

function textLines(file: string, review: DraftReview, isChecked: boolean): readonly string[] {
  const found = review.rows.map(
    ({ line, column, severity, code, message }) => `${file}:${line}:${column}: ${severity}: ${message} (${code})`,
  );
  const { unchecked } = review;
  const summary = `${file}: ${isChecked ? totalsLine(review) : 'not checked'}`;
  return [...found, summary, ...(unchecked ? [`${file}: ${unchecked}`] : [])];
}

function totalsLine({ counts, facts, uncheckedMessages }: DraftReview): string {
  const found = Object.entries(counts).map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`);
  const messages = uncheckedMessagesText(uncheckedMessages, plainEnglish);
  const counted = messages === '' ? found : [...found, messages];
  const at = facts.height === undefined ? '' : ` at height ${facts.height}`;
  return `checked against ${facts.chainId || 'a chain without an ID'}${at}: ${counted.join(', ')}`;
}

/** Prints JSON, which docs/drafts.md describes. */
export function printCheckJson({ files }: CheckReport): void {
  const reviews = files.flatMap((one) => (one.state === 'checked' ? one.review : []));
  const facts = reviews[0]?.facts;
  printJson({
    chain: facts?.chainId || null,
    height: facts?.height === undefined ? null : `${facts.height}`,
    drafts: files.flatMap((one) => (one.state === 'checked' ? jsonOf(one.file, one.review) : [])),
    notChecked: files.flatMap((one) => {
      if (one.state === 'too large') return { file: one.file, reason: one.review.rows[0]?.message ?? '' };
      return one.state === 'failed' ? { file: one.file, reason: one.reason } : [];
    }),
    notDrafts: files.flatMap(({ file, state }) => (state === 'not a draft' || state === 'skipped' ? file : [])),
  });
}

function jsonOf(file: string, { counts, unchecked, uncheckedMessages, rows }: DraftReview): object {
  const { error: errors, warning: warnings, hint: hints } = counts;
  const findings = rows.map(({ line, column, end, severity, code, message, repairs }) => {
    return { line, column, end, severity, code, message, repairs };
  });
  return { file, errors, warnings, hints, unchecked: unchecked || null, uncheckedMessages, findings };
}

const annotationLevels: Readonly<Record<Severity, Annotation['level']>> = {
  error: 'error',
  warning: 'warning',
  hint: 'notice',
};

/** Prints annotations of a GitHub workflow. */
export function printCheckAnnotations({ files }: CheckReport): void {
  printAnnotations(files.flatMap(annotationsOf));
}

function annotationsOf(one: CheckedFile): readonly Annotation[] {
  const { file } = one;
  if ('review' in one) {
    const { rows, unchecked } = one.review;
    const text = one.state === 'checked' ? `${file} ${totalsLine(one.review)}` : `${file} was not checked.`;
    const level = one.state === 'checked' ? 'notice' : 'error';
    const summary: Annotation = { level, message: unchecked ? `${text}. ${unchecked}` : text, properties: { file } };
    return [...rows.map((row) => annotationOf(file, row)), summary];
  }
  return 'reason' in one ? [{ level: 'error', message: one.reason, properties: { file } }] : [];
}

function annotationOf(file: string, { line, column, end, severity, code, message }: ReviewRow): Annotation {
  const place = { file, line, endLine: end.line, title: code };
  // GitHub accepts columns only within one line.
  const properties = end.line === line ? { ...place, col: column, endColumn: end.column } : place;
  return { level: annotationLevels[severity], message, properties };
}
