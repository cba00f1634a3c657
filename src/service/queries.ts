import { govForms, type Operation, type OperationShape, operations, type Params } from '../api/operations.ts';
import type { GovForm } from '../chain/gov/proposal.ts';
import {
  constitution,
  deposit,
  ofProposal,
  positionOf,
  proposalAt,
  proposals,
  tally,
  tallyDetails,
  vote,
  votes,
} from './govQueries.ts';
import {
  balances,
  heldSupply,
  largestHolders,
  scheduleOf,
  stakeOf,
  supplyOf,
  supplySplit,
} from './holders/holderQueries.ts';
import type { ModuleAccounts } from './holders/moduleAccounts.ts';
import { denomTrace } from './modules/denomTraces.ts';
import { govParams, moduleParams, param, stateParams } from './modules/moduleParams.ts';
import { bondStatuses, type Staking } from './modules/staking.ts';
import { badParameter, GatewayError, notImplemented } from './serviceErrors.ts';
import type { Header, ModuleName, State, StateSnapshot } from './stateSnapshot.ts';
import { type Body, rowAt, tablePage } from './table.ts';

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
    if (!sendEnabled) throw new GatewayError('unimplemented', 'the state does not list send_enabled');
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
    if (!infos) throw new GatewayError('unimplemented', 'the state does not list signing infos');
    return tablePage('info', infos, query);
  }),
  stakingPool: from('staking', pool),
  mstakingPool: undefined,
  totalPower: undefined,
  param: from('params', (params, _, query) => param(params, query)),
  stateParams: dated('params', async (params, _, _query, state) => stateParams(params, await state.get('modules'))),
  moduleParams: from('params', (params, part) => moduleParams(params, part('module'))),
  ibcDenom: from('transfer', (traces, part) => denomTrace(traces, 'denoms', part('hash'))),
  ibcDenomTrace: from('transfer', (traces, part) => denomTrace(traces, 'denom_traces', part('hash'))),
  block: undefined,
  appliedPlan: undefined,
  currentPlan: undefined,
  communityPool: from('distribution', ({ communityPool: pool }) => {
    if (pool === '') throw new GatewayError('unimplemented', 'the community pool is not in this state');
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
    if ('isHeld' in module && module.isHeld === false)
      throw new GatewayError('unimplemented', `${name} is not in this state`);
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
  if (!/^\d{1,20}$/.test(asked)) throw new GatewayError('unknown', 'invalid height: expected a number');
  if (own !== undefined && BigInt(asked) > BigInt(own))
    throw new GatewayError('unknown', 'cannot query with height in the future; please provide a valid height');
  const latest = own === undefined ? 'the state has no height' : `latest height: ${own}`;
  throw new GatewayError('unknown', `failed to load state at height ${asked}; a state file has one height (${latest})`);
}

function unescapePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badParameter('path', 'malformed escape');
  }
}

function pool(staking: Staking): string {
  if (staking.bondedTokens === undefined || staking.notBondedTokens === undefined)
    throw new GatewayError('unimplemented', 'the bonded tokens are not in this state');
  return JSON.stringify({ pool: { not_bonded_tokens: staking.notBondedTokens, bonded_tokens: staking.bondedTokens } });
}

/** Answers a decimal number of the minter by its name. */
function minterValue({ minter }: State['mint'], name: 'inflation' | 'annual_provisions'): string {
  const value = minter[name];
  if (value === undefined) throw new GatewayError('unimplemented', `${name} is not in this state`);
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

/** Answers `staking/v1beta1/validators`. The status is accepted by name only. */
function validators(staking: Staking, query: URLSearchParams): Body {
  const status = query.get('status') ?? '';
  const number = bondStatuses.indexOf(status);
  if (status !== '' && number < 0)
    throw new GatewayError('invalidArgument', `invalid validator status ${status.slice(0, 80)}`);
  const matches = status === '' ? undefined : (at: number): boolean => staking.validators.tags[at] === number;
  return tablePage('validators', staking.validators, query, { matches });
}
