import { forks } from '../forks.ts';
import type { Client } from './client.ts';
import {
  channelSchema,
  coinSchema,
  depositSchema,
  metadataSchema,
  type Reply,
  validatorSchema,
  voteSchema,
  type WireChannel,
  type WireCoin,
  type WireDeposit,
  type WireHolder,
  type WireMetadata,
  type WireSplit,
  type WireValidator,
  type WireVote,
} from './contract.ts';
import type { NodeFacts, SdkVersion } from './dialect.ts';
import { isMissing, isReplyError, isUnknownSubspace, isVoteMissing } from './errors.ts';
import type { Gov } from './gov.ts';
import type {
  BlockHeader,
  ChainNode,
  GovParamsReply,
  Holding,
  IbcDenom,
  NodeInfo,
  PowerModule,
  RunningTally,
  Simulation,
  ValidatorsRequest,
  VotingPower,
} from './node.ts';
import { type GovForm, powerModules } from './operations.ts';
import { type ListRequest, type Page, pageQuery, toPage } from './pages.ts';
import { readRows } from './readReply.ts';
import { SharedWork } from './sharing.ts';
import { bareName, type Fields, isFields, sha256, toNanoseconds } from './wireValues.ts';

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

/** The reads of `ChainNode` that every node offers, or that are of its own lists; and what is no read. */
type OtherMembers =
  | 'baseUrl'
  | 'dialect'
  | 'countsFiltered'
  | 'offers'
  | 'supply'
  | 'supplyOf'
  | 'proposals'
  | 'proposal'
  | 'at'
  | 'forgetFacts'
  | 'urlOf'
  | 'dispose';

/** The reads of `ChainNode` that a node may not offer, and the version of the SDK. */
export interface OptionalReads extends Omit<ChainNode, OtherMembers> {
  /** The SDK version, asked for once; services of the contract under `chain` are not asked. Rejects only when `signal` fires. */
  version(signal: AbortSignal | undefined): Promise<SdkVersion | undefined>;
}

/** The forms that are tried where the node has this one: what is not offered in it may be in an older one. */
const formsFrom: Readonly<Record<GovForm, readonly GovForm[]>> = { v1: ['v1', 'v1beta1'], v1beta1: ['v1beta1'] };

