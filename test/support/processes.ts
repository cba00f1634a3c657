import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** `inherit` shows the output of the process. `pipe` (the default) collects it for `output()`. */
  readonly output?: 'inherit' | 'pipe';
  /** `inherit` passes the input of this process on. By default there is no input. */
  readonly input?: 'inherit';
  /** Milliseconds after which the process is ended and the call rejects. */
  readonly timeout?: number;
}

export type RunningProcess = ReturnType<typeof startProcess>;

const guard = join(import.meta.dirname, 'guard.mjs');

/**
 * Starts a program in a process group of its own. Ending it also ends everything it started. A guard (guard.mjs) leads
 * the group, which also ends with this process, in whatever way this ends.
 */
export function startProcess(command: string, args: readonly string[], options: ProcessOptions = {}) {
  const shown = options.output ?? 'pipe';
  const hasInput = options.input === 'inherit';
  const child = spawn(process.execPath, [guard, hasInput ? 'input' : 'none', command, ...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: process.platform !== 'win32',
    stdio: ['pipe', shown, shown, ...(hasInput ? [0] : [])],
  });
  const text: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => text.push(chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => text.push(chunk));

  const endNow = () => endGroup(child, 'SIGKILL');
  process.once('exit', endNow);
  const timer = options.timeout === undefined ? undefined : setTimeout(endNow, options.timeout);
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      endNow();
      resolve(code ?? 1);
    });
  }).finally(() => {
    clearTimeout(timer);
    process.off('exit', endNow);
  });
  exited.catch(() => {});
  const closed = once(child, 'close');
  closed.catch(() => {});

  return {
    child,
    /**
     * Resolves with the exit code when the process has ended. 1 if a signal ended it, 127 if there is no such program.
     */
    exited,
    /** Resolves when the process has ended, and all of its output has arrived. It may arrive later than the end. */
    closed,
    /** The output so far, both streams in their order. */
    output: () => text.join(''),
    /**
     * Resolves with the match of `pattern` when stdout has it. Rejects with the output if the process ends before, or
     * after `timeout`.
     */
    async printed(pattern: RegExp, timeout: number): Promise<RegExpExecArray> {
      const late = AbortSignal.timeout(timeout);
      const ended = exited.then((code) => Promise.reject(new Error(`exit code ${code}`)));
      ended.catch(() => {});
      try {
        for (;;) {
          const match = pattern.exec(text.join(''));
          if (match) return match;
          await Promise.race([once(child.stdout ?? child, 'data', { signal: late }), ended]);
        }
      } catch (error) {
        throw new Error(`\`${command}\` did not print ${pattern} (${error}):\n${text.join('')}`);
      }
    },
    /** Ends the process and every process that it started. Resolves when it is gone. Can be called twice. */
    async dispose(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const gone = once(child, 'exit');
      endGroup(child, 'SIGTERM');
      const grace = setTimeout(endNow, 3000);
      await gone;
      clearTimeout(grace);
    },
  };
}

/** Runs a program to its end. Resolves with its output, and rejects with the output if it fails. */
export async function runProcess(command: string, args: readonly string[], options: ProcessOptions = {}) {
  const running = startProcess(command, args, options);
  const code = await running.exited;
  await running.closed;
  if (code !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` failed (${code}):\n${running.output()}`);
  return running.output();
}

/** Sends a signal to the whole group. The group outlives its leader, so this is also done after the leader's end. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group has no process left.
  }
}

/**
 * Runs a program to its end with visible output. Resolves with its exit code. An abort of `stop` sends SIGTERM, and
 * waits for its end.
 */
export async function foreground(
  command: string,
  args: readonly string[],
  stop: AbortSignal,
  options: Omit<ProcessOptions, 'output'> = {},
): Promise<number> {
  const running = startProcess(command, args, { ...options, output: 'inherit' });
  const end = () => void running.dispose();
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  return running.exited.finally(() => stop.removeEventListener('abort', end));
}
