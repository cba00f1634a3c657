import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BaseUrl, parseBaseUrl } from '../api/baseUrl.ts';
import { InputError, messageOf } from '../api/errors.ts';
import { shorten } from '../chain/text.ts';

/** An endpoint in the settings. */
export interface EndpointSetting {
  readonly name: string;
  /** An http(s) base URL or the `file:` URI of a state file. */
  readonly url: string;
  /** The first path segment, if the user knows it. */
  readonly segment?: string | undefined;
  /** A PEM file with more certificate authorities. */
  readonly caFile?: string | undefined;
  /** The header with the credential that is kept in secret storage. */
  readonly headerName?: string | undefined;
  /** The chain id of the registry, for denoms and explorer links. */
  readonly chain?: string | undefined;
}

/** The state after a block of the past: its height in digits and, if known, the block's time (RFC 3339). */
export interface PastState {
  readonly height: string;
  readonly time?: string | undefined;
}

/**
 * The time of the state in a file, and the field that it is estimated from. `from` is undefined if the file states the
 * time.
 */
export interface StateTime {
  readonly time: Date;
  readonly from: string | undefined;
}

/** The origin of a state. `id` is the normalised setting value: "" (sample chain), an http(s) URL or a `file:` URI. */
export type Source =
  | { readonly kind: 'sample'; readonly id: ''; readonly name: string }
  | {
      readonly kind: 'http';
      /** The id. With `at`, the height stands after the address (`pastId`). */
      readonly id: string;
      readonly name: string;
      readonly baseUrl: BaseUrl;
      readonly setting: EndpointSetting;
      readonly at?: PastState | undefined;
    }
  | { readonly kind: 'file'; readonly id: string; readonly name: string; readonly path: string }
  /** An unusable value. Opening it fails with `reason`, before anything is sent. */
  | { readonly kind: 'invalid'; readonly id: string; readonly name: string; readonly reason: string };

/** Endpoints by the ids of their sources. If several have one address, the first one counts. */
export type Endpoints = ReadonlyMap<string, EndpointSetting>;

export function endpointsById(endpoints: readonly EndpointSetting[]): Endpoints {
  return new Map(endpoints.toReversed().map((one) => [safeSourceId(one.url) ?? one.url.trim(), one]));
}

/**
 * Reads a value of `chainInspector.baseUrl`. `endpoints` lend the name and options of the endpoint with the same
 * address.
 */
export function toSource(value: string, endpoints: Endpoints, sampleName: string): Source {
  const text = value.trim();
  if (text === '') return { kind: 'sample', id: '', name: sampleName };
  try {
    return toAddress(text, endpoints);
  } catch (error) {
    return { kind: 'invalid', id: text, name: text, reason: messageOf(error) };
  }
}

/**
 * Gives the id of a source after a block of the past. It is not stored: settings, watch list and memory use
 * `presentId`.
 */
export function pastId(source: Source, { height, time }: PastState): string {
  return `${presentId(source)}#${new URLSearchParams({ height, ...(time ? { time } : {}) })}`;
}

/** Gives the id of a source in its present state. */
export function presentId(source: Source): string {
  return source.kind === 'http' ? source.setting.url : source.id;
}

function toAddress(text: string, endpoints: Endpoints): Source {
  const [past, height, time] = /#height=(\d{1,20})(?:&time=([\w%.-]+))?$/.exec(text) ?? [];
  if (past !== undefined && height !== undefined && /^http/i.test(text)) {
    const source = toAddress(text.slice(0, -past.length), endpoints);
    const at = { height, ...(time ? { time: decodeURIComponent(time) } : {}) };
    return source.kind === 'http' ? { ...source, id: pastId(source, at), at } : source;
  }
  if (/^file:/i.test(text)) {
    const id = sourceId(text);
    const path = fileURLToPath(id);
    return { kind: 'file', id, name: endpoints.get(id)?.name || (path.split(/[\\/]/).pop() ?? path), path };
  }
  const baseUrl = parseBaseUrl(text);
  const { href: id, origin } = baseUrl;
  const setting = endpoints.get(id);
  const name = setting?.name || origin.replace(/^https?:\/\//, '');
  return { kind: 'http', id, name, baseUrl, setting: { ...setting, name, url: id } };
}

/** Gives the normal form of an address, which is the key of rows, panels and watch entries. Throws `InputError`. */
export function sourceId(value: string): string {
  const text = value.trim();
  if (text === '') return '';
  if (!/^file:/i.test(text)) return parseBaseUrl(text).href;
  try {
    return pathToFileURL(fileURLToPath(text)).href;
  } catch (cause) {
    const what = `"${shorten(text)}" is not a file URI`;
    throw new InputError(`${what}. Use a full URI, such as file:///folder/genesis.json`, { cause });
  }
}

/** Gives the same. Undefined if `sourceId` throws. */
export function safeSourceId(value: string): string | undefined {
  try {
    return sourceId(value);
  } catch {
    return undefined;
  }
}
