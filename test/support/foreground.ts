import { type ProcessOptions, startProcess } from './startProcess.ts';

export interface ForegroundOptions extends Omit<ProcessOptions, 'output'> {
  /** `together` shows what the program prints when it has ended, in one piece; else it is shown as it comes. */
  readonly output?: 'inherit' | 'together';
}

/**
 * Runs a program with its output shown, to its end, and gives its exit code. An abort of `stop` sends it SIGTERM and
 * waits for its end.
 */
export async function foreground(
  command: string,
  args: readonly string[],
  stop: AbortSignal,
  options: ForegroundOptions = {},
): Promise<number> {
  const { output, ...others } = options;
  const running = startProcess(command, args, { ...others, output: output === 'together' ? 'pipe' : 'inherit' });
  const end = () => void running.dispose();
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  return running.exited.finally(() => {
    stop.removeEventListener('abort', end);
    process.stdout.write(running.output());
  });
}
