import { isApiError, lowestHeight } from '../api/errors.ts';
import type { BlockHeader, ChainNode } from '../api/node.ts';
import type { Fields } from '../api/wireValues.ts';
import { accountPrefix, readBech32 } from '../chain/address.ts';
import { type Coin, shownName } from '../chain/coin.ts';
import { toCoin, toVoteFacts } from '../chain/fromWire.ts';
import type { GovParams } from '../chain/params.ts';
import type { VoteFacts } from '../chain/rules.ts';

/**
 * What is known of the chain that a draft is checked against, all of it at one time; undefined, or absent from a map, is
 * what could not be asked or was not asked. Nothing here is guessed.
 */
export interface KnownFacts {
  /** `cosmoshub-4`. */
  readonly chainId?: string | undefined;
  /** When this was read, by this machine's clock. */
  readonly readAt?: Date | undefined;
  /** The last block, and its time. */
  readonly height?: bigint | undefined;
  readonly time?: Date | undefined;
  /** Seconds from one block to the next, measured over many. */
  readonly blockSeconds?: number | undefined;
  /** Over how many. */
  readonly measuredBlocks?: number | undefined;
  /** What the node calls its SDK: `v0.53.8`. Forks have versions of their own. */
  readonly sdkVersion?: string | undefined;
  /** Whether the node offers gov v1, and with it proposals of messages. */
  readonly hasGovV1?: boolean | undefined;
  /** Empty where the chain has no gov module. */
  readonly govParams?: GovParams | undefined;
  /** What a vote would be judged by today. */
  readonly votes?: VoteFacts | undefined;
  /** Address of the account of the gov module, as the chain names it. */
  readonly govAccount?: string | undefined;
  /** What addresses of accounts begin with: `cosmos`. */
  readonly prefix?: string | undefined;
  /** Account address of a module → its name. */
  readonly moduleAccounts?: ReadonlyMap<string, string> | undefined;
  /** The chain has a module for proof of authority, whose admin may be the authority in place of gov. */
  readonly isProofOfAuthority?: boolean | undefined;
  /** Package (`cosmos.staking.v1beta1`) → today's parameters as its own query answers them. */
  readonly moduleParams: ReadonlyMap<string, Fields>;
  /**
   * `subspace/key` → today's value (a JSON text) of a legacy parameter; "" where the chain answers, but holds none there, null
   * where it has no such subspace.
   */
  readonly legacyParams: ReadonlyMap<string, string | null>;
  /** What the community pool holds, in whole base units. */
  readonly communityPool?: readonly Coin[] | undefined;
  /** Name of an upgrade → the height at which it was applied; 0 for never. */
  readonly appliedPlans: ReadonlyMap<string, bigint>;
}

/** The key of a legacy parameter in `legacyParams`. */
export function legacyName({ subspace, key }: { readonly subspace: string; readonly key: string }): string {
  return `${subspace}/${key}`;
}

/** No chain at all: what is left are the checks of the form. */
export const nothingKnown: KnownFacts = {
  moduleParams: new Map(),
  legacyParams: new Map(),
  appliedPlans: new Map(),
};

/** The rules of gov in their order; each version has those of the versions before it. */
const ages = ['legacy', 'messages', 'titles', 'expedited'] as const;
/** `legacy`: up to SDK 0.45; `messages`: 0.46; `titles`: title and summary are required, 0.47; `expedited`: 0.50. */
export type GovAge = (typeof ages)[number];

/** Which rules of gov a chain has, by what its parameters show, else by its version; undefined where neither is known. */
export function govAge({ govParams, hasGovV1, sdkVersion }: KnownFacts): GovAge | undefined {
  if (govParams?.expeditedVotingPeriod !== undefined && hasGovV1 !== false) return 'expedited';
  if (govParams?.burnVoteVeto !== undefined || govParams?.burnNoThreshold !== undefined) return 'titles';
  const minor = Number(/^v?0\.(\d{2})\./.exec(sdkVersion ?? '')?.[1] ?? Number.NaN);
  if (minor >= 50) return 'expedited';
  if (minor >= 47) return 'titles';
  if (minor === 46) return 'messages';
  return minor <= 45 || hasGovV1 === false ? 'legacy' : undefined;
}

/** Whether the rules of this age hold; undefined where that is not known. */
export function isSince(facts: KnownFacts, age: GovAge): boolean | undefined {
  const known = govAge(facts);
  return known && ages.indexOf(known) >= ages.indexOf(age);
}

/** What the checks of a draft ask of the chain, beside the parameters of gov, its account, the last block and its time. */
export interface DraftNeeds {
  /** Packages whose parameters are compared. */
  readonly packages: readonly string[];
  readonly legacy: readonly { readonly subspace: string; readonly key: string }[];
  /** Names of upgrades. */
  readonly plans: readonly string[];
  readonly pool: boolean;
  /** Whether the time of a block counts. */
  readonly pace: boolean;
}

/** Blocks over which the time of a block is measured, where the node has so many. */
const measuredBlocks = 1000n;

/** Asks each question once. */
function once<T>(): (name: string, ask: () => Promise<T>) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (name, ask) => {
    const answer = asked.get(name) ?? ask();
    asked.set(name, answer);
    return answer;
  };
}

