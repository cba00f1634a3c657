import { readFile } from 'node:fs/promises';
import type { ChainNode } from '../api/node.ts';
import { checkDraft, type DraftReport, needsOf } from '../draft/checkDraft.ts';
import { placeOf, readDraft } from '../draft/draftText.ts';
import { findingText, plainEnglish, uncheckedText } from '../draft/draftWords.ts';
import { createFactsReader, type KnownFacts, nothingKnown } from '../draft/knownFacts.ts';
import { type Given, UsageError } from './cliCommand.ts';
import { openSessions, sourcesOf } from './cliSources.ts';

/** `chain-inspector check`: the exit code is 1 where errors were found. Rejects where the chain does not answer. */
export async function check(given: Given, signal: AbortSignal): Promise<number> {
  const { format = 'text' } = given.values;
  if (given.addresses.length !== 1) throw new UsageError('Name one --endpoint or one --state.');
  if (format !== 'text' && format !== 'json') throw new UsageError(`--format ${format}: expected text or json.`);
  const [source] = sourcesOf(given);
  return openSessions(given).use(source, async (session) =>
    checkFiles(given.operands, await session.node(), format, signal),
  );
}

/** One line of the list that `--format json` prints; line and column count from 1. */
interface Line {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

async function checkFiles(
  files: readonly string[],
  node: ChainNode,
  format: 'text' | 'json',
  signal: AbortSignal,
): Promise<number> {
  const factsOf = createFactsReader(node, signal);
  const lines: Line[] = [];
  let failures = 0;
  for (const file of files) {
    const checked = await checkFile(file, factsOf);
    if (typeof checked === 'string') {
      process.stderr.write(`${checked}\n`);
      failures++;
      continue;
    }
    for (const line of checked.lines) lines.push(line);
    if (format === 'text') process.stdout.write(textOf(file, checked));
  }
  if (format === 'json') process.stdout.write(`${JSON.stringify(lines, null, 2)}\n`);
  if (failures > 0) return 2;
  return lines.some(({ severity }) => severity === 'error') ? 1 : 0;
}

interface Checked {
  readonly lines: readonly Line[];
  readonly report: DraftReport;
  readonly facts: KnownFacts;
}

/** What was found in a file, or why it could not be checked. Rejects where the chain does not answer. */
async function checkFile(file: string, factsOf: ReturnType<typeof createFactsReader>): Promise<Checked | string> {
  const read = await readFile(file, 'utf8').catch((error: unknown) => {
    return new Error(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  });
  if (typeof read !== 'string') return read.message;
  // Lines and columns are those of editors, which do not show the mark.
  const text = read.replace(/^\ufeff/, '');
  const draft = readDraft(text);
  if (draft === undefined)
    return `${file} is no draft of a proposal: a draft has "messages" and "deposit", or a legacy form.`;
  const facts = typeof draft === 'object' ? await factsOf(needsOf(draft)) : nothingKnown;
  const report = checkDraft(text, facts);
  if (!report) return `${file} is no draft of a proposal.`;
  const lines = report.findings.map((finding): Line => {
    const { severity, code } = finding;
    return { file, ...placeOf(text, finding.range.start), severity, code, message: findingText(finding, plainEnglish) };
  });
  return { lines, report, facts };
}

function textOf(file: string, { lines, report, facts }: Checked): string {
  const found = lines.map(
    ({ line, column, severity, code, message }) => `${file}:${line}:${column}: ${severity}: ${message} (${code})\n`,
  );
  const counts = (['error', 'warning', 'hint'] as const).map((wanted) => {
    const count = lines.filter(({ severity }) => severity === wanted).length;
    return `${count} ${wanted}${count === 1 ? '' : 's'}`;
  });
  const at = facts.height === undefined ? '' : ` at height ${facts.height}`;
  const summary = `${file}: checked against ${facts.chainId || 'a chain without an id'}${at}: ${counts.join(', ')}\n`;
  const unchecked = uncheckedText(report.unchecked, plainEnglish);
  return [...found, summary, unchecked && `${file}: ${unchecked}\n`].join('');
}
