import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Fault, goodBody, reply, send, sendThen, stream } from './fault.ts';

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
