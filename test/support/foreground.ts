import { type ProcessOptions, startProcess } from './startProcess.ts';

/**
 * Runs a program with its output shown, to its end, and gives its exit code. An abort of `stop` sends it SIGTERM and
 * waits for its end.
 */
export async function foreground(
  command: string,
  args: readonly string[],
  stop: AbortSignal,
  options: ProcessOptions = {},
): Promise<number> {
  const running = startProcess(command, args, { output: 'inherit', ...options });
  const end = () => void running.dispose();
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  return running.exited.finally(() => stop.removeEventListener('abort', end));
}
