import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../api/errors.ts';
import { runSearch, type SearchTask } from './searches.ts';
import { type ReaderMessage, type ReaderTask, runReader } from './stateFile.ts';
import { buffersOf } from './table.ts';
import { type ExportMessage, type TablesExport, writeStateTables } from './tables/exportTables.ts';

/** The entry of a thread that reads a state file, to serve it, to search it or to export its tables. */
const task: ReaderTask | TablesExport | SearchTask = workerData;
if ('folder' in task) void exportTables(task);
else if ('kind' in task) void search(task);
else void readState(task);

/** Reads a state and transfers its tables, so that the other thread need not copy them. */
async function readState(task: ReaderTask): Promise<void> {
  await runReader(task, (message: ReaderMessage) => {
    if (message.type !== 'modules') parentPort?.postMessage(message);
    else {
      // An index that is written afterwards needs the tables here too.
      const modules = task.cacheDir === undefined ? message.modules : structuredClone(message.modules);
      parentPort?.postMessage({ type: 'modules', modules }, buffersOf(modules));
    }
  });
}

/** Sends what a search finds. A failure ends the thread and is the error of the other one. */
async function search(task: SearchTask): Promise<void> {
  parentPort?.postMessage(await runSearch(task));
}

/** Runs an export. Any message from the other thread stops it and removes its files. */
async function exportTables(job: TablesExport): Promise<void> {
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
