import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { type Certificate, makeCertificate } from './certificateMaker.ts';
import { addressFaults } from './faults/addressFaults.ts';
import { bodyFaults } from './faults/bodyFaults.ts';
import { connectionFaults } from './faults/connectionFaults.ts';
import { type Fault, goodBody, reply } from './faults/fault.ts';
import { statusFaults } from './faults/statusFaults.ts';
import { tlsFaults } from './faults/tlsFaults.ts';
import { startFullListener } from './fullListener.ts';

export const allFaults: readonly Fault[] = [
  ...addressFaults,
  ...connectionFaults,
  ...bodyFaults,
  ...statusFaults,
  ...tlsFaults,
];

/** A node at the end of a bad line, over real sockets. */
export interface FaultServer {
  /** Its base URL. */
  readonly base: string;
  /** Requests that have come so far; connections, where the fault is played before a request. */
  requests(): number;
  /** From now on every request gets a good reply; false where this cannot be mended. */
  heal(): Promise<boolean>;
  dispose(): Promise<void>;
}

/** Plays one fault on 127.0.0.1 and a free port. `trusted` is the authority whose certificates the client accepts. */
export async function startFaultServer(fault: Fault, trusted: Certificate): Promise<FaultServer> {
  if (fault.address === 'full') return startFullListener(reply(200, goodBody));
  const sockets = new Set<Socket>();
  let healed = false;
  let requests = 0;

  const server = createServer((raw) => {
    track(raw);
    const secure = secureSocket(raw);
    if (secure !== raw) track(secure);
    if (fault.early && !healed) {
      requests++;
      fault.serve(secure, base);
    } else {
      onHeads(secure, () => {
        requests++;
        if (healed) secure.write(reply(200, goodBody, 'Content-Type: application/json'));
        else fault.serve(secure, base);
      });
    }
  });

  function track(socket: Socket) {
    sockets.add(socket);
    // The other side ends connections as it likes: that is what is tested.
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }

  const made = fault.certificate ? fault.certificate(trusted) : undefined;
  const good = makeCertificate({ name: 'good', hosts: ['127.0.0.1'], issuer: trusted });
  function secureSocket(raw: Socket): Socket {
    const certificate = healed && fault.certificate !== undefined ? good : made;
    return certificate ? new TLSSocket(raw, { isServer: true, secureContext: createSecureContext(certificate) }) : raw;
  }

  const port = await listen(server, 0);
  if (fault.address) await close(server);
  const host = fault.address === 'unknown' ? 'no-such-node.invalid' : '127.0.0.1';
  const base = `${fault.certificate === undefined ? 'http' : 'https'}://${host}:${port}/fault`;
  return {
    base,
    requests: () => requests,
    async heal() {
      healed = true;
      if (fault.address === 'refused') await listen(server, port);
      return fault.address !== 'unknown';
    },
    async dispose() {
      for (const socket of sockets) socket.destroy();
      await close(server);
    },
  };
}

/** Calls back for each request head; requests here have no bodies. */
function onHeads(socket: Socket, onHead: () => void): void {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      text = text.slice(end + 4);
      onHead();
    }
  });
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}
