import { shorten } from '../chain/text.ts';

const secretName =
  /^(x[-_]?)?(api[-_]?key|app[-_]?key|key|access[-_]?key|token|[\w-]*[-_]token|secret|client[-_]?secret|auth|authorization|password|passwd|pwd|sig|signature)$/i;

/**
 * Makes `url` safe to show or log. Removes user and password, and replaces the values of query parameters with a name
 * like that of a secret. `pagination.key` is not one. Never throws.
 */
export function maskUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1***@')
    .replace(/([?&])([^?&=]*)=[^&]*/g, (pair, start: string, name: string) =>
      secretName.test(decodePercent(name)) ? `${start}${name}=***` : pair,
    );
}

/** Undoes the percent escapes of `text`. Gives it unchanged if they are broken. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Hides a secret in a text that is to be shown or logged. */
export type Mask = (text: string) => string;

/**
 * Replaces the value of a credential header by `***`, and each secret part of it. Finds every form in which a server
 * may repeat it: unchanged, percent-encoded, JSON-escaped, as HTML entities, in base64, in other letter case, and cut
 * or changed in between. Eight characters in a row are enough. Values of less than four characters stay. Takes linear
 * time.
 */
export function createMask(value: string): Mask {
  const runs = new Map<number, Set<string>>();
  for (const form of secretsIn(value).flatMap(formsOf)) {
    const size = Math.min(8, form.length);
    const set = runs.get(size) ?? new Set();
    for (let at = 0; at + size <= form.length; at++) set.add(form.slice(at, at + size));
    runs.set(size, set);
  }
  if (runs.size === 0) return (text) => text;
  return (text) => {
    const { decoded, starts } = decode(text);
    let shown = '';
    let end = 0;
    for (const [from, to] of findRuns(runs, decoded)) {
      const start = starts[from] ?? text.length;
      if (start > end || shown === '') shown += `${text.slice(end, start)}***`;
      end = Math.max(end, starts[to] ?? text.length);
    }
    return shown + text.slice(end);
  };
}

/**
 * Gives the text after the scheme (`Bearer …`), the text that Basic encodes, and long parts such as those of a cookie.
 */
function secretsIn(value: string): string[] {
  const [, scheme = '', rest = value.trim()] = /^(basic|bearer|digest|token|apikey) +(\S.*)$/i.exec(value.trim()) ?? [];
  const user = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString('latin1') : '';
  const parts = rest.split(/[\s,;]+/).map((part) => part.replace(/^[\w.-]+=(?!=|$)/, ''));
  const long = parts.filter((part) => part.length >= 8);
  const all = [rest.replace(/^https?:\/\//, ''), user, user.slice(user.indexOf(':') + 1), ...long];
  return all.filter((text) => text.length >= 4);
}

/** Gives the text, its UTF-8, and its base64 at each offset in an encoded text. All are in lower case and latin1. */
function formsOf(secret: string): string[] {
  return [Buffer.from(secret, 'latin1'), Buffer.from(secret, 'utf8')].flatMap((bytes) => {
    const encoded = [0, 1, 2].map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
      return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
    });
    return [bytes.toString('latin1'), ...encoded].map((text) => text.toLowerCase());
  });
}

const escapes =
  /%(?:25){0,3}([\da-f]{2})|\\{1,3}(?:u00|x)([\da-f]{2})|&#x0{0,6}([\da-f]{2});|&#0{0,6}(\d{2,3});|&(amp|lt|gt|quot|apos);|\\{1,3}(["\\/])/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Undoes the escapes of `text`, in lower case. `starts[n]` is the index in `text` at which character n begins. */
function decode(text: string): { decoded: string; starts: readonly number[] } {
  const pieces: string[] = [];
  const starts: number[] = [];
  let end = 0;
  const copyTo = (index: number): void => {
    pieces.push(text.slice(end, index));
    for (; end < index; end++) starts.push(end);
  };
  for (const match of text.matchAll(escapes)) {
    const [whole, percent, json, hex, decimal, entity, plain] = match;
    copyTo(match.index);
    const code = decimal === undefined ? Number.parseInt(percent ?? json ?? hex ?? '', 16) : Number(decimal);
    pieces.push(plain ?? entities[entity?.toLowerCase() ?? ''] ?? String.fromCharCode(code));
    starts.push(match.index);
    end = match.index + whole.length;
  }
  copyTo(text.length);
  // In lower case, some letters become two.
  return { decoded: pieces.join('').replace(/[A-Z\xc0-\xde]/g, (letter) => letter.toLowerCase()), starts };
}

/** Finds the runs in `text`, in the order of their beginnings. Runs of base64 are also found in its form for URLs. */
function findRuns(
  runs: ReadonlyMap<number, ReadonlySet<string>>,
  text: string,
): (readonly [from: number, to: number])[] {
  const found: (readonly [from: number, to: number])[] = [];
  for (const place of new Set([text, text.replaceAll('-', '+').replaceAll('_', '/')])) {
    for (const [size, set] of runs) {
      for (let at = 0; at + size <= place.length; at++) {
        if (set.has(place.slice(at, at + size))) found.push([at, at + size]);
      }
    }
  }
  return found.sort(([a], [b]) => a - b);
}

/** Gives `url` as it may be shown or logged. A long one is cut. */
export function shownUrl(url: string, mask?: Mask): string {
  const shown = maskUrl(url);
  return shorten(mask ? mask(shown) : shown, 500);
}

/** Hides the secret in all texts of `error` and of its causes. Gives `error` back. */
export function maskError<E extends Error>(error: E, mask: Mask): E {
  for (const name of ['message', 'stack', 'reason', 'url', 'nodeMessage', 'path']) {
    const text: unknown = Reflect.get(error, name);
    if (typeof text === 'string') Reflect.set(error, name, mask(text));
  }
  if (error.cause instanceof Error) maskError(error.cause, mask);
  return error;
}
