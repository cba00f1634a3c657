import { type Fault, gateway, reply, send } from './fault.ts';

const json = 'Content-Type: application/json';
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
    serve: send(reply(status, gateway(code, `the node says ${code}`), json)),
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
    serve: send(reply(429, gateway(8, 'grpc: received message larger than max (11534336 vs. 10485760)'), json)),
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
