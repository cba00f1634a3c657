import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { type Served, serveText } from './serveText.ts';
import { smallState } from './smallState.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();
const [path, base] = ['transfer/channel-0/transfer/channel-7', 'gamm/pool/1'];
const hash = hashOf(`${path}/${base}`);
const hops = ['channel-0', 'channel-7'].map((channel_id) => ({ port_id: 'transfer', channel_id }));
const unknown = hashOf('unknown');

/** The two forms of a state, each with what a node of that form answers. */
const forms = [
  {
    name: 'ibc-go 8',
    operation: 'denom_traces',
    other: 'denoms',
    transfer: {
      denom_traces: [
        { path: 'transfer/channel-1', base_denom: 'uatom' },
        { path, base_denom: base },
      ],
    },
    reply: { denom_trace: { path, base_denom: base } },
  },
  {
    name: 'ibc-go 10',
    operation: 'denoms',
    other: 'denom_traces',
    transfer: {
      denoms: [
        { base: 'uatom', trace: hops.slice(0, 1) },
        { base, trace: hops },
      ],
    },
    reply: { denom: { base, trace: hops } },
  },
];

/** Serves the small state with this `transfer` module while it is used. */
async function withState(transfer: object | undefined, use: (served: Served) => Promise<void>): Promise<void> {
  const state = smallState();
  const served = await serveText({ ...state, app_state: { ...state.app_state, transfer } });
  try {
    await use(served);
  } finally {
    await served.stop();
  }
}

async function ask({ service }: Served, operation: string, asked: string): Promise<readonly [number, unknown]> {
  const response = await fetch(new URL(`/ibc/apps/transfer/v1/${operation}/${asked}`, service.baseUrl));
  return [response.status, await response.json()];
}

describe('where denoms of a state come from', () => {
  for (const { name, operation, other, transfer, reply } of forms)
    it(`is answered as by a node of ${name}`, () =>
      withState({ port_id: 'transfer', ...transfer }, async (served) => {
        for (const asked of [hash, hash.toLowerCase(), `ibc/${hash}`])
          assert.deepEqual(await ask(served, operation, asked), [200, reply]);
        const [status, body] = await ask(served, operation, unknown);
        assert.deepEqual([status, Object(body).code], [404, 5]);
        for (const bad of ['AB', 'x'.repeat(64), `${hash}00`]) {
          const [refused, reason] = await ask(served, operation, bad);
          assert.deepEqual([refused, Object(reason).code], [400, 3], bad);
        }
        assert.equal((await ask(served, other, hash))[0], 501);
        const node = openNode({ baseUrl: parseBaseUrl(`${served.service.baseUrl}/chain`) });
        assert.deepEqual(await node.ibcDenom(hash), { path, base });
        assert.equal(await node.ibcDenom(unknown), undefined);
      }));

  it('is 501 where a state has no transfer module, and not known where the module has no traces', async () => {
    await withState(undefined, async (served) => {
      for (const { operation } of forms) assert.equal((await ask(served, operation, hash))[0], 501);
    });
    await withState({ denom_traces: null }, async (served) =>
      assert.deepEqual((await ask(served, 'denom_traces', hash))[0], 404),
    );
  });

  it('is read beside traces that cannot be read, which a notice names', () =>
    withState({ denom_traces: [7, { path: ['x'], base_denom: 'a' }, { path, base_denom: base }] }, async (served) => {
      assert.equal((await ask(served, 'denom_traces', hash))[0], 200);
      await served.service.ready;
      assert.match(served.service.notices.join('\n'), /transfer\.denom_traces\[0\].*1 more/);
    }));
});
