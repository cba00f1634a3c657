import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';

/** A key and its certificate, both PEM, made for one test run: nothing that expires is kept in the repository. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateWish {
  readonly name: string;
  /** Host names and IPv4 addresses that it is for. */
  readonly hosts?: readonly string[];
  /** Signed by this one; by itself when absent. */
  readonly issuer?: Certificate;
  readonly authority?: boolean;
  /** Days from now; by default valid from yesterday until tomorrow. */
  readonly from?: number;
  readonly until?: number;
}

/** An X.509 v3 certificate (RFC 5280) over a fresh P-256 key. */
export function makeCertificate(wish: CertificateWish): Certificate {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuerKey = wish.issuer ? createPrivateKey(wish.issuer.key) : pair.privateKey;
  const issuerName = wish.issuer
    ? (/CN=(.*)/.exec(new X509Certificate(wish.issuer.cert).subject)?.[1] ?? '')
    : wish.name;
  const body = sequence(
    tagged(0xa0, integer(2)),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    distinguishedName(issuerName),
    sequence(time(wish.from ?? -1), time(wish.until ?? 1)),
    distinguishedName(wish.name),
    publicKeyOf(pair.publicKey),
    tagged(0xa3, sequence(...extensions(wish))),
  );
  const signature = sign('sha256', body, issuerKey);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.of(0), signature])));
  const text = (der.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.of(value));
}

function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

/** ecdsa-with-SHA256 */
const algorithm = sequence(identifier('2a8648ce3d040302'));

function distinguishedName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))));
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(text));
}

function publicKeyOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function extensions(wish: CertificateWish): Buffer[] {
  const made: Buffer[] = [];
  if (wish.authority) {
    const critical = tagged(0x01, Buffer.of(255));
    made.push(sequence(identifier('551d13'), critical, tagged(0x04, sequence(tagged(0x01, Buffer.of(255))))));
    made.push(sequence(identifier('551d0f'), critical, tagged(0x04, tagged(0x03, Buffer.of(2, 0x04)))));
  } else made.push(sequence(identifier('551d13'), tagged(0x04, sequence())));
  if (wish.hosts) {
    const names = wish.hosts.map((host) =>
      /^[\d.]+$/.test(host) ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host)),
    );
    made.push(sequence(identifier('551d11'), tagged(0x04, sequence(...names))));
  }
  return made;
}