/**
 * Reads what drafts have to be checked against, each fact once; what a node does not offer, or fails to answer, stays unknown.
 * Rejects with an `ApiError` where the first question of all, that for the parameters of gov, fails.
 */
export function createFactsReader(node: ChainNode, signal?: AbortSignal): (needs: DraftNeeds) => Promise<KnownFacts> {
  const [blocks, params] = [once<BlockHeader | undefined>(), once<Fields | undefined>()];
  const [legacy, plans] = [once<string | null | undefined>(), once<bigint | undefined>()];
  const [bases, paces, pools] = [once<BaseFacts>(), once<PaceFacts | undefined>(), once<readonly Coin[] | undefined>()];
  const latest = (): Promise<BlockHeader | undefined> => blocks('', () => soft(node.block('latest', signal)));

  return async ({ packages, legacy: changes, plans: names, pool, pace }) => {
    const changesByName = new Map(changes.map((change) => [legacyName(change), change] as const));
    const base = await bases('', () => readBase(node, latest, signal));
    const head = pace ? await latest() : undefined;
    const coins = pool ? await pools('', () => soft(readPool(node, signal))) : undefined;
    return {
      ...base,
      ...(head && (await paces('', () => measurePace(node, head, signal)))),
      communityPool: coins,
      moduleParams: await answers(packages, (name) => params(name, () => soft(node.moduleParams(name, signal)))),
      appliedPlans: await answers(names, (name) => plans(name, () => soft(node.appliedHeight(name, signal)))),
      legacyParams: await answers([...changesByName.keys()], (name) => {
        const { subspace = '', key = '' } = changesByName.get(name) ?? {};
        return legacy(name, () => soft(node.legacyParam(subspace, key, signal)));
      }),
    };
  };
}

type BaseFacts = Omit<KnownFacts, 'moduleParams' | 'legacyParams' | 'appliedPlans'>;

/** What every draft is checked against. */
async function readBase(
  node: ChainNode,
  latest: () => Promise<BlockHeader | undefined>,
  signal: AbortSignal | undefined,
): Promise<BaseFacts> {
  const reply = await node.govParams(signal);
  const [block, accounts, power] = await Promise.all([
    latest(),
    soft(node.moduleAccounts(signal)),
    soft(node.votingPower(signal)),
    soft(node.nodeInfo(signal)),
  ]);
  // A state file has no blocks, but a height and a clock.
  const page = block ? undefined : await soft(node.supply({ limit: 1 }, signal));
  const govAccount = accounts?.get('gov');
  const read = govAccount === undefined ? undefined : readBech32(govAccount);
  const { gov, sdkVersion, chainId } = node.dialect;
  const votes = toVoteFacts(reply, power, sdkVersion);
  return {
    chainId: chainId ?? block?.chainId,
    readAt: new Date(),
    height: block?.height ?? page?.info.height,
    time: block?.time ?? page?.info.date,
    sdkVersion,
    // What is answered in process serves both forms, whatever the chain did.
    hasGovV1: gov === 'v1beta1' && node.baseUrl !== '' ? false : gov === 'v1' || undefined,
    govParams: votes.params,
    votes,
    govAccount,
    prefix: read && 'prefix' in read ? accountPrefix(read.prefix) : undefined,
    moduleAccounts: accounts && new Map([...accounts].map(([name, address]) => [address, shownName(name)])),
    isProofOfAuthority: power?.module === 'poa' || accounts?.has('poa'),
  };
}

type PaceFacts = Pick<KnownFacts, 'blockSeconds' | 'measuredBlocks'>;

/** Seconds of a block, over the last blocks; undefined where the node does not have them. */
async function measurePace(
  node: ChainNode,
  latest: BlockHeader,
  signal: AbortSignal | undefined,
): Promise<PaceFacts | undefined> {
  const wanted = latest.height > measuredBlocks ? latest.height - measuredBlocks : 1n;
  const first = await node.block(wanted, signal).catch(async (error: unknown) => {
    const lowest = lowestHeight(error);
    if (!isApiError(error) || lowest === undefined) return undefined;
    return soft(node.block(lowest + 1n, signal));
  });
  const blocks = first ? Number(latest.height - first.height) : 0;
  const seconds = (latest.time.getTime() - (first?.time.getTime() ?? 0)) / 1000;
  return blocks > 0 && seconds > 0 ? { blockSeconds: seconds / blocks, measuredBlocks: blocks } : undefined;
}

/** By name what is known; names without an answer are absent. */
async function answers<T>(
  names: readonly string[],
  ask: (name: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const known = new Map<string, T>();
  for (const name of names) {
    const answer = await ask(name);
    if (answer !== undefined) known.set(name, answer);
  }
  return known;
}

/** Undefined where the node fails to answer. */
function soft<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isApiError(error)) return undefined;
    throw error;
  });
}

/** Undefined where the node has no community pool. Rejects as `ChainNode.communityPool` does. */
async function readPool(node: ChainNode, signal: AbortSignal | undefined): Promise<readonly Coin[] | undefined> {
  return (await node.communityPool(signal))?.map(toCoin);
}
