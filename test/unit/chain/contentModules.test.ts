import assert from 'node:assert/strict';
import { MsgUpdateParams as AuthUpdate } from 'cosmjs-types/cosmos/auth/v1beta1/tx';
import { MsgUpdateParams as BankUpdate, MsgSend, MsgSetSendEnabled } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { MsgUpdateParams as ConsensusUpdate } from 'cosmjs-types/cosmos/consensus/v1/tx';
import { MsgUpdateParams as CrisisUpdate } from 'cosmjs-types/cosmos/crisis/v1beta1/tx';
import { MsgUpdateParams as DistributionUpdate } from 'cosmjs-types/cosmos/distribution/v1beta1/tx';
import { MsgUpdateParams as GovUpdate } from 'cosmjs-types/cosmos/gov/v1/tx';
import { MsgUpdateParams as MintUpdate } from 'cosmjs-types/cosmos/mint/v1beta1/tx';
import {
  MsgCancelContinuousFund,
  MsgCreateContinuousFund,
  MsgUpdateParams as PoolUpdate,
} from 'cosmjs-types/cosmos/protocolpool/v1/tx';
import { MsgUpdateParams as SlashingUpdate } from 'cosmjs-types/cosmos/slashing/v1beta1/tx';
import { MsgUpdateParams as StakingUpdate } from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import { MsgUpdateParams as WasmUpdate } from 'cosmjs-types/cosmwasm/wasm/v1/tx';
import { MsgUpdateParams as ControllerUpdate } from 'cosmjs-types/ibc/applications/interchain_accounts/controller/v1/tx';
import { MsgUpdateParams as HostUpdate } from 'cosmjs-types/ibc/applications/interchain_accounts/host/v1/tx';
import { Params as TransferParams } from 'cosmjs-types/ibc/applications/transfer/v1/transfer';
import { MsgUpdateParams as ClientUpdate } from 'cosmjs-types/ibc/core/client/v1/tx';
import { Params as ConnectionParams } from 'cosmjs-types/ibc/core/connection/v1/connection';
import { readContent } from '../../../src/chain/content/content.ts';
import { contentKind } from '../../../src/chain/content/contentKind.ts';
import { decodeContent } from '../../../src/chain/content/decodeContent.ts';
import { any, field } from './contentEncoder.ts';

/** What the published encoder's types offer. */
interface Published<T> {
  readonly typeUrl: string;
  fromJSON(json: unknown): T;
  toJSON(message: T): unknown;
  encode(message: T): { finish(): Uint8Array };
}

const seconds = (count: number) => ({ seconds: String(count), nanos: 0 });
const tenth = '0.100000000000000000';
const coin = { denom: 'uatom', amount: '340282366920938463463374607431768211456' };
/** A value for every param of the SDK's modules; each module takes the ones that it knows. */
const params = {
  maxMemoCharacters: '256',
  txSigLimit: '7',
  txSizeCostPerByte: '10',
  sigVerifyCostEd25519: '590',
  sigVerifyCostSecp256k1: '1000',
  sendEnabled: [{ denom: 'uatom', enabled: true }],
  defaultSendEnabled: true,
  communityTax: tenth,
  baseProposerReward: tenth,
  bonusProposerReward: tenth,
  withdrawAddrEnabled: true,
  minDeposit: [coin],
  maxDepositPeriod: seconds(172800),
  votingPeriod: seconds(1209600),
  quorum: tenth,
  threshold: tenth,
  vetoThreshold: tenth,
  minInitialDepositRatio: tenth,
  proposalCancelRatio: tenth,
  proposalCancelDest: 'cosmos1dest',
  expeditedVotingPeriod: seconds(86400),
  expeditedThreshold: tenth,
  expeditedMinDeposit: [coin],
  burnVoteQuorum: true,
  burnProposalDepositPrevote: true,
  burnVoteVeto: true,
  minDepositRatio: tenth,
  mintDenom: 'uatom',
  inflationRateChange: tenth,
  inflationMax: tenth,
  inflationMin: tenth,
  goalBonded: tenth,
  blocksPerYear: '6311520',
  enabledDistributionDenoms: ['uatom'],
  distributionFrequency: '1',
  unbondingTime: seconds(1814400),
  maxValidators: 180,
  maxEntries: 7,
  historicalEntries: 10000,
  bondDenom: 'uatom',
  minCommissionRate: tenth,
  codeUploadAccess: { permission: 'ACCESS_TYPE_ANY_OF_ADDRESSES', addresses: ['cosmos1a'] },
  instantiateDefaultPermission: 'ACCESS_TYPE_EVERYBODY',
  controllerEnabled: true,
  hostEnabled: true,
  allowMessages: ['*'],
  allowedClients: ['07-tendermint'],
  maxExpectedTimePerBlock: '30000000000',
};
const everything = {
  authority: 'cosmos1gov',
  signer: 'cosmos1gov',
  params,
  block: { maxBytes: '200000', maxGas: '-1' },
  evidence: { maxAgeNumBlocks: '1000000', maxAgeDuration: seconds(172800), maxBytes: '50000' },
  validator: { pubKeyTypes: ['ed25519'] },
  abci: { voteExtensionsEnableHeight: '7' },
  constantFee: coin,
  fromAddress: 'cosmos1from',
  toAddress: 'cosmos1to',
  amount: [coin],
  sendEnabled: [{ denom: 'uatom', enabled: true }],
  useDefaultFor: ['ustake'],
  recipient: 'cosmos1recipient',
  percentage: tenth,
};

