import { createHash } from 'node:crypto';
import type { Answer, Ask, Client } from './client.ts';
import type { Operation, Reply, WireMetadata, WireValidator, WireVote } from './contract.ts';
import type { GovForm, SdkVersion } from './dialect.ts';
import { isReplyError } from './errors.ts';
import type { Gov } from './gov.ts';
import type { GovParamsReply, IbcDenom, ListRequest, OptionalRead, VotingPower, WireTally } from './node.ts';
import type { Page, PageRequest } from './pages.ts';
import { readMetadataRows, readValidatorRows, readVoteRows } from './readReply.ts';
import { isMissing, isNotOffered, isVoteMissing } from './replyFaults.ts';
import { pageQuery, toPage } from './supply.ts';
import type { Fields } from './wireValues.ts';

/** Where voting power may come from, the commonest first (docs/governance.md). */
const powerModules = ['staking', 'mstaking', 'poa'] as const;

/**
 * Modules whose parameters are not at the path of their package: package, or its beginning, to path. CosmWasm/wasmd
 * proto/cosmwasm/wasm/v1/query.proto; cosmos/ibc-go proto/ibc/applications; osmosis-labs/osmosis proto/osmosis/poolincentives.
 */
const paramsPaths: readonly (readonly [packagePrefix: string, path: string])[] = [
  ['cosmwasm.wasm.', 'cosmwasm/wasm/{rest}/codes'],
  ['ibc.applications.', 'ibc/apps/{rest}'],
  ['osmosis.poolincentives.', 'osmosis/pool-incentives/{rest}'],
];

/** Packages of the subspaces that legacy parameter changes name (docs/nodes.md#module-params). */
const packages: Readonly<Record<string, string>> = {
  auth: 'cosmos.auth.v1beta1',
  bank: 'cosmos.bank.v1beta1',
  distribution: 'cosmos.distribution.v1beta1',
  mint: 'cosmos.mint.v1beta1',
  slashing: 'cosmos.slashing.v1beta1',
  staking: 'cosmos.staking.v1beta1',
  transfer: 'ibc.applications.transfer.v1',
  wasm: 'cosmwasm.wasm.v1',
};

/** Milliseconds that are waited for the version, which only saves requests. */
const versionTimeout = 5000;

/** Reads that a node may not offer. Each is undefined where it does not, and rejects as `Client.get` does. */
export class OptionalReads {
  readonly #client: Client;
  readonly #gov: Gov;
  #isVersionAsked = false;

  constructor(client: Client, gov: Gov) {
    this.#client = client;
    this.#gov = gov;
  }

