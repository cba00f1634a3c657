import assert from 'node:assert/strict';
import { contentKind, plainType, readContent } from '../../../src/chain/content/content.ts';
import { formatJson } from '../../../src/chain/json.ts';
import { any, field } from './contentEncoder.ts';

const kindOf = (raw: unknown) => contentKind(readContent(raw));
const text = { title: 'T', description: 'D' };

describe('content kind', () => {
  it('parameter change: subspace, key, value and the value laid out', () => {
    const changes = [
      { subspace: 'staking', key: 'MaxValidators', value: '200' },
      { subspace: 'gov', key: 'votingparams', value: '{"voting_period":"1","big":123456789012345678901}' },
      { subspace: 'x', key: 'y', value: 'not json' },
    ];
    const kind = kindOf({ '@type': '/cosmos.params.v1beta1.ParameterChangeProposal', ...text, changes });
    assert.ok(kind.kind === 'parameterChange');
    assert.deepEqual(
      kind.changes.map(({ value }) => formatJson(value)),
      ['200', '{\n  "voting_period": "1",\n  "big": 123456789012345678901\n}', undefined],
    );
    assert.deepEqual(kind.rest, {});
    const amino = { type: 'cosmos-sdk/ParameterChangeProposal', value: { ...text, changes: changes.slice(0, 1) } };
    assert.equal(kindOf(amino).kind, 'parameterChange');
    const odd = { ...text, changes: [{ ...changes[0], subkey: 'hidden' }] };
    assert.deepEqual(kindOf({ '@type': '/cosmos.params.v1beta1.ParameterChangeProposal', ...odd }), {
      kind: 'tree',
      rest: { changes: odd.changes },
    });
  });

  it('module params of a message', () => {
    const params = { max_validators: 200 };
    assert.deepEqual(kindOf({ '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority: 'gov', params }), {
      kind: 'moduleParams',
      module: 'cosmos.staking.v1beta1',
      params,
      rest: { authority: 'gov' },
    });
    const block = { max_bytes: '200000', max_gas: '-1' };
    assert.deepEqual(kindOf({ '@type': '/cosmos.consensus.v1.MsgUpdateParams', authority: 'gov', block, abci: null }), {
      kind: 'moduleParams',
      module: 'cosmos.consensus.v1',
      params: { block },
      rest: { authority: 'gov' },
    });
  });

  it('keeps what a plan holds beside a field of the same name', () => {
    const raw = { '@type': '/x.SoftwareUpgradeProposal', plan: { name: 'n', description: 'inner' }, description: true };
    const kind = kindOf(raw);
    assert.deepEqual(kind.rest, { description: true, plan: { description: 'inner' } });
  });

  it('an amendment of the constitution is a patch', () => {
    const patch = '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n';
    const raw = { '@type': '/atomone.gov.v1.MsgProposeConstitutionAmendment', authority: 'gov', amendment: patch };
    assert.deepEqual(kindOf(raw), { kind: 'amendment', patch, rest: { authority: 'gov' } });
    assert.equal(kindOf({ ...raw, amendment: ['x'] }).kind, 'tree');
  });

  const coins = [{ denom: 'uatom', amount: '123456789012345678901234567890' }];
  const exact = [{ denom: 'uatom', amount: 123456789012345678901234567890n }];
  const legacySpend = '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal';
  const spends = [{ recipient: 'r', coins: exact }];

  it('spends, as legacy content, as message, as protobuf', () => {
    assert.deepEqual(kindOf({ '@type': legacySpend, ...text, recipient: 'r', amount: coins }), {
      kind: 'spend',
      spends,
      rest: {},
    });
    const msg = '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend';
    assert.deepEqual(kindOf({ '@type': msg, authority: 'gov', recipient: 'r', amount: coins }), {
      kind: 'spend',
      spends,
      rest: { authority: 'gov' },
    });
    const coin = field(4, field(1, 'uatom'), field(2, '123456789012345678901234567890'));
    const bytes = any(legacySpend, field(1, 'T'), field(3, 'r'), coin);
    assert.deepEqual(kindOf(bytes), { kind: 'spend', spends, rest: {} });
  });

  it('spends to many recipients', () => {
    const many = kindOf({
      '@type': '/kava.kavadist.v1beta1.CommunityPoolMultiSpendProposal',
      recipient_list: [
        { address: 'a', amount: coins },
        { address: 'b', amount: [] },
      ],
    });
    assert.ok(many.kind === 'spend');
    assert.deepEqual(many.spends, [
      { recipient: 'a', coins: exact },
      { recipient: 'b', coins: [] },
    ]);
  });

  it('spends with the coins of the command line, as one text', () => {
    const cli = { '@type': `${legacySpend}WithDeposit`, recipient: 'r', amount: '5uatom,7ibc/AB', deposit: '1stake' };
    const read = [
      { denom: 'uatom', amount: 5n },
      { denom: 'ibc/AB', amount: 7n },
    ];
    assert.deepEqual(kindOf(cli), {
      kind: 'spend',
      spends: [{ recipient: 'r', coins: read }],
      rest: { deposit: '1stake' },
    });
  });

  it('spends of amounts that are none as a tree', () => {
    for (const amount of [[{ denom: 'a', amount: '-1' }], [{ denom: 'a', amount: '1', more: 1 }], 'x', null, [null]])
      assert.equal(kindOf({ '@type': legacySpend, recipient: 'r', amount }).kind, 'tree');
  });

  it('upgrades: name, height, info and its binaries', () => {
    const info = '{"binaries":{"linux/amd64":"https://example.org/a?checksum=sha256:00","odd":5}}';
    const plan = { name: 'v9', time: '0001-01-01T00:00:00Z', height: '12345', info, upgraded_client_state: null };
    const expected = {
      kind: 'upgrade',
      plan: {
        name: 'v9',
        height: 12345n,
        time: undefined,
        info,
        infoJson:
          '{\n  "binaries": {\n    "linux/amd64": "https://example.org/a?checksum=sha256:00",\n    "odd": 5\n  }\n}',
        binaries: [{ platform: 'linux/amd64', url: 'https://example.org/a?checksum=sha256:00' }],
      },
    };
    assert.deepEqual(kindOf({ '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal', ...text, plan }), {
      ...expected,
      rest: {},
    });
    assert.deepEqual(kindOf({ '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority: 'gov', plan }), {
      ...expected,
      rest: { authority: 'gov' },
    });
    const timed = kindOf({
      '@type': '/x.MsgSoftwareUpgrade',
      plan: { name: 'n', time: '2100-01-02T15:04:05Z', more: 1 },
    });
    assert.deepEqual(timed, {
      kind: 'upgrade',
      plan: { name: 'n', height: undefined, time: '2100-01-02T15:04:05Z', info: '', infoJson: undefined, binaries: [] },
      rest: { plan: { more: 1 } },
    });
    assert.equal(kindOf({ '@type': '/x.MsgSoftwareUpgrade', plan: { name: 'n', height: '-5' } }).kind, 'tree');
    assert.deepEqual(kindOf({ '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority: 'gov' }), {
      kind: 'cancelUpgrade',
      rest: { authority: 'gov' },
    });
  });

  it('client updates of both ages', () => {
    const typeUrl = '/ibc.core.client.v1.ClientUpdateProposal';
    const now = { subject_client_id: 's', substitute_client_id: 't' };
    assert.deepEqual(kindOf({ '@type': typeUrl, ...text, ...now }), {
      kind: 'clientUpdate',
      subject: 's',
      substitute: 't',
      rest: {},
    });
    assert.deepEqual(kindOf({ '@type': typeUrl, client_id: 'c', header: { a: 1 } }), {
      kind: 'clientUpdate',
      subject: 'c',
      substitute: undefined,
      rest: { header: { a: 1 } },
    });
    assert.equal(kindOf({ '@type': '/ibc.core.client.v1.MsgRecoverClient', ...now, signer: 'g' }).kind, 'clientUpdate');
  });

  it('wasm: byte code by size, messages as JSON, whatever the form', () => {
    const code = Buffer.from('0061736d01000000', 'hex').toString('base64');
    const store = kindOf({
      '@type': '/cosmwasm.wasm.v1.StoreCodeProposal',
      ...text,
      run_as: 'r',
      wasm_byte_code: code,
    });
    assert.deepEqual(store, { kind: 'wasm', code, messages: [], rest: { run_as: 'r' } });
    const sudo = (msg: unknown) => kindOf({ '@type': '/cosmwasm.wasm.v1.MsgSudoContract', contract: 'c', msg });
    const json = '{\n  "a": [\n    1\n  ]\n}';
    for (const msg of [{ a: [1] }, '{"a":[1]}', Buffer.from('{"a":[1]}').toString('base64')]) {
      assert.deepEqual(sudo(msg), {
        kind: 'wasm',
        code: undefined,
        messages: [{ field: 'msg', json }],
        rest: { contract: 'c' },
      });
    }
    const plain = sudo('no json');
    assert.ok(plain.kind === 'wasm' && plain.messages[0]?.json === 'no json');
    const osmosis = '/osmosis.cosmwasmpool.v1beta1.UploadCosmWasmPoolCodeAndWhiteListProposal';
    assert.equal(kindOf(any(osmosis, field(3, Uint8Array.of(0, 0x61)))).kind, 'wasm');
  });

  it('shows anything else as a tree, and drops nothing that is shown nowhere else', () => {
    assert.deepEqual(kindOf({ '@type': '/cosmos.gov.v1beta1.TextProposal', ...text }), { kind: 'text', rest: {} });
    assert.deepEqual(kindOf({ '@type': '/a.v1.MsgNote', title: 'not shown', x: 1 }), {
      kind: 'tree',
      rest: { title: 'not shown', x: 1 },
    });
    assert.deepEqual(kindOf({ '@type': '/a.v1.OddProposal', title: { nested: 1 } }), {
      kind: 'tree',
      rest: { title: { nested: 1 } },
    });
    for (const shape of [null, 5, [5], 'x']) {
      for (const type of [
        'ParameterChangeProposal',
        'SoftwareUpgradeProposal',
        'CommunityPoolSpendProposal',
        'MsgUpdateParams',
      ]) {
        const raw = {
          '@type': `/x.${type}`,
          changes: shape,
          plan: shape,
          recipient: shape,
          amount: shape,
          params: shape,
        };
        assert.equal(kindOf(raw).kind, 'tree');
      }
    }
  });
});

describe('a content that is not of the shape of its type', () => {
  const change = { subspace: 's', key: 'k', value: '1' };
  const plan = { name: 'v2', height: '10', info: '' };
  const coins = [{ denom: 'ux', amount: '1' }];
  const shapes: readonly (readonly [string, ...(readonly object[])])[] = [
    [
      'ParameterChangeProposal',
      ...['subspace', 'key', 'value'].map((name) => ({ changes: [{ ...change, [name]: 5 }] })),
    ],
    ['ParameterChangeProposal', { changes: [change, 'x'] }],
    [
      'SoftwareUpgradeProposal',
      ...['name', 'height', 'time', 'info'].map((name) => ({ plan: { ...plan, [name]: 5 } })),
    ],
    ['SoftwareUpgradeProposal', { plan: { ...plan, height: '10x' } }, { plan: { ...plan, height: '1'.repeat(21) } }],
    ['CommunityPoolSpendProposal', { recipient: 5, amount: coins }, { recipient: 'r', amount: [{ denom: 'ux' }] }],
    ['CommunityPoolSpendProposal', { recipient: 'r', amount: 'x5' }, { recipient: 'r', amount: '5u x' }],
    ['CommunityPoolSpendProposal', { recipient: 'r', amount: [{ denom: 5, amount: '5' }] }],
    ['CommunityPoolSpendProposal', { recipient: 'r', amount: [{ denom: 'ux', amount: '5x' }] }],
    ['CommunityPoolMultiSpendProposal', { recipient_list: [] }, { recipient_list: ['x'] }],
    ['CommunityPoolMultiSpendProposal', { recipient_list: [{ address: 5, amount: coins }] }],
    ['CommunityPoolMultiSpendProposal', { recipient_list: [{ address: 'r', amount: coins, memo: 'x' }] }],
    ['ClientUpdateProposal', { subject_client_id: 5 }, { my_client_id: 'x' }, { client_ids: 'x' }],
    ['MsgUpdateParams', { authority: 'gov' }, { max: 5 }, { authority: 'gov', params: 5, max: 5 }],
    ['MsgProposeConstitutionAmendment', { amendment: 5 }],
  ];
  for (const [type, ...contents] of shapes) {
    it(`is a tree: ${type} ${JSON.stringify(contents).slice(0, 60)}`, () => {
      for (const fields of contents) {
        const kind = kindOf({ '@type': `/x.v1.${type}`, ...fields });
        assert.deepEqual(kind, { kind: 'tree', rest: fields });
      }
    });
  }

  it('is of its kind where what is more is empty', () => {
    const more = { subkey: '', other: null };
    assert.equal(
      kindOf({ '@type': '/x.ParameterChangeProposal', changes: [{ ...change, ...more }] }).kind,
      'parameterChange',
    );
    const spends = kindOf({
      '@type': '/x.CommunityPoolMultiSpendProposal',
      recipient_list: [{ address: 'r', amount: ' 15 ux , 2uy' }],
    });
    assert.ok(spends.kind === 'spend');
    assert.deepEqual(spends.spends, [
      {
        recipient: 'r',
        coins: [
          { denom: 'ux', amount: 15n },
          { denom: 'uy', amount: 2n },
        ],
      },
    ]);
    assert.deepEqual(spends.rest, {});
  });
});

describe('plain type', () => {
  it('is the words of the type', () => {
    const names = {
      '/cosmos.gov.v1beta1.TextProposal': 'Text',
      '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend': 'Community pool spend',
      '/evmos.erc20.v1.RegisterERC20Proposal': 'Register ERC20',
      '/ibc.core.client.v1.MsgIBCSoftwareUpgrade': 'IBC software upgrade',
      '/stride.stakeibc.ToggleLSMProposal': 'Toggle LSM',
      'cosmos-sdk/CancelSoftwareUpgradeProposal': 'Cancel software upgrade',
      '/a.Proposal': 'Proposal',
      '': '',
    };
    for (const [type, words] of Object.entries(names)) assert.equal(plainType(type), words);
  });
});
