import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkDraft, type DraftReport, needsOf } from '../draft/checkDraft.ts';
import { readDraft } from '../draft/draftText.ts';
import { findingText, plainEnglish, uncheckedText } from '../draft/draftWords.ts';
import { createFactsReader, type KnownFacts, nothingKnown } from '../draft/knownFacts.ts';
import { openSource } from '../openSource.ts';
import type { OpenChain } from '../session/session.ts';
import { toSource } from '../session/source.ts';
import { type Command, readArguments, UsageError } from './cliCommand.ts';

const usage = `Usage: chain-inspector check FILE… --endpoint URL | --state FILE [--format text|json]

Checks drafts of governance proposals against a chain. docs/drafts.md explains each finding. Nothing is sent but questions for
parameters, and no draft leaves this machine.

  --endpoint URL  REST address of a node of the chain
  --state FILE    a genesis or exported state (.json or .json.gz)
  --format F      text (default) or json: a list of {file, line, column, severity, code, message}
  --help          this text

Exit code: 0 no errors, 1 errors found, 2 a file could not be checked, 64 wrong usage.
`;

/** `chain-inspector check`. */
export const checkCommand: Command = {
  summary: 'checks drafts of proposals',
  usage,
  async run(args, signal) {
    const { values, positionals: files } = readArguments(args, {
      endpoint: { type: 'string' },
      state: { type: 'string' },
      format: { type: 'string', default: 'text' },
      help: { type: 'boolean', default: false },
    });
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    const { endpoint, state, format } = values;
    if (files.length === 0) throw new UsageError('Name a FILE.');
    if ((endpoint === undefined) === (state === undefined)) throw new UsageError('Name one --endpoint or one --state.');
    if (format !== 'text' && format !== 'json') throw new UsageError(`--format ${format}: expected text or json.`);
    const chain = await openChain(endpoint ?? pathToFileURL(resolve(state ?? '')).href, signal);
    try {
      return await checkFiles(files, chain, format, signal);
    } finally {
      await chain.dispose();
    }
  },
};

async function openChain(address: string, signal: AbortSignal): Promise<OpenChain> {
  const hooks = { signal, onAnswer: () => undefined };
  return openSource(toSource(address, [], ''), hooks, {
    extensionPath: join(import.meta.dirname, '../..'),
    requestTimeout: () => 30_000,
    network: () => ({}),
    credential: async () => undefined,
    remembered: () => undefined,
    onFacts: () => undefined,
    onRequest: () => undefined,
    onReading: () => undefined,
  });
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
  { node }: OpenChain,
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

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
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
