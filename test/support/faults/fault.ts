import type { Socket } from 'node:net';

/** Plays the fault to a request that has arrived. `base` is the address of this fault's own endpoint. */
type Serve = (socket: Socket, base: string) => void;

interface Setting {
  /** Played as soon as the connection is open, before any request. */
  readonly early?: boolean;
  /** The address begins with https://. A name of test/fixtures/certificates; `false` speaks no TLS all the same. */
  readonly certificate?: string | false;
  /** Nothing listens; or a name that does not exist; or a listener that accepts no connections. */
  readonly address?: 'refused' | 'unknown' | 'full';
}

/** One way in which a network or a node misbehaves, and what the message about it has to say. */
export interface Fault extends Setting {
  /** Lower-case words. */
  readonly name: string;
  readonly says: RegExp;
  readonly serve: Serve;
  /** Requests that it takes until the message is there: 1 where asking again would be useless. */
  readonly tries: number;
}

export function fault(name: string, says: RegExp, serve: Serve, tries = 1, setting: Setting = {}): Fault {
  return { name, says, serve, tries, ...setting };
}

export const goodBody = JSON.stringify({
  supply: [{ denom: 'stake', amount: '1' }],
  pagination: { next_key: null, total: '0' },
});

export const json = 'Content-Type: application/json';

/** A whole reply with a true length; more `headers` as lines. */
export function reply(status: number, body: string | Buffer, ...headers: readonly string[]): Buffer {
  const bytes = Buffer.from(body);
  const lines = [`HTTP/1.1 ${status} Status`, `Content-Length: ${bytes.length}`, ...headers, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]);
}

/** Sends `bytes` and leaves the connection as HTTP leaves it. */
export function send(bytes: Buffer | string): Serve {
  return (socket) => socket.write(bytes);
}

/** A JSON reply with status 200. */
export function ok(body: string | Buffer, ...headers: readonly string[]): Serve {
  return send(reply(200, body, json, ...headers));
}

/** A reply with another status. */
export function answer(status: number, body: string, ...headers: readonly string[]): Serve {
  return send(reply(status, body, ...headers));
}

/** Sends `text`, then ends or resets the connection once it has gone out. */
export function sendThen(text: string, then: 'end' | 'reset'): Serve {
  return (socket) => {
    socket.write(text, () => {
      // A reset overtakes what is still in the buffers of the other side, so it leaves in a later turn.
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 20);
      else socket.end();
    });
  };
}

/** Sends `text` and then one `piece` after the other, as fast as they are taken, or one each `every` milliseconds. */
export function stream(text: string, piece: Buffer | string, count: number, every = 0): Serve {
  return (socket) => {
    let sent = 0;
    let timer: NodeJS.Timeout | undefined;
    const next = () => {
      while (!socket.destroyed && sent < count) {
        sent++;
        const writable = socket.write(piece);
        if (every > 0) {
          timer = setTimeout(next, every);
          return;
        }
        if (!writable) {
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
