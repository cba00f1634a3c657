import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { readCurrentParams, readPageFacts } from '../../../src/reads/proposalReads.ts';
import { chainReplies, json, notImplemented } from '../../support/chainReplies.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { startReplies } from '../../support/servers.ts';

describe('present values of what a proposal changes', () => {
  it('are told by a state for every module, by one request a module', async () => {
    const sample = await startSampleNode();
    try {
      const messages = [
        update('cosmos.staking.v1beta1', { max_validators: 200, bond_denom: 'other', unheard_of: '1' }),
        { '@type': '/cosmos.consensus.v1.MsgUpdateParams', authority: 'gov', block: { max_bytes: '1', max_gas: '2' } },
      ];
      const known = await read(sample.node, messages);
      assert.equal(known.get('cosmos.staking.v1beta1/bond_denom'), '"usample"');
      assert.match(known.get('cosmos.staking.v1beta1/max_validators') ?? '', /^\d+$/);
      assert.match(known.get('cosmos.consensus.v1/block') ?? '', /"max_bytes":"\d+"/);
      assert.equal(known.has('cosmos.staking.v1beta1/unheard_of'), false);
      const params = sample.asked().filter((path) => path.endsWith('/params'));
      assert.equal(params.length, 2, params.join(' '));
    } finally {
      await sample.dispose();
    }
  });

  it('are told by a node for gov, and for what stands in the params module', async () => {
    const govParams = { quorum: '0.400000000000000000', min_deposit: [{ denom: 'u', amount: '1' }] };
    const gov = chainReplies({ proposals: [], govParams });
    const service = await startReplies((url) => {
      const [subspace, key] = [url.searchParams.get('subspace'), url.searchParams.get('key')];
      const isParam = url.pathname === '/cosmos/params/v1beta1/params';
      return isParam ? json({ param: { subspace, key, value: '"180"' } }) : gov(url);
    });
    const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
    try {
      const changes = [{ subspace: 'staking', key: 'MaxValidators', value: '200' }];
      const known = await read(node, [
        update('cosmos.gov.v1', { quorum: '0.5', min_deposit: [], expedited_threshold: '0.6' }),
        update('cosmos.staking.v1beta1', { max_validators: 200 }),
        {
          '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
          content: {
            '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
            title: 'T',
            description: 'D',
            changes,
          },
        },
      ]);
      assert.deepEqual([...known].toSorted(), [
        ['cosmos.gov.v1/min_deposit', '[{"denom":"u","amount":"1"}]'],
        ['cosmos.gov.v1/quorum', '"0.400000000000000000"'],
        ['staking/MaxValidators', '"180"'],
      ]);
      // The values of the params module are never read for a module that took its parameters over.
      assert.deepEqual(
        service.requests.filter((path) => path.includes('/params/v1beta1/params?')),
        ['/cosmos/params/v1beta1/params?subspace=staking&key=MaxValidators'],
      );
    } finally {
      await node.dispose();
      await service.stop();
    }
  });
});

describe('where a chain is when an upgrade is planned', () => {
  it('is measured over as many blocks as the node keeps, and asked only for a plan with a height', async () => {
    const block = (height: number, time: string) =>
      JSON.stringify({ block: { header: { height: `${height}`, time } } });
    const service = await startReplies(({ pathname }) => {
      if (pathname.endsWith('/blocks/latest')) return { body: block(50_000, '2026-01-01T00:10:00Z') };
      if (pathname.endsWith('/blocks/49900')) return { body: block(49_900, '2026-01-01T00:00:00Z') };
      if (pathname.includes('/blocks/')) return { status: 400, body: '{"code":3,"message":"height is not available"}' };
      return notImplemented;
    });
    const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
    try {
      const planned = { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', plan: { name: 'v2', height: '60000' } };
      const { signal } = new AbortController();
      const { chainTime } = await readPageFacts(node, proposalWith([planned]), 'http', signal);
      const time = new Date('2026-01-01T00:10:00Z');
      assert.deepEqual(chainTime, { height: 50_000n, time, blockTime: 6, blocks: 100 });
      const asked = service.requests.length;
      assert.equal((await readPageFacts(node, proposalWith([]), 'http', signal)).chainTime, undefined);
      assert.deepEqual(
        service.requests.slice(asked).filter((path) => path.includes('/blocks/')),
        [],
      );
    } finally {
      await node.dispose();
      await service.stop();
    }
  });

  it('goes on at the pace that mint assumes where no blocks are kept', async () => {
    const perYear = { params: { mint_denom: 'u', blocks_per_year: '4382200' } };
    const service = await startReplies(chainReplies({ paths: { '/cosmos/mint/v1beta1/params': perYear } }));
    const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
    try {
      const planned = { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', plan: { name: 'v2', height: '60000' } };
      const { signal } = new AbortController();
      const read = async (height: bigint | undefined) => {
        const proposal = { ...proposalWith([planned]), height };
        return (await readPageFacts(node, proposal, 'http', signal)).chainTime;
      };
      const before = Date.now();
      const known = await read(50_000n);
      assert.deepEqual(
        { ...known, time: undefined },
        {
          height: 50_000n,
          time: undefined,
          blockTime: (8_766 * 3_600) / 4_382_200,
          blocks: undefined,
          isByClock: true,
        },
      );
      assert.ok(Number(known?.time) >= before && Number(known?.time) <= Date.now());
      assert.equal(await read(undefined), undefined);
    } finally {
      await node.dispose();
      await service.stop();
    }
  });
});

const update = (module: string, params: object) => ({
  '@type': `/${module}.MsgUpdateParams`,
  authority: 'gov',
  params,
});

async function read(node: ChainNode, messages: Record<string, unknown>[]) {
  return readCurrentParams(node, proposalWith(messages), new AbortController().signal);
}

function proposalWith(messages: Record<string, unknown>[]) {
  const row = toProposalRow(readProposalRow('v1', { id: '1', messages, status: 'PROPOSAL_STATUS_VOTING_PERIOD' }));
  assert(row.kind === 'proposal');
  return row;
}
