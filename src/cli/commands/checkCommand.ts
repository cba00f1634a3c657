import { dirname, join } from 'node:path';
import type { Downloader } from '../../api/download.ts';
import { isApiError, messageOf } from '../../api/errors.ts';
import { createReviewer } from '../../draft/checkDraft.ts';
import { binaryFindings, checkBinaries } from '../../draft/checks/upgrades/upgradeBinaries.ts';
import { hasMetadataFile, metadataFileName } from '../../draft/draftKind.ts';
import { countRows, type DraftReview, rowsOf } from '../../draft/draftReview.ts';
import { notDraftText } from '../../draft/draftSummary.ts';
import { readDraft } from '../../draft/draftText.ts';
import { plainEnglish } from '../../words/language.ts';
import { type Given, UsageError } from '../cliCommand.ts';
import { openSessions, sourcesOf } from '../cliSources.ts';
import { packageVersion } from '../ownPackage.ts';
import { showBytes, withTerminalProgress } from '../terminal.ts';
import {
  type CheckedFile,
  type CheckReport,
  printCheckAnnotations,
  printCheckJson,
  printCheckText,
} from '../text/checkReport.ts';
import { printSarif } from '../text/sarif.ts';
import { findFiles, type GivenFile, readDraftFile } from './draftFiles.ts';

const printers: ReadonlyMap<string, (report: CheckReport) => void> = new Map([
  ['text', printCheckText],
  ['json', printCheckJson],
  ['sarif', printSarif],
  ['github', printCheckAnnotations],
]);

/**
 * Runs `chain-inspector check`. The exit code is 1 if errors were found (with `--fail-on warning` also for warnings).
 * Otherwise it is 2 if something could not be checked, whether a file or the chain.
 */
export async function check(given: Given, signal: AbortSignal, openDownloads = openDownloader): Promise<number> {
  const { json, format = json ? 'json' : 'text', 'fail-on': failOn = 'error' } = given.values;
  if (given.addresses.length !== 1) throw new UsageError('Use one --endpoint or one --state, such as --state sample.');
  const print = printers.get(format);
  if (!print) throw new UsageError(`--format ${format}: expected ${[...printers.keys()].join(', ')}.`);
  if (failOn !== 'error' && failOn !== 'warning')
    throw new UsageError(`--fail-on ${failOn}: expected error or warning.`);
  const downloads = given.values.binaries ? await openDownloads() : undefined;
  const files = await withTerminalProgress('Checking', () => checkFiles(given, signal, downloads)).finally(() =>
    downloads?.dispose(),
  );
  signal.throwIfAborted();
  const isComplete = files.every(({ state }) => state === 'checked' || state === 'skipped');
  print({ files, isComplete, version: packageVersion() });
  const counted = files.flatMap((one) => (one.state === 'checked' ? one.review.counts : []));
  const isFailed = counted.some(({ error, warning }) => error > 0 || (failOn === 'warning' && warning > 0));
  if (isFailed) return 1;
  return isComplete ? 0 : 2;
}

/**
 * Checks the files. A file that cannot be read does not stop the others. After the chain has failed, it is not asked
 * again.
 */
async function checkFiles(
  given: Given,
  signal: AbortSignal,
  downloads: Downloader | undefined,
): Promise<readonly CheckedFile[]> {
  const [source] = sourcesOf(given);
  const { files, missing } = await findFiles(given.operands);
  const checked: CheckedFile[] = [];
  const checkOthers = async (review: Review): Promise<void> => {
    for (const file of files.slice(checked.length)) checked.push(await checkFile(file, review));
  };
  try {
    await openSessions(given).use(source, async (session) => {
      const review = createReviewer(() => session.node(), signal);
      await checkOthers(async (text, metadataFile) => {
        const found = await review(text, metadataFile);
        return found && downloads ? withBinaries(text, found, downloads, signal) : found;
      });
    });
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = messageOf(error);
    await checkOthers(async (text) => (readDraft(text) === undefined ? undefined : reason));
  }
  const failed = missing.map((one) => ({ ...one, state: 'failed' }) as const);
  return [...failed, ...checked];
}

async function openDownloader(): Promise<Downloader> {
  return (await import('../../api/download.ts')).createDownloader({});
}

/** Adds the findings on the downloads that upgrade plans in the draft name. Rejects when `signal` fires. */
async function withBinaries(
  text: string,
  review: DraftReview,
  downloads: Downloader,
  signal: AbortSignal,
): Promise<DraftReview> {
  const draft = readDraft(text);
  if (typeof draft !== 'object') return review;
  const checked = await checkBinaries(draft, {
    read: (file, digest, keepsText) =>
      downloads.read(
        { url: file.url, digest, keepsText, onProgress: (bytes, total) => showBytes(file.host, bytes, total ?? bytes) },
        signal,
      ),
    reasonOf: (error) => (isApiError(error) ? error.reason : messageOf(error)),
    mayAsk: async () => true,
    signal,
  });
  const rows = [...review.rows, ...rowsOf(text, binaryFindings(checked))];
  return { ...review, rows, counts: countRows(rows) };
}

/**
 * Gives the findings of a draft, or the reason why it cannot be checked. Undefined for text that is no draft. Rejects
 * if the chain fails.
 */
type Review = (text: string, metadataFile?: string) => Promise<DraftReview | string | undefined>;

async function checkFile({ file, isNamed }: GivenFile, review: Review): Promise<CheckedFile> {
  let text: string;
  try {
    text = await readDraftFile(file);
  } catch (error) {
    return { file, state: 'failed', reason: `Cannot read ${file}: ${messageOf(error)}` };
  }
  const reviewed = await review(text, hasMetadataFile(file) ? await metadataBeside(file) : undefined);
  if (typeof reviewed === 'string') return { file, state: 'failed', reason: `${file} was not checked: ${reviewed}` };
  if (reviewed) {
    const isTooLarge = reviewed.rows.some(({ code }) => code === 'too-large');
    return { file, state: isTooLarge ? 'too large' : 'checked', review: reviewed };
  }
  if (!isNamed) return { file, state: 'skipped' };
  const reason = `${file} is not a proposal draft. ${notDraftText(text, plainEnglish)}`;
  return { file, state: 'not a draft', reason };
}

/** Reads the metadata file. Undefined if it cannot be read, since it is optional. */
async function metadataBeside(file: string): Promise<string | undefined> {
  return readDraftFile(join(dirname(file), metadataFileName)).catch(() => undefined);
}
