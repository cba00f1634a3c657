import { isApiError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { concurrently } from '../api/sharing.ts';
import type { Fields } from '../api/wireValues.ts';

/** Modules that a node is asked for, with their protobuf packages. A state is asked for all that it has. */
const packages: readonly (readonly [module: string, protoPackage: string])[] = [
  ...['auth', 'bank', 'consensus', 'crisis', 'distribution', 'mint', 'protocolpool', 'slashing', 'staking'].map(
    (name) => [name, `cosmos.${name}.${name === 'consensus' || name === 'protocolpool' ? 'v1' : 'v1beta1'}`] as const,
  ),
  ['transfer', 'ibc.applications.transfer.v1'],
  ['client', 'ibc.core.client.v1'],
  ['connection', 'ibc.core.connection.v1'],
  ['channel', 'ibc.core.channel.v1'],
  ['controller', 'ibc.applications.interchain_accounts.controller.v1'],
  ['host', 'ibc.applications.interchain_accounts.host.v1'],
  ['wasm', 'cosmwasm.wasm.v1'],
];

/** The parameters of modules in the form of the chain, in the order of the modules' names. */
export interface SourceParams {
  readonly modules: readonly (readonly [name: string, params: Fields])[];
  /** The height of all of them; undefined where it is not known. */
  readonly height: bigint | undefined;
  /** Modules that could not be read, with the error. */
  readonly failed: readonly (readonly [name: string, error: unknown])[];
}

/**
 * The parameters of all modules of a source, or of `wanted` (`staking`, or a package: `osmosis.mint.v1beta1`). Of a node the usual
 * modules. Rejects as the reads of `ChainNode` where no module could be read.
 */
export async function readSourceParams(
  node: ChainNode,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<SourceParams> {
  const ofState = await node.stateParams(signal);
  const found = new Map(ofState ?? []);
  const failed: (readonly [string, unknown])[] = [];
  const latest = ofState ? undefined : await node.block('latest', signal).catch(() => undefined);
  const pinned = latest ? node.at(latest.height) : node;
  const asked = ofState ? [] : packagesFor(wanted);
  await concurrently(asked, 4, async ([name, protoPackage]) => {
    try {
      const params = name === 'gov' ? await readGov(pinned, signal) : await pinned.moduleParams(protoPackage, signal);
      if (params) found.set(name, params);
    } catch (error) {
      if (!isApiError(error)) throw error;
      failed.push([name, error]);
    }
  });
  const [first] = failed;
  if (found.size === 0 && first) throw first[1];
  const modules = [...found].filter(([name]) => wanted === undefined || name === wanted);
  return { modules: modules.toSorted(([a], [b]) => (a < b ? -1 : 1)), height: latest?.height, failed };
}

function packagesFor(wanted: string | undefined): readonly (readonly [string, string])[] {
  const all = [...packages, ['gov', 'cosmos.gov.v1'] as const];
  if (wanted === undefined) return all;
  const known = all.filter(([name]) => name === wanted);
  return known.length > 0 ? known : [[wanted, wanted.includes('.') ? wanted : `cosmos.${wanted}.v1beta1`]];
}

/** Gov of v1beta1 has its parameters in three groups, which become one object as in gov v1. */
async function readGov(node: ChainNode, signal: AbortSignal): Promise<Fields | undefined> {
  const reply = await node.govParams(signal);
  return reply && (reply.v1 ?? { ...reply.deposit, ...reply.voting, ...reply.tally });
}
