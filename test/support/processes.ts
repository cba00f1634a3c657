import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** `inherit` shows what the process prints; `pipe` (the default) keeps it for `output()`. */
  readonly output?: 'inherit' | 'pipe';
  /** `inherit`: it reads what this process is given; by default it has no input. */
  readonly input?: 'inherit';
  /** End it, and reject, after this many milliseconds. */
  readonly timeout?: number;
}

export type RunningProcess = ReturnType<typeof startProcess>;

const guard = join(import.meta.dirname, 'guard.mjs');

/**
 * Starts a program in a process group of its own, so that ending it ends all that it started in turn. The group ends
 * with this process too, however this process ends: a guard (guard.mjs) leads it.
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

  return {
    child,
    /** Resolves with the exit code when the process has ended: 1 when a signal ended it, 127 when there is no such program. */
    exited,
    /** All that it has printed so far, both streams as they came. */
    output: () => text.join(''),
    /** Resolves with what `pattern` matched once it was printed to stdout. Rejects with the output when it ends before, or too late. */
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
    /** Ends the process and every process that it started, and resolves when it is gone. Safe to call twice. */
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

/** Runs a program to its end; rejects with what it printed when it fails. Resolves with what it printed. */
export async function runProcess(command: string, args: readonly string[], options: ProcessOptions = {}) {
  const running = startProcess(command, args, options);
  const code = await running.exited;
  if (code !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` failed (${code}):\n${running.output()}`);
  return running.output();
}

/** A signal to the whole group. The group outlives its leader, so this is done after the leader's end as well. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // No process is left in the group.
  }
}

/**
 * Runs a program with its output shown, to its end, and gives its exit code. An abort of `stop` sends it SIGTERM and
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