describe('messages over modules, written by a published encoder', () => {
  check(AuthUpdate);
  check(BankUpdate);
  check(MsgSend);
  check(MsgSetSendEnabled);
  check(ConsensusUpdate);
  check(CrisisUpdate);
  check(DistributionUpdate);
  check(GovUpdate);
  check(MintUpdate);
  check(MsgCancelContinuousFund);
  check(MsgCreateContinuousFund);
  check(PoolUpdate);
  check(StakingUpdate);
  check(WasmUpdate);
  check(ControllerUpdate);
  check(HostUpdate);

  // The encoder's own messages of these two hold the params of clients.
  it('ibc.applications.transfer and ibc.core.connection', () => {
    const transfer = TransferParams.encode({ sendEnabled: true, receiveEnabled: true }).finish();
    const connection = ConnectionParams.encode({ maxExpectedTimePerBlock: 30_000_000_000n }).finish();
    const paramsOf = (typeUrl: string, bytes: Uint8Array) =>
      decodeContent(readContent(any(typeUrl, field(1, 'a'), field(2, bytes)))).fields.params;
    assert.deepEqual(paramsOf('/ibc.applications.transfer.v1.MsgUpdateParams', transfer), {
      send_enabled: true,
      receive_enabled: true,
    });
    assert.deepEqual(paramsOf('/ibc.core.connection.v1.MsgUpdateParams', connection), {
      max_expected_time_per_block: '30000000000',
    });
  });

  it('clients, and none of them', () => {
    const sent = ClientUpdate.fromJSON({ signer: 'a', params: { allowedClients: ['06-solomachine', '*'] } });
    assert.deepEqual(decoded(ClientUpdate, sent).fields.params, { allowed_clients: ['06-solomachine', '*'] });
    assert.deepEqual(decoded(ClientUpdate, ClientUpdate.fromJSON({ params: {} })).fields.params, {
      allowed_clients: [],
    });
  });

  it('slashing, which keeps its ratios as bytes', () => {
    const ratio = Buffer.from('100000000000000000').toString('base64');
    const sent = SlashingUpdate.fromJSON({
      authority: 'a',
      params: {
        signedBlocksWindow: '10000',
        minSignedPerWindow: ratio,
        downtimeJailDuration: seconds(600),
        slashFractionDoubleSign: ratio,
        slashFractionDowntime: ratio,
      },
    });
    assert.deepEqual(decoded(SlashingUpdate, sent).fields.params, {
      signed_blocks_window: '10000',
      min_signed_per_window: tenth,
      downtime_jail_duration: '600s',
      slash_fraction_double_sign: tenth,
      slash_fraction_downtime: tenth,
    });
  });

  it('are params by name in the form of their kind', () => {
    const kind = contentKind(decoded(StakingUpdate, StakingUpdate.fromJSON(everything)));
    assert.ok(kind.kind === 'moduleParams');
    assert.equal(kind.module, 'cosmos.staking.v1beta1');
    assert.equal(kind.params.max_validators, 180);
    const consensus = contentKind(decoded(ConsensusUpdate, ConsensusUpdate.fromJSON(everything)));
    assert.ok(consensus.kind === 'moduleParams');
    assert.deepEqual(Object.keys(consensus.params), ['block', 'evidence', 'validator', 'abci']);
    assert.deepEqual(consensus.params.block, { max_bytes: '200000', max_gas: '-1' });
    assert.deepEqual(consensus.rest, { authority: 'cosmos1gov' });
  });
});

function decoded<T>(type: Published<T>, message: T) {
  const value = Buffer.from(type.encode(message).finish()).toString('base64');
  const content = decodeContent(readContent({ type_url: type.typeUrl, value }));
  assert.deepEqual([content.unnamed, content.broken], [0, undefined]);
  return content;
}

/** Every field set, and the same again in the names and forms of REST. */
function check<T>(type: Published<T>): void {
  it(type.typeUrl.slice(1), () => {
    const message = type.fromJSON(everything);
    const fields = decoded(type, message).fields;
    assert.deepEqual(filled(fields), filled(toRest(type.toJSON(message))));
    assert(Object.keys(fields).length >= 2);
  });
}

/** What the encoder prints → what REST prints: snake_case, durations as text. */
function toRest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toRest);
  if (typeof value !== 'object' || value === null) return value;
  if ('seconds' in value) return `${String(value.seconds)}s`;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), toRest(one)]),
  );
}

/** Without fields that this encoder leaves out and REST shows empty. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== '' && one !== undefined)
      .map(([name, one]) => [name, filled(one)]),
  );
}
