import { govForms, type Operation, type OperationShape, operations, type Params } from '../api/operations.ts';
import { statusNames } from '../api/wireValues.ts';
import { type Fields, isFields } from '../chain/fields.ts';
import type { GovForm } from '../chain/gov/proposal.ts';
import { bodyOf, CoinSum } from './holders/balances.ts';
import type { ModuleAccounts } from './holders/moduleAccounts.ts';
import type { Split } from './holders/split.ts';
import { denomTrace } from './modules/denomTraces.ts';
import { formOf, type GovState, renameTally, toIdKey, toV1, toV1beta1 } from './modules/govReader.ts';
import { govParams, moduleParams, param, readGovParams, stateParams } from './modules/moduleParams.ts';
import { bondStatuses, type Staking } from './modules/staking.ts';
import { decodeAddress, toAddressKey, toShares, toVoteReply } from './modules/votes.ts';
import { badParameter, GatewayError, notImplemented } from './serviceErrors.ts';
import type { Header, ModuleName, State, StateSnapshot } from './stateSnapshot.ts';
import { fieldsAt, findKey, type KeyedTable, readUint64, rowAt, tablePage, toByteText, toTable } from './table.ts';

/** A body as JSON, or as the bytes of a page of rows. */
type Body = string | Buffer;

/** Makes the body of an answer. `part` gives a parameter of the path by its name, unescaped. */
type Responder<O extends Operation> = (
  state: StateSnapshot,
  part: (name: keyof Params<O>) => string,
  query: URLSearchParams,
) => Promise<Body>;

/** The answers to the operations of the contract; undefined for those that no state file answers. */
const answers: { readonly [O in Operation]: Responder<O> | undefined } = {
  supply: from('bank', (bank, _, query) => tablePage('supply', heldSupply(bank), query)),
  supplyByDenom: from('bank', (bank, _, query) => supplyOf(heldSupply(bank), query.get('denom') ?? '')),
  supplyOf: from('bank', (bank, part) => supplyOf(heldSupply(bank), part('denom'))),
  denomsMetadata: from('bank', (bank, _, query) => tablePage('metadatas', bank.metadata, query)),
  sendEnabled: from('bank', ({ sendEnabled }, _, query) => {
    if (!sendEnabled) throw new GatewayError(12, 'the state does not list send_enabled');
    return tablePage('send_enabled', sendEnabled, query);
  }),
  proposals: dated('gov', (gov, part, query) => proposals(gov, readForm(part('form')), query)),
  proposal: dated('gov', (gov, part) => {
    return `{"proposal":${proposalAt(gov, readForm(part('form')), positionOf(gov, part('proposalId')))}}`;
  }),
  votes: dated('gov', (gov, part, query) =>
    votes(ofProposal(gov.votes, part('proposalId')), readForm(part('form')), query),
  ),
  vote: dated('gov', (gov, part) => vote(gov, readForm(part('form')), part('proposalId'), part('voter'))),
  deposits: dated('gov', (gov, part, query) =>
    tablePage('deposits', ofProposal(gov.deposits, part('proposalId')), query),
  ),
  deposit: dated('gov', (gov, part) => deposit(gov, part('proposalId'), part('depositor'))),
  tally: dated('gov', (gov, part, _, state) => tally(gov, state, readForm(part('form')), part('proposalId'))),
  tallyWithPower: undefined,
  govParams: from('gov', (gov, part) => govParams(gov, readForm(part('form')), part('kind'))),
  forkParams: undefined,
  govConstitution: from('gov', constitution),
  govQuorums: undefined,
  validators: dated('staking', (staking, _, query) => validators(staking, query)),
  signingInfos: from('slashing', ({ infos }, _, query) => {
    if (!infos) throw new GatewayError(12, 'the state does not list signing infos');
    return tablePage('info', infos, query);
  }),
  stakingPool: from('staking', pool),
  mstakingPool: undefined,
  totalPower: undefined,
  param: from('params', (params, _, query) => param(params, query)),
  stateParams: dated('params', stateParams),
  moduleParams: from('params', (params, part) => moduleParams(params, part('module'))),
  ibcDenom: from('transfer', (traces, part) => denomTrace(traces, 'denoms', part('hash'))),
  ibcDenomTrace: from('transfer', (traces, part) => denomTrace(traces, 'denom_traces', part('hash'))),
  block: undefined,
  appliedPlan: undefined,
  currentPlan: undefined,
  communityPool: from('distribution', ({ communityPool: pool }) => {
    if (pool === '') throw new GatewayError(12, 'the community pool is not in this state');
    return `{"pool":${pool}}`;
  }),
  inflation: from('mint', (mint) => minterValue(mint, 'inflation')),
  annualProvisions: from('mint', (mint) => minterValue(mint, 'annual_provisions')),
  moduleAccounts: from('moduleAccounts', moduleAccounts),
  balances: from('split', ({ list }, part, query, state) => balances(list, part('address'), query, state)),
  balance: undefined,
  channels: undefined,
  escrowAddress: undefined,
  clientStatus: undefined,
  clientState: undefined,
  clientConsensus: undefined,
  implementations: undefined,
  supplySplit: from('split', ({ denoms }, _, query) => supplySplit(denoms, query)),
  largestHolders: from('split', (split, _, query, state) => largestHolders(split, query, state)),
  genesisValidators: from('staking', ({ created = [] }) => JSON.stringify({ validators: created })),
  tallyDetails: from('gov', (gov, _, query, state) => tallyDetails(gov, state, query.get('proposal_id') ?? '')),
  stake: from('staking', (staking, _, query, state) => stakeOf(staking, query, state)),
  schedule: from('header', (_header, _, query, state) => scheduleOf(query, state)),
  denomOwners: undefined,
  denomOwnersByQuery: undefined,
  account: undefined,
  simulate: undefined,
  nodeInfo: from('header', nodeInfo),
};

