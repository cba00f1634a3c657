import { parentPort, workerData } from 'node:worker_threads';
import { type ReaderMessage, type ReaderTask, runReader } from './reader.ts';
import { buffersOf } from './state.ts';

/** Entry of the reader's thread. Tables are handed over, so that the other thread need not copy them. */
const task: ReaderTask = workerData;
void runReader(task, (message: ReaderMessage) => {
  if (message.type !== 'parts') parentPort?.postMessage(message);
  else {
    // What goes into an index afterwards has to stay here, too.
    const parts = task.cacheDir === undefined ? message.parts : structuredClone(message.parts);
    parentPort?.postMessage({ type: 'parts', parts }, buffersOf(parts));
  }
});
