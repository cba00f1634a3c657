import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder, startFolder } from '../support/folders.ts';
import { startProcess } from '../support/processes.ts';

/** The embedded service in a process of its own, over a state of `count` coins made here. `url` has no segment. */
export async function startSupplyService(count: number): Promise<{ url: string; dispose(): Promise<void> }> {
  const folder = startFolder('bench');
  const file = join(folder.path, 'state.json');
  const supply = Array.from({ length: count }, (_, n) => ({
    denom: `ibc/${(n * 7919).toString(16).toUpperCase().padStart(64, '0')}`,
    amount: String(BigInt((n % 9) + 1) * 10n ** BigInt(n % 30) + BigInt(n)),
  }));
  const bank = { params: {}, balances: [], supply, denom_metadata: [] };
  await writeFile(file, JSON.stringify({ chain_id: 'bench-1', app_state: { bank, gov: { proposals: [] } } }));
  const service = startProcess(process.execPath, [join(projectFolder, 'src/service/serve.ts'), file]);
  const dispose = async () => {
    await service.dispose();
    folder.dispose();
  };
  const url = await new Promise<string | undefined>((resolve, reject) => {
    const look = () => {
      const found = /at (http:\/\/\S+)\/chain/.exec(service.output())?.[1];
      if (found) resolve(found);
    };
    service.child.stdout?.on('data', look);
    service.exited.then(() => resolve(undefined), reject);
  });
  if (url) return { url, dispose };
  const said = service.output();
  await dispose();
  throw new Error(`The service did not start:\n${said}`);
}
