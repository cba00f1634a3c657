import { dirname, join } from 'node:path';
import { messageOf } from '../api/errors.ts';
import { createReviewer, type DraftReview } from '../draft/checkDraft.ts';
import { hasMetadataFile, metadataFileName, readDraft } from '../draft/draftText.ts';
import {
  type CheckedFile,
  type CheckReport,
  printCheckAnnotations,
  printCheckJson,
  printCheckText,
} from './checkReport.ts';
import { type Given, UsageError } from './cliCommand.ts';
import { openSessions, packageVersion, sourcesOf } from './cliSources.ts';
import { findFiles, type GivenFile, readDraftFile } from './draftFiles.ts';
import { printSarif } from './sarif.ts';

const printers: ReadonlyMap<string, (report: CheckReport) => void> = new Map([
  ['text', printCheckText],
  ['json', printCheckJson],
  ['sarif', printSarif],
  ['github', printCheckAnnotations],
]);

/**
 * `chain-inspector check`: the exit code is 1 where errors were found (with `--fail-on warning` also for warnings), else 2 where
 * something could not be checked, be it a file or the chain.
 */
export async function check(given: Given, signal: AbortSignal): Promise<number> {
  const { format = 'text', 'fail-on': failOn = 'error' } = given.values;
  if (given.addresses.length !== 1) throw new UsageError('Name one --endpoint or one --state.');
  const print = printers.get(format);
  if (!print) throw new UsageError(`--format ${format}: expected ${[...printers.keys()].join(', ')}.`);
  if (failOn !== 'error' && failOn !== 'warning')
    throw new UsageError(`--fail-on ${failOn}: expected error or warning.`);
  const files = await checkFiles(given, signal);
  signal.throwIfAborted();
  const isComplete = files.every(({ state }) => state === 'checked' || state === 'passed over');
  print({ files, isComplete, version: await packageVersion() });
  const counted = files.flatMap((one) => (one.state === 'checked' ? one.review.counts : []));
  const isFailed = counted.some(({ error, warning }) => error > 0 || (failOn === 'warning' && warning > 0));
  if (isFailed) return 1;
  return isComplete ? 0 : 2;
}

/** A file that cannot be read does not keep the others from being checked; after the chain has failed, it is not asked again. */
async function checkFiles(given: Given, signal: AbortSignal): Promise<readonly CheckedFile[]> {
  const [source] = sourcesOf(given);
  const { files, missing } = await findFiles(given.operands);
  const checked: CheckedFile[] = [];
  const checkOthers = async (review: Review): Promise<void> => {
    for (const file of files.slice(checked.length)) checked.push(await checkFile(file, review));
  };
  try {
    await openSessions(given).use(source, async (session) => checkOthers(createReviewer(() => session.node(), signal)));
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = messageOf(error);
    await checkOthers(async (text) => (readDraft(text) === undefined ? undefined : reason));
  }
  const failed = missing.map((one) => ({ ...one, state: 'failed' }) as const);
  return [...failed, ...checked];
}

/** What was found in a draft, or why it cannot be checked; undefined for what is no draft. Rejects where the chain fails. */
type Review = (text: string, metadataFile?: string) => Promise<DraftReview | string | undefined>;

async function checkFile({ file, isNamed }: GivenFile, review: Review): Promise<CheckedFile> {
  let text: string;
  try {
    text = await readDraftFile(file);
  } catch (error) {
    return { file, state: 'failed', reason: `Cannot read ${file}: ${messageOf(error)}` };
  }
  const reviewed = await review(text, hasMetadataFile(file) ? await metadataBeside(file) : undefined);
  if (typeof reviewed === 'string') return { file, state: 'failed', reason: `${file} is not checked: ${reviewed}` };
  if (reviewed) {
    const isTooLarge = reviewed.rows.some(({ code }) => code === 'too-large');
    return { file, state: isTooLarge ? 'too large' : 'checked', review: reviewed };
  }
  if (!isNamed) return { file, state: 'passed over' };
  const reason = `${file} is no draft of a proposal: a draft has "messages" and "deposit", or a legacy form.`;
  return { file, state: 'no draft', reason };
}

/** Undefined where it cannot be read: it need not be there. */
async function metadataBeside(file: string): Promise<string | undefined> {
  return readDraftFile(join(dirname(file), metadataFileName)).catch(() => undefined);
}
