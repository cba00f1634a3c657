import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderMessage, ReaderTask } from './readerMessages.ts';
import { runReader } from './readerTask.ts';
import { buffersOf } from './stateBuffers.ts';

/** Entry of the reader's thread. What goes into an index afterwards is copied, all else handed over. */
const task: ReaderTask = workerData;
void runReader(task, (message: ReaderMessage) => {
  const isLast = message.type === 'parts' && task.cacheDir === undefined;
  parentPort?.postMessage(message, isLast ? buffersOf(message.parts) : []);
});
