import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { checkDraft } from '../../../src/draft/checkDraft.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import type { Finding, FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import {
  applyEdits,
  change,
  codesOf,
  coins,
  draft,
  facts,
  findingOf,
  gov,
  govParams,
  known,
  legacy,
  legacyChange,
  ofMessages,
  repaired,
  reportOf,
  someone,
  spend,
  update,
  upgrade,
} from './exampleDrafts.ts';

const other = 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh';
const wrongChain = 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp';
const metadata = (fields: object) => JSON.stringify({ title: 'A title', summary: 'A summary', ...fields });
const long = (length: number) => 'ü'.repeat(length / 2);
const text = (fields: object) => ({
  '@type': '/cosmos.gov.v1beta1.TextProposal',
  title: 'T',
  description: 'D',
  ...fields,
});
const send = (fields: object = {}) => ({
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: gov,
  to_address: someone,
  amount: coins('5'),
  ...fields,
});
const wasm = (fields: object) => ({
  '@type': '/cosmwasm.wasm.v1.MsgPinCodes',
  authority: gov,
  code_ids: ['1'],
  ...fields,
});
const file = (fields: object) =>
  JSON.stringify({ title: 'T', description: 'D', deposit: '10000000stake', ...fields }, null, 2);
const addressed = 'https://example.org/v2?checksum=sha256:';

/** A draft with a mistake: what the range of the finding holds, and how bad it is, where it is not an error. */
type Case = readonly [
  text: string,
  at: string,
  more?: { severity?: 'warning' | 'hint'; facts?: ChainFacts; extra?: readonly string[] },
];

/** All parameters of the consensus, which stand beside the authority. */
function consensus(change: object): object {
  const { version: _, ...today } = facts.moduleParams.get('cosmos.consensus.v1') ?? {};
  return { '@type': '/cosmos.consensus.v1.MsgUpdateParams', authority: gov, ...today, ...change };
}

const clientState = {
  '@type': '/ibc.lightclients.tendermint.v1.ClientState',
  chain_id: 'harbor',
  unbonding_period: '1814400s',
  latest_height: { revision_number: '0', revision_height: '9000000' },
  proof_specs: [{}],
};

