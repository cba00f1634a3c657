// `node stateFirstRows.ts FILE FOLDER`: opens FILE as the extension does on the first command of a window, then as on later ones, and
// prints the milliseconds until the first page of the supply was there, each time. `bare`: what it takes on this machine, at
// this moment, to pass over the bytes in a thread.
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bareScan } from './bareScan.ts';
import { loadService } from './builtService.ts';

const [file = '', folder = ''] = process.argv.slice(2);

/** From the command on: the service is loaded on the first one, and the index is kept in `cacheDir`. */
async function open(cacheDir: string): Promise<number> {
  const start = performance.now();
  const service = loadService().startService({ file, cacheDir });
  const { body } = await service.answer({ path: '/chain/bank/v1beta1/supply', query: 'pagination.limit=50' });
  const { supply } = JSON.parse(body.toString());
  const ms = performance.now() - start;
  if (supply.length !== 50) throw new Error(`${supply.length} rows`);
  await service.ready;
  await service.dispose();
  return ms;
}

const bareThread = `
  const { closeSync, openSync, readSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  ${bareScan}
  parentPort.postMessage(bareScan(workerData));
`;

async function bare(): Promise<number> {
  const start = performance.now();
  const thread = new Worker(bareThread, { eval: true, workerData: file });
  await once(thread, 'message');
  const ms = performance.now() - start;
  await thread.terminate();
  return ms;
}

const first = await open(join(folder, 'first'));
const later = await open(join(folder, 'later'));
const indexed = await open(join(folder, 'later'));
console.log(JSON.stringify({ first, later, indexed, bare: await bare() }));
