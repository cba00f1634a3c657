import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { Client } from '../../../src/api/client.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { idKey } from '../../../src/api/pages.ts';
import { DialectMemory } from '../../../src/api/rest/dialect.ts';
import { HttpTransport } from '../../../src/api/transport/transport.ts';
import type { Transport } from '../../../src/api/transport/transportTypes.ts';
import { statusNames } from '../../../src/api/wireValues.ts';
import { type ServedState, serveFile } from '../../../src/service/serve.ts';
import { sampleFile } from '../../support/folders.ts';
import { idsOf, readAllCoins, readAllProposals, statusAt } from './allRows.ts';

interface Live {
  readonly proposal_id: string;
  readonly voter?: string;
  readonly depositor?: string;
}

describe('client and embedded service, over the sample chain', () => {
  let service: ServedState;
  let node: ChainNode;
  let client: Client;
  let transport: Transport;

  before(async () => {
    service = await serveFile({ file: sampleFile });
    await service.ready;
    node = openNode({ baseUrl: parseBaseUrl(service.baseUrl), segment: 'chain' });
    transport = new HttpTransport({ baseUrl: parseBaseUrl(service.baseUrl) });
    client = new Client(transport, new DialectMemory(), { href: service.baseUrl });
  });
  after(async () => {
    await node.dispose();
    await transport.dispose();
    await service.dispose();
  });

  it('supply: key, limit and count_total agree', async () => {
    const all = await readAllCoins(node, { limit: 1000 });
    assert.ok(all.length >= 180);
    assert.deepEqual(await readAllCoins(node, { limit: 7 }), all);
    const { rows, total } = await node.supply({ limit: 5, countTotal: true });
    assert.deepEqual(rows, all.slice(0, 5));
    assert.equal(total, BigInt(all.length));
  });

  it('supply of one coin: every denom, whatever is in it', async () => {
    for (const coin of await readAllCoins(node, { limit: 1000 })) {
      assert.deepEqual({ ...(await node.supplyOf(coin.denom)) }, { ...coin });
    }
    assert.equal((await node.supplyOf('ibc/NONE')).amount, 0n);
    await assert.rejects(node.supplyOf('1x'), { kind: 'http', status: 400, grpcCode: 3 });
    const byQuery = await client.get('supplyByDenom', { segment: 'cosmos', query: { denom: 'ibc/NONE' } });
    assert.equal(byQuery.reply.amount.amount, '0');
  });

  it('proposals: every status by name and by number, both ways, with its count', async () => {
    const all = await readAllProposals(node, {}, { limit: 1000 });
    assert.ok(all.length >= 70);
    assert.deepEqual(idsOf(await readAllProposals(node, {}, { limit: 9, reverse: true })), idsOf(all).toReversed());
    for (const [number, name] of statusNames.entries()) {
      const mine = number === 0 ? all : all.filter((row) => row.kind === 'proposal' && row.wireStatus === name);
      assert.ok(mine.length > 0, name);
      const status = statusAt(number);
      assert.deepEqual(idsOf(await readAllProposals(node, { status }, { limit: 3 })), idsOf(mine));
      const down = await readAllProposals(node, { status }, { limit: 4, reverse: true });
      assert.deepEqual(idsOf(down), idsOf(mine).toReversed());
      const { total } = await node.proposals({ status }, { limit: 1, countTotal: true });
      assert.equal(total, BigInt(mine.length));
      const byNumber = await client.get('proposals', {
        segment: 'chain',
        params: { form: 'v1' },
        query: { status: String(number), limit: '1000' },
      });
      assert.deepEqual(
        byNumber.reply.proposals.map((proposal) => Object(proposal).id),
        idsOf(mine),
      );
    }
  });

  it('proposals: voter and depositor, alone and with a status', async () => {
    const { app_state }: { app_state: { gov: { votes: Live[]; deposits: Live[] } } } = JSON.parse(
      readFileSync(sampleFile, 'utf8'),
    );
    for (const kind of ['voter', 'depositor'] as const) {
      const live = kind === 'voter' ? app_state.gov.votes : app_state.gov.deposits;
      const address = live[0]?.[kind];
      assert.ok(address);
      const ids = [...new Set(live.filter((one) => one[kind] === address).map((one) => BigInt(one.proposal_id)))];
      const expected = ids.sort((a, b) => (a < b ? -1 : 1)).map(String);
      const all = await readAllProposals(node, { [kind]: address }, { limit: 2 });
      assert.deepEqual(idsOf(all), expected);
      const status = 'voting';
      const voting = await readAllProposals(node, { [kind]: address, status }, { limit: 2, reverse: true });
      assert.deepEqual(
        idsOf(voting),
        idsOf(all.filter((row) => row.kind === 'proposal' && row.status === status)).toReversed(),
      );
    }
  });

  it('proposals: page keys are the ids, and may be made by hand', async () => {
    const all = idsOf(await readAllProposals(node, {}, { limit: 1000 }));
    const from = all[10] ?? '';
    assert.deepEqual(idsOf((await node.proposals({}, { key: idKey(BigInt(from)), limit: 3 })).rows), all.slice(10, 13));
  });

  it('one proposal: as in the list, with the height; a missing one is 404', async () => {
    const { rows, info: list } = await node.proposals({}, { limit: 5 });
    assert(list.height !== undefined);
    for (const row of rows) {
      const one = await node.proposal(row.id);
      assert.deepEqual(one, row);
      assert.equal(one.height, list.height);
    }
    await assert.rejects(node.proposal(999_999n), { kind: 'http', status: 404, grpcCode: 5 });
  });

  it('refuses what the contract refuses, and says which parameter', async () => {
    const bad = [
      [{ limit: 'x' }, /limit/],
      [{ offset: '-1' }, /offset/],
      [{ key: '*' }, /key/],
      [{ countTotal: 'maybe' }, /count_total/],
      [{ reverse: 'yes' }, /reverse/],
    ] as const;
    for (const [query, said] of bad) {
      await assert.rejects(client.get('supply', { segment: 'chain', query }), {
        status: 400,
        grpcCode: 3,
        nodeMessage: said,
      });
    }
  });
});