/** Makes an answer from one module of the state, once it has been read. */
function from<M extends ModuleName, Name extends string>(
  name: M,
  make: (
    module: State[M],
    part: (name: Name) => string,
    query: URLSearchParams,
    state: StateSnapshot,
  ) => Body | Promise<Body>,
): (state: StateSnapshot, part: (name: Name) => string, query: URLSearchParams) => Promise<Body> {
  return async (state, part, query) => {
    const module = await state.get(name);
    if ('isHeld' in module && module.isHeld === false) throw new GatewayError(12, `${name} is not in this state`);
    return make(module, part, query, state);
  };
}

/** Makes the same answer once the time of the state is known, which takes the whole file. */
function dated<M extends ModuleName, Name extends string>(
  ...[name, make]: Parameters<typeof from<M, Name>>
): ReturnType<typeof from<M, Name>> {
  return from(name, async (module, part: (name: Name) => string, query, state) => {
    // A file that is cut off after the module has no known time.
    await state.get('clock').catch(() => undefined);
    return make(module, part, query, state);
  });
}

/**
 * The patterns of path parameters that take more than one part. Denoms have slashes, such as `ibc/` and a hash, and
 * modules may lie below any segment.
 */
const partForms: ReadonlyMap<string, string> = new Map([
  ['form', `(${govForms.join('|')})`],
  ['denom', '(.*)'],
  ['hash', '(.*)'],
  ['module*', '((?:[\\w.-]+/)*[\\w.-]+)'],
]);

const routes = Object.keys(operations)
  .filter(isOperation)
  .map((operation) => {
    const { path, segment }: OperationShape = operations[operation];
    const names = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => name);
    const pattern = path.replace(/\{(\w+\*?)\}/g, (_, name: string) => partForms.get(name) ?? '([^/]*)');
    return { path, segment, names, pattern: new RegExp(`^${pattern}$`), answer: answers[operation] };
  });

function isOperation(name: string): name is Operation {
  return Object.hasOwn(operations, name);
}

/** True for paths of our own, which no node has. They are answered below `chain` only (docs/nodes.md#supply-split). */
function isOwn(path: string): boolean {
  return path.startsWith('inspector/');
}

/** Lists the paths that are answered below a first segment (`chain`), for people who open the address. */
function pathsOf(segment: string): readonly string[] {
  return routes
    .filter(({ answer, path }) => answer && (segment === 'chain' || !isOwn(path)))
    .flatMap(({ path, segment: fixed = segment }) =>
      (path.includes('{form}') ? govForms : ['']).map((form) => `/${fixed}/${path.replace('{form}', form)}`),
    )
    .map((path) => path.replace('*}', '}'));
}

/**
 * Gives the body of a 200 answer once its module has been read. `path` is as it came, `height` is "" for none. Rejects
 * with `GatewayError`.
 */
