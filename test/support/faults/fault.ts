import type { Socket } from 'node:net';
import type { Certificate } from '../certificateMaker.ts';

/** One way in which a network or a node misbehaves, and what must be said about it. */
export interface Fault {
  /** Lower-case words; also the path under which the fault server shows it. */
  readonly name: string;
  /** Plays the fault to a request that has arrived. `base` is the address of this fault's own endpoint. */
  readonly serve: (socket: Socket, base: string) => void;
  /** What the message must say. */
  readonly says: RegExp;
  /** Requests that it takes until the message is there: 1 where asking again would be useless. */
  readonly tries: number;
  /** Played as soon as the connection is open, before any request. */
  readonly early?: boolean;
  /** The address begins with https://; `false` speaks no TLS all the same. `trusted` is the authority of the client. */
  readonly certificate?: false | ((trusted: Certificate) => Certificate);
  /** Nothing listens; or a name that does not exist; or a listener that takes no connections. */
  readonly address?: 'refused' | 'unknown' | 'full';
}

export const goodBody = JSON.stringify({
  supply: [{ denom: 'stake', amount: '1' }],
  pagination: { next_key: null, total: '0' },
});

/** A whole reply with a true length; more `headers` as lines. */
export function reply(status: number, body: string | Buffer, ...headers: readonly string[]): Buffer {
  const bytes = Buffer.from(body);
  const lines = [`HTTP/1.1 ${status} Status`, `Content-Length: ${bytes.length}`, ...headers, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]);
}

/** A gateway's error body (contract-facts section 4). */
export function gateway(code: number, message: string): string {
  return JSON.stringify({ code, message, details: [] });
}

/** Sends `reply` and leaves the connection as HTTP leaves it. */
export function send(bytes: Buffer | string): Fault['serve'] {
  return (socket) => socket.write(bytes);
}

/** Sends `text`, then ends (`end`) or resets (`reset`) the connection once it has gone out, or falls silent. */
export function sendThen(text: string, then: 'end' | 'reset' | 'silence'): Fault['serve'] {
  return (socket) => {
    socket.write(text, () => {
      // A reset overtakes what is still in the buffers of the other side, so it leaves in a later turn.
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 20);
      else if (then === 'end') socket.end();
    });
  };
}

/** Sends `text` and then one `piece` after the other, as fast as they are taken, or one each `every` milliseconds. */
export function stream(text: string, piece: Buffer | string, count: number, every = 0): Fault['serve'] {
  return (socket) => {
    let sent = 0;
    let timer: NodeJS.Timeout | undefined;
    const next = () => {
      while (!socket.destroyed && sent < count) {
        sent++;
        const room = socket.write(piece);
        if (every > 0) {
          timer = setTimeout(next, every);
          return;
        }
        if (!room) {
          socket.once('drain', next);
          return;
        }
      }
      if (!socket.destroyed) socket.end();
    };
    socket.once('close', () => clearTimeout(timer));
    socket.write(text);
    next();
  };
}
