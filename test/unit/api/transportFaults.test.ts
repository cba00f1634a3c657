import { strict as assert } from 'node:assert';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { checkReply, readRows } from '../../../src/api/decode/readReply.ts';
import { isApiError } from '../../../src/api/errors.ts';
import { emptyPage, type Page } from '../../../src/api/pages.ts';
import { coinSchema } from '../../../src/api/replySchemas.ts';
import { HttpTransport } from '../../../src/api/transport/transport.ts';
import type { Transport } from '../../../src/api/transport/transportTypes.ts';
import { Pager } from '../../../src/lists/pager.ts';
import { allFaults } from '../../fixtures/faults/allFaults.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import { startFaultServer } from '../../fixtures/faults/faultServer.ts';
import { caFile, takePorts } from '../../support/servers.ts';
import { timeWithoutStalls } from '../growth.ts';

const maxReply = 2 * 1024 * 1024;
const long = { connect: 20_000, headers: 20_000, body: 20_000, request: 60_000, maxReply };
/** Milliseconds after which a message is there, whatever the limits. */
const deadline = 7500;

/** The limit that a fault meets is short; the others may take their time, as the machine may stand still. */
function limitsFor({ name, says }: Fault): typeof long {
  if (says.source.includes('2\\.5 s')) return { ...long, request: 2500 };
  if (tooLate.test(says.source)) return { ...long, connect: 1000, headers: 1000, body: 1000 };
  return name.includes('silence') ? { ...long, body: 1000 } : long;
}

const tooLate = /\d s\b/;

interface Row {
  readonly fault: string;
  readonly ms: number;
  readonly tries: number;
  readonly kept: number;
  readonly retry: string;
  readonly message: string;
}

describe('a network that misbehaves', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);

  before(async () => {
    // Another server would take the port of the one that is closed, and be asked in its place.
    await takePorts();
    process.on('unhandledRejection', onUnhandled);
  });
  after(() => {
    process.off('unhandledRejection', onUnhandled);
  });

  for (const route of ['pool', 'fetch'] as const) {
    it(`says what is wrong, in time, and works again afterwards (${route})`, async () => {
      const faults = allFaults.filter((fault) => route === 'pool' || isForFetch(fault));
      const rows: Row[] = [];
      const wrong: string[] = [];
      const queue = [...faults];
      const workers = Array.from({ length: 8 }, async () => {
        for (let fault = queue.shift(); fault; fault = queue.shift()) {
          const row = await play(fault, route);
          rows.push(row);
          wrong.push(...faultsOf(fault, row, route));
        }
      });
      await Promise.all(workers);
      rows.sort((a, b) => names(faults).indexOf(a.fault) - names(faults).indexOf(b.fault));
      assert.ok(wrong.length === 0, `${wrong.join('\n')}\n${tableOf(rows)}`);
      assert.deepEqual(unhandled, []);
      assert.ok(rows.length >= 40, `only ${rows.length} faults`);
    });
  }

  async function play(fault: Fault, route: 'pool' | 'fetch'): Promise<Row> {
    const server = await startFaultServer(fault);
    const network = route === 'fetch' ? { fetch } : { caFile, systemCertificates: false };
    const transport = new HttpTransport({ baseUrl: parseBaseUrl(server.base), limits: limitsFor(fault), network });
    try {
      // One page has been read; the fault comes with the next one.
      const pager = new Pager<string>(
        async ({ key }) =>
          key === undefined ? { ...emptyPage, rows: ['atom'], nextKey: 'c3Rha2U=' } : readPage(transport, server.base),
        (denom) => denom,
        () => 1,
      );
      await pager.loadMore();
      let message = '';
      const ms = await timeWithoutStalls(async () => {
        message = await said(pager);
      });
      const tries = server.requests();
      const kept = pager.rows.length;
      const healed = await server.heal();
      let again = await said(pager);
      // An answer may come late, too, where the limits are short.
      for (let time = 0; healed && time < 20 && tooLate.test(again); time++) again = await said(pager);
      const works = again === '' && pager.rows.join() === 'atom,stake';
      const retry = works ? 'works' : healed ? `fails: ${again}` : 'the same';
      pager.dispose();
      return { fault: fault.name, ms: Math.round(ms), tries, kept, retry, message };
    } finally {
      await transport.dispose();
      await server.dispose();
    }
  }
});

async function readPage(transport: Transport, base: string): Promise<Page<string>> {
  const path = '/chain/bank/v1beta1/supply';
  const { text } = await transport.get(`${path}?pagination.key=c3Rha2U%3D`);
  const { supply } = checkReply('supply', text, base + path);
  return { ...emptyPage, rows: readRows(supply, coinSchema, 'denom').rows.map((coin) => coin.denom) };
}

/** Loads a page; the message of the error, or "" where there is none. */
async function said(pager: Pager<string>): Promise<string> {
  try {
    await pager.loadMore();
    return '';
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error.message;
  }
}

/** Trust is the editor's affair there; and fetch keeps an attempt to connect to a black hole for itself. */
function isForFetch(fault: Fault): boolean {
  return fault.certificate === undefined && fault.address !== 'full';
}

function faultsOf(fault: Fault, row: Row, route: 'pool' | 'fetch'): string[] {
  const wrong: string[] = [];
  if (row.message === '') wrong.push(`${fault.name}: no error`);
  if (!row.message.startsWith('GET http')) wrong.push(`${fault.name}: no method and address in "${row.message}"`);
  if (route === 'pool' && !fault.says.test(row.message)) wrong.push(`${fault.name}: "${row.message}"`);
  if (row.message.length > 600 || /[\x00-\x1f]/.test(row.message)) wrong.push(`${fault.name}: unreadable message`);
  if (row.ms > deadline + 500) wrong.push(`${fault.name}: ${row.ms} ms`);
  if (route === 'pool' && row.tries !== fault.tries)
    wrong.push(`${fault.name}: ${row.tries} requests, not ${fault.tries}`);
  if (row.kept !== 1) wrong.push(`${fault.name}: ${row.kept} rows kept, not 1`);
  if (row.retry !== 'works' && fault.address !== 'unknown') wrong.push(`${fault.name}: Retry ${row.retry}`);
  return wrong;
}

function names(faults: readonly Fault[]): string[] {
  return faults.map((fault) => fault.name);
}

function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map((row) => row.fault.length));
  return rows
    .map((row) => {
      const message = row.message.replace(/^GET \S+: /, '');
      return `      ${row.fault.padEnd(width)} ${String(row.ms).padStart(5)} ms  ${row.tries} tries  ${row.kept} row kept  Retry ${row.retry}  ${message}`;
    })
    .join('\n');
}
