const secretName =
  /^(x[-_]?)?(api[-_]?key|app[-_]?key|key|access[-_]?key|token|[\w-]*[-_]token|secret|client[-_]?secret|auth|authorization|password|passwd|pwd|sig|signature)$/i;

/**
 * `url` as it may be shown or logged: without user and password, and with the values of query parameters that are named
 * like a secret replaced. `pagination.key` is not one. Never throws.
 */
export function maskUrl(url: string): string {
  const query = url.indexOf('?');
  const address = query < 0 ? url : url.slice(0, query);
  const shown = address.includes('@') ? address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1***@') : address;
  return query < 0
    ? shown
    : `${shown}?${url
        .slice(query + 1)
        .split('&')
        .map(maskPair)
        .join('&')}`;
}

function maskPair(pair: string): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return pair;
  const name = pair.slice(0, equals);
  return secretName.test(name.includes('%') ? decoded(name) : name) ? `${name}=***` : pair;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
