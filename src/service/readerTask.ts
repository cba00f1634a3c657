import type { ReaderMessage, ReaderTask } from './readerMessages.ts';
import type { State } from './state.ts';
import { readState } from './stateFile.ts';

/** Carries out one reading and reports it as messages; the last one is `done` or `failed`. Never rejects. */
export async function runReader(
  task: ReaderTask,
  post: (message: ReaderMessage) => void,
  signal?: AbortSignal,
): Promise<void> {
  let reported = 0;
  try {
    await readState(task.path, {
      rebase: task.rebase,
      signal,
      onPart: (name, part) => {
        const parts: Partial<State> = {};
        parts[name] = part;
        post({ type: 'parts', parts });
      },
      onFault: (part, error) => post({ type: 'fault', part, message: `${task.path}: ${error.message}` }),
      onNotice: (text) => post({ type: 'notice', text }),
      onProgress: (bytes, size) => {
        if (bytes < size && Date.now() - reported < 50) return;
        reported = Date.now();
        post({ type: 'progress', bytes, size });
      },
    });
    post({ type: 'done' });
  } catch (error) {
    post({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}
