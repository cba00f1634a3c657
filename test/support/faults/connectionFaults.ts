import { makeCertificate } from '../certificateMaker.ts';
import { type Fault, goodBody, reply, send, sendThen, stream } from './fault.ts';

/** Addresses at which nobody answers. */
export const addressFaults: readonly Fault[] = [
  {
    name: 'refused',
    address: 'refused',
    serve: send(''),
    says: /refuses connections: nothing listens there/,
    tries: 0,
  },
  {
    name: 'black hole',
    address: 'full',
    serve: send(''),
    says: /no connection within 1 s: nothing answers/,
    tries: 0,
  },
  {
    name: 'a name that does not resolve',
    address: 'unknown',
    serve: send(''),
    says: /the name no-such-node\.invalid does not resolve/,
    tries: 0,
  },
];

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const half = goodBody.slice(0, 30);

/** Connections that end, stall, or speak something else. */
export const connectionFaults: readonly Fault[] = [
  {
    name: 'reset on connect',
    early: true,
    serve: (socket) => socket.resetAndDestroy(),
    says: /reset the connection without an answer|closed the connection without an answer/,
    tries: 3,
  },
  {
    name: 'closed on connect',
    early: true,
    serve: (socket) => socket.end(),
    says: /closed the connection without an answer|reset the connection without an answer/,
    tries: 3,
  },
  {
    name: 'reset before headers',
    serve: (socket) => socket.resetAndDestroy(),
    says: /reset the connection without an answer/,
    tries: 3,
  },
  {
    name: 'closed before headers',
    serve: sendThen('', 'end'),
    says: /closed the connection without an answer/,
    tries: 3,
  },
  {
    name: 'reset in headers',
    serve: sendThen(`${head}X-Half: ye`, 'reset'),
    says: /reset the connection without an answer/,
    tries: 3,
  },
  {
    name: 'closed in headers',
    serve: sendThen(`${head}X-Half: ye`, 'end'),
    says: /closed the connection without an answer/,
    tries: 3,
  },
  {
    name: 'reset in body',
    serve: sendThen(`${head}Content-Length: 1000\r\n\r\n${half}`, 'reset'),
    says: /the server reset the connection before the reply was complete/,
    tries: 3,
  },
  {
    name: 'closed in body',
    serve: sendThen(`${head}Content-Length: 1000\r\n\r\n${half}`, 'end'),
    says: /the server closed the connection before the reply was complete/,
    tries: 3,
  },
  {
    name: 'closed between chunks',
    serve: sendThen(`${head}Transfer-Encoding: chunked\r\n\r\n1e\r\n${half}\r\n`, 'end'),
    says: /the server closed the connection before the reply was complete/,
    tries: 3,
  },
  { name: 'silence', serve: () => undefined, says: /connected, but no answer within 1 s/, tries: 1 },
  {
    name: 'silence in headers',
    serve: sendThen(`${head}X-Half: ye`, 'silence'),
    says: /no answer within 1 s/,
    tries: 1,
  },
  {
    name: 'half a body then silence',
    serve: sendThen(`${head}Content-Length: 1000\r\n\r\n${half}`, 'silence'),
    says: /the reply stopped halfway: nothing more came for 1 s/,
    tries: 1,
  },
  {
    name: 'one byte at a time',
    serve: stream(`${head}Content-Length: 100000\r\n\r\n`, ' ', 100_000, 50),
    says: /the reply was not complete within 2\.5 s/,
    tries: 1,
  },
  {
    name: 'headers one byte at a time',
    serve: stream(`${head}X-Slow: `, 'a', 10_000, 50),
    says: /no answer within 1 s|not complete within 2\.5 s/,
    tries: 1,
  },
  {
    name: 'endless 100 continue',
    serve: stream('', 'HTTP/1.1 100 Continue\r\n\r\n', 100_000, 5),
    says: /the answer is not valid HTTP \(bad response\)/,
    tries: 1,
  },
  {
    name: 'switching protocols',
    serve: send('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
    says: /the answer is not valid HTTP \(bad upgrade\)/,
    tries: 1,
  },
  {
    name: 'another protocol',
    early: true,
    serve: send('SSH-2.0-OpenSSH_9.9\r\n'),
    says: /the answer is not valid HTTP/,
    tries: 1,
  },
  {
    name: 'tls on a plain address',
    serve: send(Buffer.from('1503010002022f', 'hex')),
    says: /answers with TLS: use https:\/\//,
    tries: 1,
  },
  { name: 'no status line', serve: sendThen(goodBody, 'end'), says: /the answer is not valid HTTP/, tries: 1 },
];

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
