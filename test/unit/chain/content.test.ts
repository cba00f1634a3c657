import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { readContent } from '../../../src/chain/content/content.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { any, concat, field, varint } from './contentEncoder.ts';

const samples = z.array(
  z.object({ typeUrl: z.string(), valueBase64: z.string(), cosmjsToJSON: z.record(z.string(), z.unknown()) }),
);

describe('content', () => {
  it('reads the recorded samples as the decoder that printed them', function () {
    const data = chainData();
    if (!data) return this.skip();
    for (const sample of samples.parse(JSON.parse(data.text('gov_content_any_samples.json')))) {
      const content = readContent({ type_url: sample.typeUrl, value: sample.valueBase64 });
      assert.deepEqual(untimed(content.fields), untimed(sample.cosmjsToJSON));
      assert.equal(content.title, sample.cosmjsToJSON.title);
      assert.deepEqual([content.unknownFields, content.fault, content.encoding], [0, undefined, 'protobuf']);
    }
  });

  it('reads every form in which a content comes', () => {
    const text = { title: 'Hello', description: 'World' };
    const value = Buffer.from(concat(field(1, 'Hello'), field(2, 'World'))).toString('base64');
    const typeUrl = '/cosmos.gov.v1beta1.TextProposal';
    const forms = [
      { type_url: typeUrl, value },
      { typeUrl, value },
      { '@type': typeUrl, ...text },
      { type: 'cosmos-sdk/TextProposal', value: text },
    ];
    for (const form of forms) {
      const content = readContent(form);
      assert.deepEqual([content.title, content.description], ['Hello', 'World']);
      assert.deepEqual(content.fields, text);
    }
    assert.deepEqual(
      forms.map((form) => readContent(form).encoding),
      ['protobuf', 'protobuf', 'json', 'amino'],
    );
  });

  it('reads base64 of both alphabets, padded or not', () => {
    const bytes = concat(field(1, '~~~???>>>'), field(2, 'ÿþý'));
    for (const encoding of ['base64', 'base64url'] as const) {
      const content = readContent({ type_url: '/x.y.TextProposal', value: Buffer.from(bytes).toString(encoding) });
      assert.deepEqual([content.title, content.description], ['~~~???>>>', 'ÿþý']);
    }
  });

  it('gives a message no title from its first fields', () => {
    const bare = readContent(any('/acme.v1.MsgDoThings', field(1, 'authority'), field(2, 'something')));
    assert.equal(bare.title, undefined);
    assert.equal(bare.description, undefined);
    assert.deepEqual(bare.fields, { '#1 text': 'authority', '#2 text': 'something' });
    assert.equal(readContent({ '@type': '/acme.v1.MsgDoThings', title: 'no' }).title, undefined);
  });

  it('takes the legacy content out of the message that carries it', () => {
    const inner = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' };
    const json = readContent({
      '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
      content: inner,
      authority: 'cosmos1gov',
    });
    const proto = readContent(
      any(
        '/cosmos.gov.v1.MsgExecLegacyContent',
        field(1, field(1, '/cosmos.gov.v1beta1.TextProposal'), field(2, field(1, 'T'), field(2, 'D'))),
        field(2, 'cosmos1gov'),
      ),
    );
    const mixed = readContent({
      '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
      content: any('/cosmos.gov.v1beta1.TextProposal', field(1, 'T'), field(2, 'D')),
      authority: 'cosmos1gov',
    });
    for (const content of [json, proto, mixed]) {
      assert.equal(content.typeUrl, '/cosmos.gov.v1beta1.TextProposal');
      assert.deepEqual([content.title, content.description], ['T', 'D']);
      assert.deepEqual(content.fields, { title: 'T', description: 'D' });
      assert.deepEqual(content.wrapper, {
        typeUrl: '/cosmos.gov.v1.MsgExecLegacyContent',
        fields: { authority: 'cosmos1gov' },
      });
    }
  });

  it('shows an upgrade as REST does', () => {
    const plan = field(3, field(1, 'v9'), field(2, field(1, -62135596800n)), field(3, 123n), field(4, 'info'));
    const { fields } = readContent(
      any('/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal', field(1, 'T'), field(2, 'D'), plan),
    );
    assert.deepEqual(fields, {
      title: 'T',
      description: 'D',
      plan: { name: 'v9', time: '0001-01-01T00:00:00Z', height: '123', info: 'info' },
    });
  });

  it('shows 64-bit integers, decimals, times, durations, enums and bytes as REST does', () => {
    const addition = readContent(
      any(
        '/interchain_security.ccv.provider.v1.ConsumerAdditionProposal',
        field(4, field(1, 1n), field(2, 2n ** 64n - 1n)),
        field(5, Uint8Array.of(0, 255, 16)),
        field(7, field(1, 1700000000n), field(2, 120000000n)),
        field(8, field(1, 1728000n)),
        field(9, field(1, 0n), field(2, 500000000n)),
        field(12, -5n),
        field(15, 95),
      ),
    );
    assert.deepEqual(addition.fields.initial_height, { revision_number: '1', revision_height: '18446744073709551615' });
    assert.equal(addition.fields.genesis_hash, 'AP8Q');
    assert.equal(addition.fields.binary_hash, null);
    assert.equal(addition.fields.spawn_time, '2023-11-14T22:13:20.120Z');
    assert.equal(addition.fields.unbonding_period, '1728000s');
    assert.equal(addition.fields.ccv_timeout_period, '0.500s');
    assert.equal(addition.fields.transfer_timeout_period, null);
    assert.equal(addition.fields.blocks_per_distribution_transmission, '-5');
    assert.equal(addition.fields.historical_entries, '0');
    assert.equal(addition.fields.top_N, 95);
    assert.equal('validator_set_cap' in addition.fields, false);

    const fee = field(3, field(1, 'uosmo'), field(2, 'uatom'), field(3, '1500000000000000'));
    assert.deepEqual(readContent(any('/osmosis.poolmanager.v1beta1.DenomPairTakerFeeProposal', fee)).fields, {
      title: '',
      description: '',
      denom_pair_taker_fee: [{ denom0: 'uosmo', denom1: 'uatom', taker_fee: '0.001500000000000000' }],
    });
  });

  it('shows the message of a contract as JSON, every digit kept', () => {
    const typeUrl = '/cosmwasm.wasm.v1.SudoContractProposal';
    const plain = readContent(any(typeUrl, field(3, 'c1'), field(4, '{"set":{"owner":"x","n":[1,2]}}')));
    assert.deepEqual(plain.fields.msg, { set: { owner: 'x', n: [1, 2] } });
    const huge = '{"amount":12345678901234567890}';
    assert.equal(readContent(any(typeUrl, field(4, huge))).fields.msg, huge);
    assert.equal(readContent(any(typeUrl, field(4, '{broken'))).fields.msg, '{broken');
    assert.deepEqual(readContent(any(typeUrl, field(4, Uint8Array.of(255, 254)))).fields['#4 bytes'], '//4=');
  });

  it('reads packed and unpacked lists', () => {
    const typeUrl = '/cosmwasm.wasm.v1.PinCodesProposal';
    const packed = any(typeUrl, field(3, concat(varint(1), varint(300), varint(2n ** 63n))));
    const loose = any(typeUrl, field(3, 1), field(3, 300), field(3, 2n ** 63n));
    for (const raw of [packed, loose]) {
      assert.deepEqual(readContent(raw).fields.code_ids, ['1', '300', '9223372036854775808']);
    }
  });

  it('tells the two forms of a client update apart', () => {
    const typeUrl = '/ibc.core.client.v1.ClientUpdateProposal';
    const now = readContent(any(typeUrl, field(3, '07-tendermint-1'), field(4, '07-tendermint-2')));
    assert.equal(now.fields.substitute_client_id, '07-tendermint-2');
    const header = field(4, field(1, '/ibc.lightclients.tendermint.v1.Header'), field(2, field(1, field(1, 7))));
    const old = readContent(any(typeUrl, field(3, 'clientone'), header));
    assert.equal(old.fields.client_id, 'clientone');
    assert.deepEqual(old.fields.header, {
      '@type': '/ibc.lightclients.tendermint.v1.Header',
      '#1 message': { '#1 varint': '7' },
    });
    assert.equal(old.unknownFields, 2);
  });

  it('reads null, odd and empty contents', () => {
    for (const raw of [null, undefined, 5, 'text', [], {}]) {
      assert.deepEqual([readContent(raw).typeUrl, readContent(raw).fields], ['', {}]);
    }
    assert.deepEqual(readContent({ title: 'T', odd: null }).fields, { title: 'T', odd: null });
    assert.deepEqual(readContent({ type_url: '/a.TextProposal', value: null }).fields, {});
    assert.deepEqual(readContent({ type_url: '/a.B', value: { x: 1 } }).fields, { type_url: '/a.B', value: { x: 1 } });
    assert.deepEqual(readContent({ type_url: '/a.B', value: '', extra: 1 }).fields, { extra: 1 });
  });
});

/** One decoder prints three digits of a second; REST prints none where there are none. */
function untimed(fields: unknown): unknown {
  return JSON.parse(JSON.stringify(fields).replace(/\.000Z/g, 'Z'));
}
