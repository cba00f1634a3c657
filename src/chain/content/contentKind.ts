import { type Fields, isFields, shortName, without } from './content.ts';
import type { DecodedContent } from './decodeContent.ts';
import { formatJson } from './jsonText.ts';
import { readSpends, type Spend } from './spends.ts';
import { readPlan, type UpgradePlan } from './upgradePlan.ts';
import { readWasm, type WasmContent } from './wasmContent.ts';

/** One changed parameter of the params module. */
export interface ParameterChange {
  readonly subspace: string;
  readonly key: string;
  /** The proposed value as it came: a JSON text. */
  readonly value: string;
  /** `value` laid out; undefined where it is not JSON. */
  readonly json: string | undefined;
}

/**
 * What a content is, with the parts that have a form of their own. `rest` holds every other field (title and description
 * aside), so that a form and its rest together say everything.
 */
export type ContentKind = { readonly rest: Fields } & (
  | { readonly kind: 'text' }
  | { readonly kind: 'parameterChange'; readonly changes: readonly ParameterChange[] }
  /** All parameters of a module at once (`MsgUpdateParams`); `module` is its package, `cosmos.staking.v1beta1`. */
  | { readonly kind: 'moduleParams'; readonly module: string; readonly params: Fields }
  | { readonly kind: 'spend'; readonly spends: readonly Spend[] }
  | { readonly kind: 'upgrade'; readonly plan: UpgradePlan }
  | { readonly kind: 'cancelUpgrade' }
  /** `substitute` is absent in the form of SDK 0.40–0.42, which has a header (in `rest`). */
  | { readonly kind: 'clientUpdate'; readonly subject: string; readonly substitute: string | undefined }
  | ({ readonly kind: 'wasm' } & WasmContent)
  /** Anything else: `rest` is all there is. */
  | { readonly kind: 'tree' }
);

/** Tells what a content is by its type, and by its shape: one that does not look like its type says is a tree. */
export function contentKind(content: DecodedContent): ContentKind {
  const shown = new Map<string, unknown>([
    ['title', content.title],
    ['description', content.description],
  ]);
  const left = Object.entries(content.fields).filter(
    ([name, value]) => !shown.has(name) || (value !== shown.get(name) && value !== ''),
  );
  const fields = Object.fromEntries(left);
  return knownKind(content.typeUrl, fields) ?? { kind: 'tree', rest: fields };
}

function knownKind(typeUrl: string, fields: Fields): ContentKind | undefined {
  switch (shortName(typeUrl)) {
    case 'TextProposal':
      return { kind: 'text', rest: fields };
    case 'ParameterChangeProposal':
      return parameterChange(fields);
    case 'MsgUpdateParams':
      return moduleParams(typeUrl, fields);
    case 'CommunityPoolSpendProposal':
    case 'CommunityPoolSpendProposalWithDeposit':
    case 'CommunityPoolMultiSpendProposal':
    case 'MsgCommunityPoolSpend':
      return spend(fields);
    case 'SoftwareUpgradeProposal':
    case 'MsgSoftwareUpgrade':
    case 'UpgradeProposal':
    case 'MsgIBCSoftwareUpgrade':
      return upgrade(fields);
    case 'CancelSoftwareUpgradeProposal':
    case 'MsgCancelUpgrade':
      return { kind: 'cancelUpgrade', rest: fields };
    case 'ClientUpdateProposal':
    case 'MsgRecoverClient':
      return clientUpdate(fields);
    default:
      return wasm(typeUrl, fields);
  }
}

function parameterChange({ changes, ...rest }: Fields): ContentKind | undefined {
  if (!Array.isArray(changes)) return undefined;
  const read: ParameterChange[] = [];
  for (const change of changes) {
    if (!isFields(change)) return undefined;
    const { subspace, key, value, ...more } = change;
    if (typeof subspace !== 'string' || typeof key !== 'string' || typeof value !== 'string') return undefined;
    // An old chain's `subkey`, or anything else that a table of three columns would hide.
    if (Object.values(more).some((extra) => extra !== '' && extra !== null)) return undefined;
    read.push({ subspace, key, value, json: formatJson(value) });
  }
  return { kind: 'parameterChange', changes: read, rest };
}

/** Most modules put their params into one field; consensus and crisis have them beside the authority. */
function moduleParams(typeUrl: string, fields: Fields): ContentKind | undefined {
  const module = typeUrl.slice(typeUrl.lastIndexOf('/', typeUrl.lastIndexOf('.')) + 1, typeUrl.lastIndexOf('.'));
  const { params, ...others } = fields;
  if (isFields(params)) return { kind: 'moduleParams', module, params, rest: others };
  const { authority, ...beside } = leftOver(fields);
  if ('params' in fields || authority === undefined || Object.keys(beside).length === 0) return undefined;
  return { kind: 'moduleParams', module, params: beside, rest: { authority } };
}

function spend(fields: Fields): ContentKind | undefined {
  const spends = readSpends(fields);
  if (!spends) return undefined;
  const spent = fields.recipient_list === undefined ? ['recipient', 'amount'] : ['recipient_list'];
  return { kind: 'spend', spends, rest: without(fields, ...spent) };
}

function upgrade({ plan, ...rest }: Fields): ContentKind | undefined {
  const read = readPlan(plan);
  if (!read || !isFields(plan)) return undefined;
  return {
    kind: 'upgrade',
    plan: read,
    rest: { ...leftOver(without(plan, 'name', 'height', 'time', 'info')), ...leftOver(rest) },
  };
}

function clientUpdate(fields: Fields): ContentKind | undefined {
  const [name, subject] = Object.entries(fields).find(([key]) => /^(subject_)?client_id$/.test(key)) ?? [];
  if (name === undefined || typeof subject !== 'string') return undefined;
  const { substitute_client_id: substitute } = fields;
  if (typeof substitute !== 'string')
    return { kind: 'clientUpdate', subject, substitute: undefined, rest: without(fields, name) };
  return { kind: 'clientUpdate', subject, substitute, rest: without(fields, name, 'substitute_client_id') };
}

/** wasmd's own types, and whatever else brings byte code. */
function wasm(typeUrl: string, fields: Fields): ContentKind | undefined {
  const isWasm = typeUrl.startsWith('/cosmwasm.wasm.') || typeUrl.startsWith('wasm/');
  const content = readWasm(fields);
  return isWasm || content.code ? { kind: 'wasm', ...content } : undefined;
}

/** Fields that hold something. */
function leftOver(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
