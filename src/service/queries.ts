import { badParameter, GatewayError, notImplemented } from './gatewayError.ts';
import { toV1beta1Params, toV1Params } from './govParams.ts';
import { type GovVersion, proposal, proposals, tally } from './govQueries.ts';
import { isFields, parseExactly, toFields } from './keptValue.ts';
import { tablePage } from './page.ts';
import { readPageRequest } from './pageRequest.ts';
import type { Bank, Gov, Head, Params, PartName, Staking, State } from './state.ts';
import type { StateParts } from './stateParts.ts';
import { findKey, rowOf } from './table.ts';

/** A 200 body, or undefined where the part that it needs is not read yet. Throws `GatewayError`. */
export type Answer = Buffer | string | undefined;

interface Route {
  /** The path below the segment, escaped as it came. */
  readonly path: RegExp;
  answer(parts: StateParts, match: readonly string[], query: URLSearchParams): Answer;
}

const routes: readonly Route[] = [
  route(/^bank\/v1beta1\/supply$/, 'bank', (bank, _, query) =>
    tablePage('supply', bank.supply, readPageRequest(query)),
  ),
  route(/^bank\/v1beta1\/supply\/(.*)$/, 'bank', (bank, [denom = ''], query) => supplyOf(bank, denom, query)),
  route(/^bank\/v1beta1\/denoms_metadata$/, 'bank', (bank, _, query) =>
    tablePage('metadatas', bank.metadata, readPageRequest(query)),
  ),
  route(/^gov\/(v1|v1beta1)\/proposals$/, 'gov', (gov, [version], query) => proposals(gov, toVersion(version), query)),
  route(/^gov\/(v1|v1beta1)\/proposals\/([^/]*)$/, 'gov', (gov, [version, id = '']) =>
    proposal(gov, toVersion(version), unescapePart(id, 'proposal_id')),
  ),
  {
    path: /^gov\/(v1|v1beta1)\/proposals\/([^/]*)\/tally$/,
    answer: (parts, [version, id = '']) => {
      const gov = parts.get('gov');
      return gov && tally(gov, () => parts.get('staking'), toVersion(version), unescapePart(id, 'proposal_id'));
    },
  },
  route(/^gov\/(v1|v1beta1)\/params\/([^/]*)$/, 'gov', (gov, [version, kind = '']) =>
    govParams(gov, toVersion(version), unescapePart(kind, 'params_type')),
  ),
  route(/^staking\/v1beta1\/pool$/, 'staking', pool),
  route(/^params\/v1beta1\/params$/, 'params', (params, _, query) => param(params, query)),
  route(/^base\/tendermint\/v1beta1\/node_info$/, 'head', nodeInfo),
];

/** Answers one GET. `path` stands below the segment, escaped as it came. Throws `GatewayError`; other paths: 501, code 12. */
export function answer(parts: StateParts, path: string, query: URLSearchParams): Answer {
  for (const candidate of routes) {
    const match = candidate.path.exec(path);
    if (match) return candidate.answer(parts, match.slice(1), query);
  }
  throw notImplemented();
}

function route<P extends PartName>(
  path: RegExp,
  name: P,
  make: (part: State[P], match: readonly string[], query: URLSearchParams) => Buffer | string,
): Route {
  return {
    path,
    answer: (parts, match, query) => {
      const part = parts.get(name);
      return part === undefined ? undefined : make(part, match, query);
    },
  };
}

function toVersion(version: string | undefined): GovVersion {
  return version === 'v1' ? 'v1' : 'v1beta1';
}

function unescapePart(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badParameter(name, 'malformed escape');
  }
}

/** Any denom of SDK 0.46+ (types/coin.go); whatever the state itself holds is answered, too. */
const denomForm = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** `supply/{denom}`, slashes and all, and `supply/by_denom?denom=`. Unknown: amount "0"; invalid: 400. */
function supplyOf(bank: Bank, escaped: string, query: URLSearchParams): string {
  const byQuery = escaped === 'by_denom' ? query.get('denom') : null;
  const denom = byQuery ?? (escaped === 'by_denom' ? '' : unescapePart(escaped, 'denom'));
  const position = findKey(bank.supply, Buffer.from(denom));
  if (position >= 0) return `{"amount":${Buffer.from(rowOf(bank.supply, position)).toString('utf8')}}`;
  if (!denomForm.test(denom)) throw new GatewayError(3, `invalid denom: ${denom.slice(0, 200)}`);
  return JSON.stringify({ amount: { denom, amount: '0' } });
}

function govParams(gov: Gov, version: GovVersion, kind: string): string {
  if (gov.params === undefined) throw new GatewayError(12, 'the state holds no gov params');
  const params = toFields(parseExactly(gov.params), '');
  const found = version === 'v1' ? toV1Params(params, kind) : toV1beta1Params(params, kind);
  if (!found) throw new GatewayError(3, `${kind.slice(0, 80)} is not a valid parameter type`);
  return JSON.stringify(found);
}

function pool(staking: Staking): string {
  if (staking.bondedTokens === undefined) throw new GatewayError(12, 'the state does not say the bonded tokens');
  return JSON.stringify({
    pool: { not_bonded_tokens: staking.notBondedTokens, bonded_tokens: staking.bondedTokens },
  });
}

/**
 * The legacy params query from genesis params: `InflationMax`, `inflationmax` and `inflation_max` are the same key; so are
 * `BlockParams` of `baseapp` and `block` of the consensus params.
 */
function param(params: Params, query: URLSearchParams): string {
  const subspace = query.get('subspace') ?? '';
  const key = query.get('key') ?? '';
  const text = Object.hasOwn(params, subspace) ? params[subspace] : undefined;
  if (text === undefined) throw new GatewayError(5, `the state holds no params of "${subspace.slice(0, 80)}"`);
  const group = parseExactly(text);
  const plain = (name: string) => name.toLowerCase().replaceAll('_', '');
  const found = isFields(group)
    ? Object.entries(group).find(([name]) => [plain(name), `${plain(name)}params`].includes(plain(key)))
    : undefined;
  if (!found) throw new GatewayError(5, `the state holds no param "${key.slice(0, 80)}" of "${subspace}"`);
  return JSON.stringify({ param: { subspace, key, value: JSON.stringify(found[1]) } });
}

/** Says which chain this is, and no SDK version: the state does not hold it, and the service speaks every dialect. */
function nodeInfo(head: Head): string {
  return JSON.stringify({
    default_node_info: { network: head.chainId, moniker: 'Chain Inspector' },
    application_version: { name: 'chain-inspector', app_name: head.appName ?? '', version: '', cosmos_sdk_version: '' },
  });
}
