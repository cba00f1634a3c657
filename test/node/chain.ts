import { once } from 'node:events';
import { createServer } from 'node:net';
import { type RunningProcess, startProcess } from '../support/processes.ts';
import { moduleAddresses } from './accounts.ts';
import type { SignedTx } from './cli.ts';
import type { Ports } from './genesis.ts';
import type { Decision } from './recording.ts';

/** An event of a block or a transaction, its attributes as text. */
interface ChainEvent {
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A transaction in a block. */
interface Included {
  readonly height: number;
  readonly code: number;
  readonly log: string;
  readonly events: readonly ChainEvent[];
}

/** A node that runs, and what it has told so far. */
export interface RunningNode {
  readonly rest: string;
  readonly rpc: string;
  /** Height of the last block. */
  height(): number;
  /** Height → time of the block, of all blocks since the node was started. */
  readonly times: ReadonlyMap<number, string>;
  /** The decisions of the chain on proposals, in the order of its events. */
  readonly decisions: readonly Decision[];
  /** Resolves when `found` gives something; it is asked again at every block and transaction. */
  until<T>(what: string, found: () => T | undefined | false): Promise<T>;
  /** Broadcasts in this order, and resolves when all are in blocks; rejects when one of them fails. */
  send(transactions: readonly SignedTx[]): Promise<readonly Included[]>;
  /** Resolves when the node has halted by itself for an upgrade. */
  upgradeNeeded(): Promise<void>;
  dispose(): Promise<void>;
}

/** Ports that are free now; they are held together, so that they differ. */
export async function freePorts(): Promise<Ports> {
  const servers = [0, 0, 0].map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const [rest = 0, rpc = 0, grpc = 0] = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return { rest, rpc, grpc };
}

const maxSeconds = 120;

/**
 * Starts the node of this home and resolves when it answers; `more` are further arguments of its command `start`. The
 * process ends when `stop` is aborted, and with this one, however that ends.
 */
export async function startNode(
  binary: string,
  home: string,
  { rest, rpc }: Ports,
  stop: AbortSignal,
  more: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningNode> {
  stop.throwIfAborted();
  const running = startProcess(binary, ['start', '--home', home, ...more], { env: { ...process.env, ...env } });
  stop.addEventListener('abort', () => void running.dispose());
  try {
    await printed(running, /starting api server/i);
    const events = await listen(running, `ws://127.0.0.1:${rpc}/websocket`);
    const node: RunningNode = {
      ...events,
      rest: `http://127.0.0.1:${rest}`,
      rpc: `tcp://127.0.0.1:${rpc}`,
      upgradeNeeded: () => printed(running, /UPGRADE .* NEEDED/),
      async dispose() {
        events.close();
        await running.dispose();
      },
    };
    await node.until('the first block', () => node.height() > 0);
    // The gateway of SDK 0.46 looks for gRPC before that has started, and again a second later.
    for (let asked = 0; (await statusOf(`${node.rest}/cosmos/bank/v1beta1/params`)) !== 200; asked++) {
      if (asked > 100) throw new Error(`The node does not answer over REST:\n${running.output().slice(-2000)}`);
      const height = node.height();
      await node.until('the next block', () => node.height() > height);
    }
    return node;
  } catch (error) {
    await running.dispose();
    throw error;
  }
}

async function statusOf(url: string): Promise<number> {
  const reply = await fetch(url);
  await reply.text();
  return reply.status;
}

/** Resolves when the process has printed this; rejects when it ends before, or does not within the time. */
function printed({ child, exited, output }: RunningProcess, pattern: RegExp): Promise<void> {
  const tail = () => output().slice(-2000);
  return new Promise((resolve, reject) => {
    const fail = (why: string) => () => settle(() => reject(new Error(`The node ${why}:\n${tail()}`)));
    const timer = setTimeout(fail(`did not print ${pattern} in ${maxSeconds} s`), maxSeconds * 1000);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.stderr?.off('data', look);
      end();
    };
    const look = () => pattern.test(output()) && settle(resolve);
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    exited.then(fail(`ended before it printed ${pattern}`), fail('could not be started'));
    look();
  });
}

/** Follows the blocks and transactions of a node over its websocket. */
async function listen(running: RunningProcess, url: string) {
  const socket = new WebSocket(url);
  await Promise.race([once(socket, 'open'), once(socket, 'error').then(() => Promise.reject(new Error(url)))]);
  let calls = 0;
  const answers = new Map<number, (reply: Reply) => void>();
  const checks = new Set<() => void>();
  const times = new Map<number, string>();
  const included = new Map<string, Included>();
  const decisions: Decision[] = [];
  let height = 0;

  socket.addEventListener('message', ({ data }) => {
    const reply: Reply = JSON.parse(String(data));
    const { block, TxResult: tx, result_end_block, result_finalize_block } = reply.result?.data?.value ?? {};
    if (block) {
      height = Number(block.header.height);
      times.set(height, block.header.time);
      const { events } = result_finalize_block ?? result_end_block ?? {};
      decisions.push(...decisionsIn(height, readEvents(events)));
    } else if (tx) {
      const { code = 0, log = '', events } = tx.result;
      const read = readEvents(events);
      included.set(tx.tx, { height: Number(tx.height), code, log, events: read });
      decisions.push(...cancellationsIn(Number(tx.height), read));
    } else {
      answers.get(reply.id)?.(reply);
      answers.delete(reply.id);
    }
    for (const check of checks) check();
  });

  const call = (method: string, params: object) =>
    new Promise<Reply>((resolve) => {
      calls += 1;
      answers.set(calls, resolve);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: calls, method, params }));
    });

  function until<T>(what: string, found: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (why?: string) => {
        clearTimeout(timer);
        checks.delete(check);
        if (why !== undefined) reject(new Error(`${why} before ${what}:\n${running.output().slice(-2000)}`));
      };
      const check = () => {
        const value = found();
        if (value === undefined || value === false) return;
        end();
        resolve(value);
      };
      const timer = setTimeout(() => end(`${maxSeconds} s have passed`), maxSeconds * 1000);
      running.exited.then(() => end('The node ended')).catch(() => {});
      checks.add(check);
      check();
    });
  }

  async function send(transactions: readonly SignedTx[]): Promise<readonly Included[]> {
    for (const { bytes, purpose } of transactions) {
      const { error, result } = await call('broadcast_tx_sync', { tx: bytes });
      const refused = error ? JSON.stringify(error) : result?.code ? result.log : undefined;
      if (refused !== undefined) throw new Error(`The node refuses the transaction "${purpose}": ${refused}`);
    }
    return Promise.all(
      transactions.map(async ({ bytes, purpose }) => {
        const tx = await until(`"${purpose}" is in a block`, () => included.get(bytes));
        if (tx.code !== 0) throw new Error(`The transaction "${purpose}" failed: ${tx.log}`);
        return tx;
      }),
    );
  }

  for (const event of ['NewBlock', 'Tx']) await call('subscribe', { query: `tm.event='${event}'` });
  return { height: () => height, times, decisions, until, send, close: () => socket.close() };
}

