import { fromBase64, fromUtf8 } from '../bytes.ts';
import { type Coin, readCoins } from '../coin.ts';
import { type Fields, isFields, without } from '../fields.ts';
import { formatJson, parseJson } from '../json.ts';
import { type DecodeFault, readMessage } from './protobuf.ts';

/** An action of a proposal: a legacy gov content or a message (docs/nodes.md#contents). */
export interface Content {
  /**
   * The type, such as `/cosmos.gov.v1beta1.TextProposal` or the amino name `cosmos-sdk/TextProposal`; "" if not stated.
   */
  readonly typeUrl: string;
  /** The title; absent if the content has none, and for messages (`Msg…`), whose first fields are others. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /**
   * All fields except the type, as REST shows them: snake_case, 64-bit integers as strings, bytes as base64, contract
   * messages as JSON, `Any` with `@type`. Protobuf contents have three more forms. A field outside the tables is
   * `#number reading`. Bytes that cannot be decoded are `#rest` (base64). Text that is not base64 is `#base64`.
   */
  readonly fields: Fields;
  readonly encoding: 'json' | 'protobuf' | 'amino';
  /** The message that carries a legacy content (`MsgExecLegacyContent`), without that content. */
  readonly wrapper: { readonly typeUrl: string; readonly fields: Fields } | undefined;
  /** The number of protobuf fields that are not in the tables. */
  readonly unknownFields: number;
  /** The reason why the bytes could not be decoded to their end. */
  readonly fault: DecodeFault | undefined;
}

/**
 * Reads `{type_url, value}` (also `typeUrl`; base64 protobuf), `{"@type", …}` or amino `{type, value}`, the content inside
 * a MsgExecLegacyContent instead of it. Never throws, drops nothing.
 */
export function readContent(raw: unknown): Content {
  const outer = readForm(isFields(raw) ? raw : {});
  const carried = shortName(outer.typeUrl) === 'MsgExecLegacyContent' ? outer.fields.content : undefined;
  const inner = isFields(carried) ? readForm(carried) : undefined;
  const { typeUrl, fields } = inner ?? outer;
  const { title, description } = shortName(typeUrl).startsWith('Msg') ? {} : fields;
  return {
    typeUrl,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : undefined,
    fields,
    encoding: outer.encoding,
    wrapper: inner && { typeUrl: outer.typeUrl, fields: without(outer.fields, ['content']) },
    unknownFields: (outer.unknownFields ?? 0) + (inner?.unknownFields ?? 0),
    fault: outer.fault ?? inner?.fault,
  };
}

interface Form {
  readonly typeUrl: string;
  readonly encoding: 'json' | 'protobuf' | 'amino';
  readonly fields: Fields;
  readonly unknownFields?: number;
  readonly fault?: DecodeFault | undefined;
}

function readForm(raw: Fields): Form {
  const { '@type': typeUrl, ...fields } = raw;
  if (typeof typeUrl === 'string') return { typeUrl, encoding: 'json', fields };
  const { type_url: snake, typeUrl: camel, value, ...others } = raw;
  const anyUrl = snake ?? camel;
  if (typeof anyUrl === 'string' && (typeof value === 'string' || value == null)) {
    return readProtobuf(anyUrl, value ?? '', others);
  }
  if (typeof raw.type === 'string' && isFields(value) && Object.keys(raw).length === 2) {
    return { typeUrl: raw.type, encoding: 'amino', fields: value };
  }
  return { typeUrl: typeof anyUrl === 'string' ? anyUrl : '', encoding: 'json', fields: raw };
}

function readProtobuf(typeUrl: string, value: string, others: Fields): Form {
  const { bytes, rest } = fromBase64(value);
  const { fields, unknownFields, fault } = readMessage(typeUrl, bytes);
  const form = { typeUrl, encoding: 'protobuf', unknownFields } as const;
  if (!rest) return { ...form, fields: { ...fields, ...others }, fault };
  const offset = bytes.length;
  return { ...form, fields: { ...fields, '#base64': rest, ...others }, fault: { offset, reason: 'base64' } };
}

/** Gives the last word of a type: `/a.b.v1.MsgSend` and amino `cosmos-sdk/MsgSend` → `MsgSend`. */
function shortName(typeUrl: string): string {
  return typeUrl.slice(Math.max(typeUrl.lastIndexOf('.'), typeUrl.lastIndexOf('/')) + 1);
}

