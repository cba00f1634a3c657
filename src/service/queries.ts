import { createHash } from 'node:crypto';
import { statusNames } from '../api/wireValues.ts';
import type { Bank } from './bank.ts';
import { type Form, formOf, type Gov, renameTally, toIdKey, toV1, toV1beta1 } from './govReader.ts';
import type { Fields } from './jsonValue.ts';
import { readGovParams, readModuleParams } from './moduleParams.ts';
import { badParameter, GatewayError, notImplemented } from './serviceErrors.ts';
import { bondStatuses, type Staking } from './staking.ts';
import type { Header, ModuleName, State, StateSnapshot } from './state.ts';
import { fieldsAt, findKey, readUint64, rowAt, type Table, tablePage, toTable } from './table.ts';
import { decodeAddress, encodeAddress, toAddressKey, toVoteReply } from './votes.ts';

/** The groups of a path, unescaped; "" for those that it does not have. */
type Parts = readonly [string, string, string];

const routes = [
  route('bank', /^bank\/v1beta1\/supply$/, ({ supply }, _, query) => tablePage('supply', supply, query)),
  route('bank', /^bank\/v1beta1\/supply\/(.*)$/, (bank, [denom], query) => supplyOf(bank, denom, query)),
  route('bank', /^bank\/v1beta1\/denoms_metadata$/, (bank, _, query) => tablePage('metadatas', bank.metadata, query)),
  route('gov', /^gov\/(v1|v1beta1)\/proposals$/, (gov, [version], query) => proposals(gov, version, query)),
  route('gov', /^gov\/(v1|v1beta1)\/proposals\/([^/]*)$/, (gov, [version, id]) => {
    return `{"proposal":${proposalAt(gov, version, positionOf(gov, id))}}`;
  }),
  route('gov', /^gov\/(v1|v1beta1)\/proposals\/([^/]*)\/tally$/, (gov, [version, id], _, state) =>
    tally(gov, state, version, id),
  ),
  route('gov', /^gov\/(v1|v1beta1)\/proposals\/([^/]*)\/votes$/, (gov, [version, id], query) =>
    votes(ofProposal(gov.votes, id), version, query),
  ),
  route('gov', /^gov\/(v1|v1beta1)\/proposals\/([^/]*)\/votes\/([^/]*)$/, (gov, [version, id, voter]) =>
    vote(gov, version, id, voter),
  ),
  route('gov', /^gov\/(v1|v1beta1)\/proposals\/([^/]*)\/deposits$/, (gov, [, id], query) =>
    tablePage('deposits', ofProposal(gov.deposits, id), query),
  ),
  route('gov', /^gov\/(v1|v1beta1)\/proposals\/([^/]*)\/deposits\/([^/]*)$/, (gov, [, id, depositor]) =>
    deposit(gov, id, depositor),
  ),
  route('gov', /^gov\/(v1|v1beta1)\/params\/([^/]*)$/, (gov, [version, kind]) => govParams(gov, version, kind)),
  route('gov', /^gov\/v1\/constitution$/, (gov) => constitution(gov)),
  route('staking', /^staking\/v1beta1\/validators$/, (staking, _, query) => validators(staking, query)),
  route('staking', /^staking\/v1beta1\/pool$/, pool),
  route('params', /^params\/v1beta1\/params$/, (params, _, query) => param(params, query)),
  route('distribution', /^distribution\/v1beta1\/community_pool$/, ({ communityPool: pool }) => {
    if (pool === '') throw new GatewayError(12, 'the state does not hold the community pool');
    return `{"pool":${pool}}`;
  }),
  route('gov', /^auth\/v1beta1\/module_accounts$/, moduleAccounts),
  route('header', /^base\/tendermint\/v1beta1\/node_info$/, nodeInfo),
];

/** `path`: below the first segment. */
function route<M extends ModuleName>(
  name: M,
  path: RegExp,
  make: (module: State[M], parts: Parts, query: URLSearchParams, state: StateSnapshot) => string | Promise<string>,
) {
  return {
    path,
    answer: async (state: StateSnapshot, parts: Parts, query: URLSearchParams) =>
      make(await state.get(name), parts, query, state),
  };
}

/** What a part of a path stands for, by the part before it. */
const partNames: Readonly<Record<string, string>> = {
  supply: 'denom',
  proposals: 'id',
  votes: 'voter',
  deposits: 'depositor',
  params: 'kind',
};

/** The paths that are answered below a first segment (`chain`), for people who open the address. */
function pathsOf(segment: string): readonly string[] {
  const below = routes.flatMap(({ path: { source } }) => {
    const named = source
      .replace(/^\^|\\|\$$/g, '')
      .replace(/(\w+)\/\((?:\.|\[\^\/\])\*\)/g, (_, before: string) => `${before}/{${partNames[before]}}`);
    return named.includes('(') ? ['v1', 'v1beta1'].map((version) => named.replace('(v1|v1beta1)', version)) : [named];
  });
  return [...below, '{module}/v1beta1/params'].map((path) => `/${segment}/${path}`);
}

