import { createServer } from 'node:http';

export interface FixedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A service of this machine that answers each GET as `reply` says; `requests` are `path?query` in order. */
export async function startReplies(reply: (url: URL, headers: NodeJS.Dict<string | string[]>) => FixedReply) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const { status = 200, headers, body } = reply(new URL(request.url ?? '/', 'http://service'), request.headers);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, requests, stop };
}
