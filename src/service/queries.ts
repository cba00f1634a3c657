import {
  type GovForm,
  govForms,
  type Operation,
  type OperationShape,
  operations,
  type Params,
} from '../api/operations.ts';
import { statusNames } from '../api/wireValues.ts';
import { bodyOf } from './balances.ts';
import type { Bank } from './bank.ts';
import { denomTrace } from './denomTraces.ts';
import { formOf, type Gov, renameTally, toIdKey, toV1, toV1beta1 } from './govReader.ts';
import type { Fields } from './jsonValue.ts';
import type { ModuleAccounts } from './moduleAccounts.ts';
import { govParams, moduleParams, param, readGovParams, stateParams } from './moduleParams.ts';
import { badParameter, GatewayError, notImplemented } from './serviceErrors.ts';
import type { Split } from './split.ts';
import { bondStatuses, type Staking } from './staking.ts';
import type { Header, ModuleName, State, StateSnapshot } from './state.ts';
import { fieldsAt, findKey, readUint64, rowAt, type Table, tablePage, toTable } from './table.ts';
import { decodeAddress, toAddressKey, toVoteReply } from './votes.ts';

/** JSON, a page of rows as its bytes. */
type Body = string | Buffer;

/** The body of an answer: `part` gives a parameter of the path by its name, unescaped. */
type Answer<O extends Operation> = (
  state: StateSnapshot,
  part: (name: keyof Params<O>) => string,
  query: URLSearchParams,
) => Promise<Body>;

/** Every operation of the contract; undefined for those that no state file answers. */
const answers: { readonly [O in Operation]: Answer<O> | undefined } = {
  supply: from('bank', ({ supply }, _, query) => tablePage('supply', supply, query)),
  supplyByDenom: from('bank', (bank, _, query) => supplyOf(bank, query.get('denom') ?? '')),
  supplyOf: from('bank', (bank, part) => supplyOf(bank, part('denom'))),
  denomsMetadata: from('bank', (bank, _, query) => tablePage('metadatas', bank.metadata, query)),
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
  stakingPool: from('staking', pool),
  mstakingPool: undefined,
  totalPower: undefined,
  param: from('params', (params, _, query) => param(params, query)),
  stateParams: from('params', stateParams),
  moduleParams: from('params', (params, part) => moduleParams(params, part('module'))),
  ibcDenom: from('transfer', (traces, part) => denomTrace(traces, 'denoms', part('hash'))),
  ibcDenomTrace: from('transfer', (traces, part) => denomTrace(traces, 'denom_traces', part('hash'))),
  block: undefined,
  appliedPlan: undefined,
  communityPool: from('distribution', ({ communityPool: pool }) => {
    if (pool === '') throw new GatewayError(12, 'the state does not hold the community pool');
    return `{"pool":${pool}}`;
  }),
  moduleAccounts: from('moduleAccounts', moduleAccounts),
  balances: undefined,
  balance: undefined,
  channels: undefined,
  escrowAddress: undefined,
  supplySplit: from('split', ({ denoms }, _, query) => supplySplit(denoms, query)),
  largestHolders: from('split', (split, _, query, state) => largestHolders(split, query, state)),
  denomOwners: undefined,
  denomOwnersByQuery: undefined,
  account: undefined,
  simulate: undefined,
  nodeInfo: from('header', nodeInfo),
};

/** An answer made of one module of the state, once that is read. */
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

/** The same of what is shown beside the time of the state: it waits for that, which the whole file decides. */
function dated<M extends ModuleName, Name extends string>(
  ...[name, make]: Parameters<typeof from<M, Name>>
): ReturnType<typeof from<M, Name>> {
  return from(name, async (module, part: (name: Name) => string, query, state) => {
    // Of a file that is cut off behind the module no time is known.
    await state.get('clock').catch(() => undefined);
    return make(module, part, query, state);
  });
}

/** What of a path a parameter takes, where that is not one part: denoms have slashes, as `ibc/` before a hash, and modules lie below any segment. */
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

/** What no node has is answered below `chain` alone (docs/nodes.md#supply-split). */
function isOwn(path: string): boolean {
  return path.startsWith('inspector/');
}

/** The paths that are answered below a first segment (`chain`), for people who open the address. */
function pathsOf(segment: string): readonly string[] {
  return routes
    .filter(({ answer, path }) => answer && (segment === 'chain' || !isOwn(path)))
    .flatMap(({ path, segment: fixed = segment }) =>
      (path.includes('{form}') ? govForms : ['']).map((form) => `/${fixed}/${path.replace('{form}', form)}`),
    )
    .map((path) => path.replace('*}', '}'));
}

/** The 200 body, once its module is read. `path` as it came, `height` "" for none. Rejects with `GatewayError`. */
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
    // Modules have their parameters below segments of their own, too.
    const isBelow = shape.startsWith('{module*}') || (fixed === undefined ? isOurs : segment === fixed);
    const match = isBelow ? pattern.exec(below) : null;
    if (!match) continue;
    if (!answer || (segment === 'cosmos' && isOwn(shape))) throw notImplemented();
    const parts = new Map(names.map((name, at) => [name, unescapePart(match[at + 1] ?? '')]));
    return answer(state, (name) => parts.get(name) ?? '', query);
  }
  throw notImplemented();
}

