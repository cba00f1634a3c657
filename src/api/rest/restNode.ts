import type { Coin, DenomMetadata, DenomTrace, Deposit } from '../../chain/coin.ts';
import { bareName, type Fields, isFields } from '../../chain/fields.ts';
import type { ProposalRow } from '../../chain/gov/proposal.ts';
import type { Tally, Vote, VoterRow } from '../../chain/gov/tally.ts';
import { toRatio } from '../../chain/ratio.ts';
import type { Channel, Holder, SupplySplit } from '../../chain/supplySplit.ts';
import type { Validator } from '../../chain/validator.ts';
import type { Client } from '../client.ts';
import { toCoin, toHolder, toSupplySplit } from '../decode/coinRows.ts';
import { toProposalRow } from '../decode/proposalRows.ts';
import { toRawProposal, toRawRow } from '../decode/rawRows.ts';
import { rowKinds, valuePage, wirePage } from '../decode/rowKinds.ts';
import { toSchedule, toVesting } from '../decode/vestingRows.ts';
import { toFractions, toVoterRow } from '../decode/voteRows.ts';
import { isExternalPool, isMissing, isUnknownSubspace } from '../errors.ts';
import { sha256 } from '../hashes.ts';
import type {
  BlockHeader,
  ChainNode,
  DenomSchedule,
  GenesisValidator,
  Holding,
  IbcClient,
  Minting,
  NodeInfo,
  PoolCoin,
  ProposalFilter,
  ProposalsRequest,
  RawList,
  RawRow,
  Readable,
  SendEnabled,
  SigningInfo,
  Simulation,
  Stake,
  StakingPool,
  StatedGovParams,
  ValidatorsRequest,
  Voters,
  VotingPower,
} from '../node.ts';
import type { Operation } from '../operations.ts';
import { type ListRequest, mapRows, type Page, pageQuery, toPage } from '../pages.ts';
import type { Reply } from '../replySchemas.ts';
import { toNanoseconds } from '../wireValues.ts';
import type { NodeTraits, SdkVersion } from './dialect.ts';
import { filterQuery, type Gov } from './gov.ts';
import { GovReads } from './govReads.ts';
import { ProposalLists } from './proposalLists.ts';
import { nameOfQuery, readSupply, readSupplyOf } from './supplyRequests.ts';

/**
 * The paths of parameters that are not at the path of their package, by package or by its beginning. Sources:
 * CosmWasm/wasmd proto/cosmwasm/wasm/v1/query.proto; cosmos/ibc-go proto/ibc/applications; osmosis-labs/osmosis
 * proto/osmosis/poolincentives.
 */
const paramsPaths: readonly (readonly [packagePrefix: string, path: string])[] = [
  ['cosmwasm.wasm.', 'cosmwasm/wasm/{rest}/codes'],
  ['ibc.applications.', 'ibc/apps/{rest}'],
  ['osmosis.poolincentives.', 'osmosis/pool-incentives/{rest}'],
];

/**
 * Packages for subspaces of legacy parameters that are not `cosmos.<subspace>.v1beta1` (docs/nodes.md#module-params).
 */
const packages: ReadonlyMap<string, string> = new Map([
  ['transfer', 'ibc.applications.transfer.v1'],
  ['wasm', 'cosmwasm.wasm.v1'],
]);

/** The time in milliseconds to wait for a version, which only saves requests. */
const versionWait = 5000;

/** The parts of a node beside its client. */
export interface RestNodeParts {
  readonly baseUrl: string;
  readonly gov: Gov;
  readonly onBlock: ((block: BlockHeader) => void) | undefined;
  /** Gives the same node at a height. */
  readonly at: (height: bigint) => ChainNode;
  readonly dispose: () => Promise<void>;
}

/**
 * The reads of `ChainNode` over one client, as values of `chain`. The client remembers the reads that a node does not
 * offer.
 */
export class RestNode implements ChainNode {
  readonly baseUrl: string;
  readonly at: (height: bigint) => ChainNode;
  readonly dispose: () => Promise<void>;
  readonly #client: Client;
  readonly #gov: Gov;
  readonly #govReads: GovReads;
  readonly #lists: ProposalLists;
  readonly #onBlock: RestNodeParts['onBlock'];

