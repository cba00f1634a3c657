import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../api/errors.ts';
import { createReviewer, type DraftReview } from '../draft/checkDraft.ts';
import { hasMetadataFile, metadataFileName } from '../draft/draftText.ts';
import { type Given, UsageError } from './cliCommand.ts';
import { openSessions, sourcesOf } from './cliSources.ts';
import { printErrors, printJson, printLines } from './terminal.ts';

/**
 * `chain-inspector check`: the exit code is 1 where errors were found, else 2 where a file could not be checked. Rejects where the
 * chain does not answer.
 */
export async function check(given: Given, signal: AbortSignal): Promise<number> {
  const { format = 'text' } = given.values;
  if (given.addresses.length !== 1) throw new UsageError('Name one --endpoint or one --state.');
  if (format !== 'text' && format !== 'json') throw new UsageError(`--format ${format}: expected text or json.`);
  const [source] = sourcesOf(given);
  return openSessions(given).use(source, async (session) => {
    const review = createReviewer(() => session.node(), signal);
    const lines: object[] = [];
    let [errors, failures] = [0, 0];
    for (const file of given.operands) {
      const read = await readDraftFile(file);
      const beside = hasMetadataFile(file) ? await readDraftFile(join(dirname(file), metadataFileName)) : undefined;
      const metadataFile = typeof beside === 'string' ? beside : undefined;
      const reviewed = typeof read === 'string' ? await review(read, metadataFile) : undefined;
      if (reviewed) {
        errors += reviewed.counts.error;
        // In this order, which is documented.
        for (const { line, column, severity, code, message } of reviewed.rows)
          lines.push({ file, line, column, severity, code, message });
        if (isTooLarge(reviewed)) failures++;
        if (format === 'text') printLines(linesOf(file, reviewed));
      } else {
        failures++;
        printErrors([typeof read === 'string' ? notADraft(file) : read.message]);
      }
    }
    if (format === 'json') printJson(lines);
    if (errors > 0) return 1;
    return failures > 0 ? 2 : 0;
  });
}

/** The text of a file; an `Error` where it cannot be read. */
async function readDraftFile(file: string): Promise<string | Error> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    return new Error(`Cannot read ${file}: ${messageOf(error)}`);
  }
}

function notADraft(file: string): string {
  return `${file} is no draft of a proposal: a draft has "messages" and "deposit", or a legacy form.`;
}

/** A draft that is too large is not checked. */
function isTooLarge({ rows }: DraftReview): boolean {
  return rows.some(({ code }) => code === 'too-large');
}

function linesOf(file: string, review: DraftReview): readonly string[] {
  const { rows, counts, facts, unchecked } = review;
  const found = rows.map(
    ({ line, column, severity, code, message }) => `${file}:${line}:${column}: ${severity}: ${message} (${code})`,
  );
  const counted = Object.entries(counts).map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`);
  const at = facts.height === undefined ? '' : ` at height ${facts.height}`;
  const against = `checked against ${facts.chainId || 'a chain without an id'}${at}: ${counted.join(', ')}`;
  const summary = `${file}: ${isTooLarge(review) ? 'not checked' : against}`;
  return [...found, summary, ...(unchecked ? [`${file}: ${unchecked}`] : [])];
}
