import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderMessage, ReaderTask } from './readerMessages.ts';
import { runReader } from './readerTask.ts';
import { buffersOf } from './stateBuffers.ts';

/** Entry of the reader's thread. */
const task: ReaderTask = workerData;
void runReader(task, (message: ReaderMessage) => {
  parentPort?.postMessage(message, message.type === 'parts' ? buffersOf(message.parts) : []);
});
