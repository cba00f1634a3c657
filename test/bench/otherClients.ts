import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Crawler, crawl } from './crawlers.ts';
import { installForBench } from './packages.ts';

/** Published REST clients that we are measured against. 200 MB with what they bring, so no dependencies of the project. */
const packages = ['osmojs@16.15.0', 'secretjs@1.22.1', '@terra-money/feather.js@2.0.4'];

/** The three clients over the same service, `limit` coins a page; none where they cannot be installed. */
export async function otherClients(url: string, limit: number): Promise<readonly Crawler[]> {
  const folder = await installForBench(packages);
  if (folder === undefined) return [];
  const load = createRequire(join(folder, 'package.json'));
  return [await osmojs(load, url, limit), secretjs(load, url, limit), featherjs(load, url, limit)];
}

const coins = z.object({ supply: z.array(z.unknown()), pagination: z.object({ next_key: z.nullable(z.string()) }) });

async function osmojs(load: NodeJS.Require, restEndpoint: string, limit: number): Promise<Crawler> {
  const client = await reach(load('osmojs'), 'cosmos', 'ClientFactory', 'createLCDClient')({ restEndpoint });
  const totalSupply = reach(client, 'cosmos', 'bank', 'v1beta1', 'totalSupply');
  return {
    name: 'osmojs',
    crawl: () =>
      crawl(async (nextKey) => {
        // Its next key is a base64 string, which it would encode once more: it must be handed back as bytes.
        const key = nextKey ? Buffer.from(nextKey, 'base64') : new Uint8Array();
        const pagination = { key, offset: 0n, limit: BigInt(limit), countTotal: false, reverse: false };
        return toPage(await totalSupply({ pagination }));
      }),
    dispose: async () => {},
  };
}

function secretjs(load: NodeJS.Require, url: string, limit: number): Crawler {
  const client: unknown = Reflect.construct(reach(load('secretjs'), 'SecretNetworkClient'), [
    { url, chainId: 'bench-1' },
  ]);
  const totalSupply = reach(client, 'query', 'bank', 'totalSupply');
  return {
    name: 'secretjs',
    crawl: () =>
      crawl(async (key) =>
        toPage(await totalSupply({ pagination: { ...(key ? { key } : {}), limit: String(limit) } })),
      ),
    dispose: async () => {},
  };
}

function featherjs(load: NodeJS.Require, lcd: string, limit: number): Crawler {
  const config = { 'bench-1': { chainID: 'bench-1', lcd, gasAdjustment: 1, gasPrices: {}, prefix: 'cosmos' } };
  const client: unknown = Reflect.construct(reach(load('@terra-money/feather.js'), 'LCDClient'), [config]);
  const total = reach(client, 'bank', 'total');
  return {
    name: '@terra-money/feather.js',
    crawl: () =>
      crawl(async (key) => {
        const page = { ...(key ? { 'pagination.key': key } : {}), 'pagination.limit': String(limit) };
        const [held, pagination] = z.tuple([z.unknown(), z.unknown()]).parse(await total('bench-1', page));
        return toPage({ supply: reach(held, 'toArray')(), pagination });
      }),
    dispose: async () => {},
  };
}

function toPage(reply: unknown) {
  const { supply, pagination } = coins.parse(reply);
  return { rows: supply.length, nextKey: pagination.next_key };
}

/** A function deep in a package without types that we could trust, bound to what holds it. */
function reach(from: unknown, ...names: readonly string[]): (...args: readonly unknown[]) => unknown {
  let holder: unknown;
  let found = from;
  for (const name of names) {
    holder = found;
    found = isHolder(found) ? Reflect.get(found, name) : undefined;
  }
  if (!isFunction(found)) throw new Error(`There is no ${names.join('.')} in this version of the package`);
  return isHolder(holder) && !isClass(found) ? found.bind(holder) : found;
}

function isHolder(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === 'function';
}

function isClass(value: (...args: readonly unknown[]) => unknown): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