/** Gives a short readable name of a type: `/a.v1.MsgCommunityPoolSpend` → `Community pool spend`. */
export function plainType(typeUrl: string): string {
  const name = shortName(typeUrl);
  const bare = name.replace(/^Msg(?=[A-Z])/, '').replace(/(?<=.)Proposal$/, '');
  const words = bare.replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4').split(/[\s_]+/);
  // `IBC` and `ERC20` stay in capitals.
  return words.map((word, at) => (at === 0 || /^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase())).join(' ');
}

/** A parameter change. `value` is the proposed value as it came, a JSON text. */
type ParameterChange = Readonly<Record<'subspace' | 'key' | 'value', string>>;

/** The coins that one account would receive, in base units. */
export interface Spend {
  readonly recipient: string;
  readonly coins: readonly Coin[];
}

/** A planned upgrade of the chain's software (docs/nodes.md#upgrades). */
export interface UpgradePlan {
  readonly name: string;
  /** The height at which the chain stops; undefined if the plan of an old chain names a time instead. */
  readonly height: bigint | undefined;
  readonly time: string | undefined;
  /** Free text, often JSON with the addresses of the binaries. */
  readonly info: string;
  readonly infoJson: string | undefined;
  /** The download addresses in `info` by platform (`linux/amd64`). */
  readonly binaries: readonly { readonly platform: string; readonly url: string }[];
}

/** A content by its kind. `rest` holds the fields that the other members do not hold, without title and description. */
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
  /** Byte code (base64) and messages for contracts by their fields, laid out if they are JSON. */
  | {
      readonly kind: 'wasm';
      readonly code: string | undefined;
      readonly messages: readonly { readonly field: string; readonly json: string }[];
    }
  /** An amendment of the chain's constitution (AtomOne): a patch in unified form. */
  | { readonly kind: 'amendment'; readonly patch: string }
  | { readonly kind: 'tree' }
);

const kinds = new WeakMap<Content, ContentKind>();

/**
 * Tells the kind of a content by type and shape. A content without the shape of its type is a tree. It is worked out
 * once.
 */
export function contentKind(content: Content): ContentKind {
  const known = kinds.get(content) ?? toKind(content);
  kinds.set(content, known);
  return known;
}

function toKind(content: Content): ContentKind {
  const shown: Fields = { title: content.title, description: content.description };
  const isLeft = ([name, value]: [string, unknown]): boolean =>
    !Object.hasOwn(shown, name) || (value !== shown[name] && value !== '');
  const fields = Object.fromEntries(Object.entries(content.fields).filter(isLeft));
  const read = kindReaders.get(shortName(content.typeUrl)) ?? wasm;
  return read(fields, content.typeUrl) ?? { kind: 'tree', rest: fields };
}

/** Reads the fields of a type; undefined if they have another shape. */
type KindReader = (fields: Fields, typeUrl: string) => ContentKind | undefined;

const parameterChange: KindReader = ({ changes, ...rest }) => {
  if (!Array.isArray(changes)) return undefined;
  const read: ParameterChange[] = [];
  for (const change of changes) {
    if (!isFields(change)) return undefined;
    const { subspace, key, value, ...more } = change;
    if (typeof subspace !== 'string' || typeof key !== 'string' || typeof value !== 'string') return undefined;
    // An old chain's `subkey`, or any other field that a table of three columns would hide.
    if (Object.values(more).some((extra) => extra !== '' && extra !== null)) return undefined;
    read.push({ subspace, key, value });
  }
  return { kind: 'parameterChange', changes: read, rest };
};

/** Most modules put their parameters into one field. Consensus and crisis have them beside the authority. */
const readParamsUpdate: KindReader = (fields, typeUrl) => {
  const module = typeUrl.slice(typeUrl.lastIndexOf('/', typeUrl.lastIndexOf('.')) + 1, typeUrl.lastIndexOf('.'));
  const { params, ...others } = fields;
  if (isFields(params)) return { kind: 'moduleParams', module, params, rest: others };
  const { authority, ...beside } = withoutNulls(fields);
  if ('params' in fields || authority === undefined || Object.keys(beside).length === 0) return undefined;
  return { kind: 'moduleParams', module, params: beside, rest: { authority } };
};