/** The 200 body, once its module is read. `path` as it came, `height` "" for none. Rejects with `GatewayError`. */
export async function answer(state: StateSnapshot, path: string, query: URLSearchParams, height: string) {
  const index = /^\/(chain|cosmos)\/?$/.exec(path)?.[1];
  if (index !== undefined) return JSON.stringify({ paths: pathsOf(index) }, undefined, 2);
  if (height !== '' && height !== '0') checkHeight(height, (await state.get('header')).height);
  const [, segment, below = ''] = /^\/(chain|cosmos)\/(.*)$/.exec(path) ?? [];
  if (segment === 'cosmos' && denomInPath.test(below) && (await isSince046(state))) throw notImplemented();
  for (const route of routes) {
    const match = route.path.exec(below);
    if (!match) continue;
    const [, first = '', second = '', third = ''] = match.map((part) => unescapePart(part ?? ''));
    return route.answer(state, [first, second, third], query);
  }
  const module = /^\/(?:[\w.-]+\/)+([\w-]+)\/v\w+\/params$/.exec(path)?.[1];
  if (module === undefined) throw notImplemented();
  return moduleParams(await state.get('params'), module);
}

const denomInPath = /^bank\/v1beta1\/supply\/(?!by_denom$)/;

/** Whether the state shows that its nodes take a denom in the query only; the contract, under `chain`, has both forms always. */
async function isSince046(state: StateSnapshot): Promise<boolean> {
  const gov = await state.get('gov').catch(() => undefined);
  return (
    gov !== undefined && (gov.form === 'v1' || gov.constitution !== undefined || gov.params.includes('"params":{'))
  );
}

/** A state has one height; others are refused in the words of nodes (docs/nodes.md#heights). */
function checkHeight(asked: string, own: string | undefined): void {
  if (asked === own) return;
  if (!/^\d{1,20}$/.test(asked)) throw new GatewayError(2, 'invalid height: expected a number');
  if (own !== undefined && BigInt(asked) > BigInt(own))
    throw new GatewayError(2, 'cannot query with height in the future; please provide a valid height');
  const latest = own === undefined ? 'the state names no height' : `latest height: ${own}`;
  throw new GatewayError(2, `failed to load state at height ${asked}; a state file has one height (${latest})`);
}

function unescapePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badParameter('path', 'malformed escape');
  }
}

/** Any denom of SDK 0.46+ (types/coin.go); whatever the state itself holds is answered, too. */
const denomForm = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** `supply/{denom}`, slashes and all, and `supply/by_denom?denom=`. Unknown: amount "0"; invalid: 400. */
function supplyOf(bank: Bank, path: string, query: URLSearchParams): string {
  const denom = path === 'by_denom' ? (query.get('denom') ?? '') : path;
  const position = findKey(bank.supply, Buffer.from(denom));
  if (position < 0 && !denomForm.test(denom)) throw new GatewayError(3, `invalid denom: ${denom.slice(0, 200)}`);
  return `{"amount":${position < 0 ? JSON.stringify({ denom, amount: '0' }) : rowAt(bank.supply, position)}}`;
}

const zeroRatio = '0.000000000000000000';

/** The groups of v1beta1 with what nodes fill in where another one was asked for (docs/nodes.md#gov-params). */
const paramGroups = {
  voting_params: { kind: 'voting', none: { voting_period: '0s' } },
  deposit_params: { kind: 'deposit', none: { min_deposit: [], max_deposit_period: '0s' } },
  tally_params: {
    kind: 'tallying',
    none: { quorum: zeroRatio, threshold: zeroRatio, veto_threshold: zeroRatio },
  },
} as const;

/** `gov/{version}/params/{kind}`: the asked group as far as the state has it, the others empty, and in v1 all `params`. */
function govParams(gov: Gov, version: string, kind: string): string {
  const params = readGovParams(gov.params);
  if (Object.keys(params).length === 0) throw new GatewayError(12, 'the state holds no gov params');
  const groups = Object.entries(paramGroups);
  // Nodes of gov v1 take an empty kind since SDK 0.50.
  const isEmptyTaken = version === 'v1' && 'expedited_voting_period' in params;
  if (!(kind === '' && isEmptyTaken) && !groups.some(([, group]) => group.kind === kind))
    throw new GatewayError(3, `${kind.slice(0, 80)} is not a valid parameter type`);
  const reply = groups.map(([name, { kind: own, none }]) => {
    const asked = Object.keys(none).flatMap((field) => (field in params ? [[field, params[field]]] : []));
    if (own === kind) return [name, Object.fromEntries(asked)];
    return [name, version === 'v1' ? null : none];
  });
  return JSON.stringify({ ...Object.fromEntries(reply), ...(version === 'v1' ? { params } : {}) });
}