export async function answer(
  state: StateSnapshot,
  path: string,
  query: URLSearchParams,
  height: string,
): Promise<Body> {
  const index = /^\/(chain|cosmos)\/?$/.exec(path)?.[1];
  if (index !== undefined) return JSON.stringify({ paths: pathsOf(index) }, undefined, 2);
  if (height !== '' && height !== '0') checkHeight(height, (await state.get('header')).height);
  const [, segment, below = ''] = /^\/([\w.-]+)\/(.*)$/.exec(path) ?? [];
  const isOurs = segment === 'chain' || segment === 'cosmos';
  if (segment === 'cosmos' && denomInPath.test(below) && (await isSince046(state))) throw notImplemented();
  for (const { path: shape, segment: fixed, names, pattern, answer } of routes) {
    // Modules have their parameters below segments of their own too.
    const isBelow = shape.startsWith('{module*}') || (fixed === undefined ? isOurs : segment === fixed);
    const match = isBelow ? pattern.exec(below) : null;
    if (!match) continue;
    if (!answer || (segment === 'cosmos' && isOwn(shape))) throw notImplemented();
    const parts = new Map(names.map((name, at) => [name, unescapePart(match[at + 1] ?? '')]));
    return answer(state, (name) => parts.get(name) ?? '', query);
  }
  throw notImplemented();
}

/** Reads the form from a path that its pattern has accepted. */
function readForm(text: string): GovForm {
  const form = govForms.find((known) => known === text);
  if (form === undefined) throw notImplemented();
  return form;
}

const denomInPath = /^bank\/v1beta1\/supply\/(?!by_denom$)/;

/**
 * True if the state shows that its nodes take a denom in the query only. Under `chain`, both forms are always accepted,
 * as in the contract.
 */
async function isSince046(state: StateSnapshot): Promise<boolean> {
  const gov = await state.get('gov').catch(() => undefined);
  return (
    gov !== undefined && (gov.form === 'v1' || gov.constitution !== undefined || gov.params.includes('"params":{'))
  );
}

/** Refuses any height but that of the state, in the words of nodes (docs/nodes.md#heights). */
function checkHeight(asked: string, own: string | undefined): void {
  if (asked === own) return;
  if (!/^\d{1,20}$/.test(asked)) throw new GatewayError(2, 'invalid height: expected a number');
  if (own !== undefined && BigInt(asked) > BigInt(own))
    throw new GatewayError(2, 'cannot query with height in the future; please provide a valid height');
  const latest = own === undefined ? 'the state has no height' : `latest height: ${own}`;
  throw new GatewayError(2, `failed to load state at height ${asked}; a state file has one height (${latest})`);
}

function unescapePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badParameter('path', 'malformed escape');
  }
}

/** The valid denoms of SDK 0.46 and later (types/coin.go). Denoms that the state holds are answered in any case. */
const denomForm = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** Gives the supply of a state that lists coins. A part of a state may have a bank module without them. */
function heldSupply({ supply, hasCoins }: State['bank']): KeyedTable {
  if (!hasCoins) throw new GatewayError(12, 'supply is not in this state');
  return supply;
}

/** Answers the supply of one denom: amount "0" for an unknown denom, 400 for an invalid one. */
function supplyOf(supply: KeyedTable, denom: string): string {
  const position = findKey(supply, Buffer.from(denom));
  if (position < 0 && !denomForm.test(denom)) throw new GatewayError(3, `invalid denom: ${denom.slice(0, 200)}`);
  return `{"amount":${position < 0 ? JSON.stringify({ denom, amount: '0' }) : rowAt(supply, position)}}`;
}

/** Answers the classes of accounts that hold `denom`, or a page of all denoms (docs/nodes.md#supply-split). */
function supplySplit(denoms: KeyedTable, query: URLSearchParams): Body {
  const denom = query.get('denom');
  if (denom === null) return tablePage('splits', denoms, query);
  return `{"split":${rowAt(denoms, denomAt(denoms, denom))}}`;
}

function denomAt(denoms: KeyedTable, denom: string): number {
  const position = findKey(denoms, Buffer.from(denom));
  if (position < 0) throw new GatewayError(5, `the state has no coins of ${denom.slice(0, 200)}`);
  return position;
}

/** Holders of an answer at most. */
const mostHolders = 100_000;

/**
 * Answers the accounts that hold most of `denom` (`limit`, else ten), or the one of `address`, with their classes. The search
 * starts with the request.
 */
