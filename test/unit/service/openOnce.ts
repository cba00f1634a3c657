// `node openOnce.ts FILE FOLDER`: opens FILE with its index kept in FOLDER, asks for its supply, and prints what came of it.
import { readdir } from 'node:fs/promises';
import { serveFile } from './serveText.ts';

const [file = '', cacheDir = ''] = process.argv.slice(2);
let steps = 0;
const served = await serveFile(file, { cacheDir, onProgress: () => steps++ });
await served.service.ready;
const { status, body } = await served.ask('bank/v1beta1/supply?pagination.limit=1&pagination.count_total=true');
const { notices } = served.service;
await served.stop();
const kept = await readdir(cacheDir).catch(() => []);
console.log(JSON.stringify({ status, total: Object(body).pagination.total, notices, kept, isFromIndex: steps === 0 }));