/** `gov/v1/constitution`, since SDK 0.50. */
function constitution({ constitution: text }: Gov): string {
  if (text === undefined) throw notImplemented();
  return JSON.stringify({ constitution: text });
}

function pool(staking: Staking): string {
  if (staking.bondedTokens === undefined || staking.notBondedTokens === undefined)
    throw new GatewayError(12, 'the state does not hold the bonded tokens');
  return JSON.stringify({ pool: { not_bonded_tokens: staking.notBondedTokens, bonded_tokens: staking.bondedTokens } });
}

/** The params of a module as its own query answers them (docs/nodes.md#module-params). */
function moduleParams(all: State['params'], module: string): string {
  const params = readModuleParams(all, module);
  if (!params) throw notImplemented();
  return JSON.stringify({ params });
}

/** `InflationMax` and `inflation_max` are one key, as `BlockParams` of `baseapp` and `block` of the consensus. */
function param(all: State['params'], query: URLSearchParams): string {
  const subspace = query.get('subspace') ?? '';
  const key = query.get('key') ?? '';
  const params = readModuleParams(all, subspace === 'baseapp' ? 'consensus' : subspace);
  if (!params) throw new GatewayError(5, `the state holds no params of "${subspace.slice(0, 80)}"`);
  const plain = (name: string) => name.toLowerCase().replaceAll('_', '');
  const found = Object.entries(params).find(([name]) => [plain(name), `${plain(name)}params`].includes(plain(key)));
  if (!found) throw new GatewayError(5, `the state holds no param "${key.slice(0, 80)}" of "${subspace}"`);
  return JSON.stringify({ param: { subspace, key, value: JSON.stringify(found[1]) } });
}

/** Modules of the SDK that have an account; which others an app has does not follow from its state. */
const modulesWithAccount = 'bonded_tokens_pool distribution fee_collector gov mint not_bonded_tokens_pool'.split(' ');

