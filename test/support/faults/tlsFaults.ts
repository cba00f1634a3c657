import { makeCertificate } from '../certificateMaker.ts';
import { type Fault, reply, send } from './fault.ts';

const hosts = ['127.0.0.1', 'localhost'];

/** What TLS servers do wrong. */
export const tlsFaults: readonly Fault[] = [
  {
    name: 'expired certificate',
    certificate: (issuer) => makeCertificate({ name: 'expired', hosts, issuer, from: -30, until: -2 }),
    says: /its certificate has expired on \d{4}-\d\d-\d\d/,
    serve: send(''),
    tries: 0,
  },
  {
    name: 'certificate of the future',
    certificate: (issuer) => makeCertificate({ name: 'future', hosts, issuer, from: 2, until: 30 }),
    says: /its certificate is not valid before \d{4}-\d\d-\d\d: check this machine's clock/,
    serve: send(''),
    tries: 0,
  },
  {
    name: 'self-signed certificate',
    certificate: () => makeCertificate({ name: 'own', hosts }),
    says: /self-signed certificate: set a CA file for this endpoint/,
    serve: send(''),
    tries: 0,
  },
  {
    name: 'unknown authority',
    certificate: () =>
      makeCertificate({ name: 'stray', hosts, issuer: makeCertificate({ name: 'Stray CA', authority: true }) }),
    says: /signed by an authority unknown here \(Stray CA\): set a CA file/,
    serve: send(''),
    tries: 0,
  },
  {
    name: 'certificate of another host',
    certificate: (issuer) => makeCertificate({ name: 'other', hosts: ['other.example'], issuer }),
    says: /its certificate is not for 127\.0\.0\.1, but for other\.example/,
    serve: send(''),
    tries: 0,
  },
  {
    name: 'redirect from https to http',
    certificate: (issuer) => makeCertificate({ name: 'good', hosts, issuer }),
    says: /HTTP 302\. It redirects to an address without encryption \(http:\/\/\*\*\*@127\.0\.0\.1:1\/x\?token=\*\*\*\)/,
    serve: send(reply(302, '', 'Location: http://user:pass@127.0.0.1:1/x?token=hidden')),
    tries: 1,
  },
  {
    name: 'reset within tls',
    certificate: (issuer) => makeCertificate({ name: 'good', hosts, issuer }),
    says: /(closed|reset) the connection without an answer/,
    serve: (socket) => socket.destroy(),
    tries: 3,
  },
  {
    name: 'no tls behind https',
    certificate: false,
    early: true,
    serve: send('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
    says: /does not speak TLS as expected: is it http:/,
    tries: 1,
  },
  {
    name: 'silence instead of tls',
    certificate: false,
    early: true,
    serve: () => undefined,
    says: /no connection within 1 s/,
    tries: 1,
  },
  {
    name: 'closed during the handshake',
    certificate: false,
    early: true,
    serve: (socket) => socket.end(),
    says: /(closed|reset) the connection (during the handshake|without an answer)/,
    tries: 3,
  },
];