async function largestHolders(split: Split, query: URLSearchParams, state: StateSnapshot): Promise<string> {
  const denom = query.get('denom') ?? '';
  const address = (query.get('address') ?? '').toLowerCase();
  denomAt(split.denoms, denom);
  const given = query.get('limit') || '10';
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new GatewayError(3, 'limit must be a whole number above 0');
  const most = Math.min(Number(given), mostHolders);
  const which = address === '' ? { most } : { body: bodyOf(address) };
  const holders = (await state.largestHolders?.(split, denom, which)) ?? [];
  // The same bytes may have addresses with other prefixes.
  const own = holders.filter((holder) => address === '' || holder.address === address);
  const named = own.map((holder) => {
    const position = findKey(split.accounts, Buffer.from(bodyOf(holder.address)));
    return { ...holder, ...(position < 0 ? { class: 'other', name: '' } : fieldsAt(split.accounts, position)) };
  });
  return JSON.stringify({ holders: named });
}

/** Answers the coins of an account. The search starts with the request. */
async function balances(
  list: Split['list'],
  address: string,
  query: URLSearchParams,
  state: StateSnapshot,
): Promise<Body> {
  readAddressKey('address', address);
  if (!list || !state.balances) throw new GatewayError(12, 'the state does not list balances');
  const own = address.toLowerCase();
  const sums = new CoinSum();
  // The same bytes may have addresses with other prefixes.
  for (const coin of await state.balances(list, bodyOf(own)))
    if (coin.address === own) sums.add(coin.denom, BigInt(coin.amount));
  const rows = [...sums.totals()].map(([denom, { amount }]) => ({
    key: toByteText(denom),
    row: JSON.stringify({ denom, amount: `${amount}` }),
  }));
  return tablePage('balances', toTable(rows), query);
}

/**
 * Answers the tokens that `address` has staked. The tokens of a delegation are those of the validator by its share of
 * all shares (x/staking/types/validator.go, TokensFromShares), cut to whole units.
 */
async function stakeOf({ validators: table }: Staking, query: URLSearchParams, state: StateSnapshot): Promise<string> {
  const address = query.get('address') ?? '';
  readAddressKey('address', address);
  const found = await state.stake?.(bodyOf(address.toLowerCase()));
  if (!found) throw notImplemented();
  const delegations = found.delegations.map(([validator, shares]) => {
    const { tokens, delegator_shares: all, description } = rowBy(table, 'operator_address', validator) ?? {};
    const total = typeof all === 'string' ? toShares(all, '.delegator_shares') : 0n;
    const isKnown = typeof tokens === 'string' && total > 0n;
    const amount = isKnown ? (toShares(shares, '.shares') * BigInt(tokens)) / total : undefined;
    const moniker = isFields(description) ? description.moniker : undefined;
    return { validator, moniker: typeof moniker === 'string' ? moniker : '', amount };
  });
  const isWhole = delegations.every(({ amount }) => amount !== undefined);
  const delegated = isWhole ? delegations.reduce((all, { amount = 0n }) => all + amount, 0n) : undefined;
  const largest = delegations.toSorted((one, other) => ((one.amount ?? 0n) < (other.amount ?? 0n) ? 1 : -1));
  const listed = largest.slice(0, mostDelegations).map((one) => ({ ...one, amount: one.amount?.toString() ?? null }));
  const sum = found.unbonding.reduce((all, [, amount]) => all + BigInt(amount), 0n);
  const entries = found.unbonding.map(([time, amount]) => ({ time, amount }));
  const unbonding = { unbonding: `${sum}`, unbonding_entries: entries.toSorted((a, b) => (a.time < b.time ? -1 : 1)) };
  const vesting = found.vesting ?? null;
  const sums = { delegated: delegated?.toString() ?? null, ...unbonding, vesting };
  return JSON.stringify({ stake: { ...sums, delegations: listed, delegation_count: delegations.length } });
}

/** The limit for the delegations of an account that are listed. */
const mostDelegations = 200;

/** Answers the amounts of `denom` that vest and unbond until the time `at` (RFC 3339). */
async function scheduleOf(query: URLSearchParams, state: StateSnapshot): Promise<string> {
  const until = Date.parse(query.get('at') ?? '');
  if (Number.isNaN(until)) throw new GatewayError(3, '"at" must be an RFC 3339 time');
  const found = await state.schedule?.(query.get('denom') ?? '', until);
  if (!found) throw notImplemented();
  return JSON.stringify(found);
}

/** Answers `gov/v1/constitution` (SDK 0.50 and later). */
function constitution({ constitution: text }: GovState): string {
  if (text === undefined) throw notImplemented();
  return JSON.stringify({ constitution: text });
}

