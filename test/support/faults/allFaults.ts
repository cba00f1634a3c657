import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { answer, type Fault, fault, goodBody, json, ok, reply, send, sendThen, stream } from './fault.ts';

const noConnection = [
  fault('refused', /refuses connections: nothing listens there/, send(''), 0, { address: 'refused' }),
  fault('black hole', /no connection within 1 s: nothing answers/, send(''), 0, { address: 'full' }),
  fault('a name that does not resolve', /no-such-node\.invalid does not resolve/, send(''), 0, { address: 'unknown' }),
];

const head = `HTTP/1.1 200 OK\r\n${json}\r\n`;
const thousand = `${head}Content-Length: 1000\r\n\r\n`;
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
const half = goodBody.slice(0, 30);
const early = { early: true };
const noAnswer = /(reset|closed) the connection without an answer/;
const resetUnanswered = /reset the connection without an answer/;
const closedUnanswered = /closed the connection without an answer/;
const resetHalfway = /the server reset the connection before the reply was complete/;
const closedHalfway = /the server closed the connection before the reply was complete/;
const notHttp = /the answer is not valid HTTP/;

/** Connections that end, stall, or speak something else. */
const brokenConnection = [
  fault('reset on connect', noAnswer, (socket) => socket.resetAndDestroy(), 3, early),
  fault('closed on connect', noAnswer, (socket) => socket.end(), 3, early),
  fault('reset before headers', resetUnanswered, (socket) => socket.resetAndDestroy(), 3),
  fault('closed before headers', closedUnanswered, sendThen('', 'end'), 3),
  fault('reset in headers', resetUnanswered, sendThen(`${head}X-Half: ye`, 'reset'), 3),
  fault('closed in headers', closedUnanswered, sendThen(`${head}X-Half: ye`, 'end'), 3),
  fault('reset in body', resetHalfway, sendThen(`${thousand}${half}`, 'reset'), 3),
  fault('closed in body', closedHalfway, sendThen(`${thousand}${half}`, 'end'), 3),
  fault('closed between chunks', closedHalfway, sendThen(`${chunked}1e\r\n${half}\r\n`, 'end'), 3),
  fault('silence', /connected, but no answer within 1 s/, () => undefined),
  fault('silence in headers', /no answer within 1 s/, send(`${head}X-Half: ye`)),
  fault('half a body then silence', /the reply stopped halfway: nothing more came for 1 s/, send(`${thousand}${half}`)),
  fault(
    'one byte at a time',
    /the reply was not complete within 2\.5 s/,
    stream(`${head}Content-Length: 100000\r\n\r\n`, ' ', 100_000, 50),
  ),
  fault(
    'headers one byte at a time',
    /no answer within 1 s|not complete within 2\.5 s/,
    stream(`${head}X-Slow: `, 'a', 10_000, 50),
  ),
  fault('endless 100 continue', /\(bad response\)/, stream('', 'HTTP/1.1 100 Continue\r\n\r\n', 100_000, 5)),
  fault(
    'switching protocols',
    /the answer is not valid HTTP \(bad upgrade\)/,
    send('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
  ),
  fault('another protocol', notHttp, send('SSH-2.0-OpenSSH_9.9\r\n'), 1, early),
  fault('tls on a plain address', /answers with TLS: use https:\/\//, send(Buffer.from('1503010002022f', 'hex'))),
  fault('no status line', notHttp, sendThen(goodBody, 'end')),
];

const withoutTls = { early: true, certificate: false } as const;

const untrusted = (certificate: string, name: string, says: RegExp) => fault(name, says, send(''), 0, { certificate });

const tls = [
  untrusted('expired', 'expired certificate', /its certificate has expired on \d{4}-\d\d-\d\d/),
  untrusted(
    'future',
    'certificate of the future',
    /its certificate is not valid before \d{4}-\d\d-\d\d: check this machine's clock/,
  ),
  untrusted('self-signed', 'self-signed certificate', /self-signed certificate: set a CA file for this endpoint/),
  untrusted('unknown', 'unknown authority', /signed by an authority unknown here \(Stray CA\): set a CA file/),
  untrusted('other', 'certificate of another host', /not for 127\.0\.0\.1, but for other\.example/),
  fault(
    'redirect from https to http',
    /HTTP 302\. It redirects to an address without encryption \(http:\/\/\*\*\*@127\.0\.0\.1:1\/x\?token=\*\*\*\)/,
    answer(302, '', 'Location: http://user:pass@127.0.0.1:1/x?token=hidden'),
    1,
    { certificate: 'node' },
  ),
  fault('reset within tls', noAnswer, (socket) => socket.destroy(), 3, { certificate: 'node' }),
  fault(
    'no tls behind https',
    /does not speak TLS as expected: is it http:/,
    send('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
    1,
    withoutTls,
  ),
  fault('silence instead of tls', /no connection within 1 s/, () => undefined, 1, withoutTls),
  fault(
    'closed during the handshake',
    /(closed|reset) the connection (during the handshake|without an answer)/,
    (socket) => socket.end(),
    3,
    withoutTls,
  ),
];

const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, 32), Buffer.from('\r\n')]);
/** 1 GiB of blanks in one megabyte: members of a gzip file may follow each other. */
const gzipBomb = Buffer.concat(Array(128).fill(gzipSync(Buffer.alloc(1 << 23, 32))));
const brotliBomb = brotliCompressSync(Buffer.alloc(1 << 25, 32), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const tooLarge = /larger than 2 MiB/;
const twoLengths = /the answer is not valid HTTP \(its lengths contradict each other\)/;
const longHeaders = /the headers of the reply are too large/;
const notUtf8 = /the reply is not valid UTF-8/;
const empty = /the reply is empty/;
const breaksOff = /breaks off in the middle/;
const notAsked = /not what was asked for/;

const encoded = (encoding: string, body: string | Buffer = goodBody) => ok(body, `Content-Encoding: ${encoding}`);
const withLength = (length: number) => `${head}Content-Length: ${length}\r\n\r\n`;

/** Replies with status 200 that are too large, broken, or something else. */
const wrongBody = [
  fault('length too long', closedHalfway, sendThen(withLength(goodBody.length + 9) + goodBody, 'end'), 3),
  fault('length too short', breaksOff, send(withLength(goodBody.length - 9) + goodBody)),
  fault('two lengths', twoLengths, send(`${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${goodBody}`)),
  fault(
    'length and chunks',
    twoLengths,
    send(`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  ),
  fault('broken chunk size', notHttp, send(`${chunked}zz\r\nhello\r\n`)),
  fault('broken gzip', /the gzip compression of the reply is broken/, encoded('gzip')),
  fault(
    'truncated gzip',
    /the gzip compression of the reply ends too early/,
    encoded('gzip', gzipSync(goodBody).subarray(0, 40)),
  ),
  fault('gzip bomb', tooLarge, encoded('gzip', gzipBomb)),
  fault('gzip bomb within gzip', tooLarge, encoded('gzip, gzip', gzipSync(gzipBomb))),
  fault('brotli bomb', tooLarge, encoded('br', brotliBomb)),
  fault('compressed five times', /compressed 5 times over/, encoded('gzip, gzip, gzip, gzip, gzip')),
  fault(
    'unknown compression',
    /compressed in a way that was not asked for \(zstd\)/,
    encoded('zstd', Buffer.from('28b52ffdffff', 'hex')),
  ),
  fault('1 GB of body', tooLarge, stream(chunked, megabyte, 1024)),
  fault('1 GB announced', tooLarge, stream(withLength(2 ** 30), ' ', 10, 50)),
  fault('10,000 headers', longHeaders, send(`${head}${'X-Header: value\r\n'.repeat(10_000)}\r\n${goodBody}`)),
  fault('one huge header', longHeaders, send(`${head}X-Huge: ${'a'.repeat(1 << 20)}\r\n\r\n${goodBody}`)),
  fault(
    '200 with html',
    /a web page \(HTML\)/,
    answer(200, '<!DOCTYPE html><title>Welcome to nginx!</title><body>hello</body>', 'Content-Type: text/html'),
  ),
  fault('200 with text', /the reply is not JSON; it begins with "OK"/, answer(200, 'OK')),
  fault('200 with an empty body', empty, answer(200, '')),
  fault('204 without a body', empty, send('HTTP/1.1 204 No Content\r\n\r\n')),
  fault('200 with null', /not what was asked for.*null/, ok('null')),
  fault('200 with an array', /not what was asked for.*array/, ok('[]')),
  fault('truncated json', breaksOff, ok(goodBody.slice(0, 40))),
  fault('no length, closed halfway', breaksOff, sendThen(`HTTP/1.0 200 OK\r\n${json}\r\n\r\n${half}`, 'end')),
  fault('a hundred thousand brackets', notAsked, ok('['.repeat(100_000) + ']'.repeat(100_000))),
  fault('bad utf-8', notUtf8, ok(Buffer.from('{"supply":"\xc3\x28"}', 'latin1'))),
  fault('utf-16', notUtf8, ok(Buffer.from(`\ufeff${goodBody}`, 'utf16le'))),
  fault('a gateway error with status 200', /supply: expected an array, got nothing/, ok(gateway(2, 'panic'))),
];

/** What a gateway makes of the codes of gRPC, from code 1 on; docs/nodes.md#errors. */
const gatewayStatuses = [408, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401];

/** A gateway's error body. */
function gateway(code: number, message: string): string {
  return JSON.stringify({ code, message, details: [] });
}

const triesOf = (status: number) => ([429, 502, 503, 504].includes(status) ? 3 : 1);

const notTheNode = (status: number, text: string) =>
  new RegExp(`HTTP ${status}\\. The answer is not the node's: "${text}"`);
const html = 'Content-Type: text/html';

/** Statuses of gateways, each with its body and without one, and of proxies, which have texts of their own. */
const status = [
  ...gatewayStatuses.map((status, at) =>
    fault(
      `${status} with code ${at + 1}`,
      new RegExp(`HTTP ${status}: the node says ${at + 1}$`),
      answer(status, gateway(at + 1, `the node says ${at + 1}`), json),
      triesOf(status),
    ),
  ),
  ...[...new Set(gatewayStatuses)].map((status) =>
    fault(`${status} without a body`, new RegExp(`HTTP ${status}\\b`), answer(status, ''), triesOf(status)),
  ),
  fault(
    "502 with a proxy's page",
    notTheNode(502, '502 Bad Gateway'),
    answer(
      502,
      '<html>\r\n<head><title>502 Bad Gateway</title><style>p{color:red}</style></head>\r\n<body><h1>502 Bad Gateway</h1></body></html>',
      html,
    ),
    3,
  ),
  fault('503 with a text', notTheNode(503, 'no healthy upstream'), answer(503, 'no healthy upstream\u0007\u202e'), 3),
  fault(
    '403 of a shield',
    /HTTP 403\. The answer is not the node's: "Just a moment\.\.\."\. The endpoint requires a key/,
    answer(
      403,
      '<!DOCTYPE html><html><head><title>Just a moment...</title><script>var secret = 1;</script></head></html>',
      html,
    ),
  ),
  fault(
    '500 with 1 GB of page',
    notTheNode(500, 'all work and no play [^"]{1,200}…'),
    stream('HTTP/1.1 500 Status\r\nContent-Length: 1073741824\r\n\r\n', 'all work and no play '.repeat(4000), 13_000),
  ),
  fault(
    '500 with half a page then silence',
    notTheNode(500, 'Internal error'),
    send('HTTP/1.1 500 Status\r\nContent-Length: 5000\r\n\r\nInternal error'),
  ),
  fault(
    '429 with retry-after',
    /HTTP 429\. The answer is not the node's: "slow down"\. The endpoint limits requests/,
    answer(429, 'slow down', 'Retry-After: 0'),
    3,
  ),
  fault('429 with a long retry-after', /HTTP 429.* asks to wait 1 h/, answer(429, '', 'Retry-After: 3600')),
  fault('503 with a date to retry after', /HTTP 503.* asks to wait 10 min/, (socket) =>
    socket.write(reply(503, '', `Retry-After: ${new Date(Date.now() + 600_000).toUTCString()}`)),
  ),
  fault(
    '429 because of a large page',
    /HTTP 429: grpc: received message larger than max/,
    answer(429, gateway(8, 'grpc: received message larger than max (11534336 vs. 10485760)'), json),
  ),
  fault('300 with choices', notTheNode(300, 'one or the other'), answer(300, 'one or the other')),
  fault('304 unasked', /HTTP 304/, send('HTTP/1.1 304 Not Modified\r\n\r\n')),
  fault('520 of a shield', /HTTP 520/, answer(520, '')),
  fault('418', /HTTP 418.*"I'm a teapot"/, answer(418, "I'm a teapot")),
  fault(
    'redirect loop',
    /HTTP 302\. It redirects in a circle/,
    (socket, base) => socket.write(reply(302, '', `Location: ${base}/loop`)),
    2,
  ),
  fault(
    'too many redirects',
    /HTTP 301\. It redirects more than 3 times/,
    (socket, base) => socket.write(reply(301, '', `Location: ${base}/${Math.random()}`)),
    4,
  ),
  fault('redirect without an address', /HTTP 307\. It redirects without saying where/, answer(307, '')),
  fault(
    'redirect to another protocol',
    /HTTP 308\. It redirects to something that is no web address/,
    answer(308, '', 'Location: ftp://127.0.0.1/x'),
  ),
  fault(
    'redirect to a closed port',
    /127\.0\.0\.1:1 refuses connections/,
    answer(302, '', 'Location: http://127.0.0.1:1/x'),
    3,
  ),
];

export const allFaults: readonly Fault[] = [...noConnection, ...brokenConnection, ...wrongBody, ...status, ...tls];
