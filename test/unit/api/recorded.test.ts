import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { Client } from '../../../src/api/client.ts';
import { toCoin } from '../../../src/api/decode/coinRows.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow, readProposalRows, readRows } from '../../../src/api/decode/readReply.ts';
import type { Operation } from '../../../src/api/operations.ts';
import { coinSchema, type Reply } from '../../../src/api/replySchemas.ts';
import { DialectMemory } from '../../../src/api/rest/dialect.ts';
import { HttpTransport } from '../../../src/api/transport/transport.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { startReplies } from '../../support/servers.ts';

const data = chainData();
const segment = 'cosmos';

/** Answers the body of a recorded file with its HTTP status. */
async function ask<O extends Operation>(operation: O, file: string, wrap = (text: string) => text) {
  const index: readonly { file: string; http: number }[] = JSON.parse(data?.text('responses/index.json') ?? '[]');
  const status = index.find((entry) => entry.file === file)?.http;
  const body = wrap(data?.text(`responses/${file}`) ?? '');
  const service = await startReplies(() => ({ status, body }));
  const transport = new HttpTransport({ baseUrl: parseBaseUrl(service.url) });
  const client = new Client(transport, new DialectMemory(undefined, undefined, segment), { href: service.url });
  const params: Readonly<Record<string, string>> = { form: 'v1', proposalId: '900', denom: 'uatom' };
  try {
    const get: (operation: O, ask: { params: typeof params }) => Promise<{ reply: Reply<O> }> = client.get.bind(client);
    return (await get(operation, { params })).reply;
  } finally {
    await transport.dispose();
    await service.stop();
  }
}

const supplies: Readonly<Record<string, number>> = {
  'emeris_cosmoshub_supply_page1.json': 100,
  'emeris_cosmoshub_supply_page2.json': 100,
  'emeris_cosmoshub_supply_page3.json': 27,
  'blockpi_cosmoshub_bank_v1beta1_supply.json': 100,
  'interchaintest_juno_supply.json': 1,
};

const lists: Readonly<Record<string, number>> = {
  'quokka_proposals_v1beta1_page1.json': 20,
  'blockpi_zetachain_gov_v1_proposals.json': 15,
  'treasurenet_gov_proposals.json': 3,
  'srvcheck_stafihub_clientupdate_passed.json': 1,
  'srvcheck_stafihub_clientupdate_failed.json': 1,
};

const errors = [
  ['supply', 'quokka_lcd_error.json', { kind: 'http', status: 501, grpcCode: 12, nodeMessage: 'Not Implemented' }],
  ['proposal', 'quokka_vote_not_found.json', { kind: 'http', status: 400, grpcCode: 3 }],
  ['proposal', 'error_proposal_not_found.json', { kind: 'http', status: 404, grpcCode: 5 }],
  ['proposals', 'error_v1_to_v1beta1.json', { kind: 'http', status: 500, grpcCode: 2 }],
  ['supply', 'quokka_invalid_json.json', { kind: 'reply' }],
  ['proposals', 'blockpi_cosmoshub_gov_v1beta1_proposals.json', { kind: 'reply' }],
] as const;

(data ? describe : describe.skip)('recorded answers of real nodes', () => {
  for (const [file, count] of Object.entries(supplies)) {
    it(`${file}: ${count} coins, every digit`, async () => {
      const reply = await ask('supply', file);
      const { rows, faults } = readRows(reply.supply, coinSchema, 'denom');
      assert.deepEqual([rows.length, faults], [count, []]);
      for (const coin of rows) assert.equal(String(toCoin(coin).amount), coin.amount);
    });
  }

  for (const [file, count] of Object.entries(lists)) {
    it(`${file}: ${count} proposals, with titles unless the content is a Msg`, async () => {
      const { proposals } = await ask('proposals', file);
      assert.equal(proposals.length, count);
      for (const proposal of proposals) {
        const row = toProposalRow(readProposalRow('v1beta1', proposal));
        assert.ok(row.kind === 'proposal', JSON.stringify(proposal).slice(0, 200));
        assert.deepEqual(row.faults, []);
        assert.ok(
          row.title || /\.Msg\w+$/.test(row.contents[0]?.typeUrl ?? ''),
          JSON.stringify(proposal).slice(0, 200),
        );
      }
    });
  }

  it('quokka_proposals_v1_page3.json: the five proposals without a message have titles', async () => {
    const { proposals } = await ask('proposals', 'quokka_proposals_v1_page3.json');
    const rows = proposals.map((proposal) => toProposalRow(readProposalRow('v1', proposal)));
    assert.equal(rows.filter((row) => row.kind === 'proposal' && row.contents.length === 0).length, 5);
    for (const row of rows) assert.ok(row.kind === 'proposal' && row.title && row.description && !row.faults.length);
  });

  it('one proposal, one denom', async () => {
    assert.equal((await ask('supplyOf', 'blockpi_cosmoshub_bank_v1beta1_supply_by_denom.json')).amount.amount, '0');
    assert.equal((await ask('proposal', 'quicksilver_proposal_37.json')).proposal.proposal_id, '37');
    const { proposal } = await ask('proposal', 'celestia_mamaki_proposal_1_v1.json', (text) => `{"proposal":${text}}`);
    const row = toProposalRow(readProposalRow('v1', proposal));
    assert.ok(row.kind === 'proposal');
    assert.match(row.contents[0]?.typeUrl ?? '', /ParameterChangeProposal|MsgExecLegacyContent/);
  });

  it('blockpi_zetachain_gov_v1_proposals.json: rows of another form are unreadable, each by its place', async () => {
    const { proposals } = await ask('proposals', 'blockpi_zetachain_gov_v1_proposals.json');
    const { rows, faults } = readProposalRows('v1', proposals, {});
    assert.deepEqual([rows.length, faults.length], [0, 15]);
    for (const { reason } of faults) assert.match(reason, /^id: expected a string/);
  });

  for (const [operation, file, expected] of errors) {
    it(`${file}: refused with its reason`, async () => {
      await assert.rejects(ask(operation, file), expected);
    });
  }
});
