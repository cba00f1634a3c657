import { createHash } from 'node:crypto';
import type { Client } from './client.ts';
import { metadataSchema, type Reply, validatorSchema, voteSchema } from './contract.ts';
import type { GovForm, SdkVersion } from './dialect.ts';
import { isReplyError } from './errors.ts';
import type { Gov } from './gov.ts';
import { type ListRequest, type PageRequest, pageQuery, toPage } from './pages.ts';
import { readRows } from './readReply.ts';
import { isMissing, isVoteMissing } from './replyFaults.ts';
import type { Fields } from './wireValues.ts';

/**
 * Votes in base units, as digits; `no_with_veto` is "0" where the chain has no veto. `power`: what turnout is measured against,
 * where the tally itself states it (Initia).
 */
type WireTally = Reply<'tally'>['tally'] & { readonly power?: string | undefined };

/** Where voting power may come from, the commonest first (docs/governance.md). */
const powerModules = ['staking', 'mstaking', 'poa'] as const;

/** What turnout is measured against, and the module that states it. */
export interface VotingPower {
  /** Digits; undefined where the module has no single number (stake of several denoms). */
  readonly total: string | undefined;
  readonly module: (typeof powerModules)[number];
}

/**
 * Gov parameters in whatever form the node has them: `v1` is the whole `params` object of gov v1 (with what Initia adds to it),
 * `voting`, `deposit` and `tally` are the groups of v1beta1.
 */
export interface GovParamsReply {
  readonly v1?: Fields | undefined;
  readonly voting?: Fields | undefined;
  readonly deposit?: Fields | undefined;
  readonly tally?: Fields | undefined;
  /** The quorums of today where the chain states them apart (AtomOne): `quorum`, `law_quorum`, `constitution_amendment_quorum`. */
  readonly quorums?: Fields | undefined;
}

/** Where an `ibc/…` denom comes from: `transfer/channel-0`, nearest hop first, and the denom at its origin. */
export interface IbcDenom {
  readonly path: string;
  readonly base: string;
}

/**
 * Modules whose parameters are not at the path of their package: package, or its beginning, to path. CosmWasm/wasmd
 * proto/cosmwasm/wasm/v1/query.proto; cosmos/ibc-go proto/ibc/applications; osmosis-labs/osmosis proto/osmosis/poolincentives.
 */
const paramsPaths: readonly (readonly [packagePrefix: string, path: string])[] = [
  ['cosmwasm.wasm.', 'cosmwasm/wasm/{rest}/codes'],
  ['ibc.applications.', 'ibc/apps/{rest}'],
  ['osmosis.poolincentives.', 'osmosis/pool-incentives/{rest}'],
];

/** Packages of the subspaces of legacy parameters that are not `cosmos.<subspace>.v1beta1` (docs/nodes.md#module-params). */
const packages: ReadonlyMap<string, string> = new Map([
  ['transfer', 'ibc.applications.transfer.v1'],
  ['wasm', 'cosmwasm.wasm.v1'],
]);