/** Reads `{recipient, amount}` (coins, or a text such as `5uatom,7stake`), or a list of them in `recipient_list`. */
const spend: KindReader = (fields) => {
  const list = fields.recipient_list ?? [{ address: fields.recipient, amount: fields.amount }];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const spends: Spend[] = [];
  for (const entry of list) {
    if (!isFields(entry) || typeof entry.address !== 'string' || Object.keys(entry).length > 2) return undefined;
    const coins = readCoins(entry.amount);
    if (!coins) return undefined;
    spends.push({ recipient: entry.address, coins });
  }
  const spent = fields.recipient_list === undefined ? ['recipient', 'amount'] : ['recipient_list'];
  return { kind: 'spend', spends, rest: without(fields, spent) };
};

const upgrade: KindReader = ({ plan, ...rest }) => {
  if (!isFields(plan)) return undefined;
  const { name, height: stop = '0', time: when = '', info = '', ...others } = plan;
  if (typeof name !== 'string' || typeof when !== 'string' || typeof info !== 'string') return undefined;
  if (typeof stop !== 'string' || !/^\d{1,20}$/.test(stop)) return undefined;
  const height = BigInt(stop) || undefined;
  const time = when === '' || when.startsWith('0001-01-01') ? undefined : when;
  const infoJson = formatJson(info);
  const read = { name, height, time, info, infoJson, binaries: readBinaries(parseJson(info)) };
  const more = withoutNulls(others);
  const left = withoutNulls({ ...rest, plan: Object.keys(more).length > 0 ? more : undefined });
  return { kind: 'upgrade', plan: read, rest: left };
};

function readBinaries(info: unknown): UpgradePlan['binaries'] {
  if (!isFields(info) || !isFields(info.binaries)) return [];
  return Object.entries(info.binaries).flatMap(([platform, url]) =>
    typeof url === 'string' ? [{ platform, url }] : [],
  );
}

const clientUpdate: KindReader = (fields) => {
  const [name, subject] = Object.entries(fields).find(([key]) => /^(subject_)?client_id$/.test(key)) ?? [];
  if (name === undefined || typeof subject !== 'string') return undefined;
  const { substitute_client_id: stated } = fields;
  const substitute = typeof stated === 'string' ? stated : undefined;
  const rest = without(fields, substitute === undefined ? [name] : [name, 'substitute_client_id']);
  return { kind: 'clientUpdate', subject, substitute, rest };
};

/** Reads wasmd's own types, and any other type with byte code. */
const wasm: KindReader = (fields, typeUrl) => {
  const { wasm_byte_code: bytes } = fields;
  const code = typeof bytes === 'string' && bytes !== '' ? bytes : undefined;
  if (code === undefined && !/^(?:\/cosmwasm\.wasm\.|wasm\/)/.test(typeUrl)) return undefined;
  const names = ['msg', 'migrate_msg'].filter((field) => fields[field]);
  const messages = names.map((field) => ({ field, json: messageText(fields[field]) }));
  const isShown = code !== undefined || bytes == null || bytes === '';
  return { kind: 'wasm', code, messages, rest: without(fields, isShown ? [...names, 'wasm_byte_code'] : names) };
};

/** Reads a message, which REST shows as nested JSON and older nodes as base64 of it. */
function messageText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const { bytes, rest } = fromBase64(text);
  const decoded = rest ? undefined : fromUtf8(bytes);
  return (decoded && formatJson(decoded)) ?? formatJson(text) ?? text;
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

const kindReaders: ReadonlyMap<string, KindReader> = new Map<string, KindReader>([
  ['TextProposal', (rest): ContentKind => ({ kind: 'text', rest })],
  ['ParameterChangeProposal', parameterChange],
  ['MsgUpdateParams', readParamsUpdate],
  ['CommunityPoolSpendProposal', spend],
  ['CommunityPoolSpendProposalWithDeposit', spend],
  ['CommunityPoolMultiSpendProposal', spend],
  ['MsgCommunityPoolSpend', spend],
  ['SoftwareUpgradeProposal', upgrade],
  ['MsgSoftwareUpgrade', upgrade],
  ['UpgradeProposal', upgrade],
  ['MsgIBCSoftwareUpgrade', upgrade],
  ['CancelSoftwareUpgradeProposal', (rest): ContentKind => ({ kind: 'cancelUpgrade', rest })],
  ['MsgCancelUpgrade', (rest): ContentKind => ({ kind: 'cancelUpgrade', rest })],
  ['ClientUpdateProposal', clientUpdate],
  ['MsgRecoverClient', clientUpdate],
  [
    'MsgProposeConstitutionAmendment',
    ({ amendment: patch, ...rest }): ContentKind | undefined =>
      typeof patch === 'string' ? { kind: 'amendment', patch, rest } : undefined,
  ],
]);
