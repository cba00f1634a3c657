import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Fault, gateway, goodBody, reply, send, sendThen, stream } from './fault.ts';

const json = 'Content-Type: application/json';
const chunked = `HTTP/1.1 200 OK\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, 32), Buffer.from('\r\n')]);
const page = '<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body>hello</body></html>';

/** 1 GiB of blanks in one megabyte: members of a gzip file may follow each other. */
const gzipBomb = Buffer.concat(Array(128).fill(gzipSync(Buffer.alloc(1 << 23, 32))));
const nestedBomb = gzipSync(gzipBomb);
const brotliBomb = brotliCompressSync(Buffer.alloc(1 << 25, 32), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Replies with status 200 that are too large, broken, or something else. */
export const bodyFaults: readonly Fault[] = [
  {
    name: 'length too long',
    serve: sendThen(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: ${goodBody.length + 9}\r\n\r\n${goodBody}`, 'end'),
    says: /closed the connection before the reply was complete/,
    tries: 3,
  },
  {
    name: 'length too short',
    serve: send(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: ${goodBody.length - 9}\r\n\r\n${goodBody}`),
    says: /the reply breaks off in the middle of its JSON/,
    tries: 1,
  },
  {
    name: 'two lengths',
    serve: send(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n${goodBody}`),
    says: /the answer is not valid HTTP \(its lengths contradict each other\)/,
    tries: 1,
  },
  {
    name: 'length and chunks',
    serve: send(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    says: /the answer is not valid HTTP \(its lengths contradict each other\)/,
    tries: 1,
  },
  {
    name: 'broken chunk size',
    serve: send(`${chunked}zz\r\nhello\r\n`),
    says: /the answer is not valid HTTP/,
    tries: 1,
  },
  {
    name: 'broken gzip',
    serve: send(reply(200, goodBody, json, 'Content-Encoding: gzip')),
    says: /the gzip compression of the reply is broken/,
    tries: 1,
  },
  {
    name: 'truncated gzip',
    serve: send(reply(200, gzipSync(goodBody).subarray(0, 40), json, 'Content-Encoding: gzip')),
    says: /the gzip compression of the reply ends too early/,
    tries: 1,
  },
  {
    name: 'gzip bomb',
    serve: send(reply(200, gzipBomb, json, 'Content-Encoding: gzip')),
    says: /larger than 2 MiB/,
    tries: 1,
  },
  {
    name: 'gzip bomb within gzip',
    serve: send(reply(200, nestedBomb, json, 'Content-Encoding: gzip, gzip')),
    says: /larger than 2 MiB/,
    tries: 1,
  },
  {
    name: 'brotli bomb',
    serve: send(reply(200, brotliBomb, json, 'Content-Encoding: br')),
    says: /larger than 2 MiB/,
    tries: 1,
  },
  {
    name: 'compressed five times',
    serve: send(reply(200, goodBody, json, 'Content-Encoding: gzip, gzip, gzip, gzip, gzip')),
    says: /compressed 5 times over/,
    tries: 1,
  },
  {
    name: 'unknown compression',
    serve: send(reply(200, Buffer.from('28b52ffdffff', 'hex'), json, 'Content-Encoding: zstd')),
    says: /compressed in a way that was not asked for \(zstd\)/,
    tries: 1,
  },
  { name: '1 GB of body', serve: stream(chunked, megabyte, 1024), says: /larger than 2 MiB/, tries: 1 },
  {
    name: '1 GB announced',
    serve: stream(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 1073741824\r\n\r\n`, ' ', 10, 50),
    says: /larger than 2 MiB/,
    tries: 1,
  },
  {
    name: '10,000 headers',
    serve: send(`HTTP/1.1 200 OK\r\n${'X-Header: value\r\n'.repeat(10_000)}\r\n${goodBody}`),
    says: /the headers of the reply are too large/,
    tries: 1,
  },
  {
    name: 'one huge header',
    serve: send(`HTTP/1.1 200 OK\r\nX-Huge: ${'a'.repeat(1 << 20)}\r\n\r\n${goodBody}`),
    says: /the headers of the reply are too large/,
    tries: 1,
  },
  {
    name: '200 with html',
    serve: send(reply(200, page, 'Content-Type: text/html')),
    says: /a web page \(HTML\)/,
    tries: 1,
  },
  {
    name: '200 with text',
    serve: send(reply(200, 'OK')),
    says: /the reply is not JSON; it begins with "OK"/,
    tries: 1,
  },
  { name: '200 with an empty body', serve: send(reply(200, '')), says: /the reply is empty/, tries: 1 },
  { name: '204 without a body', serve: send('HTTP/1.1 204 No Content\r\n\r\n'), says: /the reply is empty/, tries: 1 },
  { name: '200 with null', serve: send(reply(200, 'null', json)), says: /not what was asked for.*null/, tries: 1 },
  { name: '200 with an array', serve: send(reply(200, '[]', json)), says: /not what was asked for.*array/, tries: 1 },
  {
    name: 'truncated json',
    serve: send(reply(200, goodBody.slice(0, 40), json)),
    says: /breaks off in the middle/,
    tries: 1,
  },
  {
    name: 'no length, closed halfway',
    serve: sendThen(`HTTP/1.0 200 OK\r\n${json}\r\n\r\n${goodBody.slice(0, 40)}`, 'end'),
    says: /breaks off in the middle/,
    tries: 1,
  },
  {
    name: 'a hundred thousand brackets',
    serve: send(reply(200, '['.repeat(100_000) + ']'.repeat(100_000), json)),
    says: /not what was asked for/,
    tries: 1,
  },
  {
    name: 'bad utf-8',
    serve: send(
      reply(200, Buffer.concat([Buffer.from('{"supply":"'), Buffer.of(0xc3, 0x28), Buffer.from('"}')]), json),
    ),
    says: /the reply is not valid UTF-8/,
    tries: 1,
  },
  {
    name: 'utf-16',
    serve: send(reply(200, Buffer.from(`\ufeff${goodBody}`, 'utf16le'), json)),
    says: /the reply is not valid UTF-8/,
    tries: 1,
  },
  {
    name: 'a number where a string belongs',
    serve: send(reply(200, goodBody.replace('"1"', '1'), json)),
    says: /supply\[0\]\.amount: expected a string.*got a number/,
    tries: 1,
  },
  {
    name: 'an amount with a point',
    serve: send(reply(200, goodBody.replace('"1"', '"1.5"'), json)),
    says: /supply\[0\]\.amount: expected a string of digits, got "1\.5"/,
    tries: 1,
  },
  {
    name: 'a gateway error with status 200',
    serve: send(reply(200, '{"code":2,"message":"panic","details":[]}', json)),
    says: /supply: expected an array, got nothing/,
    tries: 1,
  },
];

const statusFaultsJson = 'Content-Type: application/json';
const html = 'Content-Type: text/html';

/** contract-facts section 4: what a gateway makes of the codes of gRPC. */
const gatewayStatuses: readonly (readonly [code: number, status: number])[] = [
  [1, 408],
  [2, 500],
  [3, 400],
  [4, 504],
  [5, 404],
  [6, 409],
  [7, 403],
  [8, 429],
  [9, 400],
  [10, 409],
  [11, 400],
  [12, 501],
  [13, 500],
  [14, 503],
  [15, 500],
  [16, 401],
];

const retried = [429, 502, 503, 504];

const triesOf = (status: number) => (retried.includes(status) ? 3 : 1);

/** Every code of the gateway's map with its body, and every status of it without one. */
const mapped: readonly Fault[] = [
  ...gatewayStatuses.map(([code, status]) => ({
    name: `${status} with code ${code}`,
    serve: send(reply(status, gateway(code, `the node says ${code}`), statusFaultsJson)),
    says: new RegExp(`HTTP ${status}: the node says ${code}$`),
    tries: triesOf(status),
  })),
  ...[...new Set(gatewayStatuses.map(([, status]) => status))].map((status) => ({
    name: `${status} without a body`,
    serve: send(reply(status, '')),
    says: new RegExp(`HTTP ${status}\\b`),
    tries: triesOf(status),
  })),
];

const proxyPage =
  '<html>\r\n<head><title>502 Bad Gateway</title><style>p{color:red}</style></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body></html>';

const shield =
  '<!DOCTYPE html><html><head><title>Just a moment...</title><script>var secret = 1;</script></head><body></body></html>';

/** What stands between us and the node has its own words, and its own wishes. */
export const statusFaults: readonly Fault[] = [
  ...mapped,
  {
    name: "502 with a proxy's page",
    serve: send(reply(502, proxyPage, html)),
    says: /HTTP 502\. The answer is not the node's: "502 Bad Gateway"$/,
    tries: 3,
  },
  {
    name: '503 with a text',
    serve: send(reply(503, 'no healthy upstream\u0007\u202e')),
    says: /HTTP 503\. The answer is not the node's: "no healthy upstream"$/,
    tries: 3,
  },
  {
    name: '403 of a shield',
    serve: send(reply(403, shield, html)),
    says: /HTTP 403\. The answer is not the node's: "Just a moment\.\.\."\. The endpoint wants a key/,
    tries: 1,
  },
  {
    name: '500 with 1 GB of page',
    serve: (socket) => {
      socket.write('HTTP/1.1 500 Status\r\nContent-Length: 1073741824\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write('all work and no play '.repeat(4000)));
        socket.once('drain', more);
      };
      more();
    },
    says: /HTTP 500\. The answer is not the node's: "all work and no play [^"]{1,200}…"$/,
    tries: 1,
  },
  {
    name: '500 with half a page then silence',
    serve: (socket) => socket.write('HTTP/1.1 500 Status\r\nContent-Length: 5000\r\n\r\nInternal error'),
    says: /HTTP 500\. The answer is not the node's: "Internal error"$/,
    tries: 1,
  },
  {
    name: '429 with retry-after',
    serve: send(reply(429, 'slow down', 'Retry-After: 0')),
    says: /HTTP 429\. The answer is not the node's: "slow down"\. The endpoint limits requests/,
    tries: 3,
  },
  {
    name: '429 with a long retry-after',
    serve: send(reply(429, '', 'Retry-After: 3600')),
    says: /HTTP 429.* asks to wait 1 h/,
    tries: 1,
  },
  {
    name: '503 with a date to retry after',
    serve: (socket) => {
      socket.write(reply(503, '', `Retry-After: ${new Date(Date.now() + 600_000).toUTCString()}`));
    },
    says: /HTTP 503.* asks to wait 10 min/,
    tries: 1,
  },
  {
    name: '429 because of a large page',
    serve: send(
      reply(429, gateway(8, 'grpc: received message larger than max (11534336 vs. 10485760)'), statusFaultsJson),
    ),
    says: /HTTP 429: grpc: received message larger than max/,
    tries: 1,
  },
  {
    name: '300 with choices',
    serve: send(reply(300, 'one or the other')),
    says: /HTTP 300\. The answer is not the node's: "one or the other"/,
    tries: 1,
  },
  { name: '304 unasked', serve: send('HTTP/1.1 304 Not Modified\r\n\r\n'), says: /HTTP 304/, tries: 1 },
  { name: '520 of a shield', serve: send(reply(520, '')), says: /HTTP 520/, tries: 1 },
  { name: '418', serve: send(reply(418, "I'm a teapot")), says: /HTTP 418.*"I'm a teapot"/, tries: 1 },
  {
    name: 'redirect loop',
    serve: (socket, base) => socket.write(reply(302, '', `Location: ${base}/loop`)),
    says: /HTTP 302\. It redirects in a circle/,
    tries: 2,
  },
  {
    name: 'too many redirects',
    serve: (socket, base) => socket.write(reply(301, '', `Location: ${base}/${Math.random()}`)),
    says: /HTTP 301\. It redirects more than 3 times/,
    tries: 4,
  },
  {
    name: 'redirect without an address',
    serve: send(reply(307, '')),
    says: /HTTP 307\. It redirects without saying where/,
    tries: 1,
  },
  {
    name: 'redirect to another protocol',
    serve: send(reply(308, '', 'Location: ftp://127.0.0.1/x')),
    says: /HTTP 308\. It redirects to something that is no web address/,
    tries: 1,
  },
  {
    name: 'redirect to a closed port',
    serve: send(reply(302, '', 'Location: http://127.0.0.1:1/x')),
    says: /127\.0\.0\.1:1 refuses connections/,
    tries: 3,
  },
];
