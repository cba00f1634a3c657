import { isApiError } from '../api/errors.ts';
import type { ChainNode, SendEnabled } from '../api/node.ts';
import { concurrently } from '../api/sharing.ts';
import type { Fields } from '../chain/fields.ts';

/** The modules that a node is asked for, with their protobuf packages. A state is asked for all of its modules. */
const packages: readonly (readonly [module: string, protoPackage: string])[] = [
  ...['auth', 'bank', 'consensus', 'crisis', 'distribution', 'mint', 'protocolpool', 'slashing', 'staking'].map(
    (name) => [name, `cosmos.${name}.${name === 'consensus' || name === 'protocolpool' ? 'v1' : 'v1beta1'}`] as const,
  ),
  ['upgrade', 'cosmos.upgrade.v1beta1'],
  ['transfer', 'ibc.applications.transfer.v1'],
  ['client', 'ibc.core.client.v1'],
  ['connection', 'ibc.core.connection.v1'],
  ['channel', 'ibc.core.channel.v1'],
  ['controller', 'ibc.applications.interchain_accounts.controller.v1'],
  ['host', 'ibc.applications.interchain_accounts.host.v1'],
  ['wasm', 'cosmwasm.wasm.v1'],
];

/** The parameters of modules in the form of the chain, in the order of the modules' names. */
interface SourceParams {
  readonly modules: readonly (readonly [name: string, params: Fields])[];
  /** The height of all of them; undefined if it is not known. */
  readonly height: bigint | undefined;
  /** The modules that could not be read, with the error. */
  readonly failed: readonly (readonly [name: string, error: unknown])[];
}

/**
 * Reads the parameters of all modules of a source, or of `wanted` (`staking`, or a package: `osmosis.mint.v1beta1`) in
 * small or capital letters. A node is asked for the usual modules, at `height` or else at its latest one. Rejects like the reads of `ChainNode` if
 * no module could be read.
 */
export async function readSourceParams(
  node: ChainNode,
  wanted: string | undefined,
  signal: AbortSignal,
  height?: bigint,
): Promise<SourceParams> {
  const ofState = await node.stateParams(signal);
  const found = new Map(ofState ?? []);
  const failed: (readonly [string, unknown])[] = [];
  const latest = ofState || height ? undefined : await node.block('latest', signal).catch(() => undefined);
  const own = ofState ? undefined : (height ?? latest?.height);
  const pinned = own ? node.at(own) : node;
  const asked = ofState ? [] : packagesFor(wanted);
  await concurrently(asked, 4, async ([name, protoPackage]) => {
    try {
      const params = await readModule(pinned, name, protoPackage, signal);
      if (params) found.set(name, params);
    } catch (error) {
      if (!isApiError(error)) throw error;
      failed.push([name, error]);
    }
  });
  const bank = found.get('bank');
  if (bank && (wanted === undefined || isSame(wanted, 'bank')))
    try {
      found.set('bank', withSendEnabled(bank, await pinned.sendEnabled(signal)));
    } catch (error) {
      if (!isApiError(error)) throw error;
      failed.push(['bank', error]);
    }
  const [first] = failed;
  if (found.size === 0 && first) throw first[1];
  const modules = [...found].filter(([name]) => wanted === undefined || isSame(name, wanted));
  return { modules: modules.toSorted(([a], [b]) => (a < b ? -1 : 1)), height: own, failed };
}

function packagesFor(wanted: string | undefined): readonly (readonly [string, string])[] {
  const all = [...packages, ['gov', 'cosmos.gov.v1'] as const];
  if (wanted === undefined) return all;
  const known = all.filter(([name]) => isSame(name, wanted));
  const name = wanted.toLowerCase();
  return known.length > 0 ? known : [[name, name.includes('.') ? name : `cosmos.${name}.v1beta1`]];
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

async function readModule(
  node: ChainNode,
  name: string,
  protoPackage: string,
  signal: AbortSignal,
): Promise<Fields | undefined> {
  if (name === 'gov') return readGov(node, signal);
  if (name !== 'upgrade') return node.moduleParams(protoPackage, signal);
  // The module has no parameters, but one plan.
  const plan = await node.currentPlan(signal);
  return plan === undefined ? undefined : { plan };
}

/** Adds the list by denom. Since SDK 0.47, it stands beside the parameters of the bank module, where it is empty. */
function withSendEnabled(params: Fields, listed: readonly SendEnabled[] | undefined): Fields {
  return listed && listed.length > 0 ? { ...params, send_enabled: listed } : params;
}

/** Reads gov. V1beta1 has its parameters in three groups, which become one object like in gov v1. */
async function readGov(node: ChainNode, signal: AbortSignal): Promise<Fields | undefined> {
  const reply = await node.govParams(signal);
  return reply && (reply.v1 ?? { ...reply.deposit, ...reply.voting, ...reply.tally });
}
