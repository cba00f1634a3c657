import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { FaultServer } from './faultServer.ts';

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
