import { join } from 'node:path';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { projectFolder } from '../../support/folders.ts';

/** The built program, for what only a process of its own shows: it starts in half the time that the sources take. */
export const program = join(projectFolder, 'dist/commandLine.cjs');

/** The output of a command line, and its exit code. */
export interface Ended {
  readonly out: string;
  readonly error: string;
  readonly code: number;
}

/**
 * Runs a command line in this process, since another one takes longer to start than most commands. One runs at a time. Each
 * command is also tested once in a process of its own.
 */
export async function runHere(args: readonly string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const names = ['stdout', 'stderr'] as const;
  const writes = names.map((name) => {
    const { write } = process[name];
    process[name].write = (chunk: string | Uint8Array): boolean => {
      written[name] += String(chunk);
      return true;
    };
    return () => {
      process[name].write = write;
    };
  });
  try {
    const code = await runCommandLine(args, new AbortController().signal);
    return { out: written.stdout, error: written.stderr, code };
  } finally {
    for (const restore of writes) restore();
  }
}
