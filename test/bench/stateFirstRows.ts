// `node stateFirstRows.ts FILE FOLDER`: opens FILE as the extension does on the first command of a window, then as on later ones, and
// prints the milliseconds until the first page of the supply was there, each time. `bare`: what it takes on this machine, at
// this moment, to pass over the bytes in a thread and to answer one request after that.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bareScan } from './bareScan.ts';
import { loadService } from './builtService.ts';

const [file = '', folder = ''] = process.argv.slice(2);

/** From the command on: the service is loaded on the first one, and the index is kept in `cacheDir`. */
async function open(cacheDir: string): Promise<number> {
  const start = performance.now();
  const service = await loadService().startService({ file, cacheDir });
  const { supply } = JSON.parse(await textOf(`${service.baseUrl}/chain/bank/v1beta1/supply?pagination.limit=50`));
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
  const passed = once(thread, 'message');
  const server = createServer((_, response) => {
    passed.then(
      () => response.end('[]'),
      (error: Error) => response.destroy(error),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address: AddressInfo | string | null = server.address();
  if (typeof address === 'string' || !address) throw new Error('no address');
  await textOf(`http://127.0.0.1:${address.port}/`);
  const ms = performance.now() - start;
  server.close();
  await thread.terminate();
  return ms;
}

function textOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

const first = await open(join(folder, 'first'));
const later = await open(join(folder, 'later'));
const indexed = await open(join(folder, 'later'));
console.log(JSON.stringify({ first, later, indexed, bare: await bare() }));