/** Reads that a node may not offer: they are undefined where it does not, which is remembered, and reject as `Client.get` does. */
export function createOptionalReads(client: Client, gov: Gov): OptionalReads {
  const { memory } = client;
  const get: Client['optional'] = (operation, ask, name) => client.optional(operation, ask, name);
  const powerReads = new SharedWork<VotingPower | undefined>();

  async function inForm<T>(
    read: (form: GovForm) => Promise<T | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    for (const form of formsFrom[(await gov.form(signal)) ?? 'v1beta1']) {
      const found = await read(form);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** "" where the module has no single number; undefined where it is not offered. */
  const powerOf: Readonly<Record<PowerModule, (signal?: AbortSignal) => Promise<string | undefined>>> = {
    staking: async (signal) => (await reads.stakingPool(signal))?.bonded_tokens,
    mstaking: async (signal) => {
      const coins = (await get('mstakingPool', { segment: ownSegment('mstaking'), signal }))?.reply.pool.bonded_tokens;
      return coins && (coins.length === 1 ? coins[0]?.amount : '');
    },
    poa: async (signal) => (await get('totalPower', { signal }))?.reply.total_power,
  };

  async function readPower(signal: AbortSignal): Promise<VotingPower | undefined> {
    const known = memory.facts.power;
    if (known === 'none') return undefined;
    for (const module of known ? [known] : powerModules) {
      const total = await powerOf[module](signal);
      if (total === undefined) continue;
      memory.remember({ power: module });
      return { module, total: total === '' ? undefined : total };
    }
    // The refusals are kept for as long as they may be; this only follows from them.
    memory.suppose({ power: 'none' });
    return undefined;
  }

  /** Services alone answer below `chain`; another segment is not asked for what no node has. */
  async function isService(signal: AbortSignal | undefined): Promise<boolean> {
    if (memory.facts.segment === undefined) await client.contact(signal);
    return memory.facts.segment === 'chain';
  }

  /** The segment of the fork that the source of the voting power shows. */
  async function shownSegment(signal: AbortSignal | undefined): Promise<string | undefined> {
    if (memory.facts.power === undefined) await reads.votingPower(signal);
    return ownSegment(memory.facts.power);
  }

  const reads: OptionalReads = {
    async nodeInfo(signal?: AbortSignal): Promise<NodeInfo | undefined> {
      const info = (await get('nodeInfo', { signal }))?.reply;
      const sdkVersion = info?.application_version?.cosmos_sdk_version || undefined;
      const chainId = info?.default_node_info?.network || undefined;
      memory.remember({ ...(sdkVersion ? { sdkVersion } : {}), ...(chainId ? { chainId } : {}) });
      return info;
    },

    async version(signal: AbortSignal | undefined): Promise<SdkVersion | undefined> {
      const { facts } = memory;
      if (facts.sdkVersion !== undefined || facts.segment === 'chain' || memory.isVersionAsked) return memory.version;
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
      memory.isVersionAsked = true;
      return memory.version;
    },

    async denomsMetadata(request: ListRequest, signal?: AbortSignal): Promise<Page<WireMetadata> | undefined> {
      const answer = await get('denomsMetadata', { query: pageQuery(request), height: request.height, signal });
      return answer && toPage(answer, readRows(answer.reply.metadatas, metadataSchema, 'base', answer), request);
    },

    async tally(id: bigint, signal?: AbortSignal): Promise<RunningTally | undefined> {
      if ((await gov.form(signal)) === undefined) return undefined;
      const proposalId = String(id);
      try {
        const segment = await shownSegment(signal);
        const own = segment && (await get('tallyWithPower', { params: { proposalId }, segment, signal }));
        const stated = own ? own.reply.tally_result : undefined;
        if (stated) return { ...stated.v1_tally_result, power: sumOfPowers(stated) };
        return (await inForm((form) => get('tally', { params: { form, proposalId }, signal }), signal))?.reply.tally;
      } catch (error) {
        if (isReplyError(error) && error.code === 'shape') return undefined;
        throw error;
      }
    },

    async vote(id: bigint, voter: string, signal?: AbortSignal): Promise<WireVote | undefined> {
      const params = { proposalId: String(id), voter };
      try {
        return (await inForm((form) => get('vote', { params: { ...params, form }, signal }), signal))?.reply.vote;
      } catch (error) {
        if (isVoteMissing(error)) return undefined;
        throw error;
      }
    },

    async votes(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<WireVote> | undefined> {
      const ask = { query: pageQuery(request), height: request.height, signal };
      const read = (form: GovForm) => get('votes', { ...ask, params: { proposalId: String(id), form } });
      const answer = await inForm(read, signal);
      return answer && toPage(answer, readRows(answer.reply.votes, voteSchema, 'voter', answer), request);
    },

    async deposits(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<WireDeposit> | undefined> {
      const ask = { query: pageQuery(request), height: request.height, signal };
      const read = (form: GovForm) => get('deposits', { ...ask, params: { proposalId: String(id), form } });
      const answer = await inForm(read, signal);
      return answer && toPage(answer, readRows(answer.reply.deposits, depositSchema, 'depositor', answer), request);
    },

    async validators(request: ValidatorsRequest, signal?: AbortSignal): Promise<Page<WireValidator> | undefined> {
      const query = { ...pageQuery(request), status: request.status };
      const answer = await get('validators', { query, height: request.height, signal });
      if (!answer) return undefined;
      const read = readRows(answer.reply.validators, validatorSchema, 'operator_address', answer);
      return toPage(answer, read, request);
    },

    /** Gov v1 gives all parameters at once since 0.47; before that, one kind at a time (docs/nodes.md#gov-params). */
    async govParams(signal?: AbortSignal): Promise<GovParamsReply | undefined> {
      if ((await gov.form(signal)) === undefined) return undefined;
      const group = async (kind: string) =>
        (await inForm((form) => get('govParams', { params: { form, kind }, signal }), signal))?.reply;
      const { params: v1, tally_params: tally } = (await group('tallying')) ?? {};
      if (v1 && 'quorum_range' in v1) return { v1, quorums: (await get('govQuorums', { signal }))?.reply };
      if (v1) {
        const segment = await shownSegment(signal);
        return { v1: segment ? { ...v1, ...(await get('forkParams', { segment, signal }))?.reply.params } : v1 };
      }
      if (!tally) return undefined;
      const [voting, deposit] = await Promise.all([group('voting'), group('deposit')]);
      return { tally, voting: voting?.voting_params ?? undefined, deposit: deposit?.deposit_params ?? undefined };
    },

    // Tallies that are asked for together want to know the kind of power first: one request serves them.
    votingPower: (signal?: AbortSignal): Promise<VotingPower | undefined> => powerReads.join('', signal, readPower),

    async moduleParams(protoPackage: string, signal?: AbortSignal): Promise<Fields | undefined> {
      if (!/^[a-z]\w{0,50}(\.[a-z]\w{0,50}){1,6}$/.test(protoPackage)) return undefined;
      if (protoPackage === 'cosmos.gov.v1') return (await reads.govParams(signal))?.v1;
      const [prefix, path] = paramsPaths.find(([start]) => protoPackage.startsWith(start)) ?? ['', '{rest}'];
      const whole = path.replace('{rest}', protoPackage.slice(prefix.length).replaceAll('.', '/'));
      const module = whole.replace(/^cosmos\//, '');
      const ask = { params: { module }, segment: module === whole ? '' : undefined, signal };
      return (await get('moduleParams', ask, `params of ${whole}`))?.reply.params ?? undefined;
    },

    async stateParams(signal?: AbortSignal): Promise<ReadonlyMap<string, Fields> | undefined> {
      if (!(await isService(signal))) return undefined;
      const modules = (await get('stateParams', { signal }))?.reply.modules;
      return modules && new Map(modules.map(({ name, params }) => [name, params]));
    },

    async param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined> {
      const params = await reads.moduleParams(packages.get(subspace) ?? `cosmos.${subspace}.v1beta1`, signal);
      const own = Object.entries(params ?? {}).find(([name]) => bareName(name) === bareName(key));
      if (own) return JSON.stringify(own[1]);
      // "" for what it does not hold.
      return (await get('param', { query: { subspace, key }, signal }))?.reply.param.value || undefined;
    },

    async ibcDenom(hash: string, signal?: AbortSignal): Promise<IbcDenom | undefined> {
      const ask = { params: { hash }, signal };
      const checked = (path: string, base: string) => {
        const stated = sha256(`${path}/${base}`).toString('hex').toUpperCase();
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

    async legacyParam(subspace: string, key: string, signal?: AbortSignal): Promise<string | null | undefined> {
      try {
        return (await get('param', { query: { subspace, key }, signal }))?.reply.param.value;
      } catch (error) {
        if (isUnknownSubspace(error)) return null;
        throw error;
      }
    },

    async communityPool(signal?: AbortSignal): Promise<readonly WireCoin[] | undefined> {
      const pool = (await get('communityPool', { signal }))?.reply.pool;
      return pool?.map(({ denom, amount }) => ({ denom, amount: /^\d{1,100}/.exec(amount)?.[0] ?? '0' }));
    },

    async moduleAccounts(signal?: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
      const accounts = (await get('moduleAccounts', { signal }))?.reply.accounts;
      const named = accounts?.flatMap(({ name, base_account: base }) =>
        name && base ? [[name, base.address] as const] : [],
      );
      return named && new Map(named);
    },

    async stakingPool(signal?: AbortSignal): Promise<Reply<'stakingPool'>['pool'] | undefined> {
      return (await get('stakingPool', { signal }))?.reply.pool;
    },

    async balances(address: string, request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin> | undefined> {
      const ask = { params: { address }, query: pageQuery(request), height: request.height, signal };
      const answer = await get('balances', ask);
      return answer && toPage(answer, readRows(answer.reply.balances, coinSchema, 'denom', answer), request);
    },

    async balance(address: string, denom: string, signal?: AbortSignal): Promise<WireCoin | undefined> {
      return (await get('balance', { params: { address }, query: { denom }, signal }))?.reply.balance;
    },

    async channels(request: ListRequest, signal?: AbortSignal): Promise<Page<WireChannel> | undefined> {
      const answer = await get('channels', { query: pageQuery(request), height: request.height, signal });
      return answer && toPage(answer, readRows(answer.reply.channels, channelSchema, 'channel_id', answer), request);
    },

    async escrowAddress(channel: string, signal?: AbortSignal): Promise<string | undefined> {
      return (await get('escrowAddress', { params: { channel }, signal }))?.reply.escrow_address;
    },

    async simulate(sender: string, message: Fields, signal?: AbortSignal): Promise<Simulation> {
      const { reply } = await client.get('account', { params: { address: sender }, signal });
      const body = simulationOf(message, sequenceOf(reply.account));
      const { gas_info: gas } = await client.post('simulate', JSON.stringify(body), signal);
      return { gasUsed: BigInt(gas.gas_used) };
    },

    async supplySplit(denom: string, signal?: AbortSignal): Promise<WireSplit | undefined> {
      if (!(await isService(signal))) return undefined;
      return (await get('supplySplit', { query: { denom }, signal }))?.reply.split;
    },

    async largestHolders(denom: string, signal?: AbortSignal): Promise<readonly WireHolder[] | undefined> {
      if (!(await isService(signal))) return undefined;
      return (await get('largestHolders', { query: { denom }, signal }))?.reply.holders;
    },

    async holding(address: string, denom: string, signal?: AbortSignal): Promise<string | undefined> {
      if (!(await isService(signal))) return (await reads.balance(address, denom, signal))?.amount;
      const holders = (await get('largestHolders', { query: { denom, address }, signal }))?.reply.holders;
      return holders && (holders[0]?.amount ?? '0');
    },

    async denomOwners(denom: string, request: ListRequest, signal?: AbortSignal): Promise<Page<Holding> | undefined> {
      if (await isService(signal)) return undefined;
      const ask = { query: pageQuery(request), height: request.height, signal };
      const answer = denom.includes('/')
        ? await get('denomOwnersByQuery', { ...ask, query: { ...ask.query, denom } })
        : await get('denomOwners', { ...ask, params: { denom } });
      const rows = answer?.reply.denom_owners.map(({ address, balance }) => ({ address, amount: balance.amount }));
      return answer && rows && toPage(answer, { rows, faults: [] }, request);
    },

    async block(height: bigint | 'latest', signal?: AbortSignal): Promise<BlockHeader | undefined> {
      const header = (await get('block', { params: { height: String(height) }, signal }))?.reply.block.header;
      const chainId = header?.chain_id ?? undefined;
      if (!header) return undefined;
      const time = new Date(header.time);
      const nanoseconds = toNanoseconds(header.time) ?? BigInt(time.getTime()) * 1_000_000n;
      return { chainId, height: BigInt(header.height), time, nanoseconds };
    },

    async appliedHeight(plan: string, signal?: AbortSignal): Promise<bigint | undefined> {
      const height = (await get('appliedPlan', { params: { name: plan }, signal }))?.reply.height;
      return height === undefined ? undefined : BigInt(height);
    },
  };
  return reads;
}

/** Below which segment a fork with this voting power has operations of its own. */
function ownSegment(module: NodeFacts['power']): string | undefined {
  return forks.find(({ power }) => power !== undefined && power === module)?.ownSegment;
}

/** The power of bonded validators and of the unclaimed vesting of those who voted; undefined where not whole numbers. */
function sumOfPowers(tally: Reply<'tallyWithPower'>['tally_result']): string | undefined {
  const wholeOf = (text: string): string | undefined => /^(\d{1,100})(\.\d{1,18})?$/.exec(text)?.[1];
  const [staked, vesting] = [wholeOf(tally.total_staking_power), wholeOf(tally.total_vesting_power || '0')];
  return staked === undefined || vesting === undefined ? undefined : String(BigInt(staked) + BigInt(vesting));
}

/** The sequence of an account of any type: of vesting accounts it stands inside of `base_vesting_account`. */
function sequenceOf(account: Fields, depth = 0): string {
  const { sequence } = account;
  if (typeof sequence === 'string' && /^\d{1,20}$/.test(sequence)) return sequence;
  const inner = Object.values(account).filter(isFields);
  const found = depth < 4 ? inner.map((one) => sequenceOf(one, depth + 1)) : [];
  // An account that has signed nothing may leave it out.
  return found.find((one) => one !== '0') ?? '0';
}

/** The body of a simulation (cosmos/tx/v1beta1/service.proto) of one message without a signature. */
function simulationOf(message: Fields, sequence: string): Fields {
  const options = { memo: '', timeout_height: '0', extension_options: [], non_critical_extension_options: [] };
  const signer = { public_key: null, mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } }, sequence };
  const fee = { amount: [], gas_limit: '0', payer: '', granter: '' };
  return {
    tx: {
      body: { messages: [message], ...options },
      auth_info: { signer_infos: [signer], fee },
      signatures: [''],
    },
  };
}