function pool(staking: Staking): string {
  if (staking.bondedTokens === undefined || staking.notBondedTokens === undefined)
    throw new GatewayError(12, 'the bonded tokens are not in this state');
  return JSON.stringify({ pool: { not_bonded_tokens: staking.notBondedTokens, bonded_tokens: staking.bondedTokens } });
}

/** Answers a decimal number of the minter by its name. */
function minterValue({ minter }: State['mint'], name: 'inflation' | 'annual_provisions'): string {
  const value = minter[name];
  if (value === undefined) throw new GatewayError(12, `${name} is not in this state`);
  return JSON.stringify({ [name]: value });
}

/** Answers the module accounts by name, as nodes do (x/auth/keeper/grpc_query.go). */
function moduleAccounts({ accounts }: ModuleAccounts): string {
  if (!accounts) throw notImplemented();
  return `{"accounts":[${Array.from({ length: accounts.count }, (_, at) => rowAt(accounts, at)).join(',')}]}`;
}

/**
 * Answers the chain id without a version of the SDK. The state does not hold the version, and the service answers
 * requests of all versions.
 */
function nodeInfo({ chainId, appName = '' }: Header): string {
  return JSON.stringify({
    default_node_info: { network: chainId, moniker: 'Chain Inspector' },
    application_version: { name: 'chain-inspector', app_name: appName, version: '', cosmos_sdk_version: '' },
  });
}

const names: readonly string[] = statusNames;

/** The words of nodes since SDK 0.46.8 (docs/nodes.md#v1-to-v1beta1). */
const notConvertible =
  "codespace sdk code 29: invalid type: can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one";

/** Converts a proposal of the other form; undefined if it has no such form. */
const toForm: Readonly<Record<GovForm, (fields: Fields, gov: GovState) => Fields | undefined>> = {
  v1: (fields, { authority }) => toV1(fields, authority),
  v1beta1: (fields) => toV1beta1(fields),
};

/**
 * Answers a page of proposals. If one v1 proposal has no v1beta1 form, the whole v1beta1 page fails (500, code 2), as
 * on a node.
 */
function proposals(gov: GovState, form: GovForm, query: URLSearchParams): Body {
  const toRow = (position: number): string => proposalAt(gov, form, position);
  return tablePage('proposals', gov.proposals, query, { matches: rowFilter(gov, query), toRow });
}

function proposalAt(gov: GovState, form: GovForm, position: number): string {
  const row = rowAt(gov.proposals, position);
  if (formOf(row) === form) return row;
  const fields = fieldsAt(gov.proposals, position);
  const converted = toForm[form](fields, gov);
  if (!converted) throw new GatewayError(2, notConvertible);
  return JSON.stringify(converted);
}

/**
 * Answers `…/{id}/tally`: the final tally, or for an open vote the count from the votes and delegations of the state.
 */
async function tally(gov: GovState, state: StateSnapshot, form: GovForm, id: string): Promise<string> {
  const position = positionOf(gov, id);
  const reply = (tally: unknown, stored: GovForm = 'v1beta1'): string =>
    JSON.stringify({ tally: renameTally(tally, stored, form) });
  if (gov.proposals.tags[position] !== names.indexOf('PROPOSAL_STATUS_VOTING_PERIOD'))
    return reply(fieldsAt(gov.proposals, position).final_tally_result, formOf(rowAt(gov.proposals, position)));
  if (!gov.hasVotes) return reply({});
  return reply((await talliesOf(state))[String(idOfPath(id))] ?? {});
}

async function talliesOf(state: StateSnapshot): Promise<NonNullable<Staking['tallies']>> {
  const { tallies } = await state.get('staking');
  if (!tallies) throw new GatewayError(12, 'running tallies are not calculated for this state');
  return tallies;
}

/** Answers facts of an open vote beside its tally: options with decimals, which the tally cuts, and its votes. */
async function tallyDetails(gov: GovState, state: StateSnapshot, id: string): Promise<string> {
  if (gov.proposals.tags[positionOf(gov, id)] !== names.indexOf('PROPOSAL_STATUS_VOTING_PERIOD'))
    throw notImplemented();
  const own = gov.hasVotes ? (await talliesOf(state))[String(idOfPath(id))] : undefined;
  const { fractions = [], votes = 0, largest = [], validators = [] } = own ?? {};
  return JSON.stringify({ fractions, votes: `${votes}`, largest, validators });
}

function idOfPath(text: string): bigint {
  const id = readUint64(text, 'proposal_id');
  if (id === 0n) throw new GatewayError(3, 'proposal id can not be 0');
  return id;
}

