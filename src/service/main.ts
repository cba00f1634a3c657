import { parseArgs } from 'node:util';
import { startService } from './start.ts';

const help = `Usage: serve FILE [--port N]

Serves a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain as read-only REST on 127.0.0.1.
FILE is never written to, and nothing leaves this machine.

  --port N   the port to listen on; 0 or none = a free one
  --help     this text
`;

/** The service from the command line. Resolves with the exit code; a running service ends on SIGINT or SIGTERM. */
async function main(): Promise<number> {
  const { file, port } = readArguments();
  if (file === undefined) {
    process.stdout.write(help);
    return 0;
  }
  const isTerminal = process.stderr.isTTY;
  const service = await startService({
    file,
    port,
    onNotice: (text) => process.stderr.write(`Notice: ${text}\n`),
    onProgress: (bytes, size) => {
      if (isTerminal && size > 0) process.stderr.write(`\rReading ${Math.floor((bytes / size) * 100)} % of ${file} `);
    },
  });
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  try {
    await Promise.race([service.ready, stopped]);
    if (isTerminal) process.stderr.write('\n');
    process.stdout.write(`Serving ${service.chainId || 'a state without a chain id'} at ${service.baseUrl}/chain\n`);
    await stopped;
    return 0;
  } finally {
    await service.dispose();
  }
}

function readArguments(): { file: string | undefined; port: number } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '0' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return { file: undefined, port: 0 };
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error('Expected one FILE. See --help');
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535)
    throw new Error(`--port ${values.port}: expected a number from 0 to 65535`);
  return { file, port: Number(values.port) };
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
