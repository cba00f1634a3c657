import { type ParseArgsConfig, parseArgs } from 'node:util';

/** One command of the command line. */
export interface Command {
  /** What it does, in one line. */
  readonly summary: string;
  readonly usage: string;
  /** Resolves with the exit code. Rejects with `UsageError` (exit code 64), or with what could not be done (2). */
  readonly run: (args: readonly string[], signal: AbortSignal) => Promise<number>;
}

/** The command line is wrong: one sentence, which the usage follows. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options and files of a command. Throws `UsageError` for others. */
export function readArguments<O extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
