// `node stateFirstRows.ts FILE FOLDER`: opens FILE as the extension does on the first command of a window, then as on later ones, and
// prints the milliseconds until the first page of the supply was there, each time.
import { get } from 'node:http';
import { join } from 'node:path';
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
console.log(JSON.stringify({ first, later, indexed }));