/** Drafts with each finding, of different modules and forms, and the place of the finding in their text. */
const kinds: Readonly<Partial<Record<FindingCode, readonly Case[]>>> = {
  'authority-wrong': [
    [ofMessages({ ...update('staking', { max_validators: 120 }), authority: other }), `"${other}"`],
    [ofMessages({ ...spend(coins('5')), authority: wrongChain }), `"${wrongChain}"`],
    [ofMessages({ ...upgrade({}), authority: '' }), '""'],
    [ofMessages({ ...legacy(text({})), authority: someone }), `"${someone}"`],
    [
      ofMessages({
        ...upgrade({}, 'ibc.core.client.v1.MsgIBCSoftwareUpgrade'),
        authority: undefined,
        signer: other,
        upgraded_client_state: clientState,
      }),
      `"${other}"`,
    ],
    [
      ofMessages({ ...wasm({}), authority: other }),
      `"${other}"`,
      { facts: known({ isProofOfAuthority: true }), severity: 'warning' },
    ],
    [
      ofMessages({ ...update('mint', { inflation_max: '0.1' }), authority: undefined }),
      '"/cosmos.mint.v1beta1.MsgUpdateParams"',
    ],
  ],
  'title-missing': [
    [draft({ title: '' }), '""'],
    [draft({ title: undefined }), '{'],
    [draft({ title: '', messages: [spend(coins('5'))], metadata: metadata({ details: 'x' }) }), '""'],
    [file({ type: 'Text', title: ' ' }), '" "'],
    [file({ type: 'Text', title: '' }), '""'],
  ],
  'summary-missing': [
    [draft({ summary: '' }), '""'],
    [draft({ summary: undefined }), '{'],
    [draft({ summary: '', messages: [upgrade({})] }), '""'],
    [file({ type: 'Text', description: '   ' }), '"   "'],
    [file({ changes: [change('mint', 'InflationMax', '0.1')], description: '' }), '""'],
  ],
  'text-long': [
    [draft({ metadata: 'x'.repeat(256) }), JSON.stringify('x'.repeat(256)), { severity: 'warning' }],
    [
      draft({ metadata: '', title: long(300), messages: [spend(coins('5'))] }),
      JSON.stringify(long(300)),
      { severity: 'warning' },
    ],
    [
      draft({ metadata: '', summary: long(10_400), messages: [upgrade({})] }),
      JSON.stringify(long(10_400)),
      { severity: 'warning' },
    ],
    [file({ type: 'Text', title: long(142) }), JSON.stringify(long(142)), { severity: 'warning' }],
    [file({ type: 'Text', description: long(10_002) }), JSON.stringify(long(10_002)), { severity: 'warning' }],
  ],
  'metadata-placeholder': [
    [draft({ metadata: 'ipfs://CID' }), '"ipfs://CID"', { severity: 'warning' }],
    [draft({ metadata: 'ipfs://CID', messages: [spend(coins('5'))] }), '"ipfs://CID"', { severity: 'warning' }],
    [draft({ metadata: 'ipfs://CID', messages: [upgrade({})] }), '"ipfs://CID"', { severity: 'warning' }],
    [
      draft({ metadata: 'ipfs://CID', messages: [update('staking', { max_validators: 120 })] }),
      '"ipfs://CID"',
      { severity: 'warning' },
    ],
    [draft({ metadata: 'ipfs://CID', messages: [legacy(text({}))] }), '"ipfs://CID"', { severity: 'warning' }],
  ],
  'metadata-contradicts': [
    [draft({ metadata: metadata({ title: 'Another' }) }), JSON.stringify(metadata({ title: 'Another' }))],
    [
      draft({ metadata: metadata({ summary: 'Another' }), messages: [spend(coins('5'))] }),
      JSON.stringify(metadata({ summary: 'Another' })),
    ],
    [
      draft({ metadata: metadata({ title: 'Another', authors: ['a'] }), messages: [upgrade({})] }),
      JSON.stringify(metadata({ title: 'Another', authors: ['a'] })),
    ],
    [draft({ metadata: metadata({ summary: 'a summary' }) }), JSON.stringify(metadata({ summary: 'a summary' }))],
    [draft({ metadata: metadata({ title: 'A title ' }) }), JSON.stringify(metadata({ title: 'A title ' }))],
  ],
  'empty-proposal': [
    [draft({ metadata: '' }), '"messages"'],
    [draft({ metadata: undefined }), '"messages"'],
    [draft({ metadata: '', messages: undefined }), '{'],
    [draft({ metadata: null, messages: null }), '"messages"'],
    [draft({ metadata: '', expedited: true, deposit: '50000000stake' }), '"messages"'],
  ],
  'escaped-twice': [
    [
      draft({ metadata: '', summary: 'One\\nTwo', messages: [spend(coins('5'))] }),
      JSON.stringify('One\\nTwo'),
      { severity: 'warning' },
    ],
    [
      draft({ metadata: '', title: 'A \\"title\\"', messages: [upgrade({})] }),
      JSON.stringify('A \\"title\\"'),
      { severity: 'warning' },
    ],
    [ofMessages(legacy(text({ description: 'a\\nb\\tc' }))), JSON.stringify('a\\nb\\tc'), { severity: 'warning' }],
    [file({ type: 'Text', description: 'a\\r\\nb' }), JSON.stringify('a\\r\\nb'), { severity: 'warning' }],
    [
      draft({ metadata: '', summary: '# H\\n\\n- a', messages: [update('auth', { tx_sig_limit: '8' })] }),
      JSON.stringify('# H\\n\\n- a'),
      { severity: 'warning' },
    ],
  ],
  'params-incomplete': [
    [ofMessages({ ...update('staking', {}), params: { max_validators: 120 } }), '"params"'],
    [ofMessages({ ...update('cosmos.gov.v1', {}), params: { quorum: '0.4' } }), '"params"'],
    [
      ofMessages(update('slashing', { slash_fraction_downtime: undefined, signed_blocks_window: '500000' })),
      '"params"',
    ],
    [ofMessages({ ...update('mint', {}), params: { inflation_max: '0.1' } }), '"params"'],
    [
      ofMessages({
        '@type': '/cosmos.consensus.v1.MsgUpdateParams',
        authority: gov,
        block: { max_gas: '5' },
        evidence: { max_age_num_blocks: '9', max_age_duration: '2s', max_bytes: '7' },
      }),
      '"/cosmos.consensus.v1.MsgUpdateParams"',
    ],
  ],
  'deposit-small': [
    [draft({ deposit: '' }), '""'],
    [draft({ deposit: '2499999stake', messages: [upgrade({})] }), '"2499999stake"'],
    [draft({ deposit: '10000000stake', expedited: true }), '"10000000stake"'],
    [
      draft({ deposit: '99999stake', messages: [spend(coins('5'))] }),
      '"99999stake"',
      { facts: known({ govParams: { ...govParams, minInitialDepositRatio: 0n } }) },
    ],
    [file({ type: 'Text', deposit: '1stake' }), '"1stake"'],
  ],
  'deposit-denom': [
    [draft({ deposit: '10000000uatom' }), '"10000000uatom"'],
    [draft({ deposit: '10000000stake,5uosmo', messages: [upgrade({})] }), '"10000000stake,5uosmo"'],
    [draft({ deposit: '10000000STAKE' }), '"10000000STAKE"'],
    [
      draft({ deposit: '5ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2', expedited: true }),
      '"5ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2"',
    ],
    [file({ type: 'Text', deposit: '10000000ujuno' }), '"10000000ujuno"'],
  ],
  'deposit-form': [
    [
      draft({ deposit: [{ denom: 'stake', amount: '10000000' }] }),
      JSON.stringify([{ denom: 'stake', amount: '10000000' }], null, 1).replaceAll('\n', '\n '),
    ],
    [draft({ deposit: '10000000' }), '"10000000"'],
    [draft({ deposit: 10000000, messages: [upgrade({})] }), '10000000'],
    [draft({ deposit: '10000000stake,1stake' }), '"10000000stake,1stake"'],
    [file({ type: 'Text', deposit: '1,000stake' }), '"1,000stake"'],
  ],
  'spend-over-pool': [
    [ofMessages(spend(coins('5000001'))), JSON.stringify(coins('5000001'), null, 1).replaceAll('\n', '\n   ')],
    [ofMessages(spend(coins('1', 'uatom'))), JSON.stringify(coins('1', 'uatom'), null, 1).replaceAll('\n', '\n   ')],
    [
      ofMessages(spend(coins('3000000')), spend(coins('2000001'))),
      JSON.stringify(coins('2000001'), null, 1).replaceAll('\n', '\n   '),
    ],
    [
      ofMessages(
        legacy({
          ...text({}),
          '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
          recipient: someone,
          amount: coins('5000001'),
        }),
      ),
      JSON.stringify(coins('5000001'), null, 1).replaceAll('\n', '\n    '),
    ],
    [file({ recipient: someone, amount: '5000001stake' }), '"5000001stake"'],
  ],
  'send-from-gov': [
    [ofMessages(send()), '"/cosmos.bank.v1beta1.MsgSend"', { severity: 'warning' }],
    [ofMessages(upgrade({}), send()), '"/cosmos.bank.v1beta1.MsgSend"', { severity: 'warning' }],
    [ofMessages(send({ amount: coins('901') })), '"/cosmos.bank.v1beta1.MsgSend"', { severity: 'warning' }],
    [ofMessages(spend(coins('1')), send(), upgrade({})), '"/cosmos.bank.v1beta1.MsgSend"', { severity: 'warning' }],
    [ofMessages(send({ amount: coins('3') })), '"/cosmos.bank.v1beta1.MsgSend"', { severity: 'warning' }],
  ],
  'upgrade-height-past': [
    [ofMessages(upgrade({ height: '1' })), '"1"'],
    [ofMessages(upgrade({ height: String(facts.height) })), `"${facts.height}"`],
    [ofMessages(spend(coins('1')), upgrade({ height: '99' })), '"99"'],
    [
      ofMessages(
        legacy({
          ...text({}),
          '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
          plan: { name: 'v9', height: '7', info: '' },
        }),
      ),
      '"7"',
    ],
    [
      ofMessages({
        ...upgrade({ height: '3' }, 'ibc.core.client.v1.MsgIBCSoftwareUpgrade'),
        authority: undefined,
        signer: gov,
        upgraded_client_state: clientState,
      }),
      '"3"',
    ],
  ],
  'upgrade-height-early': [
    [ofMessages(upgrade({ height: '1000' })), '"1000"', { severity: 'warning' }],
    [ofMessages(upgrade({ height: '201600' })), '"201600"', { severity: 'warning' }],
    [
      draft({ messages: [upgrade({ height: '10000' })], expedited: true, deposit: '50000000stake' }),
      '"10000"',
      { severity: 'warning' },
    ],
    [ofMessages(spend(coins('1')), upgrade({ height: '50000' })), '"50000"', { severity: 'warning' }],
    [
      ofMessages(
        legacy({
          ...text({}),
          '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
          plan: { name: 'v9', height: '5000', info: '' },
        }),
      ),
      '"5000"',
      { severity: 'warning' },
    ],
  ],
  'upgrade-applied': [
    [ofMessages(upgrade({ name: 'v1.5' })), '"v1.5"'],
    [ofMessages(spend(coins('1')), upgrade({ name: 'v1.5' })), '"v1.5"'],
    [draft({ messages: [upgrade({ name: 'v1.5' })], expedited: true, deposit: '50000000stake' }), '"v1.5"'],
    [
      ofMessages(
        legacy({
          ...text({}),
          '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
          plan: { name: 'v1.5', height: '9000000', info: '' },
        }),
      ),
      '"v1.5"',
    ],
    [
      ofMessages({
        ...upgrade({ name: 'v1.5' }, 'ibc.core.client.v1.MsgIBCSoftwareUpgrade'),
        authority: undefined,
        signer: gov,
        upgraded_client_state: clientState,
      }),
      '"v1.5"',
    ],
  ],
  'upgrade-plan': [
    [ofMessages(upgrade({ name: '' })), '""'],
    [ofMessages(upgrade({ height: '0' })), '"0"'],
    [ofMessages(upgrade({ time: '2030-01-01T00:00:00Z' })), '"2030-01-01T00:00:00Z"'],
    [
      ofMessages({ ...upgrade({}), plan: undefined }),
      '"/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade"',
      { extra: ['upgrade-plan'] },
    ],
    [ofMessages(upgrade({ height: '-5' })), '"-5"'],
  ],
  'upgrade-info': [
    [
      ofMessages(upgrade({ info: '{"binaries":{"linux/amd64":"https://example.org/v2"}}' })),
      JSON.stringify('{"binaries":{"linux/amd64":"https://example.org/v2"}}'),
      { severity: 'warning' },
    ],
    [
      ofMessages(upgrade({ info: `{"binaries":{"linux/amd64":"${addressed}00"}}` })),
      JSON.stringify(`{"binaries":{"linux/amd64":"${addressed}00"}}`),
      { severity: 'warning' },
    ],
    [ofMessages(upgrade({ info: '{"binaries":{' })), JSON.stringify('{"binaries":{'), { severity: 'warning' }],
    [
      ofMessages(upgrade({ info: 'https://example.org/binaries.json' })),
      '"https://example.org/binaries.json"',
      { severity: 'warning' },
    ],
    [
      ofMessages(
        legacy({
          ...text({}),
          '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
          plan: { name: 'v9', height: '9000000', info: '{' },
        }),
      ),
      '"{"',
      { severity: 'warning' },
    ],
  ],
  'address-invalid': [
    [ofMessages(spend(coins('5'), 'cosmos1abc')), '"cosmos1abc"'],
    [ofMessages(spend(coins('5'), wrongChain)), `"${wrongChain}"`],
    [
      ofMessages(
        legacy({
          ...text({}),
          '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
          recipient: '',
          amount: coins('5'),
        }),
      ),
      '""',
    ],
    [file({ recipient: `${someone}x`, amount: '5stake' }), `"${someone}x"`],
    [ofMessages({ ...upgrade({}), authority: 'gov' }), '"gov"', { facts: known({ govAccount: undefined }) }],
  ],
  'legacy-in-messages': [
    [
      ofMessages({ ...text({}), '@type': '/cosmwasm.wasm.v1.PinCodesProposal', code_ids: ['1'] }),
      '"/cosmwasm.wasm.v1.PinCodesProposal"',
    ],
    [ofMessages(text({})), '"/cosmos.gov.v1beta1.TextProposal"'],
    [
      ofMessages({
        ...text({}),
        '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
        changes: [change('mint', 'InflationMax', '"0.1"')],
      }),
      '"/cosmos.params.v1beta1.ParameterChangeProposal"',
    ],
    [
      ofMessages({
        ...text({}),
        '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
        recipient: someone,
        amount: coins('5'),
      }),
      '"/cosmos.distribution.v1beta1.CommunityPoolSpendProposal"',
    ],
    [
      ofMessages({
        ...text({}),
        '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
        plan: { name: 'v9', height: '9000000', info: '' },
      }),
      '"/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal"',
    ],
    [
      ofMessages(spend(coins('1')), { ...text({}), '@type': '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal' }),
      '"/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal"',
    ],
  ],
  'legacy-param-unknown': [
    [ofMessages(legacyChange(change('slashng', 'SignedBlocksWindow', '"5000"'))), '"slashng"', { severity: 'warning' }],
    [ofMessages(legacyChange(change('mint', 'inflation_max', '"0.1"'))), '"inflation_max"', { severity: 'warning' }],
    [
      ofMessages(legacyChange(change('staking', 'max_validators', '5'))),
      '"max_validators"',
      {
        facts: known({
          legacyParams: new Map([
            ['staking/max_validators', ''],
            ['staking/MaxValidators', '100'],
          ]),
        }),
      },
    ],
    [
      ofMessages(legacyChange(change('slashing', 'signedblockswindow', '"5000"'))),
      '"signedblockswindow"',
      { severity: 'warning' },
    ],
    [
      ofMessages(legacyChange(change('icahost', 'Enabled', 'true'))),
      '"Enabled"',
      { severity: 'warning', facts: known({ legacyParams: new Map([['icahost/Enabled', '']]) }) },
    ],
    [
      file({ changes: [{ subspace: 'mint', key: 'inflation_max', value: '0.1' }] }),
      '"inflation_max"',
      { severity: 'warning' },
    ],
    [ofMessages(legacyChange(change('nothing', 'X', '5'))), '"nothing"'],
  ],
  'legacy-value-type': [
    [ofMessages(legacyChange(change('mint', 'InflationMax', '0.1'))), '"0.1"'],
    [ofMessages(legacyChange(change('slashing', 'SignedBlocksWindow', '5000'))), '"5000"'],
    [
      ofMessages(legacyChange(change('staking', 'MaxValidators', '"120"'))),
      JSON.stringify('"120"'),
      { facts: known({ legacyParams: new Map([['staking/MaxValidators', '100']]) }) },
    ],
    [ofMessages(legacyChange(change('baseapp', 'BlockParams', '"5"'))), JSON.stringify('"5"')],
    [ofMessages(legacyChange(change('mint', 'InflationMax', '"a fifth"'))), JSON.stringify('"a fifth"')],
    [ofMessages(legacyChange(change('slashing', 'SignedBlocksWindow', '"0.5"'))), JSON.stringify('"0.5"')],
    [ofMessages(legacyChange(change('baseapp', 'BlockParams', '{"max_gas":5}'))), JSON.stringify('{"max_gas":5}')],
    [
      file({ changes: [{ subspace: 'staking', key: 'MaxValidators', value: 3.5 }] }),
      '3.5',
      { facts: known({ legacyParams: new Map([['staking/MaxValidators', '100']]) }) },
    ],
  ],
  'legacy-param-moved': [
    [ofMessages(legacyChange(change('staking', 'MaxValidators', '120'))), '"MaxValidators"'],
    [file({ changes: [{ subspace: 'staking', key: 'MaxValidators', value: 120 }] }), '"MaxValidators"'],
    [
      ofMessages(legacyChange(change('bank', 'DefaultSendEnabled', 'false'))),
      '"DefaultSendEnabled"',
      { facts: known({ legacyParams: new Map([['bank/DefaultSendEnabled', '']]) }) },
    ],
    [
      ofMessages(legacyChange(change('mint', 'InflationMax', '"0.1"'))),
      '"InflationMax"',
      { facts: known({ legacyParams: new Map([['mint/InflationMax', '']]) }) },
    ],
    [
      ofMessages(spend(coins('1')), legacyChange(change('slashing', 'DowntimeJailDuration', '"5"'))),
      '"DowntimeJailDuration"',
      { facts: known({ legacyParams: new Map([['slashing/DowntimeJailDuration', '']]) }) },
    ],
  ],
  'legacy-handler': [
    ...[
      'ClientUpdateProposal',
      'UpgradeProposal',
      'ClientUpdateProposal',
      'UpgradeProposal',
      'ClientUpdateProposal',
    ].map((name, at): Case => {
      const own =
        name === 'UpgradeProposal'
          ? { plan: { name: 'x', height: '9000000' } }
          : { subject_client_id: `07-tendermint-${at}`, substitute_client_id: '07-tendermint-9' };
      return [
        ofMessages(legacy({ ...text({}), '@type': `/ibc.core.client.v1.${name}`, ...own })),
        `"/ibc.core.client.v1.${name}"`,
        { severity: 'warning' },
      ];
    }),
  ],
  unchanged: [
    [ofMessages(update('staking', {}), upgrade({})), '"params"', { severity: 'hint' }],
    [ofMessages(update('mint', { inflation_max: '0.2' }), spend(coins('5'))), '"params"', { severity: 'hint' }],
    [ofMessages(update('cosmos.gov.v1', {})), '"params"', { severity: 'hint' }],
    [
      ofMessages(
        legacyChange(change('mint', 'InflationMax', '"0.20"'), change('slashing', 'SignedBlocksWindow', '"5000"')),
      ),
      JSON.stringify('"0.20"'),
      { severity: 'hint' },
    ],
    [file({ changes: [change('icahost', 'HostEnabled', true)] }), 'true', { severity: 'hint' }],
  ],
  'json-form': [
    [`\ufeff${ofMessages(upgrade({}))}`, '\ufeff'],
    [ofMessages(upgrade({})).replace('{', '{ // a note'), '// a note'],
    [draft({}).replace('"title"', '/* a note */ "title"'), '/* a note */'],
    [draft({}).replace('"title"', '"title": "Another", "title"'), '"title"', { severity: 'warning' }],
    [
      ofMessages(spend(coins('5'))).replace('"recipient"', '"amount": [], "recipient"'),
      '"amount"',
      { severity: 'warning' },
    ],
  ],
  'field-unknown': [
    [ofMessages({ ...upgrade({}), height: '5' }), '"height"', { severity: 'warning' }],
    [ofMessages({ ...spend(coins('5')), recipent: someone }), '"recipent"', { severity: 'warning' }],
    [
      ofMessages(update('staking', { max_validators: 120, max_validator: 5 })),
      '"max_validator"',
      { severity: 'warning' },
    ],
    [ofMessages(upgrade({ binaries: '{}' })), '"binaries"', { severity: 'warning' }],
    [draft({ sumary: 'x' }), '"sumary"', { severity: 'warning' }],
  ],
  'number-unquoted': [
    [ofMessages(upgrade({ height: 9000000 })), '9000000', { severity: 'hint' }],
    [ofMessages(update('slashing', { signed_blocks_window: 500000 })), '500000', { severity: 'hint' }],
    [ofMessages(wasm({ code_ids: [7] })), '7', { severity: 'hint' }],
    [
      ofMessages(update('staking', { max_validators: 120 }), {
        '@type': '/unknown.v1.MsgX',
        authority: gov,
        amount: 9007199254740992,
      }).replace('9007199254740992', '9007199254740993'),
      '9007199254740993',
      { severity: 'warning', extra: ['type-unknown'] },
    ],
    [ofMessages(update('auth', { tx_sig_limit: 9 })), '9', { severity: 'hint' }],
  ],
  'field-type': [
    [ofMessages(spend(coins(5))), '5'],
    [ofMessages(update('cosmos.gov.v1', { quorum: 0.4 })), '0.4'],
    [ofMessages(update('staking', { unbonding_time: '14 days' })), '"14 days"'],
    [ofMessages(update('mint', { inflation_max: '25%' })), '"25%"'],
    // Legacy parameters have durations in nanoseconds, in a text.
    [
      file({ changes: [{ subspace: 'staking', key: 'UnbondingTime', value: 1814400000000000 }] }),
      '1814400000000000',
      { facts: known({ legacyParams: new Map() }) },
    ],
    ...['"1814400s"', '"504h"', '"21 days"', '1814400000000000'].map((written): Case => {
      return [ofMessages(legacyChange(change('staking', 'UnbondingTime', written))), JSON.stringify(written)];
    }),
    [file({ changes: [{ subspace: 'gov', key: 'votingparams', value: { voting_period: '1209600s' } }] }), '"1209600s"'],
    [draft({ expedited: 'true' }), '"true"'],
    [ofMessages(update('bank', { default_send_enabled: 'yes' })), '"yes"'],
    [ofMessages(consensus({ abci: 'at 5' })), '"at 5"'],
    [ofMessages(consensus({ evidence: 'none' })), '"none"'],
  ],
  'expedited-unsupported': [
    ...[
      [upgrade({})],
      [spend(coins('5'))],
      [legacy(text({}))],
      [update('staking', { max_validators: 120 })],
      [send()],
    ].map((messages, at): Case => {
      const { expeditedVotingPeriod: _, expeditedMinDeposit: __, ...others } = govParams;
      const about = known({
        govParams: { ...others, expeditedVotingPeriod: undefined, expeditedMinDeposit: undefined },
        sdkVersion: 'v0.47.3',
      });
      return [
        draft({ messages, metadata: '', expedited: true }),
        '"expedited"',
        { severity: 'warning', facts: about, extra: at === 4 ? ['send-from-gov'] : [] },
      ];
    }),
  ],
  'gov-form': [
    draft({}),
    ofMessages(upgrade({})),
    ofMessages(spend(coins('5'))),
    ofMessages(legacy(text({}))),
    ofMessages(wasm({})),
  ].map((one): Case => {
    const { expeditedVotingPeriod: _, ...others } = govParams;
    const about = known({
      hasGovV1: false,
      sdkVersion: 'v0.45.16',
      govParams: {
        ...others,
        expeditedVotingPeriod: undefined,
        burnVoteVeto: undefined,
        minDepositRatio: undefined,
        minInitialDepositRatio: undefined,
      },
    });
    return [one, '{', { facts: about }];
  }),
  'type-missing': [
    [ofMessages({ authority: gov }), '{'],
    [ofMessages({ type: 'cosmos-sdk/MsgSend', value: {} }), '{'],
    [ofMessages({ '@type': 5 }), '5'],
    [ofMessages(upgrade({}), { plan: {} }), '{'],
    [ofMessages({ '@type': null }), 'null'],
  ],
  'type-form': [
    ...[upgrade({}), spend(coins('5')), update('staking', { max_validators: 120 }), wasm({}), legacy(text({}))].map(
      (message): Case => {
        const type = String(Object(message)['@type']).slice(1);
        return [ofMessages({ ...message, '@type': type }), `"${type}"`];
      },
    ),
  ],
  'recipient-module': [
    ...['notBonded', 'distribution'].flatMap((name): readonly Case[] => {
      const address = [...(facts.moduleAccounts ?? [])].find(([, module]) => module === name)?.[0] ?? '';
      return [
        [ofMessages(spend(coins('5'), address)), `"${address}"`, { severity: 'warning' }],
        [file({ recipient: address, amount: '5stake' }), `"${address}"`, { severity: 'warning' }],
      ];
    }),
    [
      ofMessages(send({ to_address: 'cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl' })),
      '"cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl"',
      { severity: 'warning', extra: ['send-from-gov'] },
    ],
  ],
  'deposit-waits': [
    [draft({ deposit: '9999999stake' }), '"9999999stake"', { severity: 'hint' }],
    [draft({ deposit: '2500000stake', messages: [upgrade({})] }), '"2500000stake"', { severity: 'hint' }],
    [draft({ deposit: '12500000stake', expedited: true }), '"12500000stake"', { severity: 'hint' }],
    [file({ type: 'Text', deposit: '3000000stake' }), '"3000000stake"', { severity: 'hint' }],
    [draft({ deposit: '9000000stake', messages: [spend(coins('5'))] }), '"9000000stake"', { severity: 'hint' }],
  ],
  'params-empty': [
    ...['osmosis.mint.v1beta1', 'neutron.dex', 'stride.stakeibc', 'juno.feeshare.v1', 'cosmwasm.wasm.v1'].map(
      (module): Case => [ofMessages({ '@type': `/${module}.MsgUpdateParams`, authority: gov, params: {} }), '"params"'],
    ),
  ],
};

