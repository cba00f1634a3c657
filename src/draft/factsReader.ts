import { isMissing, orUndefined } from '../api/errors.ts';
import type { BlockHeader, ChainNode, Stake } from '../api/node.ts';
import type { Page } from '../api/pages.ts';
import { lazy, onceFor } from '../api/sharing.ts';
import { basePrefix, readBech32 } from '../chain/address.ts';
import { type DenomMetadata, descending } from '../chain/coin.ts';
import { contentKind } from '../chain/content/content.ts';
import type { Fields } from '../chain/fields.ts';
import type { ProposalRow } from '../chain/gov/proposal.ts';
import { shownName } from '../chain/supplySplit.ts';
import type { Validator } from '../chain/validator.ts';
import { readPace } from '../reads/blockPace.ts';
import { readWholePool } from '../reads/denomReads.ts';
import {
  type ChainFacts,
  legacyName,
  type NamedProposal,
  type ProposedParam,
  type ProposedPlan,
} from './chainFacts.ts';
import type { DraftNeeds } from './draftNeeds.ts';

/**
 * Returns a function that reads the facts for drafts, each once. A fact that the node does not offer, or fails to
 * answer, stays unknown. Rejects with an `ApiError` if the very first question fails, which is that for the parameters
 * of gov.
 */
export function createFactsReader(node: ChainNode, signal?: AbortSignal): (needs: DraftNeeds) => Promise<ChainFacts> {
  const changes = new Map<string, { readonly subspace: string; readonly key: string }>();
  const latest = lazy(() => orUndefined(node.block('latest', signal)));
  const readBaseOnce = lazy(() => readBase(node, latest, signal));
  const readPaceOnce = lazy(async () => readPace(node, await latest(), signal));
  const communityPool = lazy(() => orUndefined(readWholePool(node, signal ?? new AbortController().signal)));
  const passedPlans = lazy(() => orUndefined(readPassedPlans(node, signal)));
  const stateParams = lazy(() => orUndefined(node.stateParams(signal)));
  const appliedHeight = onceFor((plan) => orUndefined(node.appliedHeight(plan, signal)));
  const legacyParam = onceFor((name) => {
    const { subspace = '', key = '' } = changes.get(name) ?? {};
    return orUndefined(node.legacyParam(subspace, key, signal));
  });
  const paramsOf = onceFor(async (name) => {
    const answer = await orUndefined(node.moduleParams(name, signal));
    return answer ?? (name === crisisPackage ? (await stateParams())?.get('crisis') : undefined);
  });
  const readMore = createMessageFactsReader(node, readBaseOnce, signal);

  return async (needs) => {
    for (const change of needs.legacy) changes.set(legacyName(change), change);
    const base = await readBaseOnce();
    const pace = needs.pace ? await readPaceOnce() : undefined;
    const applied = await answers(needs.plans, appliedHeight);
    const isOpen = base.isState === true && needs.plans.some((name) => !applied.has(name));
    return {
      ...base,
      blockSeconds: pace?.seconds,
      measuredBlocks: pace?.blocks,
      communityPool: needs.pool ? await communityPool() : undefined,
      moduleParams: await answers(needs.packages, paramsOf),
      appliedPlans: applied,
      passedPlans: isOpen ? await passedPlans() : undefined,
      legacyParams: await answers(new Set(needs.legacy.map(legacyName)), legacyParam),
      stateModules: needs.legacy.length > 0 ? namesOf(await stateParams()) : undefined,
      ...(await readMore(needs)),
    };
  };
}

/** A package without a query for its parameters (docs/nodes.md#module-params). A state has them. */
const crisisPackage = 'cosmos.crisis.v1beta1';

type MessageFacts = Pick<
  ChainFacts,
  | 'supplies'
  | 'govBalances'
  | 'bondedStakes'
  | 'clients'
  | 'messageTypes'
  | 'heldModules'
  | 'accounts'
  | 'openPlans'
  | 'openParams'
  | 'openDeposits'
  | 'proposals'
  | 'operators'
  | 'delegations'
  | 'units'
>;

