import { join } from 'node:path';
import type { Credential } from '../api/transport/transportTypes.ts';
import { registryUnits } from '../session/registry.ts';
import { type OpenChain, Sessions } from '../session/session.ts';
import { type Source, toSource } from '../session/source.ts';
import { type Given, UsageError } from './cliCommand.ts';
import { packageFolder } from './ownPackage.ts';
import { showBytes } from './terminal.ts';

const sampleName = 'Sample chain';

/**
 * Gives the sources that were given, or else the sample chain. Throws `UsageError` for an invalid address or height.
 */
export function sourcesOf({ addresses, heights, values: { height } }: Given): readonly [Source, ...Source[]] {
  if (heights.length > 1) throw new UsageError('Use --height only once.');
  if (height !== undefined && !/^[1-9]\d{0,18}$/.test(height))
    throw new UsageError(`--height ${height}: expected a block height.`);
  const sources = addresses.map((address) =>
    toSource(height === undefined ? address : `${address}#height=${height}`, new Map(), sampleName),
  );
  for (const source of sources) {
    if (source.kind === 'invalid') throw new UsageError(source.reason);
    if (height !== undefined && source.kind !== 'http') throw new UsageError('--height requires --endpoint.');
  }
  if (height !== undefined && sources.length === 0) throw new UsageError('--height requires --endpoint.');
  const [first = toSource('', new Map(), sampleName), ...others] = sources;
  return [first, ...others];
}

/** Receives the number of bytes of a source's file that were read. */
export type OnBytes = (name: string, bytes: number, size: number, source: Source) => void;

/**
 * Makes sessions for the sources that were given. None is open yet. `onChanged` is called once each time a state file
 * was replaced and is opened again. Throws `UsageError` for a header that cannot be sent.
 */
export function openSessions(
  given: Given,
  onBytes: OnBytes = showBytes,
  onChanged: (source: Source) => void = () => undefined,
): Sessions {
  const credential = credentialOf(given);
  return new Sessions({
    open: async (source, hooks): Promise<OpenChain> => {
      const { openSource } = await import('../openSource.ts');
      return openSource(source, hooks, {
        extensionPath: packageFolder,
        requestTimeout: () => 30_000,
        network: () => ({}),
        credential: async () => credential,
        remembered: () => undefined,
        onTraits: () => undefined,
        onRequest: () => undefined,
        oneOrigin: true,
        onReading: (file) => {
          file.onProgress((bytes, size) => onBytes(file.name, bytes, size, source));
          file.onChanged(() => onChanged(source));
        },
      });
    },
    pageSize: () => 50,
    knownUnits: (source, node, signal) => registryUnits(join(packageFolder, 'dist'), source, node, signal),
  });
}

/**
 * Gives the credential. A header goes to one endpoint only. Its value comes from the environment, because other users
 * see command lines.
 */
function credentialOf({ addresses, values: { 'header-env': given } }: Given): Credential | undefined {
  if (given === undefined) return undefined;
  const [, name, variable] = /^([\w-]+)=(\w+)$/.exec(given) ?? [];
  if (name === undefined || variable === undefined)
    throw new UsageError(
      `--header-env ${given}: expected the name of a header, "=" and the name of an environment variable.`,
    );
  if (addresses.length !== 1 || !/^http/i.test(addresses[0] ?? ''))
    throw new UsageError('--header-env requires exactly one --endpoint.');
  const value = process.env[variable];
  if (!value) throw new UsageError(`--header-env: the environment variable ${variable} is not set.`);
  return { name, value };
}