  async optional<O extends OptionalRead>(
    read: O,
    ask: Pick<Ask<O>, 'params' | 'query'> = {},
    signal?: AbortSignal,
  ): Promise<Reply<O> | undefined> {
    return (await this.#get(read, { ...ask, signal }))?.reply;
  }

  /** Version and chain id of the node, which are kept. */
  async nodeInfo(signal?: AbortSignal): Promise<Reply<'nodeInfo'> | undefined> {
    const info = (await this.#get('nodeInfo', { signal }))?.reply;
    const sdkVersion = info?.application_version?.cosmos_sdk_version || undefined;
    const chainId = info?.default_node_info?.network || undefined;
    this.#client.memory.learn({ ...(sdkVersion ? { sdkVersion } : {}), ...(chainId ? { chainId } : {}) });
    return info;
  }

  /** The SDK version, asked for once; services of the contract under `chain` are not asked. Rejects only when `signal` fires. */
  async version(signal: AbortSignal | undefined): Promise<SdkVersion | undefined> {
    const { memory } = this.#client;
    if (memory.facts.sdkVersion !== undefined || memory.facts.segment === 'chain' || this.#isVersionAsked) {
      return memory.version;
    }
    // Not AbortSignal.timeout, whose timer would outlive the node.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), versionTimeout);
    try {
      await this.nodeInfo(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } catch {
      signal?.throwIfAborted();
    } finally {
      clearTimeout(timer);
    }
    this.#isVersionAsked = true;
    return memory.version;
  }

  async denomsMetadata(request: PageRequest, signal?: AbortSignal): Promise<Page<WireMetadata> | undefined> {
    const { height } = request;
    const answer = await this.#get('denomsMetadata', { query: pageQuery(request), height, signal });
    if (!answer) return undefined;
    const { rows, faults } = readMetadataRows(answer.reply.metadatas, answer.mask);
    return toPage(rows, answer.reply.pagination, request, { ...answer.info, faults });
  }

  /** A tally whose fields are not understood is not offered, never zero. */
  async tally(id: bigint, signal?: AbortSignal): Promise<WireTally | undefined> {
    const form = await this.#form(signal);
    if (form === undefined) return undefined;
    const ask = { params: { proposalId: String(id) }, signal };
    try {
      if ((await this.#powerModule(signal)) === 'mstaking') {
        const initia = (await this.#get('tallyInitia', ask))?.reply.tally_result;
        if (initia) return { ...fromV1(initia.v1_tally_result), power: sumOfPowers(initia) };
      }
      const v1 = form === 'v1' ? await this.#get('tallyV1', ask) : undefined;
      if (v1) return fromV1(v1.reply.tally);
      return (await this.#get('tally', ask))?.reply.tally;
    } catch (error) {
      if (isReplyError(error) && error.code === 'shape') return undefined;
      throw error;
    }
  }

  async vote(id: bigint, voter: string, signal?: AbortSignal): Promise<WireVote | undefined> {
    const ask = { params: { proposalId: String(id), voter }, signal };
    try {
      const v1 = (await this.#form(signal)) === 'v1' ? await this.#get('voteV1', ask) : undefined;
      return (v1 ?? (await this.#get('vote', ask)))?.reply.vote;
    } catch (error) {
      if (isVoteMissing(error)) return undefined;
      throw error;
    }
  }

  async votes(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<WireVote> | undefined> {
    const { height } = request;
    const ask = { params: { proposalId: String(id) }, query: pageQuery(request), height, signal };
    const v1 = (await this.#form(signal)) === 'v1' ? await this.#get('votesV1', ask) : undefined;
    const answer = v1 ?? (await this.#get('votes', ask));
    if (!answer) return undefined;
    const { rows, faults } = readVoteRows(answer.reply.votes, answer.mask);
    return toPage(rows, answer.reply.pagination, request, { ...answer.info, faults });
  }

  async validators(request: ListRequest, signal?: AbortSignal): Promise<Page<WireValidator> | undefined> {
    const query = { ...pageQuery(request), status: 'BOND_STATUS_BONDED' };
    const answer = await this.#get('validators', { query, height: request.height, signal });
    if (!answer) return undefined;
    const { rows, faults } = readValidatorRows(answer.reply.validators, answer.mask);
    return toPage(rows, answer.reply.pagination, request, { ...answer.info, faults });
  }

  /** Gov v1 gives all parameters at once since 0.47; before that, and in v1beta1, one kind at a time (docs/nodes.md#gov-params). */
  async govParams(signal?: AbortSignal): Promise<GovParamsReply | undefined> {
    const form = await this.#form(signal);
    if (form === undefined) return undefined;
    const v1 = form === 'v1' ? await this.#get('govParamsV1', { params: { kind: 'tallying' }, signal }) : undefined;
    if (v1?.reply.params) return this.#moreParams(v1.reply.params, signal);
    const kind = async (word: string) => {
      const ask = { params: { kind: word }, signal };
      const old = await this.#get('govParams', ask);
      return old ? old.reply : form === 'v1' ? (await this.#get('govParamsV1', ask))?.reply : undefined;
    };
    const tally = (await kind('tallying'))?.tally_params;
    if (!tally) return undefined;
    const [voting, deposit] = await Promise.all([kind('voting'), kind('deposit')]);
    return { tally, voting: voting?.voting_params ?? undefined, deposit: deposit?.deposit_params ?? undefined };
  }

  /** What AtomOne and Initia state beside the parameters. */
  async #moreParams(v1: Fields, signal: AbortSignal | undefined): Promise<GovParamsReply> {
    if ('quorum_range' in v1) return { v1, quorums: (await this.#get('govQuorums', { signal }))?.reply };
    if ((await this.#powerModule(signal)) !== 'mstaking') return { v1 };
    return { v1: { ...v1, ...(await this.#get('govParamsInitia', { signal }))?.reply.params } };
  }

  async votingPower(signal?: AbortSignal): Promise<VotingPower | undefined> {
    const known = this.#client.memory.facts.power;
    if (known === 'none') return undefined;
    for (const module of known ? [known] : powerModules) {
      const total = await this.#powerOf(module, signal);
      if (total === undefined) continue;
      this.#client.memory.learn({ power: module });
      return { module, total: total === '' ? undefined : total };
    }
    this.#client.memory.learn({ power: 'none' });
    return undefined;
  }

  /** "" where the module has no single number; undefined where it is not offered. */
  async #powerOf(module: VotingPower['module'], signal: AbortSignal | undefined): Promise<string | undefined> {
    switch (module) {
      case 'staking':
        return (await this.#get('stakingPool', { signal }))?.reply.pool.bonded_tokens;
      case 'mstaking': {
        const coins = (await this.#get('mstakingPool', { signal }))?.reply.pool.bonded_tokens;
        return coins && (coins.length === 1 ? coins[0]?.amount : '');
      }
      case 'poa':
        return (await this.#get('totalPower', { signal }))?.reply.total_power;
      default:
        return module satisfies never;
    }
  }

  /** The form of gov; v1 where proposals are not offered in any. Undefined where the chain has no gov module. */
  async #form(signal: AbortSignal | undefined): Promise<GovForm | undefined> {
    try {
      return await this.#gov.form(signal);
    } catch (error) {
      if (isNotOffered(error)) return 'v1';
      throw error;
    }
  }

  async #powerModule(signal: AbortSignal | undefined): Promise<VotingPower['module'] | 'none' | undefined> {
    if (this.#client.memory.facts.power === undefined) await this.votingPower(signal);
    return this.#client.memory.facts.power;
  }

  /** The parameters of a protobuf package, as its own `/params` gives them. */
  async moduleParams(protoPackage: string, signal?: AbortSignal): Promise<Fields | undefined> {
    if (!/^[a-z]\w{0,50}(\.[a-z]\w{0,50}){1,6}$/.test(protoPackage)) return undefined;
    if (protoPackage === 'cosmos.gov.v1') return (await this.govParams(signal))?.v1;
    const exception = paramsPaths.find(([prefix]) => protoPackage.startsWith(prefix));
    const rest = (exception ? protoPackage.slice(exception[0].length) : protoPackage).replaceAll('.', '/');
    const module = exception ? exception[1].replace('{rest}', rest) : rest;
    const isSdk = module.startsWith('cosmos/');
    const ask = { params: { module: isSdk ? module.slice('cosmos/'.length) : module }, signal };
    const answer = isSdk
      ? await this.#client.optional('moduleParams', ask, `params of ${module}`)
      : await this.#client.optional('otherModuleParams', ask, `params of ${module}`);
    return answer?.reply.params ?? undefined;
  }

  /** From the module itself where it is known; else from the legacy query, which is "" for what it does not hold. */
  async param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined> {
    const protoPackage = packages[subspace];
    const params = protoPackage && (await this.moduleParams(protoPackage, signal));
    const plain = (name: string) => name.toLowerCase().replaceAll('_', '');
    const own = params && Object.entries(params).find(([name]) => plain(name) === plain(key));
    if (own) return JSON.stringify(own[1]);
    const legacy = await this.#get('param', { query: { subspace, key }, signal });
    return legacy?.reply.param.value || undefined;
  }

  async ibcDenom(hash: string, signal?: AbortSignal): Promise<IbcDenom | undefined> {
    const ask = { params: { hash }, signal };
    const checked = (path: string, base: string) => (ibcHash(path, base) === hash ? { path, base } : undefined);
    try {
      const denom = (await this.#get('ibcDenom', ask))?.reply.denom;
      const hops = denom?.trace?.map(({ port_id, channel_id }) => `${port_id}/${channel_id}`);
      if (denom) return checked(hops?.join('/') ?? '', denom.base);
      const trace = (await this.#get('ibcDenomTrace', ask))?.reply.denom_trace;
      return trace && checked(trace.path, trace.base_denom);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #get<O extends Operation>(operation: O, ask: Ask<O>): Promise<Answer<O> | undefined> {
    return this.#client.optional(operation, ask);
  }
}

/** docs/nodes.md#ibc-denoms. */
function ibcHash(path: string, base: string): string {
  return createHash('sha256').update(`${path}/${base}`).digest('hex').toUpperCase();
}

function fromV1(tally: Reply<'tallyV1'>['tally']): WireTally {
  return {
    yes: tally.yes_count,
    abstain: tally.abstain_count,
    no: tally.no_count,
    no_with_veto: tally.no_with_veto_count ?? '0',
  };
}

/** Initia: the power of bonded validators and of the unclaimed vesting of those who voted; undefined where not whole numbers. */
function sumOfPowers({
  total_staking_power,
  total_vesting_power,
}: Reply<'tallyInitia'>['tally_result']): string | undefined {
  const powers = [total_staking_power, total_vesting_power || '0'].map(
    (text) => /^(\d{1,100})(\.\d{1,18})?$/.exec(text)?.[1],
  );
  const [staked, vesting] = powers;
  return staked === undefined || vesting === undefined ? undefined : String(BigInt(staked) + BigInt(vesting));
}