/** The messages of CometBFT over its websocket, as far as they are read here. */
interface Reply {
  readonly id: number;
  readonly error?: unknown;
  readonly result?: {
    readonly code?: number;
    readonly log?: string;
    readonly data?: {
      readonly value?: {
        readonly block?: { readonly header: { readonly height: string; readonly time: string } };
        readonly TxResult?: { readonly height: string; readonly tx: string; readonly result: TxOutcome };
        /** Up to CometBFT 0.37, and since 0.38. */
        readonly result_end_block?: { readonly events?: readonly WireEvent[] };
        readonly result_finalize_block?: { readonly events?: readonly WireEvent[] };
      };
    };
  };
}

interface TxOutcome {
  readonly code?: number;
  readonly log?: string;
  readonly events?: readonly WireEvent[];
}

interface WireEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string | null }[];
}

/** Attributes are base64 up to CometBFT 0.34, whose nodes mark them with `index` only. */
function readEvents(events: readonly WireEvent[] = []): readonly ChainEvent[] {
  const isBase64 = events.some(
    ({ type, attributes }) => type === 'coin_spent' && attributes[0]?.key === 'c3BlbmRlcg==',
  );
  const read = (text: string | null) => (isBase64 ? Buffer.from(text ?? '', 'base64').toString() : (text ?? ''));
  return events.map(({ type, attributes }) => ({
    type,
    attributes: new Map(attributes.map(({ key, value }) => [read(key), read(value)])),
  }));
}

/**
 * The decisions of a block: an event ends each, and what became of the deposits stands in the bank's events before it.
 */
function decisionsIn(height: number, events: readonly ChainEvent[]): readonly Decision[] {
  const found: Decision[] = [];
  let deposits: Decision['deposits'] = 'kept';
  for (const { type, attributes } of events) {
    if (type === 'burn' && attributes.get('burner') === moduleAddresses.gov) deposits = 'burned';
    if (type === 'coin_spent' && attributes.get('spender') === moduleAddresses.gov && deposits === 'kept') {
      deposits = 'returned';
    }
    if (type !== 'active_proposal' && type !== 'inactive_proposal') continue;
    const result = attributes.get('proposal_result') ?? '';
    found.push({ id: Number(attributes.get('proposal_id')), height, result, deposits });
    deposits = 'kept';
  }
  return found;
}

function cancellationsIn(height: number, events: readonly ChainEvent[]): readonly Decision[] {
  const deposits = events.some(({ type }) => type === 'burn') ? 'partlyBurned' : 'returned';
  return events
    .filter(({ type }) => type === 'cancel_proposal')
    .map(({ attributes }) => ({ id: Number(attributes.get('proposal_id')), height, result: 'cancelled', deposits }));
}
