import type { Socket } from 'node:net';
import { Failure } from './failure.ts';
import type { ForwardProxy } from './proxyFor.ts';

const headLimit = 16 * 1024;

/** Asks `proxy`, over the open `socket`, for a tunnel to `authority` (`host:port`) by CONNECT (RFC 9110 section 9.3.6). */
export function openTunnel(socket: Socket, proxy: ForwardProxy, authority: string, signal: AbortSignal): Promise<void> {
  const name = `the proxy ${proxy.host}:${proxy.port}`;
  return new Promise((resolve, reject) => {
    let head = '';
    const finish = (failure?: unknown) => {
      signal.removeEventListener('abort', onAbort);
      socket.off('readable', onReadable).off('close', onClose).off('error', finish);
      if (failure === undefined) resolve();
      else {
        socket.destroy();
        reject(failure);
      }
    };
    const onAbort = () => finish(signal.reason);
    const onClose = () => finish(new Failure('CLOSED', `${name} closed the connection without an answer`));
    const onReadable = () => {
      for (let chunk: unknown = socket.read(); chunk !== null; chunk = socket.read()) {
        head += Buffer.isBuffer(chunk) ? chunk.toString('latin1') : '';
        const end = head.indexOf('\r\n\r\n');
        if (end >= 0) {
          // In a tunnel the client speaks first, so nothing of value can follow the head.
          finish(judge(head.slice(0, end), name, authority));
          return;
        }
        if (head.length > headLimit) {
          finish(new Failure('NOT_HTTP', `${name} does not answer like an HTTP proxy`));
          return;
        }
      }
    };
    if (signal.aborted) {
      finish(signal.reason);
      return;
    }
    signal.addEventListener('abort', onAbort);
    socket.on('readable', onReadable).once('close', onClose).once('error', finish);
    const authorization = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : '';
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  });
}

function judge(head: string, name: string, authority: string): Failure | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1];
  if (status === undefined) return new Failure('NOT_HTTP', `${name} does not answer like an HTTP proxy`);
  if (status.startsWith('2')) return undefined;
  const code = `PROXY_${status}`;
  switch (status) {
    case '407':
      return new Failure(code, `${name} asks for a user and password (HTTP 407): put them into http.proxy`);
    case '403':
      return new Failure(code, `${name} does not allow connections to ${authority} (HTTP 403)`);
    default:
      return new Failure(code, `${name} could not reach ${authority} (HTTP ${status})`);
  }
}