/** The codes of the repairs that are offered for the cases above, in the order of the cases. */
const mends: Readonly<Partial<Record<FindingCode, readonly string[]>>> = {
  'authority-wrong': ['authority-from-chain'],
  'title-missing': ['text-from-metadata', ''],
  'summary-missing': ['text-from-metadata', ''],
  'text-long': [''],
  'metadata-placeholder': ['metadata-inline', 'metadata-remove'],
  'metadata-contradicts': ['text-from-metadata metadata-from-text'],
  'empty-proposal': [''],
  'escaped-twice': ['unescape'],
  'params-incomplete': ['params-from-chain'],
  'deposit-small': ['deposit-to-vote deposit-to-submit'],
  'deposit-denom': ['deposit-to-vote deposit-to-submit'],
  'deposit-form': ['deposit-as-text deposit-to-vote deposit-to-submit', 'deposit-to-vote deposit-to-submit'],
  'spend-over-pool': [''],
  'send-from-gov': ['spend-from-pool'],
  'upgrade-height-past': ['height-at-time'],
  'upgrade-height-early': ['height-at-time'],
  'upgrade-applied': [''],
  'upgrade-plan': ['', 'height-at-time'],
  'upgrade-info': [''],
  'address-invalid': [''],
  'legacy-in-messages': ['wrap-legacy'],
  'legacy-param-unknown': ['key-rename', ''],
  'legacy-value-type': ['quote', ''],
  'legacy-param-moved': [''],
  'legacy-handler': [''],
  unchanged: ['drop-unchanged', ''],
  'json-form': [''],
  'field-unknown': [''],
  'number-unquoted': ['quote'],
  'field-type': ['convert', ''],
  'expedited-unsupported': ['expedited-remove'],
  'gov-form': [''],
  'type-missing': [''],
  'type-form': ['slash-add'],
  'recipient-module': [''],
  'deposit-waits': ['deposit-to-vote'],
  'params-empty': [''],
};