/** The account of a module is the first 20 bytes of the SHA-256 of its name (x/auth/types/account.go). */
function moduleAccounts({ authority }: Gov): string {
  const prefix = decodeAddress(authority)?.prefix;
  if (prefix === undefined) throw new GatewayError(12, 'the state shows no address of an account');
  const accounts = modulesWithAccount.map((name) => {
    const address = encodeAddress(prefix, createHash('sha256').update(name).digest().subarray(0, 20));
    return { '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account: { address }, name };
  });
  return JSON.stringify({ accounts });
}

/** The chain id, and no SDK version: the state does not hold it, and the service answers the requests of all versions. */
function nodeInfo({ chainId, appName = '' }: Header): string {
  return JSON.stringify({
    default_node_info: { network: chainId, moniker: 'Chain Inspector' },
    application_version: { name: 'chain-inspector', app_name: appName, version: '', cosmos_sdk_version: '' },
  });
}

const names: readonly string[] = statusNames;

/** The words of nodes since 0.46.8 (docs/nodes.md#v1-to-v1beta1). */
const notConvertible =
  "codespace sdk code 29: invalid type: can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one";

/** Where one v1 proposal has no v1beta1 form, the whole v1beta1 page fails (500, code 2), as on a node. */
function proposals(gov: Gov, version: string, query: URLSearchParams): string {
  const toRow = (position: number) => proposalAt(gov, version, position);
  return tablePage('proposals', gov.proposals, query, { matches: toFilter(gov, query), toRow });
}

function proposalAt(gov: Gov, version: string, position: number): string {
  const row = rowAt(gov.proposals, position);
  if (formOf(row) === version) return row;
  const fields = fieldsAt(gov.proposals, position);
  const converted = version === 'v1' ? toV1(fields, gov.authority) : toV1beta1(fields);
  if (!converted) throw new GatewayError(2, notConvertible);
  return JSON.stringify(converted);
}

/** `…/{id}/tally`: the final tally, or while the vote runs what the votes and delegations of the state come to. */
async function tally(gov: Gov, state: StateSnapshot, version: string, id: string): Promise<string> {
  const position = positionOf(gov, id);
  const reply = (tally: unknown, form: Form = 'v1beta1') =>
    JSON.stringify({ tally: renameTally(tally, form, version === 'v1' ? 'v1' : 'v1beta1') });
  if (gov.proposals.tags[position] !== names.indexOf('PROPOSAL_STATUS_VOTING_PERIOD'))
    return reply(fieldsAt(gov.proposals, position).final_tally_result, formOf(rowAt(gov.proposals, position)));
  if (!gov.hasVotes) return reply({});
  const { tallies } = await state.get('staking');
  if (!tallies) throw new GatewayError(12, 'what the votes of this state weigh is not worked out');
  return reply(tallies[String(readId(id))] ?? {});
}

function readId(text: string): bigint {
  const id = readUint64(text, 'proposal_id');
  if (id === 0n) throw new GatewayError(3, 'proposal id can not be 0');
  return id;
}

function positionOf(gov: Gov, text: string): number {
  const id = readId(text);
  const position = findKey(gov.proposals, toIdKey(id));
  if (position < 0) throw new GatewayError(5, `proposal ${id} doesn't exist`);
  return position;
}

/** `…/{id}/votes`: empty where there are no votes, the vote is over, or there is no such proposal. */
function votes(table: Table, version: string, query: URLSearchParams): string {
  const toRow = (position: number) => JSON.stringify(toVoteReply(fieldsAt(table, position), version));
  return tablePage('votes', table, query, { toRow });
}

/** `…/{id}/votes/{voter}`: one error for not voted, voting over and no such proposal. */
function vote(gov: Gov, version: string, id: string, voter: string): string {
  const found = rowBy(ofProposal(gov.votes, id), 'voter', voter);
  if (!found) throw new GatewayError(3, `voter: ${voter} not found for proposal: ${id}`);
  return JSON.stringify({ vote: toVoteReply(found, version) });
}

/** `…/{id}/deposits/{depositor}`: no deposit is 404 since SDK 0.50, which has params of expedited votes. */
function deposit(gov: Gov, id: string, depositor: string): string {
  const found = rowBy(ofProposal(gov.deposits, id), 'depositor', depositor);
  if (found) return JSON.stringify({ deposit: found });
  if ('expedited_voting_period' in readGovParams(gov.params))
    throw new GatewayError(5, `collections: not found: key '("${id}", "${depositor}")'`);
  throw new GatewayError(3, `depositer: ${depositor} not found for proposal: ${id}`);
}

const noRows = toTable([]);

function ofProposal(tables: Readonly<Record<string, Table>>, id: string): Table {
  return tables[String(readId(id))] ?? noRows;
}

/** The row of an address, which stands in its field `name`. Throws `GatewayError` where it is no address. */
function rowBy(table: Table, name: string, address: string): Fields | undefined {
  const position = findKey(table, readAddressKey(name, address));
  const row = position < 0 ? undefined : fieldsAt(table, position);
  // Other prefixes have the same bytes.
  return row?.[name] === address.toLowerCase() ? row : undefined;
}

function readAddressKey(name: string, address: string): Buffer {
  if (!decodeAddress(address)) throw badParameter(name, 'decoding bech32 failed');
  return Buffer.from(toAddressKey(address), 'latin1');
}

/** `staking/v1beta1/validators`: the status by its name only. */
function validators(staking: Staking, query: URLSearchParams): string {
  const status = query.get('status') ?? '';
  const number = bondStatuses.indexOf(status);
  if (status !== '' && number < 0) throw new GatewayError(3, `invalid validator status ${status.slice(0, 80)}`);
  const matches = status === '' ? undefined : (at: number) => staking.validators.tags[at] === number;
  return tablePage('validators', staking.validators, query, { matches });
}

function toFilter(gov: Gov, query: URLSearchParams): ((position: number) => boolean) | undefined {
  const status = readStatus(query.get('proposal_status') ?? query.get('proposalStatus') ?? '');
  const voted = proposalsOf(gov, gov.votes, query, 'voter');
  const deposited = proposalsOf(gov, gov.deposits, query, 'depositor');
  if (status === 0 && !voted && !deposited) return undefined;
  return (position) =>
    (status === 0 || gov.proposals.tags[position] === status) &&
    (!voted || voted.has(position)) &&
    (!deposited || deposited.has(position));
}

/** By name or by number; 0, unspecified and empty do not filter. */
function readStatus(text: string): number {
  if (text === '') return 0;
  const number = /^\d+$/.test(text) ? Number(text) : names.indexOf(text);
  if (number >= 0 && number < statusNames.length) return number;
  throw badParameter('proposal_status', `${text.slice(0, 80)} is not a valid types.ProposalStatus`);
}

function proposalsOf(gov: Gov, tables: Gov['votes'], query: URLSearchParams, name: string) {
  const address = query.get(name) ?? '';
  if (address === '') return undefined;
  readAddressKey(name, address);
  const ids = Object.keys(tables).filter((id) => rowBy(tables[id] ?? noRows, name, address));
  return new Set(ids.map((id) => findKey(gov.proposals, toIdKey(BigInt(id)))));
}
