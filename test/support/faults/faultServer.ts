import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { certificate, listen, serve } from '../servers.ts';
import { type Fault, goodBody, reply } from './fault.ts';

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

/** Plays one fault on 127.0.0.1 and a free port, to a client that trusts the authority of `caFile` (servers.ts). */
export async function startFaultServer(fault: Fault): Promise<FaultServer> {
  if (fault.address === 'full') return startFullListener(reply(200, goodBody));
  let healed = false;
  let requests = 0;
  const server = createServer((raw) => {
    const socket = secureSocket(raw);
    const play = () => {
      requests++;
      if (healed) socket.write(reply(200, goodBody, 'Content-Type: application/json'));
      else fault.serve(socket, base);
    };
    if (fault.early && !healed) play();
    else onHeads(socket, play);
  });

  function secureSocket(raw: Socket): Socket {
    const name = healed && fault.certificate !== undefined ? 'node' : fault.certificate;
    if (!name) return raw;
    const secureContext = createSecureContext(certificate(name));
    return running.track(new TLSSocket(raw, { isServer: true, secureContext }));
  }

  const running = await serve(server);
  if (fault.address) await running.dispose();
  const host = fault.address === 'unknown' ? 'no-such-node.invalid' : '127.0.0.1';
  const base = `${fault.certificate === undefined ? 'http' : 'https'}://${host}:${running.port}/fault`;
  return {
    base,
    requests: () => requests,
    async heal() {
      healed = true;
      if (fault.address === 'refused') await listen(server, running.port);
      return fault.address !== 'unknown';
    },
    dispose: running.dispose,
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

/** In a thread of its own: a listener that takes no connection until `shared[0]` is 1, because it sleeps. */
const listener = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { shared, reply } = workerData;
const server = createServer((socket) => socket.on('error', () => undefined).on('data', () => socket.write(Buffer.from(reply))));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  setImmediate(() => Atomics.wait(shared, 0, 0));
});
`;

/** A black hole without a network: the kernel drops new connections once the queue of a sleeping listener is full. */
export async function startFullListener(reply: Buffer): Promise<FaultServer> {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(listener, { eval: true, workerData: { shared, reply } });
  const [port]: unknown[] = await once(worker, 'message');
  if (typeof port !== 'number') throw new Error('no port');
  const fillers: Socket[] = [];
  // Linux takes backlog + 1; more fillers than that only wait.
  for (let count = 0; count < 4; count++) fillers.push(connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, 'connect')));
  const wake = () => {
    Atomics.store(shared, 0, 1);
    Atomics.notify(shared, 0);
  };
  return {
    base: `http://127.0.0.1:${port}/fault`,
    requests: () => 0,
    async heal() {
      for (const socket of fillers) socket.destroy();
      wake();
      // The queue is empty when a connection is answered, which takes a second if its first packet was dropped.
      const probe = connect(port, '127.0.0.1').on('error', () => undefined);
      probe.write('GET / HTTP/1.1\r\n\r\n');
      await once(probe, 'data');
      probe.destroy();
      return true;
    },
    async dispose() {
      for (const socket of fillers) socket.destroy();
      wake();
      await worker.terminate();
    },
  };
}
