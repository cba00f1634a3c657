import { type Fault, goodBody, send, sendThen, stream } from './fault.ts';

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