/** The form in a path, which the path's pattern has let through. */
function readForm(text: string): GovForm {
  const form = govForms.find((known) => known === text);
  if (form === undefined) throw notImplemented();
  return form;
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

/** Unknown: amount "0"; invalid: 400. */
function supplyOf(bank: Bank, denom: string): string {
  const position = findKey(bank.supply, Buffer.from(denom));
  if (position < 0 && !denomForm.test(denom)) throw new GatewayError(3, `invalid denom: ${denom.slice(0, 200)}`);
  return `{"amount":${position < 0 ? JSON.stringify({ denom, amount: '0' }) : rowAt(bank.supply, position)}}`;
}

/** Where the coins of `denom` are, or a page of all denoms (docs/nodes.md#supply-split). */
function supplySplit(denoms: Table, query: URLSearchParams): Body {
  const denom = query.get('denom');
  if (denom === null) return tablePage('splits', denoms, query);
  return `{"split":${rowAt(denoms, denomAt(denoms, denom))}}`;
}

function denomAt(denoms: Table, denom: string): number {
  const position = findKey(denoms, Buffer.from(denom));
  if (position < 0) throw new GatewayError(5, `the state holds no coins of ${denom.slice(0, 200)}`);
  return position;
}

/** The accounts that hold most of `denom`, or the one of an `address`, with their classes: looked for when they are asked for. */
async function largestHolders(split: Split, query: URLSearchParams, state: StateSnapshot): Promise<string> {
  const denom = query.get('denom') ?? '';
  const address = query.get('address') ?? '';
  denomAt(split.denoms, denom);
  const holders = (await state.largestHolders?.(split, denom, address === '' ? undefined : bodyOf(address))) ?? [];
  const named = holders.map((holder) => {
    const position = findKey(split.accounts, Buffer.from(bodyOf(holder.address)));
    return { ...holder, ...(position < 0 ? { class: 'other', name: '' } : fieldsAt(split.accounts, position)) };
  });
  return JSON.stringify({ holders: named });
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

/** By name, as nodes answer them (x/auth/keeper/grpc_query.go). */
function moduleAccounts({ accounts }: ModuleAccounts): string {
  if (!accounts) throw notImplemented();
  return `{"accounts":[${Array.from({ length: accounts.count }, (_, at) => rowAt(accounts, at)).join(',')}]}`;
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

/** Makes a proposal of the other form one of this form; undefined where it cannot be one. */
const toForm: Readonly<Record<GovForm, (fields: Fields, gov: Gov) => Fields | undefined>> = {
  v1: (fields, { authority }) => toV1(fields, authority),
  v1beta1: (fields) => toV1beta1(fields),
};

/** Where one v1 proposal has no v1beta1 form, the whole v1beta1 page fails (500, code 2), as on a node. */
function proposals(gov: Gov, form: GovForm, query: URLSearchParams): Body {
  const toRow = (position: number): string => proposalAt(gov, form, position);
  return tablePage('proposals', gov.proposals, query, { matches: toFilter(gov, query), toRow });
}

function proposalAt(gov: Gov, form: GovForm, position: number): string {
  const row = rowAt(gov.proposals, position);
  if (formOf(row) === form) return row;
  const fields = fieldsAt(gov.proposals, position);
  const converted = toForm[form](fields, gov);
  if (!converted) throw new GatewayError(2, notConvertible);
  return JSON.stringify(converted);
}

/** `…/{id}/tally`: the final tally, or while the vote runs what the votes and delegations of the state come to. */
async function tally(gov: Gov, state: StateSnapshot, form: GovForm, id: string): Promise<string> {
  const position = positionOf(gov, id);
  const reply = (tally: unknown, stored: GovForm = 'v1beta1'): string =>
    JSON.stringify({ tally: renameTally(tally, stored, form) });
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
function votes(table: Table, form: GovForm, query: URLSearchParams): Body {
  const toRow = (position: number): string => JSON.stringify(toVoteReply(fieldsAt(table, position), form));
  return tablePage('votes', table, query, { toRow });
}

/** `…/{id}/votes/{voter}`: one error for not voted, voting over and no such proposal. */
function vote(gov: Gov, form: GovForm, id: string, voter: string): string {
  const found = rowBy(ofProposal(gov.votes, id), 'voter', voter);
  if (!found) throw new GatewayError(3, `voter: ${voter} not found for proposal: ${id}`);
  return JSON.stringify({ vote: toVoteReply(found, form) });
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
function validators(staking: Staking, query: URLSearchParams): Body {
  const status = query.get('status') ?? '';
  const number = bondStatuses.indexOf(status);
  if (status !== '' && number < 0) throw new GatewayError(3, `invalid validator status ${status.slice(0, 80)}`);
  const matches = status === '' ? undefined : (at: number): boolean => staking.validators.tags[at] === number;
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

function proposalsOf(
  gov: Gov,
  tables: Gov['votes'],
  query: URLSearchParams,
  name: string,
): ReadonlySet<number> | undefined {
  const address = query.get(name) ?? '';
  if (address === '') return undefined;
  readAddressKey(name, address);
  const ids = Object.keys(tables).filter((id) => rowBy(tables[id] ?? noRows, name, address));
  return new Set(ids.map((id) => findKey(gov.proposals, toIdKey(BigInt(id)))));
}
