import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DenomUnit } from '../chain/coin.ts';

/**
 * What the registry says of the denoms of one chain; empty where it does not know the chain. Reads `denoms.json` beside the
 * bundle, so only when the supply of a known chain is first shown (decision 22). Throws where the file cannot be read.
 */
export async function loadDenomUnits(dir: string, chainId: string): Promise<Map<string, DenomUnit>> {
  const path = join(dir, 'denoms.json');
  const table: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isRecord(table)) throw new Error(`The list of known denoms is damaged: ${path}. Install the extension again.`);
  const units = Object.hasOwn(table, chainId) ? table[chainId] : undefined;
  return new Map(isRecord(units) ? Object.entries(units).flatMap(toEntry) : []);
}

function toEntry([denom, unit]: [string, unknown]): [string, DenomUnit][] {
  if (!Array.isArray(unit)) return [];
  const [symbol, exponent]: unknown[] = unit;
  return typeof symbol === 'string' && typeof exponent === 'number' && Number.isInteger(exponent) && exponent >= 0
    ? [[denom, { symbol, exponent, source: 'registry' }]]
    : [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
