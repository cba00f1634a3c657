import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../api/errors.ts';
import { type ExportJob, type ExportMessage, writeStateTables } from './exportTables.ts';
import { findLargestHolders, type HoldersTask } from './largestHolders.ts';
import { type ReaderMessage, type ReaderTask, runReader } from './stateFile.ts';
import { buffersOf } from './table.ts';

/** Entry of the thread that reads a state file, to serve it or to export its tables. */
const task: ReaderTask | ExportJob | HoldersTask = workerData;
if ('folder' in task) void runExport(task);
else if ('denom' in task) void findHolders(task);
else void readState(task);

/** Tables are transferred, so that the other thread need not copy them. */
async function readState(task: ReaderTask): Promise<void> {
  await runReader(task, (message: ReaderMessage) => {
    if (message.type !== 'modules') parentPort?.postMessage(message);
    else {
      // What is written to an index afterwards is needed here, too.
      const modules = task.cacheDir === undefined ? message.modules : structuredClone(message.modules);
      parentPort?.postMessage({ type: 'modules', modules }, buffersOf(modules));
    }
  });
}

/** What fails ends the thread, and is the error of the other one. */
async function findHolders(task: HoldersTask): Promise<void> {
  parentPort?.postMessage(await findLargestHolders(task));
}

/** Any message from the other thread stops the export, which then removes what it has written. */
async function runExport(job: ExportJob): Promise<void> {
  const post = (message: ExportMessage): void => parentPort?.postMessage(message);
  const stopping = new AbortController();
  parentPort?.once('message', () => stopping.abort());
  const onProgress = (bytes: number, size: number): void => post({ type: 'progress', bytes, size });
  try {
    const manifest = await writeStateTables(job, { signal: stopping.signal, onProgress });
    post({ type: 'exported', manifest });
  } catch (error) {
    post({ type: 'failed', text: messageOf(error) });
  } finally {
    parentPort?.close();
  }
}