/** Reads that a node may not offer: they are undefined where it does not, which is remembered, and reject as `Client.get` does. */
export function createOptionalReads(client: Client, gov: Gov) {
  const { memory, optional: get } = client;
  let isVersionAsked = false;

  async function inForm<T>(read: (form: GovForm) => Promise<T | undefined>, signal: AbortSignal | undefined) {
    const v1 = (await gov.form(signal)) === 'v1' ? await read('v1') : undefined;
    return v1 ?? read('v1beta1');
  }

  /** "" where the module has no single number; undefined where it is not offered. */
  const powerOf: Readonly<Record<VotingPower['module'], (signal?: AbortSignal) => Promise<string | undefined>>> = {
    staking: async (signal) => (await get('stakingPool', { signal }))?.reply.pool.bonded_tokens,
    mstaking: async (signal) => {
      const coins = (await get('mstakingPool', { signal }))?.reply.pool.bonded_tokens;
      return coins && (coins.length === 1 ? coins[0]?.amount : '');
    },
    poa: async (signal) => (await get('totalPower', { signal }))?.reply.total_power,
  };

  async function isInitia(signal: AbortSignal | undefined): Promise<boolean> {
    if (memory.facts.power === undefined) await reads.votingPower(signal);
    return memory.facts.power === 'mstaking';
  }

  const reads = {
    async nodeInfo(signal?: AbortSignal): Promise<Reply<'nodeInfo'> | undefined> {
      const info = (await get('nodeInfo', { signal }))?.reply;
      const sdkVersion = info?.application_version?.cosmos_sdk_version || undefined;
      const chainId = info?.default_node_info?.network || undefined;
      memory.learn({ ...(sdkVersion ? { sdkVersion } : {}), ...(chainId ? { chainId } : {}) });
      return info;
    },

    /** The SDK version, asked for once; services of the contract under `chain` are not asked. Rejects only when `signal` fires. */
    async version(signal: AbortSignal | undefined): Promise<SdkVersion | undefined> {
      const { facts } = memory;
      if (facts.sdkVersion !== undefined || facts.segment === 'chain' || isVersionAsked) return memory.version;
      // 5 s at most, since it only saves requests. Not AbortSignal.timeout, whose timer would outlive the node.
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), 5000);
      try {
        await reads.nodeInfo(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
      } catch {
        signal?.throwIfAborted();
      } finally {
        clearTimeout(timer);
      }
      isVersionAsked = true;
      return memory.version;
    },

    async denomsMetadata(request: PageRequest, signal?: AbortSignal) {
      const answer = await get('denomsMetadata', { query: pageQuery(request), height: request.height, signal });
      return answer && toPage(answer, readRows(answer.reply.metadatas, metadataSchema, 'base', answer.mask), request);
    },

    /** The running tally of an open vote. A tally whose fields are not understood is not offered, never zero. */
    async tally(id: bigint, signal?: AbortSignal): Promise<WireTally | undefined> {
      if ((await gov.form(signal)) === undefined) return undefined;
      const proposalId = String(id);
      try {
        if (await isInitia(signal)) {
          const initia = (await get('tallyInitia', { params: { proposalId }, signal }))?.reply.tally_result;
          if (initia) return { ...initia.v1_tally_result, power: sumOfPowers(initia) };
        }
        return (await inForm((form) => get('tally', { params: { form, proposalId }, signal }), signal))?.reply.tally;
      } catch (error) {
        if (isReplyError(error) && error.code === 'shape') return undefined;
        throw error;
      }
    },

    /** The vote of an account; undefined where it has not voted, voting is over or there is no such proposal. */
    async vote(id: bigint, voter: string, signal?: AbortSignal) {
      const params = { proposalId: String(id), voter };
      try {
        return (await inForm((form) => get('vote', { params: { ...params, form }, signal }), signal))?.reply.vote;
      } catch (error) {
        if (isVoteMissing(error)) return undefined;
        throw error;
      }
    },

    /** By the bytes of the voters' addresses; empty where voting is over or there is no such proposal. */
    async votes(id: bigint, request: ListRequest, signal?: AbortSignal) {
      const ask = { query: pageQuery(request), height: request.height, signal };
      const read = (form: GovForm) => get('votes', { ...ask, params: { proposalId: String(id), form } });
      const answer = await inForm(read, signal);
      return answer && toPage(answer, readRows(answer.reply.votes, voteSchema, 'voter', answer.mask), request);
    },

    async validators(request: ListRequest, signal?: AbortSignal) {
      const query = { ...pageQuery(request), status: 'BOND_STATUS_BONDED' };
      const answer = await get('validators', { query, height: request.height, signal });
      if (!answer) return undefined;
      const read = readRows(answer.reply.validators, validatorSchema, 'operator_address', answer.mask);
      return toPage(answer, read, request);
    },

    /** Gov v1 gives all parameters at once since 0.47; before that, one kind at a time (docs/nodes.md#gov-params). */
    async govParams(signal?: AbortSignal): Promise<GovParamsReply | undefined> {
      if ((await gov.form(signal)) === undefined) return undefined;
      const group = async (kind: string) =>
        (await inForm((form) => get('govParams', { params: { form, kind }, signal }), signal))?.reply;
      const { params: v1, tally_params: tally } = (await group('tallying')) ?? {};
      if (v1 && 'quorum_range' in v1) return { v1, quorums: (await get('govQuorums', { signal }))?.reply };
      if (v1 && (await isInitia(signal))) {
        return { v1: { ...v1, ...(await get('govParamsInitia', { signal }))?.reply.params } };
      }
      if (v1) return { v1 };
      if (!tally) return undefined;
      const [voting, deposit] = await Promise.all([group('voting'), group('deposit')]);
      return { tally, voting: voting?.voting_params ?? undefined, deposit: deposit?.deposit_params ?? undefined };
    },

    /** Of now: right for open votes only. */
    async votingPower(signal?: AbortSignal): Promise<VotingPower | undefined> {
      const known = memory.facts.power;
      if (known === 'none') return undefined;
      for (const module of known ? [known] : powerModules) {
        const total = await powerOf[module](signal);
        if (total === undefined) continue;
        memory.learn({ power: module });
        return { module, total: total === '' ? undefined : total };
      }
      memory.learn({ power: 'none' });
      return undefined;
    },

    /** The current parameters of the module of a protobuf package (`cosmos.staking.v1beta1`). */
    async moduleParams(protoPackage: string, signal?: AbortSignal): Promise<Fields | undefined> {
      if (!/^[a-z]\w{0,50}(\.[a-z]\w{0,50}){1,6}$/.test(protoPackage)) return undefined;
      if (protoPackage === 'cosmos.gov.v1') return (await reads.govParams(signal))?.v1;
      const [prefix, path] = paramsPaths.find(([start]) => protoPackage.startsWith(start)) ?? ['', '{rest}'];
      const whole = path.replace('{rest}', protoPackage.slice(prefix.length).replaceAll('.', '/'));
      const module = whole.replace(/^cosmos\//, '');
      const ask = { params: { module }, segment: module === whole ? '' : undefined, signal };
      return (await get('moduleParams', ask, `params of ${whole}`))?.reply.params ?? undefined;
    },

    /** The current value (a JSON text) of a legacy parameter: from the module itself, else from the legacy query. */
    async param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined> {
      const params = await reads.moduleParams(packages.get(subspace) ?? `cosmos.${subspace}.v1beta1`, signal);
      const plain = (name: string) => name.toLowerCase().replaceAll('_', '');
      const own = Object.entries(params ?? {}).find(([name]) => plain(name) === plain(key));
      if (own) return JSON.stringify(own[1]);
      // "" for what it does not hold.
      return (await get('param', { query: { subspace, key }, signal }))?.reply.param.value || undefined;
    },

    /** `hash`: the part behind `ibc/`. Also undefined where the chain does not know it, or states what it is not the hash of. */
    async ibcDenom(hash: string, signal?: AbortSignal): Promise<IbcDenom | undefined> {
      const ask = { params: { hash }, signal };
      const checked = (path: string, base: string) => {
        const stated = createHash('sha256').update(`${path}/${base}`).digest('hex').toUpperCase();
        return stated === hash ? { path, base } : undefined;
      };
      try {
        const denom = (await get('ibcDenom', ask))?.reply.denom;
        const hops = denom?.trace?.map(({ port_id, channel_id }) => `${port_id}/${channel_id}`);
        if (denom) return checked(hops?.join('/') ?? '', denom.base);
        const trace = (await get('ibcDenomTrace', ask))?.reply.denom_trace;
        return trace && checked(trace.path, trace.base_denom);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async block(height: bigint | 'latest', signal?: AbortSignal) {
      const header = (await get('block', { params: { height: String(height) }, signal }))?.reply.block.header;
      const chainId = header?.chain_id ?? undefined;
      return header && { chainId, height: BigInt(header.height), time: new Date(header.time) };
    },

    /** The first block of the version that an upgrade brought; 0 for a plan that was never applied. */
    async appliedHeight(plan: string, signal?: AbortSignal): Promise<bigint | undefined> {
      const height = (await get('appliedPlan', { params: { name: plan }, signal }))?.reply.height;
      return height === undefined ? undefined : BigInt(height);
    },
  };
  return reads;
}

/** Initia: the power of bonded validators and of the unclaimed vesting of those who voted; undefined where not whole numbers. */
function sumOfPowers(tally: Reply<'tallyInitia'>['tally_result']): string | undefined {
  const wholeOf = (text: string) => /^(\d{1,100})(\.\d{1,18})?$/.exec(text)?.[1];
  const [staked, vesting] = [wholeOf(tally.total_staking_power), wholeOf(tally.total_vesting_power || '0')];
  return staked === undefined || vesting === undefined ? undefined : String(BigInt(staked) + BigInt(vesting));
}