function positionOf(gov: GovState, text: string): number {
  const id = idOfPath(text);
  const position = findKey(gov.proposals, toIdKey(id));
  if (position < 0) throw new GatewayError(5, `proposal ${id} doesn't exist`);
  return position;
}

/** Answers `…/{id}/votes`. The list is empty without votes, after the vote and for an unknown proposal. */
function votes(table: KeyedTable, form: GovForm, query: URLSearchParams): Body {
  const toRow = (position: number): string => JSON.stringify(toVoteReply(fieldsAt(table, position), form));
  return tablePage('votes', table, query, { toRow });
}

/** Answers `…/{id}/votes/{voter}`. One error covers no vote, the end of voting and an unknown proposal. */
function vote(gov: GovState, form: GovForm, id: string, voter: string): string {
  const found = rowBy(ofProposal(gov.votes, id), 'voter', voter);
  if (!found) throw new GatewayError(3, `voter: ${voter} not found for proposal: ${id}`);
  return JSON.stringify({ vote: toVoteReply(found, form) });
}

/**
 * Answers `…/{id}/deposits/{depositor}`. A missing deposit is 404 since SDK 0.50, whose parameters have an expedited
 * period.
 */
function deposit(gov: GovState, id: string, depositor: string): string {
  const found = rowBy(ofProposal(gov.deposits, id), 'depositor', depositor);
  if (found) return JSON.stringify({ deposit: found });
  if ('expedited_voting_period' in readGovParams(gov.params))
    throw new GatewayError(5, `collections: not found: key '("${id}", "${depositor}")'`);
  throw new GatewayError(3, `depositer: ${depositor} not found for proposal: ${id}`);
}

const noRows = toTable([]);

function ofProposal(tables: Readonly<Record<string, KeyedTable>>, id: string): KeyedTable {
  return tables[String(idOfPath(id))] ?? noRows;
}

/** Gives the row of an address, which stands in the field `name`. Throws `GatewayError` for an invalid address. */
function rowBy(table: KeyedTable, name: string, address: string): Fields | undefined {
  const position = findKey(table, readAddressKey(name, address));
  const row = position < 0 ? undefined : fieldsAt(table, position);
  // The same bytes may have addresses with other prefixes.
  return row?.[name] === address.toLowerCase() ? row : undefined;
}

function readAddressKey(name: string, address: string): Buffer {
  if (!decodeAddress(address)) throw badParameter(name, 'decoding bech32 failed');
  return Buffer.from(toAddressKey(address), 'latin1');
}

/** Answers `staking/v1beta1/validators`. The status is accepted by name only. */
function validators(staking: Staking, query: URLSearchParams): Body {
  const status = query.get('status') ?? '';
  const number = bondStatuses.indexOf(status);
  if (status !== '' && number < 0) throw new GatewayError(3, `invalid validator status ${status.slice(0, 80)}`);
  const matches = status === '' ? undefined : (at: number): boolean => staking.validators.tags[at] === number;
  return tablePage('validators', staking.validators, query, { matches });
}

function rowFilter(gov: GovState, query: URLSearchParams): ((position: number) => boolean) | undefined {
  const status = readStatus(query.get('proposal_status') ?? query.get('proposalStatus') ?? '');
  const voted = proposalsOf(gov, gov.votes, query, 'voter');
  const deposited = proposalsOf(gov, gov.deposits, query, 'depositor');
  if (status === 0 && !voted && !deposited) return undefined;
  return (position) =>
    (status === 0 || gov.proposals.tags[position] === status) &&
    (!voted || voted.has(position)) &&
    (!deposited || deposited.has(position));
}

/** Reads a status by name or number. 0, unspecified and an empty text do not filter. */
function readStatus(text: string): number {
  if (text === '') return 0;
  const number = /^\d+$/.test(text) ? Number(text) : names.indexOf(text);
  if (number >= 0 && number < statusNames.length) return number;
  throw badParameter('proposal_status', `${text.slice(0, 80)} is not a valid types.ProposalStatus`);
}

function proposalsOf(
  gov: GovState,
  tables: GovState['votes'],
  query: URLSearchParams,
  name: string,
): ReadonlySet<number> | undefined {
  const address = query.get(name) ?? '';
  if (address === '') return undefined;
  readAddressKey(name, address);
  const ids = Object.keys(tables).filter((id) => rowBy(tables[id] ?? noRows, name, address));
  return new Set(ids.map((id) => findKey(gov.proposals, toIdKey(BigInt(id)))));
}
