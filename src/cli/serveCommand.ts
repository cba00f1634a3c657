import { once } from 'node:events';
import { serveFile } from '../service/serve.ts';
import { type Given, printNotices, terminalProgress, UsageError } from './cliCommand.ts';

/** `chain-inspector serve`: answers over HTTP until `signal` fires. Rejects with one sentence. */
export async function serve({ operands, values: { port = '0' } }: Given, signal: AbortSignal): Promise<number> {
  const [file = ''] = operands;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--port ${port}: expected a number from 0 to 65535.`);
  if (signal.aborted) return 0;
  const stopped = once(signal, 'abort');
  const service = await serveFile({ file, port: Number(port), onProgress: terminalProgress(file) });
  try {
    await Promise.race([service.ready, stopped]);
    printNotices(service.notices);
    const { baseUrl, chainId } = service;
    process.stdout.write(`Serving ${chainId || 'a state without a chain id'} at ${baseUrl}/chain
  ${baseUrl}/chain/bank/v1beta1/supply
  ${baseUrl}/cosmos/gov/v1/proposals
`);
    await stopped;
    return 0;
  } finally {
    await service.dispose();
  }
}
