import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseBaseUrl } from '../api/baseUrl.ts';
import { InputError, shorten } from '../api/errors.ts';

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

/** Where state comes from. `id` is the normalised setting value: "" (sample chain), an http(s) URL or a `file:` URI. */
export type Source =
  | { readonly kind: 'sample'; readonly id: ''; readonly name: string }
  | { readonly kind: 'http'; readonly id: string; readonly name: string; readonly setting: EndpointSetting }
  | { readonly kind: 'file'; readonly id: string; readonly name: string; readonly path: string }
  /** A value that cannot be used; opening it fails with `reason`, before anything is sent. */
  | { readonly kind: 'invalid'; readonly id: string; readonly name: string; readonly reason: string };

/** Reads a value of `chainInspector.baseUrl`. `endpoints` lend the name and options of the endpoint with the same address. */
export function toSource(value: string, endpoints: readonly EndpointSetting[], sampleName: string): Source {
  const text = value.trim();
  if (text === '') return { kind: 'sample', id: '', name: sampleName };
  try {
    return toAddress(text, endpoints);
  } catch (error) {
    return { kind: 'invalid', id: text, name: text, reason: error instanceof Error ? error.message : String(error) };
  }
}

function toAddress(text: string, endpoints: readonly EndpointSetting[]): Source {
  const id = sourceId(text);
  const setting = endpoints.find((endpoint) => safeSourceId(endpoint.url) === id);
  if (id.startsWith('file:')) {
    const path = fileURLToPath(id);
    return { kind: 'file', id, name: setting?.name || (path.split(/[\\/]/).pop() ?? path), path };
  }
  const segment = setting?.segment ?? parseBaseUrl(text).segment;
  const url = new URL(id);
  return {
    kind: 'http',
    id,
    name: setting?.name || url.host,
    setting: { ...setting, name: setting?.name ?? url.host, url: id, segment },
  };
}

/** The normal form of an address: what rows, panels and watch entries are keyed by. Throws `InputError`. */
export function sourceId(value: string): string {
  const text = value.trim();
  if (text === '') return '';
  if (/^file:/i.test(text)) return fileId(text);
  return parseBaseUrl(text).href;
}

function fileId(text: string): string {
  try {
    return pathToFileURL(fileURLToPath(text)).href;
  } catch (error) {
    throw new InputError(
      `"${shorten(text)}" is not the address of a file: it needs a whole path (file:///folder/genesis.json)`,
      {
        cause: error,
      },
    );
  }
}

function safeSourceId(value: string): string | undefined {
  try {
    return sourceId(value);
  } catch {
    return undefined;
  }
}