/** Returns a function that reads the facts for single messages, each once. */
function createMessageFactsReader(
  node: ChainNode,
  readBaseOnce: () => Promise<BaseFacts>,
  signal: AbortSignal | undefined,
): (needs: DraftNeeds) => Promise<MessageFacts> {
  const openProposals = lazy(() => orUndefined(readOpenProposals(node, signal)));
  const bonded = lazy(() => orUndefined(readValidators(node, 'bonded', signal)));
  const allValidators = lazy(() => orUndefined(readValidators(node, undefined, signal)));
  const units = lazy(() => orUndefined(readUnits(node, signal)));
  const delegations = lazy(async () => {
    const { govAccount } = await readBaseOnce();
    return govAccount === undefined
      ? undefined
      : delegationsOf(await orUndefined(node.stake(govAccount, undefined, signal)));
  });
  const messageTypes = lazy(() => orUndefined(node.messageTypes(signal)));
  const held = lazy(async () => wholeExport(await orUndefined(node.stateModules(signal))));
  const proposal = onceFor((id) => orUndefined(readProposal(node, id, signal)));
  const account = onceFor((address) => orUndefined(node.hasAccount(address, signal)));
  const client = onceFor((id) => orUndefined(node.ibcClient(id, signal)));
  const supply = onceFor(async (denom) => (await orUndefined(node.supplyOf(denom, signal)))?.amount);
  const govBalance = onceFor(async (denom) => {
    const { govAccount } = await readBaseOnce();
    return govAccount === undefined ? undefined : orUndefined(node.holding(govAccount, denom, signal));
  });
  return async (needs) => ({
    ...(await openFacts(needs, openProposals)),
    supplies: await answers(needs.denoms, supply),
    govBalances: await answers(needs.paidByGov, govBalance),
    bondedStakes: needs.validators ? stakesOf(await bonded()) : undefined,
    operators: needs.operators ? operatorsOf(await allValidators()) : undefined,
    delegations: needs.delegations ? await delegations() : undefined,
    proposals: await answers(needs.proposals, proposal),
    accounts: await answers(needs.accounts, account),
    clients: await answers(needs.clients, client),
    units: needs.units ? await units() : undefined,
    messageTypes: needs.types ? await messageTypes() : undefined,
    heldModules: needs.types ? await held() : undefined,
  });
}

/** Modules that each chain with gov has. A file without one of them is a part of a state, or of another kind of chain. */
const commonModules = ['auth', 'bank', 'distribution', 'gov', 'staking'];

/** The modules of a state. Undefined if it is not a whole export. */
function wholeExport(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
  const held = names && new Set(names);
  return held && commonModules.every((name) => held.has(name)) ? held : undefined;
}

async function openFacts(
  { openPlans, openParams, paidByGov }: DraftNeeds,
  read: () => Promise<OpenProposals | undefined>,
): Promise<Pick<ChainFacts, 'openPlans' | 'openParams' | 'openDeposits'>> {
  const found = openPlans || openParams || paidByGov.length > 0 ? await read() : undefined;
  return {
    openPlans: openPlans && found ? plansOf(found) : undefined,
    openParams: openParams && found ? proposedParams(found) : undefined,
    openDeposits: found && depositsOf(found),
  };
}

/** The most pages that validators, or proposals, are read in. */
const maxPages = 10;

