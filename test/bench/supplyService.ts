import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFolder } from '../support/folders.ts';
import { type Server, startServer } from './servers.ts';

/** The embedded service in a process of its own, over a state of `count` coins made here. */
export async function startSupplyService(count: number): Promise<Server> {
  const folder = startFolder('bench');
  const file = join(folder.path, 'state.json');
  const supply = Array.from({ length: count }, (_, n) => ({
    denom: `ibc/${(n * 7919).toString(16).toUpperCase().padStart(64, '0')}`,
    amount: String(BigInt((n % 9) + 1) * 10n ** BigInt(n % 30) + BigInt(n)),
  }));
  const bank = { params: {}, balances: [], supply, denom_metadata: [] };
  await writeFile(file, JSON.stringify({ chain_id: 'bench-1', app_state: { bank, gov: { proposals: [] } } }));
  try {
    const service = await startServer('stateServer.ts', file);
    const dispose = async () => {
      await service.dispose();
      folder.dispose();
    };
    return { url: service.url, dispose };
  } catch (error) {
    folder.dispose();
    throw error;
  }
}
