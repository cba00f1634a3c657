/** The real target of a link. */
export interface LinkTarget {
  readonly url: string;
  /** The host in ASCII (punycode) with its port. For ipfs the content id. */
  readonly host: string;
  readonly scheme: 'http' | 'https' | 'ipfs' | 'mailto';
}

/** Reads the address of a link. Undefined for anything that must not become a link, such as relative addresses. */
export function toLinkTarget(address: string): LinkTarget | undefined {
  const scheme = /^(https?|ipfs):\/\/[^/\\]|^mailto:[^/\\]/i.exec(address)?.[0]?.split(':')[0]?.toLowerCase();
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 'ipfs' && scheme !== 'mailto') return undefined;
  if (/[\u0000-\u0020\u007f]/.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  switch (scheme) {
    case 'http':
    case 'https':
      return url.host === '' ? undefined : { url: url.href, host: url.host, scheme };
    case 'ipfs':
      // `url.host` would change the case, and content ids are case-sensitive.
      return { url: address, host: address.slice('ipfs://'.length).split(/[/?#]/)[0] ?? '', scheme };
    case 'mailto':
      return { url: url.href, host: decodeSafely(url.pathname).split('@').at(-1) ?? '', scheme };
    default:
      return scheme satisfies never;
  }
}

/** Whether a text names another host than its link leads to. Subdomains count as the same host. */
export function namesAnotherHost(text: string, target: LinkTarget): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  const named = plain.split(/[^\p{L}\p{N}.-]+|\.\.+/u).flatMap(hostIn);
  const host = target.host.toLowerCase().replace(/:\d+$/, '');
  return (
    named.some((name) => looksLikeHost(name) && !sameHost(asciiHost(name), host)) && !startsWithHost(plain, target)
  );
}

/** The longest part of a word that looks like a host. It has several labels, and the last one begins with a letter. */
function hostIn(word: string): string[] {
  const labels = word.split('.').filter((label) => label !== '');
  while (labels.length > 1 && !/^\p{L}[\p{L}\p{N}-]+$/u.test(labels.at(-1) ?? '')) labels.pop();
  return labels.length > 1 ? [labels.join('.')] : [];
}

/** Whether a text begins with the address itself. It then names no other host, whatever its path contains. */
export function startsWithHost(text: string, target: LinkTarget): boolean {
  const start = `${target.scheme}://${target.host}`;
  const next = text[start.length];
  return text.startsWith(start) && (next === undefined || next === '/' || next === '?' || next === '#');
}

function asciiHost(name: string): string {
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}

function sameHost(name: string, host: string): boolean {
  const bare = name.replace(/^www\./, '');
  const real = host.replace(/^www\./, '');
  return bare === real || real.endsWith(`.${bare}`);
}

// File names are not hosts, so common file endings are excluded.
function looksLikeHost(name: string): boolean {
  return !/\.(?:md|pdf|json|ya?ml|toml|txt|go|ts|js|rs|py|sh|png|jpe?g|svg|html?|proto|wasm|zip|gz)$/.test(name);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
