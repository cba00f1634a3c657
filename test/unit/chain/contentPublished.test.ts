import assert from 'node:assert/strict';
import { CommunityPoolSpendProposal } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import { MsgCommunityPoolSpend } from 'cosmjs-types/cosmos/distribution/v1beta1/tx';
import { MsgExecLegacyContent } from 'cosmjs-types/cosmos/gov/v1/tx';
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov';
import { ParameterChangeProposal } from 'cosmjs-types/cosmos/params/v1beta1/params';
import { MsgCancelUpgrade, MsgSoftwareUpgrade } from 'cosmjs-types/cosmos/upgrade/v1beta1/tx';
import { CancelSoftwareUpgradeProposal, SoftwareUpgradeProposal } from 'cosmjs-types/cosmos/upgrade/v1beta1/upgrade';
import {
  ClearAdminProposal,
  ExecuteContractProposal,
  InstantiateContract2Proposal,
  InstantiateContractProposal,
  MigrateContractProposal,
  PinCodesProposal,
  StoreAndInstantiateContractProposal,
  StoreCodeProposal,
  SudoContractProposal,
  UnpinCodesProposal,
  UpdateAdminProposal,
  UpdateInstantiateConfigProposal,
} from 'cosmjs-types/cosmwasm/wasm/v1/proposal_legacy';
import {
  MsgClearAdmin,
  MsgExecuteContract,
  MsgInstantiateContract,
  MsgInstantiateContract2,
  MsgMigrateContract,
  MsgPinCodes,
  MsgStoreAndInstantiateContract,
  MsgStoreCode,
  MsgSudoContract,
  MsgUnpinCodes,
  MsgUpdateAdmin,
  MsgUpdateInstantiateConfig,
} from 'cosmjs-types/cosmwasm/wasm/v1/tx';
import { MsgIBCSoftwareUpgrade, MsgRecoverClient } from 'cosmjs-types/ibc/core/client/v1/tx';
import { readContent } from '../../../src/chain/content/content.ts';

/** The members of the published encoder's types. */
interface Published<T> {
  readonly typeUrl: string;
  fromJSON(json: unknown): T;
  toJSON(message: T): unknown;
  encode(message: T): { finish(): Uint8Array };
}

const json = Buffer.from('{"do":{"it":["1"]}}').toString('base64');
const coins = [{ denom: 'uatom', amount: '340282366920938463463374607431768211456' }];
const access = { permission: 'ACCESS_TYPE_ANY_OF_ADDRESSES', addresses: ['cosmos1a', 'cosmos1b'] };
/**
 * A value for every field that any of these types has; each takes the ones that it knows. The time is before 2038: this
 * encoder writes integers from 2^31 to 2^32 wrongly.
 */
const everything = {
  title: 'Title with ümläuts and 🚀',
  description: 'Line one\nLine two',
  authority: 'cosmos1authority',
  sender: 'cosmos1sender',
  signer: 'cosmos1signer',
  recipient: 'cosmos1recipient',
  amount: coins,
  changes: [
    { subspace: 'staking', key: 'MaxValidators', value: '200' },
    { subspace: 'gov', key: 'x', value: '{}' },
  ],
  plan: { name: 'v9', time: '2030-01-02T15:04:05.000Z', height: '9223372036854775807', info: '{"a":1}' },
  runAs: 'cosmos1runas',
  admin: 'cosmos1admin',
  newAdmin: 'cosmos1new',
  contract: 'cosmos1contract',
  codeId: '18446744073709551615',
  codeIds: ['1', '300', '18446744073709551615'],
  label: 'a label',
  msg: json,
  funds: coins,
  salt: '/+8=',
  fixMsg: true,
  wasmByteCode: 'AGFzbQEAAAA=',
  instantiatePermission: access,
  newInstantiatePermission: access,
  accessConfigUpdates: [{ codeId: '7', instantiatePermission: access }],
  unpinCode: true,
  source: 'https://example.org',
  builder: 'builder',
  codeHash: 'AQID',
  subjectClientId: '07-tendermint-1',
  substituteClientId: '07-tendermint-2',
};

describe('content written by a published encoder', () => {
  check(TextProposal);
  check(ParameterChangeProposal);
  check(CommunityPoolSpendProposal);
  check(MsgCommunityPoolSpend);
  check(SoftwareUpgradeProposal);
  check(CancelSoftwareUpgradeProposal);
  check(MsgSoftwareUpgrade);
  check(MsgCancelUpgrade);
  check(MsgRecoverClient);
  check(MsgIBCSoftwareUpgrade);
  check(StoreCodeProposal);
  check(InstantiateContractProposal);
  check(InstantiateContract2Proposal);
  check(MigrateContractProposal);
  check(SudoContractProposal);
  check(ExecuteContractProposal);
  check(UpdateAdminProposal);
  check(ClearAdminProposal);
  check(PinCodesProposal);
  check(UnpinCodesProposal);
  check(UpdateInstantiateConfigProposal);
  check(StoreAndInstantiateContractProposal);
  check(MsgStoreCode);
  check(MsgInstantiateContract);
  check(MsgInstantiateContract2);
  check(MsgExecuteContract);
  check(MsgMigrateContract);
  check(MsgSudoContract);
  check(MsgUpdateAdmin);
  check(MsgClearAdmin);
  check(MsgPinCodes);
  check(MsgUnpinCodes);
  check(MsgUpdateInstantiateConfig);
  check(MsgStoreAndInstantiateContract);

  it('MsgExecLegacyContent', () => {
    const text = TextProposal.fromJSON(everything);
    const content = { typeUrl: TextProposal.typeUrl, value: TextProposal.encode(text).finish() };
    const message = MsgExecLegacyContent.fromPartial({ content, authority: 'gov' });
    const value = Buffer.from(MsgExecLegacyContent.encode(message).finish()).toString('base64');
    const decoded = readContent({ type_url: MsgExecLegacyContent.typeUrl, value });
    assert.equal(decoded.typeUrl, TextProposal.typeUrl);
    assert.deepEqual(decoded.fields, { title: everything.title, description: everything.description });
  });
});

/** Encodes once with every field set and once with none, and compares with what the encoder itself prints. */
function check<T>(type: Published<T>): void {
  it(type.typeUrl.slice(1), () => {
    for (const given of [everything, {}]) {
      const message = type.fromJSON(given);
      const value = Buffer.from(type.encode(message).finish()).toString('base64');
      const content = readContent({ type_url: type.typeUrl, value });
      assert.deepEqual([content.unknownFields, content.fault], [0, undefined]);
      assert.deepEqual(present(content.fields), present(toRest(type.toJSON(message))));
    }
  });
}

/** Turns the output of the encoder into that of REST: snake_case, contract messages as JSON, times without empty digits. */
function toRest(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => toRest(one));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
        toRest(one, key),
      ]),
    );
  }
  if (name === 'msg' && value !== '') return JSON.parse(Buffer.from(String(value), 'base64').toString());
  return name === 'time' ? String(value).replace('.000Z', 'Z') : value;
}

/** Fields that hold something: the encoder prints no bytes as "", REST as null. */
function present(value: unknown): unknown {
  assert.ok(typeof value === 'object' && value !== null);
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== '' && one !== undefined));
}
