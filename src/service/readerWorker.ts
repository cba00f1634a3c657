import { parentPort, workerData } from 'node:worker_threads';
import { buffersOf, type ReaderMessage, type ReaderTask, runReader } from './stateFile.ts';

/** Entry of the reader's thread. Tables are transferred, so that the other thread need not copy them. */
const task: ReaderTask = workerData;
void runReader(task, (message: ReaderMessage) => {
  if (message.type !== 'modules') parentPort?.postMessage(message);
  else {
    // What is written to an index afterwards is needed here, too.
    const modules = task.cacheDir === undefined ? message.modules : structuredClone(message.modules);
    parentPort?.postMessage({ type: 'modules', modules }, buffersOf(modules));
  }
});
