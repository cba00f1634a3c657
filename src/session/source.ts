import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BaseUrl, parseBaseUrl } from '../api/baseUrl.ts';
import { InputError, messageOf, shorten } from '../api/errors.ts';

/** An endpoint as the settings name it. */
export interface EndpointSetting {
  readonly name: string;
  /** An http(s) base URL or the `file:` URI of a state file. */
  readonly url: string;
  /** First path segment, where the user knows it. */
  readonly segment?: string | undefined;
  /** PEM file with more certificate authorities. */
  readonly caFile?: string | undefined;
  /** Header that carries the credential kept in secret storage. */
  readonly headerName?: string | undefined;
  /** Chain id of the registry, for denoms and explorer links. */
  readonly chain?: string | undefined;
}

/** The state after a block of the past: its height in digits and, where it is known, the block's time (RFC 3339). */
export interface PastState {
  readonly height: string;
  readonly time?: string | undefined;
}

/** Where state comes from. `id` is the normalised setting value: "" (sample chain), an http(s) URL or a `file:` URI. */
export type Source =
  | { readonly kind: 'sample'; readonly id: ''; readonly name: string }
  | {
      readonly kind: 'http';
      /** With `at`, the height stands behind the address (`pastId`). */
      readonly id: string;
      readonly name: string;
      readonly baseUrl: BaseUrl;
      readonly setting: EndpointSetting;
      readonly at?: PastState | undefined;
    }
  | { readonly kind: 'file'; readonly id: string; readonly name: string; readonly path: string }
  /** A value that cannot be used; opening it fails with `reason`, before anything is sent. */
  | { readonly kind: 'invalid'; readonly id: string; readonly name: string; readonly reason: string };

/** Endpoints by the ids of their sources, the first of those with one address. */
export type Endpoints = ReadonlyMap<string, EndpointSetting>;

export function endpointsById(endpoints: readonly EndpointSetting[]): Endpoints {
  return new Map(endpoints.toReversed().map((one) => [safeSourceId(one.url) ?? one.url.trim(), one]));
}

/** Reads a value of `chainInspector.baseUrl`. `endpoints` lend the name and options of the endpoint with the same address. */
export function toSource(value: string, endpoints: Endpoints, sampleName: string): Source {
  const text = value.trim();
  if (text === '') return { kind: 'sample', id: '', name: sampleName };
  try {
    return toAddress(text, endpoints);
  } catch (error) {
    return { kind: 'invalid', id: text, name: text, reason: messageOf(error) };
  }
}

/** The id of a source as it was after a block of the past. It is kept nowhere: settings, watch list and memory know `presentId`. */
export function pastId(source: Source, { height, time }: PastState): string {
  return `${presentId(source)}#${new URLSearchParams({ height, ...(time ? { time } : {}) })}`;
}

/** The id of a source as it is now. */
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

/** The normal form of an address: what rows, panels and watch entries are keyed by. Throws `InputError`. */
export function sourceId(value: string): string {
  const text = value.trim();
  if (text === '') return '';
  if (!/^file:/i.test(text)) return parseBaseUrl(text).href;
  try {
    return pathToFileURL(fileURLToPath(text)).href;
  } catch (cause) {
    const what = `"${shorten(text)}" is not the address of a file`;
    throw new InputError(`${what}: it needs a whole path (file:///folder/genesis.json)`, { cause });
  }
}

/** The same, undefined where `sourceId` throws. */
export function safeSourceId(value: string): string | undefined {
  try {
    return sourceId(value);
  } catch {
    return undefined;
  }
}