/** The code of a finding; contents of old chains have no handler on the chain of the facts, which is said each time. */
const otherThanOld = ({ code }: Finding) => (code === 'legacy-handler' ? [] : [code]);

describe('the checks of a draft', () => {
  for (const [code, cases] of Object.entries(kinds)) {
    it(`find ${code} at its place, and mend it`, () => {
      assert.ok(cases.length >= 5, `${cases.length} drafts`);
      for (const [one, at, { severity = 'error', facts: about = facts, extra = [] } = {}] of cases) {
        const { findings } = reportOf(one, about);
        const found = findings.find(
          (finding) => finding.code === code && one.slice(finding.range.start, finding.range.end) === at,
        );
        const list = findings.map(
          ({ code: other, range }) => `${other} ${one.slice(range.start, range.end).slice(0, 60)}`,
        );
        assert.ok(found, `${code} at ${at}: ${list.join('; ') || 'nothing'}\n${one.slice(0, 1500)}`);
        assert.equal(found.severity, severity, one);
        assert.deepEqual(findings.filter((finding) => finding !== found).flatMap(otherThanOld), extra, one);
        for (const { code: repair, edits } of found.repairs) {
          const mended = applyEdits(one, edits);
          const left = reportOf(mended, about).findings.flatMap(otherThanOld);
          const expected = repair === 'deposit-to-submit' ? ['deposit-waits'] : extra;
          assert.deepEqual(left, expected, `${repair}: ${mended}`);
        }
      }
    });
  }

  for (const [code, cases] of Object.entries(kinds)) {
    const wanted = new Map<string, readonly string[]>(Object.entries(mends)).get(code);
    it(`offer for ${code}: ${wanted?.filter(Boolean).join(', ') || 'nothing'}`, () => {
      const found = cases.flatMap(([one, , more]) => reportOf(one, more?.facts).findings);
      const offered = found.filter((one) => one.code === code).map(({ repairs }) => repairs.map((one) => one.code));
      assert.deepEqual([...new Set(offered.map((codes) => codes.join(' ')))], wanted);
    });
  }

  it('leave drafts without mistakes alone', () => {
    const good = [
      draft({}),
      ofMessages(update('staking', { max_validators: 120 })),
      ofMessages(update('cosmos.gov.v1', { quorum: '0.4' }), spend(coins('5'))),
      ofMessages(upgrade({ info: `{"binaries":{"linux/amd64":"${addressed}${'0'.repeat(64)}"}}` })),
      ofMessages(legacy(text({})), wasm({ code_ids: ['7'] })),
      draft({ metadata: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' }),
      draft({ metadata: '{"title":"Another","authors":"one text, so nothing is compared"}' }),
      file({ type: 'Text' }),
    ];
    for (const one of good) assert.deepEqual(codesOf(one), [], one);
  });

  it('fill the parameters in that draft-proposal leaves empty', () => {
    for (const given of [{ params: {} }, { params: undefined }, { params: null }]) {
      const text = ofMessages({ ...update('mint', {}), ...given });
      const found = findingOf(text, 'params-incomplete');
      const [mended = ''] = repaired(text, found).values();
      assert.deepEqual(JSON.parse(mended).messages[0].params, facts.moduleParams.get('cosmos.mint.v1beta1'));
      assert.deepEqual(codesOf(mended), ['hint unchanged']);
    }
  });

  it('compare title and summary with the draft_metadata.json beside the draft, unless the draft states them itself', () => {
    const file = JSON.stringify({ title: 'Another', authors: 'one text', summary: 'A summary', details: '' });
    const codes = (text: string, beside: string) => checkDraft(text, facts, beside)?.findings.map(({ code }) => code);
    for (const metadata of ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy', '']) {
      const text = draft({ metadata, messages: [spend(coins('5'))] });
      const [found] = checkDraft(text, facts, file)?.findings ?? [];
      assert.ok(found?.code === 'metadata-file' && found.severity === 'warning');
      assert.equal(text.slice(found.range.start, found.range.end), '"A title"');
      assert.deepEqual(found.details, { field: 'title', inFile: 'Another' });
      assert.deepEqual(codes(repaired(text, found).get('text-from-metadata') ?? '', file), []);
      for (const other of ['', '{', '[]', '{"title":""}', '{"title":5}'])
        assert.deepEqual(codes(text, other), [], other);
    }
    assert.deepEqual(codes(draft({}), file), []);
    assert.deepEqual(codes(draft({ metadata: 'ipfs://x', title: '' }), file), ['title-missing']);
  });

  it('refuse {} as metadata, which reads as an empty title', () => {
    assert.deepEqual(codesOf(draft({ metadata: '{}' })), ['error metadata-contradicts', 'error metadata-contradicts']);
    assert.equal(findingOf(draft({ metadata: 'null' }), 'metadata-contradicts').severity, 'error');
  });
});

describe('an error', () => {
  const comma = draft({}).replace(/\n\}$/, ',\n}');
  const sentences: readonly (readonly [text: string, code: FindingCode, says: string, about?: ChainFacts])[] = [
    [comma, 'json-syntax', 'Trailing comma. JSON does not allow a comma after the last value.'],
    [draft({}).replace('stake",', 'stake"'), 'json-syntax', 'A comma is missing before this value.'],
    [
      ofMessages({
        ...update('staking', {}),
        params: { ...Object(update('staking', {})).params, bond_denom: undefined },
      }),
      'params-incomplete',
      '1 parameter is missing: bond_denom (currently stake). Missing parameters count as zero or empty, which is not allowed for bond_denom. The chain accepts the proposal, but the message would fail when it is executed after the vote.',
    ],
    [
      ofMessages(update('bank', { default_send_enabled: undefined })),
      'params-incomplete',
      '1 parameter is missing: default_send_enabled (currently true). The chain sets missing parameters to zero, false or empty.',
    ],
    [
      ofMessages(update('mint', { inflation_max: '1.5' })),
      'param-value',
      'inflation_max must be a decimal number from 0 to 1, such as "0.5". The chain accepts the proposal, but the message would fail when it is executed after the vote.',
    ],
    [
      ofMessages(legacyChange(change('mint', 'InflationMax', '"1.5"'))),
      'param-value',
      'InflationMax must be a decimal number from 0 to 1, such as "0.5". The chain does not accept the proposal.',
    ],
    [
      ofMessages(update('mint', { inflation_max: '1.5' })),
      'param-value',
      'inflation_max must be a decimal number from 0 to 1, such as "0.5". The chain does not accept the proposal, or the message would fail when it is executed after the vote.',
      nothingKnown,
    ],
    [
      ofMessages(update('mint', { inflation_max: '0.05', inflation_min: '0.07' })),
      'param-order',
      'inflation_max must be at least inflation_min. The chain accepts the proposal, but the message would fail when it is executed after the vote.',
    ],
    [
      ofMessages(legacyChange(change('stakng', 'MaxValidators', '5'))),
      'legacy-param-unknown',
      'Unknown subspace "stakng" for this chain. Did you mean staking?',
    ],
    [
      ofMessages(legacyChange(change('nothing', 'X', '5'))),
      'legacy-param-unknown',
      'Unknown subspace "nothing" for this chain.',
    ],
    [
      ofMessages(update('staking', { max_validators: -1 })),
      'param-value',
      'max_validators must be a whole number from 1 to 4,294,967,295. The chain does not accept the proposal.',
    ],
    [
      file({ recipient: someone, amount: '5000001stake' }),
      'spend-over-pool',
      'The community pool holds 5,000,000 stake, but the draft spends 5,000,001 stake. The chain does not accept the proposal.',
    ],
    [
      ofMessages(spend(coins('5000001'))),
      'spend-over-pool',
      'The community pool holds 5,000,000 stake, but the draft spends 5,000,001 stake. The chain accepts the proposal, but the message would fail when it is executed after the vote.',
    ],
    [
      ofMessages(
        legacy({
          ...text({}),
          '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
          plan: { name: 'v9', height: '7' },
        }),
      ),
      'upgrade-height-past',
      `Block 7 has passed: the chain is at ${facts.height}. The chain does not accept the proposal.`,
    ],
    [
      ofMessages(upgrade({ binaries: '{}' })),
      'field-unknown',
      'Unknown field binaries in Plan. The command "tx gov submit-proposal" does not accept the file, and REST ignores the field.',
    ],
    [
      draft({ deposit: '10000000stake', expedited: true }),
      'deposit-small',
      'The deposit is too small. The chain needs 12,500,000 stake to accept an expedited proposal.',
    ],
    [
      ofMessages(spend(coins('0'))),
      'field-type',
      'amount must be greater than 0. The chain does not execute a zero payment.',
    ],
    [
      ofMessages(spend(coins('5'), `${someone.slice(0, -1)}q`)),
      'address-invalid',
      'The recipient is not an account address of this chain. Invalid checksum: a character is wrong or missing.',
    ],
    [
      ofMessages(spend(coins('5'), wrongChain)),
      'address-invalid',
      'The recipient is not an account address of this chain. Address of another chain: osmo1… (expected cosmos1…).',
    ],
    [
      ofMessages(spend(coins('5'), 'cosmos1')),
      'address-invalid',
      'The recipient is not an account address of this chain. Not an address: too short or too long.',
    ],
    [
      ofMessages({ ...spend(coins('5')), authority: wrongChain }),
      'authority-wrong',
      `The authority must be the gov account of this chain, ${gov}. Address of another chain: osmo1… (expected cosmos1…).`,
    ],
  ];
  for (const [text, code, says, about] of sentences)
    it(`says what is wrong, and when it fails: ${says.slice(0, 90)}`, () => {
      assert.equal(findingText(findingOf(text, code, about), plainEnglish), says);
    });

  it('is one for a trailing comma, at the comma, with a repair', () => {
    for (const text of [comma, draft({ messages: [spend(coins('5'))], metadata: '' }).replace(/\}\n \]/, '},\n ]')]) {
      const [found, ...more] = reportOf(text).findings;
      assert.ok(found && more.length === 0, codesOf(text).join());
      assert.equal(text.slice(found.range.start, found.range.end), ',');
      assert.deepEqual(codesOf(repaired(text, found).get('comma-remove') ?? ''), []);
    }
  });
});