/** Reads all validators of a status. Undefined if they cannot be read completely. */
async function readValidators(
  node: ChainNode,
  status: 'bonded' | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Validator[] | undefined> {
  const validators: Validator[] = [];
  let key: string | undefined;
  for (let read = 0; read < maxPages; read++) {
    const page = await node.validators({ status, limit: 200, key }, signal);
    if (!page) return undefined;
    for (const row of page.rows) validators.push(row);
    key = page.nextKey;
    if (key === undefined) return validators;
  }
  return undefined;
}

function stakesOf(validators: readonly Validator[] | undefined): readonly bigint[] | undefined {
  return validators?.map(({ tokens }) => tokens).sort(descending);
}

function operatorsOf(validators: readonly Validator[] | undefined): ReadonlySet<string> | undefined {
  return validators && new Set(validators.map(({ operator }) => operator));
}

/** The validators of a stake. Undefined if not all of them are listed. */
function delegationsOf(stake: Stake | undefined): ReadonlySet<string> | undefined {
  const isWhole = stake && stake.delegations.length === stake.delegationCount;
  return isWhole ? new Set(stake.delegations.map(({ validator }) => validator)) : undefined;
}

/** Reads the metadata of the first 1,000 denoms, by their base denoms. */
async function readUnits(
  node: ChainNode,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, DenomMetadata> | undefined> {
  const page = await node.denomsMetadata({ limit: 1000 }, signal);
  return page && new Map(page.rows.map((row) => [row.base, row]));
}

/** The proposals in the two open periods. */
interface OpenProposals {
  readonly rows: readonly ProposalRow[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

/** Reads the first 100 proposals in each of the two open periods. */
async function readOpenProposals(node: ChainNode, signal: AbortSignal | undefined): Promise<OpenProposals> {
  const pages: Page<ProposalRow>[] = [];
  for (const status of ['deposit', 'voting'] as const)
    pages.push(await node.proposals({ status }, { limit: 100 }, signal));
  const isWhole = pages.every(({ nextKey }) => nextKey === undefined);
  return { rows: pages.flatMap(({ rows }) => rows), isWhole };
}

/** Reads the plans of proposals that passed. A state has few pages of them. */
async function readPassedPlans(node: ChainNode, signal: AbortSignal | undefined): Promise<readonly ProposedPlan[]> {
  const found: ProposedPlan[] = [];
  let key: string | undefined;
  for (let read = 0; read < maxPages; read++) {
    const { rows, nextKey } = await node.proposals({ status: 'passed' }, { limit: 200, key }, signal);
    for (const plan of plansOf({ rows })) found.push(plan);
    key = nextKey;
    if (key === undefined) break;
  }
  return found;
}

function plansOf({ rows }: Pick<OpenProposals, 'rows'>): readonly ProposedPlan[] {
  return rows.flatMap((row) =>
    (row.kind === 'proposal' ? row.contents : []).flatMap((content) => {
      const known = contentKind(content);
      return known.kind === 'upgrade' ? [{ id: row.id, name: known.plan.name, height: known.plan.height }] : [];
    }),
  );
}

function proposedParams({ rows }: OpenProposals): readonly ProposedParam[] {
  return rows.flatMap((row) =>
    (row.kind === 'proposal' ? row.contents : []).flatMap((content) => {
      const known = contentKind(content);
      if (known.kind === 'parameterChange')
        return known.changes.map((change) => ({ id: row.id, name: legacyName(change), json: change.value }));
      if (known.kind !== 'moduleParams') return [];
      const { module, params } = known;
      return Object.entries(params).map(([name, value]) => ({
        id: row.id,
        name: `${module}/${name}`,
        json: JSON.stringify(value),
      }));
    }),
  );
}

/** The sums of the deposits by denom. Undefined if not all open proposals were read. */
function depositsOf({ rows, isWhole }: OpenProposals): ReadonlyMap<string, bigint> | undefined {
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    if (row.kind !== 'proposal') return undefined;
    for (const { denom, amount } of row.totalDeposit) sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  }
  return isWhole ? sums : undefined;
}

/** Reads the facts of a proposal. Null if the chain has none with this id. */
async function readProposal(
  node: ChainNode,
  id: string,
  signal: AbortSignal | undefined,
): Promise<NamedProposal | null | undefined> {
  try {
    const row = await node.proposal(BigInt(id), signal);
    if (row.kind !== 'proposal') return undefined;
    const { status, proposer, votingStartTime, votingEndTime, expedited } = row;
    return { status, proposer, votingStartTime, votingEndTime, expedited };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function namesOf(modules: ReadonlyMap<string, Fields> | undefined): ReadonlySet<string> | undefined {
  return modules && new Set(modules.keys());
}

type BaseFacts = Omit<ChainFacts, 'moduleParams' | 'legacyParams' | 'appliedPlans'>;

/** Reads the facts that every draft is checked against. */
async function readBase(
  node: ChainNode,
  latest: () => Promise<BlockHeader | undefined>,
  signal: AbortSignal | undefined,
): Promise<BaseFacts> {
  const reply = await node.govParams(signal);
  const [block, accounts, power] = await Promise.all([
    latest(),
    orUndefined(node.moduleAccounts(signal)),
    orUndefined(node.votingPower(signal)),
    orUndefined(node.nodeInfo(signal)),
  ]);
  // A state file has no blocks, but its page of supply states height and time.
  const page = block ? undefined : await orUndefined(node.supply({ limit: 1 }, signal));
  const govAccount = accounts?.get('gov');
  const address = govAccount ?? (await anyOperator(node, signal));
  const read = address === undefined ? undefined : readBech32(address);
  const { gov, sdkVersion, chainId } = node.dialect;
  const votes = { params: reply?.values ?? {}, votingPower: power?.total, powerSource: power?.module, sdkVersion };
  return {
    chainId: chainId ?? block?.chainId,
    isState: node.baseUrl === '' || node.dialect.segment === 'chain',
    readAt: new Date(),
    height: block?.height ?? page?.info.height,
    time: block?.time ?? page?.info.date,
    sdkVersion,
    // Our service answers both versions of gov in process, whatever the chain offered.
    hasGovV1: gov === 'v1beta1' && node.baseUrl !== '' ? false : gov === 'v1' || undefined,
    govParams: votes.params,
    votes,
    govAccount,
    prefix: read && 'prefix' in read ? basePrefix(read.prefix) : undefined,
    moduleAccounts: accounts && new Map([...accounts].map(([name, address]) => [address, shownName(name)])),
    isProofOfAuthority: power?.module === 'poa' || accounts?.has('poa'),
  };
}

/** Gives the address of a validator. A state without accounts has the prefix of its addresses there. */
async function anyOperator(node: ChainNode, signal: AbortSignal | undefined): Promise<string | undefined> {
  const page = await orUndefined(node.validators({ status: undefined, limit: 1 }, signal));
  return page?.rows[0]?.operator;
}

/** Answers by name. Names without an answer are absent. */
async function answers<T>(
  names: Iterable<string>,
  ask: (name: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const known = new Map<string, T>();
  for (const name of names) {
    const answer = await ask(name);
    if (answer !== undefined) known.set(name, answer);
  }
  return known;
}