  constructor(client: Client, { baseUrl, gov, onBlock, at, dispose }: RestNodeParts) {
    this.baseUrl = baseUrl;
    this.at = at;
    this.dispose = dispose;
    this.#client = client;
    this.#gov = gov;
    this.#govReads = new GovReads(client, gov);
    this.#lists = new ProposalLists(client, gov, (signal) => this.#version(signal));
    this.#onBlock = onBlock;
  }

  get dialect(): Readonly<NodeTraits> {
    return this.#client.memory.traits;
  }

  get countsFiltered(): boolean {
    return this.#lists.countsFiltered;
  }

  offers(operation: Operation): boolean {
    return !this.dialect.unsupported.includes(operation);
  }

  async supply(request: ListRequest, signal?: AbortSignal): Promise<Page<Coin>> {
    return mapRows(await readSupply(this.#client, request, signal), toCoin);
  }

  async supplyOf(denom: string, signal?: AbortSignal): Promise<Coin> {
    return toCoin(await readSupplyOf(this.#client, denom, signal));
  }

  async denomsMetadata(request: ListRequest, signal?: AbortSignal): Promise<Page<DenomMetadata> | undefined> {
    const answer = await this.#client.optional('denomsMetadata', { ...pageOf(request), signal });
    return answer && valuePage(answer, answer.reply.metadatas, rowKinds.metadata, request);
  }

  async ibcDenom(hash: string, signal?: AbortSignal): Promise<DenomTrace | undefined> {
    const ask = { params: { hash }, signal };
    const checked = (path: string, base: string): DenomTrace | undefined => {
      const stated = sha256(`${path}/${base}`).toString('hex').toUpperCase();
      return stated === hash ? { path, base } : undefined;
    };
    try {
      const denom = (await this.#client.optional('ibcDenom', ask))?.reply.denom;
      const hops = denom?.trace?.map(({ port_id, channel_id }) => `${port_id}/${channel_id}`);
      if (denom) return checked(hops?.join('/') ?? '', denom.base);
      const trace = (await this.#client.optional('ibcDenomTrace', ask))?.reply.denom_trace;
      return trace && checked(trace.path, trace.base_denom);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async proposals(filter: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Page<ProposalRow>> {
    const page = await this.#lists.read(filter, request, signal);
    return mapRows(page, (row) => toProposalRow(row, page.info));
  }

  async proposal(id: bigint, signal?: AbortSignal): Promise<ProposalRow> {
    const reply = await this.#gov.proposal(id, signal);
    return toProposalRow(reply, reply.info);
  }

  async tally(id: bigint, signal?: AbortSignal): Promise<Tally | undefined> {
    const tally = await this.#govReads.tally(id, signal);
    if (!tally) return undefined;
    const stated = await this.#tallyDetails(id, signal);
    return stated ? { ...tally, fractions: toFractions(stated.fractions) } : tally;
  }

  async #tallyDetails(id: bigint, signal: AbortSignal | undefined): Promise<Reply<'tallyDetails'> | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    return (await this.#client.optional('tallyDetails', { query: { proposal: `${id}` }, signal }))?.reply;
  }

  async genesisValidators(signal?: AbortSignal): Promise<readonly GenesisValidator[] | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    const rows = (await this.#client.optional('genesisValidators', { signal }))?.reply.validators;
    return rows?.map(({ moniker, operator_address: operator, commission, amount }) => {
      return { moniker, operator, commission, amount };
    });
  }

  async voters(id: bigint, signal?: AbortSignal): Promise<Voters | undefined> {
    const stated = await this.#tallyDetails(id, signal);
    return (
      stated && {
        votes: BigInt(stated.votes),
        largest: stated.largest.map(({ voter, power }) => ({ voter, power: BigInt(power) })),
        validators: new Map(
          stated.validators.map(({ operator, power, own }) => [operator, { power: BigInt(power), own: BigInt(own) }]),
        ),
      }
    );
  }

  vote(id: bigint, voter: string, signal?: AbortSignal): Promise<Vote | undefined> {
    return this.#govReads.vote(id, voter, signal);
  }

  async votes(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<VoterRow> | undefined> {
    const page = await this.#govReads.votes(id, request, signal);
    return page && mapRows(page, toVoterRow);
  }

  async rawRows(list: RawList, request: ListRequest, signal?: AbortSignal): Promise<Page<RawRow> | undefined> {
    if (list === 'supply')
      return mapRows(await readSupply(this.#client, request, signal), (row) => toRawRow(row.denom, row));
    if (list === 'proposals') return mapRows(await this.#lists.read({}, request, signal), toRawProposal);
    if (list === 'denomsMetadata') {
      const answer = await this.#client.optional('denomsMetadata', { ...pageOf(request), signal });
      const page = answer && wirePage(answer, answer.reply.metadatas, rowKinds.metadata, request);
      return page && mapRows(page, (row) => toRawRow(row.base, row));
    }
    const votes = await this.#govReads.votes(list.votesOn, request, signal);
    return votes && mapRows(votes, (row) => toRawRow(row.voter, row));
  }

  deposits(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<Deposit> | undefined> {
    return this.#govReads.deposits(id, request, signal);
  }

  async validators(request: ValidatorsRequest, signal?: AbortSignal): Promise<Page<Validator> | undefined> {
    const { query, height } = pageOf(request);
    const status = request.status && 'BOND_STATUS_BONDED';
    const answer = await this.#client.optional('validators', { query: { ...query, status }, height, signal });
    return answer && valuePage(answer, answer.reply.validators, rowKinds.validator, request);
  }

  async signingInfos(request: ListRequest, signal?: AbortSignal): Promise<Page<SigningInfo> | undefined> {
    const answer = await this.#client.optional('signingInfos', { ...pageOf(request), signal });
    return answer && valuePage(answer, answer.reply.info, rowKinds.signingInfo, request);
  }

  govParams(signal?: AbortSignal): Promise<StatedGovParams | undefined> {
    return this.#govReads.params(signal);
  }

  votingPower(signal?: AbortSignal): Promise<VotingPower | undefined> {
    return this.#govReads.votingPower(signal);
  }

  async bondDenom(signal?: AbortSignal): Promise<string | undefined> {
    // The value of the parameter is a JSON text.
    return /^"([^"\\]+)"$/.exec((await this.param('staking', 'BondDenom', signal)) ?? '')?.[1];
  }

  async stakingPool(signal?: AbortSignal): Promise<StakingPool | undefined> {
    const pool = (await this.#client.optional('stakingPool', { signal }))?.reply.pool;
    return pool && { bonded: BigInt(pool.bonded_tokens), notBonded: BigInt(pool.not_bonded_tokens ?? 0) };
  }

  async moduleParams(protoPackage: string, signal?: AbortSignal): Promise<Fields | undefined> {
    if (!/^[a-z]\w{0,50}(\.[a-z]\w{0,50}){1,6}$/.test(protoPackage)) return undefined;
    if (protoPackage === 'cosmos.gov.v1') return (await this.govParams(signal))?.v1;
    const [prefix, path] = paramsPaths.find(([start]) => protoPackage.startsWith(start)) ?? ['', '{rest}'];
    const whole = path.replace('{rest}', protoPackage.slice(prefix.length).replaceAll('.', '/'));
    const module = whole.replace(/^cosmos\//, '');
    const ask = { params: { module }, segment: module === whole ? '' : undefined, signal };
    return (await this.#client.optional('moduleParams', ask, `params of ${whole}`))?.reply.params ?? undefined;
  }

  async sendEnabled(signal?: AbortSignal): Promise<readonly SendEnabled[] | undefined> {
    const found: SendEnabled[] = [];
    let key: string | undefined;
    for (let pages = 0; pages < sendEnabledPages; pages++) {
      const page = pageOf({ key, limit: 1000 });
      const reply = (await this.#client.optional('sendEnabled', { ...page, signal }))?.reply;
      if (!reply) return undefined;
      for (const { denom, enabled } of reply.send_enabled) found.push({ denom, enabled: enabled ?? false });
      key = reply.pagination?.next_key || undefined;
      if (key === undefined) return found;
    }
    return undefined;
  }

  async currentPlan(signal?: AbortSignal): Promise<Fields | null | undefined> {
    const reply = (await this.#client.optional('currentPlan', { signal }))?.reply;
    return reply && (reply.plan ?? null);
  }

  async stateParams(signal?: AbortSignal): Promise<ReadonlyMap<string, Fields> | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    const modules = (await this.#client.optional('stateParams', { signal }))?.reply.modules;
    return modules && new Map(modules.map(({ name, params }) => [name, params]));
  }

  async stateModules(signal?: AbortSignal): Promise<readonly string[] | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    return (await this.#client.optional('stateParams', { signal }))?.reply.names ?? undefined;
  }

  async param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined> {
    const params = await this.moduleParams(packages.get(subspace) ?? `cosmos.${subspace}.v1beta1`, signal);
    const own = Object.entries(params ?? {}).find(([name]) => bareName(name) === bareName(key));
    if (own) return JSON.stringify(own[1]);
    // The value is "" if the node does not hold the parameter.
    return (await this.#client.optional('param', { query: { subspace, key }, signal }))?.reply.param.value || undefined;
  }

  async legacyParam(subspace: string, key: string, signal?: AbortSignal): Promise<string | null | undefined> {
    try {
      return (await this.#client.optional('param', { query: { subspace, key }, signal }))?.reply.param.value;
    } catch (error) {
      if (isUnknownSubspace(error)) return null;
      throw error;
    }
  }

  async communityPool(signal?: AbortSignal): Promise<readonly PoolCoin[] | undefined> {
    const pool = await this.#pool(signal);
    return pool?.map(({ denom, amount: decimal }) => {
      const [, units = '0', fraction = ''] = /^(\d{1,100})(?:\.(\d{1,18}))?/.exec(decimal) ?? [];
      return { denom, amount: BigInt(units), exact: BigInt(units + fraction.padEnd(18, '0')) };
    });
  }

  /** The coins that x/distribution has of the pool: none where the pool is that of another module. */
  async #pool(signal: AbortSignal | undefined): Promise<readonly { denom: string; amount: string }[] | undefined> {
    try {
      return (await this.#client.optional('communityPool', { signal }))?.reply.pool;
    } catch (error) {
      if (isExternalPool(error)) return [];
      throw error;
    }
  }

  async minting(signal?: AbortSignal): Promise<Minting> {
    const inflation = (await this.#client.optional('inflation', { signal }))?.reply.inflation;
    const provisions = (await this.#client.optional('annualProvisions', { signal }))?.reply.annual_provisions;
    return { inflation: toRatio(inflation), annualProvisions: toRatio(provisions) };
  }

  async moduleAccounts(signal?: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
    const accounts = (await this.#client.optional('moduleAccounts', { signal }))?.reply.accounts;
    const named = accounts?.flatMap(({ name, base_account: base }) =>
      name && base ? [[name, base.address] as const] : [],
    );
    return named && new Map(named);
  }

  async balances(address: string, request: ListRequest, signal?: AbortSignal): Promise<Page<Coin> | undefined> {
    const answer = await this.#client.optional('balances', { params: { address }, ...pageOf(request), signal });
    return answer && valuePage(answer, answer.reply.balances, rowKinds.coin, request);
  }

  async hasAccount(address: string, signal?: AbortSignal): Promise<boolean | undefined> {
    if (await this.#isService(signal)) {
      const held = await this.balances(address, { limit: 1 }, signal);
      return held && held.rows.length > 0 ? true : undefined;
    }
    try {
      return (await this.#client.optional('account', { params: { address }, signal })) && true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async balance(address: string, denom: string, signal?: AbortSignal): Promise<Coin | undefined> {
    const answer = await this.#client.optional('balance', { params: { address }, query: { denom }, signal });
    return answer && toCoin(answer.reply.balance);
  }

  async channels(request: ListRequest, signal?: AbortSignal): Promise<Page<Channel> | undefined> {
    const answer = await this.#client.optional('channels', { ...pageOf(request), signal });
    return answer && valuePage(answer, answer.reply.channels, rowKinds.channel, request);
  }

  async escrowAddress(channel: string, signal?: AbortSignal): Promise<string | undefined> {
    return (await this.#client.optional('escrowAddress', { params: { channel }, signal }))?.reply.escrow_address;
  }

  async ibcClient(id: string, signal?: AbortSignal): Promise<IbcClient | null | undefined> {
    const ask = { params: { client: id }, signal };
    try {
      const status = (await this.#client.optional('clientStatus', ask))?.reply.status;
      const answer = status === undefined ? undefined : await this.#client.optional('clientState', ask);
      const state = answer?.reply.client_state;
      return status === undefined || !state
        ? undefined
        : { status, state, updated: await this.#lastUpdate(id, state, signal) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /**
   * Reads the time. Undefined if the client does not keep times, or the node does not keep this one. Rejects like
   * `Client.get`.
   */
  async #lastUpdate(client: string, state: Fields, signal: AbortSignal | undefined): Promise<Date | undefined> {
    const latest = isFields(state.latest_height) ? state.latest_height : {};
    const { revision_number: revision, revision_height: height } = latest;
    if (typeof revision !== 'string' || typeof height !== 'string') return undefined;
    try {
      const ask = { params: { client, revision, height }, signal };
      const stated = (await this.#client.optional('clientConsensus', ask))?.reply.consensus_state.timestamp;
      const time = new Date(stated ?? '');
      return Number.isNaN(time.getTime()) ? undefined : time;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async messageTypes(signal?: AbortSignal): Promise<ReadonlySet<string> | undefined> {
    const ask = { params: { name: 'cosmos.base.v1beta1.Msg' }, signal };
    const names = (await this.#client.optional('implementations', ask))?.reply.implementation_message_names;
    // A node that registers no interface of this name answers an empty list.
    return names && names.length > 0 ? new Set(names) : undefined;
  }

  async supplySplit(denom: string, signal?: AbortSignal): Promise<SupplySplit | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    const split = (await this.#client.optional('supplySplit', { query: { denom }, signal }))?.reply.split;
    return split && toSupplySplit(split);
  }

  async largestHolders(denom: string, wanted: number, signal?: AbortSignal): Promise<readonly Holder[] | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    const answer = await this.#client.optional('largestHolders', { query: { denom, limit: `${wanted}` }, signal });
    return answer?.reply.holders.map(toHolder);
  }

  async holding(address: string, denom: string, signal?: AbortSignal): Promise<bigint | undefined> {
    if (!(await this.#isService(signal))) return (await this.balance(address, denom, signal))?.amount;
    const answer = await this.#client.optional('largestHolders', { query: { denom, address }, signal });
    return answer && BigInt(answer.reply.holders[0]?.amount ?? 0);
  }

  async stake(address: string, at?: Date, signal?: AbortSignal): Promise<Stake | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    const query = { address, ...(at ? { at: at.toISOString() } : {}) };
    const stake = (await this.#client.optional('stake', { query, signal }))?.reply.stake;
    if (!stake) return undefined;
    const { delegated, unbonding, unbonding_entries: entries, vesting } = stake;
    return {
      delegated: delegated === undefined || delegated === null ? undefined : BigInt(delegated),
      votingPower: BigInt(stake.voting_power),
      unbonding: BigInt(unbonding),
      unbondingEntries: entries.map(({ time, amount }) => ({ time, amount: BigInt(amount) })),
      vesting: vesting ? toVesting(vesting) : undefined,
      delegations: stake.delegations.map(({ validator, moniker, amount, bonded: isBonded }) => {
        return { validator, moniker, amount: typeof amount === 'string' ? BigInt(amount) : undefined, isBonded };
      }),
      delegationCount: stake.delegation_count,
    };
  }

  async schedule(denom: string, at: Date, signal?: AbortSignal): Promise<DenomSchedule | undefined> {
    if (!(await this.#isService(signal))) return undefined;
    const query = { denom, at: at.toISOString() };
    const answer = await this.#client.optional('schedule', { query, signal });
    return answer && toSchedule(answer.reply);
  }

  async denomOwners(denom: string, request: ListRequest, signal?: AbortSignal): Promise<Page<Holding> | undefined> {
    if (await this.#isService(signal)) return undefined;
    const { query, height } = pageOf(request);
    const answer = denom.includes('/')
      ? await this.#client.optional('denomOwnersByQuery', { query: { ...query, denom }, height, signal })
      : await this.#client.optional('denomOwners', { query, height, signal, params: { denom } });
    const rows = answer?.reply.denom_owners.map(({ address, balance }) => ({
      address,
      amount: BigInt(balance.amount),
    }));
    return answer && rows && toPage(answer, { rows }, request);
  }

  async block(height: bigint | 'latest', signal?: AbortSignal): Promise<BlockHeader | undefined> {
    const answer = await this.#client.optional('block', { params: { height: String(height) }, signal });
    if (!answer) return undefined;
    const { header } = answer.reply.block;
    const time = new Date(header.time);
    const nanoseconds = toNanoseconds(header.time) ?? BigInt(time.getTime()) * 1_000_000n;
    const block = { chainId: header.chain_id ?? undefined, height: BigInt(header.height), time, nanoseconds };
    this.#onBlock?.(block);
    return block;
  }

  async appliedHeight(plan: string, signal?: AbortSignal): Promise<bigint | undefined> {
    const answer = await this.#client.optional('appliedPlan', { params: { name: plan }, signal });
    return answer && BigInt(answer.reply.height);
  }

  async simulate(sender: string, message: Fields, signal?: AbortSignal): Promise<Simulation> {
    const { reply } = await this.#client.get('account', { params: { address: sender }, signal });
    const body = simulationOf(message, sequenceOf(reply.account));
    const { gas_info: gas } = await this.#client.post('simulate', JSON.stringify(body), signal);
    return { gasUsed: BigInt(gas.gas_used) };
  }

  async nodeInfo(signal?: AbortSignal): Promise<NodeInfo | undefined> {
    const info = (await this.#client.optional('nodeInfo', { signal }))?.reply;
    const sdkVersion = info?.application_version?.cosmos_sdk_version || undefined;
    const chainId = info?.default_node_info?.network || undefined;
    this.#client.memory.remember({ ...(sdkVersion ? { sdkVersion } : {}), ...(chainId ? { chainId } : {}) });
    return info && { sdkVersion, chainId };
  }

  forgetTraits(): void {
    this.#client.forget();
    this.#lists.forget();
  }

  urlOf(what: Readable): string {
    const client = this.#client;
    const { dialect } = this;
    const form = dialect.gov === undefined || dialect.gov === 'none' ? 'v1beta1' : dialect.gov;
    if (typeof what === 'string') return client.urlOf(what, {});
    if ('proposals' in what) {
      const query = { reverse: 'true', ...filterQuery(what.proposals, false) };
      return client.urlOf('proposals', { params: { form }, query });
    }
    if ('proposal' in what) return client.urlOf('proposal', { params: { form, proposalId: String(what.proposal) } });
    return dialect.supplyOf === 'byDenom' || what.denom === nameOfQuery
      ? client.urlOf('supplyByDenom', { query: what })
      : client.urlOf('supplyOf', { params: what });
  }

  /**
   * True if a service answers. Only services answer below `chain`, so other segments are not asked for reads that no
   * node has.
   */
  async #isService(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.dialect.segment === undefined) await this.#client.contact(signal);
    return this.dialect.segment === 'chain';
  }

  /**
   * Reads the SDK version once. Services of the contract under `chain` are not asked. Rejects only when `signal` fires.
   */
  async #version(signal: AbortSignal | undefined): Promise<SdkVersion | undefined> {
    const { memory } = this.#client;
    const { traits } = memory;
    if (traits.sdkVersion !== undefined || traits.segment === 'chain' || memory.isVersionAsked) return memory.version;
    // Not AbortSignal.timeout, whose timer would outlive the node.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), versionWait);
    try {
      await this.nodeInfo(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } catch {
      signal?.throwIfAborted();
    } finally {
      clearTimeout(timer);
    }
    memory.isVersionAsked = true;
    return memory.version;
  }
}

/** The limit for the pages of `sendEnabled`. */
const sendEnabledPages = 10;

/** Gives the part of a request that asks for a page. */
function pageOf(request: ListRequest): { query: ReturnType<typeof pageQuery>; height: bigint | undefined } {
  return { query: pageQuery(request), height: request.height };
}

/** Gives the sequence of an account of any type. In vesting accounts, it stands inside `base_vesting_account`. */
function sequenceOf(account: Fields, depth = 0): string {
  const { sequence } = account;
  if (typeof sequence === 'string' && /^\d{1,20}$/.test(sequence)) return sequence;
  const inner = Object.values(account).filter(isFields);
  const found = depth < 4 ? inner.map((one) => sequenceOf(one, depth + 1)) : [];
  // An account that has signed nothing may omit it.
  return found.find((one) => one !== '0') ?? '0';
}

/** Gives the body of a simulation (cosmos/tx/v1beta1/service.proto) of one message without a signature. */
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
