import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Requests per second that a server answers over 8 connections for `milliseconds`, one request after the other on each.
 * `paths` are asked in turn. It only counts bytes, so that it takes as little as possible of the machine: the answers to
 * each path must always have the same length, which is found out first.
 */
export async function requestsPerSecond(url: string, paths: readonly string[], milliseconds: number): Promise<number> {
  const { hostname, port, host } = new URL(url);
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  const lengths: number[] = [];
  for (const request of requests) lengths.push(await answerLength(Number(port), hostname, request));
  let answered = 0;
  let next = 0;
  const start = performance.now();
  const deadline = start + milliseconds;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(Number(port), hostname).setNoDelay(true);
      let missing = 0;
      const send = () => {
        const index = next++ % requests.length;
        missing = lengths[index] ?? 0;
        socket.write(requests[index] ?? '');
      };
      socket.on('data', (chunk) => {
        missing -= chunk.length;
        if (missing > 0) return;
        answered++;
        if (performance.now() < deadline) send();
        else socket.destroy();
      });
      await once(socket, 'connect');
      send();
      await once(socket, 'close');
    }),
  );
  return answered / ((performance.now() - start) / 1000);
}

/** Bytes of the whole answer, head and body. Throws where it is not 200. */
async function answerLength(port: number, hostname: string, request: Buffer): Promise<number> {
  const socket = connect(port, hostname);
  socket.write(request);
  let answer = Buffer.alloc(0);
  for await (const chunk of socket) {
    answer = Buffer.concat([answer, chunk]);
    const head = answer.indexOf('\r\n\r\n');
    const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, Math.max(0, head)))?.[1];
    if (head >= 0 && length !== undefined && answer.length >= head + 4 + Number(length)) break;
  }
  socket.destroy();
  const text = answer.toString('latin1', 0, 200);
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`${request.toString().split('\r\n')[0]}: ${text}`);
  return answer.length;
}
