import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReviewRepair, ReviewRow } from '../../draft/draftReview.ts';
import type { LinePlace } from '../../draft/draftText.ts';
import type { Severity } from '../../draft/finding.ts';
import { printJson } from '../terminal.ts';
import type { CheckedFile, CheckReport } from './checkReport.ts';

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', hint: 'note' };

/** Prints SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. */
export function printSarif({ files, version, isComplete }: CheckReport): void {
  const found = files.flatMap((one) =>
    'review' in one ? one.review.rows.map((row) => ({ file: one.file, row })) : [],
  );
  const codes = [...new Set(found.map(({ row }) => row.code))].sort();
  const rules = codes.map((id) => ({
    id,
    help: { text: `See the ${id} section in docs/drafts.md.` },
  }));
  const facts = files.flatMap((one) => (one.state === 'checked' ? one.review.facts : []))[0];
  const height = facts?.height === undefined ? {} : { height: `${facts.height}` };
  printJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Chain Inspector', version, rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: isComplete, toolExecutionNotifications: files.flatMap(notificationsOf) }],
        results: found.map(({ file, row }) => resultOf(file, row, codes)),
        properties: { ...(facts?.chainId ? { chain: facts.chainId } : {}), ...height },
      },
    ],
  });
}

function resultOf(file: string, row: ReviewRow, codes: readonly string[]): object {
  const { code, severity, message, repairs } = row;
  const region = regionOf(row, row.end);
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }],
    ...(repairs.length > 0 ? { fixes: repairs.map((repair) => fixOf(file, repair)) } : {}),
  };
}

function fixOf(file: string, { title, edits }: ReviewRepair): object {
  const replacements = edits.map((edit) => ({
    deletedRegion: regionOf(edit, edit.end),
    insertedContent: { text: edit.newText },
  }));
  return { description: { text: title }, artifactChanges: [{ artifactLocation: { uri: uriOf(file) }, replacements }] };
}

function regionOf(start: LinePlace, end: LinePlace): object {
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

/** Gives the notices about files and parts that were not checked. */
function notificationsOf(one: CheckedFile): readonly object[] {
  const at = [{ physicalLocation: { artifactLocation: { uri: uriOf(one.file) } } }];
  const note = (level: string, text: string): object => ({ level, message: { text }, locations: at });
  if (one.state === 'skipped') return [note('none', 'The file is not a proposal draft.')];
  if ('reason' in one) return [note('error', one.reason)];
  if (one.state === 'too large') return [note('error', 'The draft is too large and was not checked.')];
  return one.review.unchecked ? [note('note', one.review.unchecked)] : [];
}

/**
 * Gives the URI of a file. A relative path stays relative, and the reader of the report resolves it against the
 * repository.
 */
function uriOf(file: string): string {
  if (file === '-') return 'stdin';
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encodeSegment).join('/');
}

function encodeSegment(segment: string): string {
  // A name may hold half of a surrogate pair, which no URI can hold.
  return encodeURIComponent(segment.toWellFormed());
}
