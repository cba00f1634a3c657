import { closestName } from '../../../chain/closestName.ts';
import { contentTypes, type Field, fieldsOf, fieldsOfLine, nestedTypes } from '../../../chain/content/messageFields.ts';
import { ownValue } from '../../../chain/fields.ts';
import { toCamel } from '../../draftText.ts';

/**
 * The messages of the SDK, ibc-go and CosmWasm by package. A line is `signer|fields`: the field with the signer, and
 * all fields in the form of `chain/content/messageFields.ts`. `MsgUpdateParams` is missing, since its fields are
 * compared with today's parameters. Sources: the .proto files of cosmos/cosmos-sdk 0.50.15 and 0.53.8, cosmos/ibc-go
 * 8.8 and 10.7, and CosmWasm/wasmd 0.54 (option cosmos.msg.v1.signer). Chains refuse fields with `!` when they are
 * empty: keeper/msg_server.go of the modules, x/wasm/types/tx.go, modules/apps/transfer/types/msgs.go.
 */
const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cosmos.auth.v1beta1': {
    MsgUpdateParams: 'authority|',
  },
  'cosmos.authz.v1beta1': {
    MsgExec: 'grantee|grantee,msgs!:*any',
    MsgGrant: 'granter|granter,grantee!,grant!:Grant',
    MsgRevoke: 'granter|granter,grantee!,msg_type_url!',
  },
  'cosmos.bank.v1beta1': {
    MsgMultiSend: 'inputs|inputs:*Input,outputs!:*Output',
    MsgSend: 'from_address|from_address,to_address!,amount!:*Coin',
    MsgSetSendEnabled: 'authority|authority,send_enabled:*SendEnabled,use_default_for:*string',
    MsgUpdateParams: 'authority|',
  },
  'cosmos.circuit.v1': {
    MsgAuthorizeCircuitBreaker: 'granter|granter,grantee!,permissions!:Permissions',
    MsgResetCircuitBreaker: 'authority|authority,msg_type_urls:*string',
    MsgTripCircuitBreaker: 'authority|authority,msg_type_urls:*string',
  },
  'cosmos.consensus.v1': {
    MsgUpdateParams: 'authority|',
  },
  'cosmos.crisis.v1beta1': {
    MsgUpdateParams: 'authority|',
    MsgVerifyInvariant: 'sender|sender,invariant_module_name,invariant_route',
  },
  'cosmos.distribution.v1beta1': {
    MsgCommunityPoolSpend: 'authority|authority,recipient!,amount:*Coin',
    MsgDepositValidatorRewardsPool: 'depositor|depositor,validator_address!,amount:*Coin',
    MsgFundCommunityPool: 'depositor|amount!:*Coin,depositor',
    MsgSetWithdrawAddress: 'delegator_address|delegator_address,withdraw_address!',
    MsgUpdateParams: 'authority|',
    MsgWithdrawDelegatorReward: 'delegator_address|delegator_address,validator_address!',
    MsgWithdrawValidatorCommission: 'validator_address|validator_address',
  },
  'cosmos.evidence.v1beta1': {
    MsgSubmitEvidence: 'submitter|submitter,evidence!:any',
  },
  'cosmos.feegrant.v1beta1': {
    MsgGrantAllowance: 'granter|granter,grantee!,allowance!:any',
    MsgPruneAllowances: 'pruner|pruner',
    MsgRevokeAllowance: 'granter|granter,grantee!',
  },
  'cosmos.gov.v1': {
    MsgCancelProposal: 'proposer|proposal_id:u64,proposer',
    MsgDeposit: 'depositor|proposal_id!:u64,depositor,amount!:*Coin',
    MsgExecLegacyContent: 'authority|content:any,authority',
    MsgSubmitProposal: 'proposer|messages:*any,initial_deposit:*Coin,proposer,metadata,title,summary,expedited:bool',
    MsgUpdateParams: 'authority|',
    MsgVote: 'voter|proposal_id!:u64,voter,option!:VoteOption,metadata',
    MsgVoteWeighted: 'voter|proposal_id!:u64,voter,options!:*WeightedVoteOption,metadata',
  },
  'cosmos.gov.v1beta1': {
    MsgDeposit: 'depositor|proposal_id:u64,depositor,amount!:*Coin',
    MsgSubmitProposal: 'proposer|content:any,initial_deposit:*Coin,proposer',
    MsgVote: 'voter|proposal_id:u64,voter,option!:VoteOption',
    MsgVoteWeighted: 'voter|proposal_id:u64,voter,options!:*WeightedVoteOption',
  },
  'cosmos.group.v1': {
    MsgCreateGroup: 'admin|admin,members:*MemberRequest,metadata',
    MsgCreateGroupPolicy: 'admin|admin,group_id!:u64,metadata,decision_policy!:any',
    MsgCreateGroupWithPolicy:
      'admin|admin,members:*MemberRequest,group_metadata,group_policy_metadata,group_policy_as_admin:bool,decision_policy!:any',
    MsgExec: 'executor|proposal_id:u64,executor',
    MsgLeaveGroup: 'address|address,group_id:u64',
    MsgSubmitProposal:
      'proposers|group_policy_address,proposers:*string,metadata,messages:*any,exec:GroupExec,title,summary',
    MsgUpdateGroupAdmin: 'admin|admin,group_id!:u64,new_admin!',
    MsgUpdateGroupMembers: 'admin|admin,group_id!:u64,member_updates!:*MemberRequest',
    MsgUpdateGroupMetadata: 'admin|admin,group_id!:u64,metadata',
    MsgUpdateGroupPolicyAdmin: 'admin|admin,group_policy_address,new_admin!',
    MsgUpdateGroupPolicyDecisionPolicy: 'admin|admin,group_policy_address,decision_policy!:any',
    MsgUpdateGroupPolicyMetadata: 'admin|admin,group_policy_address,metadata',
    MsgVote: 'voter|proposal_id:u64,voter,option!:VoteOption,metadata,exec:GroupExec',
    MsgWithdrawProposal: 'address|proposal_id:u64,address',
  },
  'cosmos.mint.v1beta1': {
    MsgUpdateParams: 'authority|',
  },
  'cosmos.nft.v1beta1': {
    MsgSend: 'sender|class_id,id,sender,receiver',
  },
  'cosmos.protocolpool.v1': {
    MsgCancelContinuousFund: 'authority|authority,recipient!',
    MsgCommunityPoolSpend: 'authority|authority,recipient!,amount!:*Coin',
    MsgCreateContinuousFund: 'authority|authority,recipient!,percentage:dec,expiry:time',
    MsgFundCommunityPool: 'depositor|depositor,amount!:*Coin',
    MsgUpdateParams: 'authority|',
  },
  'cosmos.slashing.v1beta1': {
    MsgUnjail: 'validator_addr|validator_addr',
    MsgUpdateParams: 'authority|',
  },
  'cosmos.staking.v1beta1': {
    MsgBeginRedelegate:
      'delegator_address|delegator_address,validator_src_address!,validator_dst_address!,amount!:Coin',
    MsgCancelUnbondingDelegation:
      'delegator_address|delegator_address,validator_address!,amount!:Coin,creation_height!:i64',
    MsgCreateValidator:
      'validator_address|description:Description,commission:CommissionRates,min_self_delegation:amount,delegator_address,validator_address,pubkey:any,value:Coin',
    MsgDelegate: 'delegator_address|delegator_address,validator_address!,amount!:Coin',
    MsgEditValidator:
      'validator_address|description:Description,validator_address,commission_rate:dec,min_self_delegation:amount',
    MsgUndelegate: 'delegator_address|delegator_address,validator_address!,amount!:Coin',
    MsgUpdateParams: 'authority|',
  },
  'cosmos.upgrade.v1beta1': {
    MsgCancelUpgrade: 'authority|authority',
    MsgSoftwareUpgrade: 'authority|authority,plan:Plan',
  },
  'cosmos.vesting.v1beta1': {
    MsgCreatePeriodicVestingAccount: 'from_address|from_address,to_address,start_time:i64,vesting_periods!:*Period',
    MsgCreatePermanentLockedAccount: 'from_address|from_address,to_address,amount!:*Coin',
    MsgCreateVestingAccount: 'from_address|from_address,to_address,amount!:*Coin,end_time:i64,delayed:bool',
  },
  'cosmwasm.wasm.v1': {
    MsgAddCodeUploadParamsAddresses: 'authority|authority,addresses!:*string',
    MsgClearAdmin: 'sender|sender,contract!',
    MsgExecuteContract: 'sender|sender,contract!,msg!:json,funds:*Coin',
    MsgInstantiateContract: 'sender|sender,admin,code_id!:u64,label!,msg!:json,funds:*Coin',
    MsgInstantiateContract2: 'sender|sender,admin,code_id!:u64,label!,msg!:json,funds:*Coin,salt!:bytes,fix_msg:bool',
    MsgMigrateContract: 'sender|sender,contract!,code_id!:u64,msg!:json',
    MsgPinCodes: 'authority|authority,code_ids!:*u64',
    MsgRemoveCodeUploadParamsAddresses: 'authority|authority,addresses!:*string',
    MsgStoreAndInstantiateContract:
      'authority|authority,wasm_byte_code!:bytes,instantiate_permission:AccessConfig,unpin_code:bool,admin,label!,msg!:json,funds:*Coin,source,builder,code_hash:bytes',
    MsgStoreAndMigrateContract:
      'authority|authority,wasm_byte_code!:bytes,instantiate_permission:AccessConfig,contract!,msg!:json',
    MsgStoreCode: 'sender|sender,wasm_byte_code!:bytes,instantiate_permission:AccessConfig',
    MsgSudoContract: 'authority|authority,contract!,msg!:json',
    MsgUnpinCodes: 'authority|authority,code_ids!:*u64',
    MsgUpdateAdmin: 'sender|sender,new_admin!,contract!',
    MsgUpdateContractLabel: 'sender|sender,new_label!,contract!',
    MsgUpdateInstantiateConfig: 'sender|sender,code_id!:u64,new_instantiate_permission!:AccessConfig',
    MsgUpdateParams: 'authority|',
  },
  'ibc.applications.fee.v1': {
    MsgPayPacketFee: 'signer|fee:object,source_port_id,source_channel_id,signer,relayers:*string',
    MsgPayPacketFeeAsync: 'packet_fee|packet_id:object,packet_fee:object',
    MsgRegisterCounterpartyPayee: 'relayer|port_id,channel_id,relayer,counterparty_payee',
    MsgRegisterPayee: 'relayer|port_id,channel_id,relayer,payee',
  },
  'ibc.applications.interchain_accounts.controller.v1': {
    MsgRegisterInterchainAccount: 'owner|owner,connection_id,version,ordering:ChannelOrder',
    MsgSendTx: 'owner|owner,connection_id,packet_data:InterchainAccountPacketData,relative_timeout!:u64',
    MsgUpdateParams: 'signer|',
  },
  'ibc.applications.interchain_accounts.host.v1': {
    MsgModuleQuerySafe: 'signer|signer,requests:*QueryRequest',
    MsgUpdateParams: 'signer|',
  },
  'ibc.applications.transfer.v1': {
    MsgTransfer:
      'sender|source_port!,source_channel!,token!:Coin,sender,receiver!,timeout_height:Height,timeout_timestamp:u64,memo,encoding',
    MsgUpdateParams: 'signer|',
  },
  'ibc.core.channel.v1': {
    MsgAcknowledgement: 'signer|packet:object,acknowledgement:bytes,proof_acked:bytes,proof_height:Height,signer',
    MsgChannelCloseConfirm:
      'signer|port_id,channel_id,proof_init:bytes,proof_height:Height,signer,counterparty_upgrade_sequence:u64',
    MsgChannelCloseInit: 'signer|port_id,channel_id,signer',
    MsgChannelOpenAck:
      'signer|port_id,channel_id,counterparty_channel_id,counterparty_version,proof_try:bytes,proof_height:Height,signer',
    MsgChannelOpenConfirm: 'signer|port_id,channel_id,proof_ack:bytes,proof_height:Height,signer',
    MsgChannelOpenInit: 'signer|port_id,channel:Channel,signer',
    MsgChannelOpenTry:
      'signer|port_id,previous_channel_id,channel:Channel,counterparty_version,proof_init:bytes,proof_height:Height,signer',
    MsgChannelUpgradeAck:
      'signer|port_id,channel_id,counterparty_upgrade:object,proof_channel:bytes,proof_upgrade:bytes,proof_height:Height,signer',
    MsgChannelUpgradeCancel:
      'signer|port_id,channel_id,error_receipt:object,proof_error_receipt:bytes,proof_height:Height,signer',
    MsgChannelUpgradeConfirm:
      'signer|port_id,channel_id,counterparty_channel_state:ChannelState,counterparty_upgrade:object,proof_channel:bytes,proof_upgrade:bytes,proof_height:Height,signer',
    MsgChannelUpgradeInit: 'signer|port_id,channel_id,fields:object,signer',
    MsgChannelUpgradeOpen:
      'signer|port_id,channel_id,counterparty_channel_state:ChannelState,counterparty_upgrade_sequence:u64,proof_channel:bytes,proof_height:Height,signer',
    MsgChannelUpgradeTimeout:
      'signer|port_id,channel_id,counterparty_channel:object,proof_channel:bytes,proof_height:Height,signer',
    MsgChannelUpgradeTry:
      'signer|port_id,channel_id,proposed_upgrade_connection_hops:*string,counterparty_upgrade_fields:object,counterparty_upgrade_sequence:u64,proof_channel:bytes,proof_upgrade:bytes,proof_height:Height,signer',
    MsgPruneAcknowledgements: 'signer|port_id,channel_id,limit:u64,signer',
    MsgRecvPacket: 'signer|packet:object,proof_commitment:bytes,proof_height:Height,signer',
    MsgTimeout: 'signer|packet:object,proof_unreceived:bytes,proof_height:Height,next_sequence_recv:u64,signer',
    MsgTimeoutOnClose:
      'signer|packet:object,proof_unreceived:bytes,proof_close:bytes,proof_height:Height,next_sequence_recv:u64,signer,counterparty_upgrade_sequence:u64',
    MsgUpdateParams: 'authority|',
  },
  'ibc.core.channel.v2': {
    MsgAcknowledgement: 'signer|packet:object,acknowledgement:object,proof_acked:bytes,proof_height:Height,signer',
    MsgRecvPacket: 'signer|packet:object,proof_commitment:bytes,proof_height:Height,signer',
    MsgSendPacket: 'signer|source_client,timeout_timestamp:u64,payloads:*object,signer',
    MsgTimeout: 'signer|packet:object,proof_unreceived:bytes,proof_height:Height,signer',
  },
  'ibc.core.client.v1': {
    MsgCreateClient: 'signer|client_state:any,consensus_state:any,signer',
    MsgDeleteClientCreator: 'signer|client_id,signer',
    MsgIBCSoftwareUpgrade: 'signer|plan:Plan,upgraded_client_state!:any,signer',
    MsgRecoverClient: 'signer|subject_client_id,substitute_client_id,signer',
    MsgSubmitMisbehaviour: 'signer|client_id,misbehaviour:any,signer',
    MsgUpdateClient: 'signer|client_id,client_message:any,signer',
    MsgUpdateParams: 'signer|',
    MsgUpgradeClient:
      'signer|client_id,client_state:any,consensus_state:any,proof_upgrade_client:bytes,proof_upgrade_consensus_state:bytes,signer',
  },
  'ibc.core.client.v2': {
    MsgRegisterCounterparty: 'signer|client_id,counterparty_merkle_prefix:*bytes,counterparty_client_id,signer',
    MsgUpdateClientConfig: 'signer|client_id,config:Config,signer',
  },
  'ibc.core.connection.v1': {
    MsgConnectionOpenAck:
      'signer|connection_id,counterparty_connection_id,version:object,client_state:any,proof_height:Height,proof_try:bytes,proof_client:bytes,proof_consensus:bytes,consensus_height:Height,signer,host_consensus_state_proof:bytes',
    MsgConnectionOpenConfirm: 'signer|connection_id,proof_ack:bytes,proof_height:Height,signer',
    MsgConnectionOpenInit: 'signer|client_id,counterparty:object,version:object,delay_period:u64,signer',
    MsgConnectionOpenTry:
      'signer|client_id,previous_connection_id,client_state:any,counterparty:object,delay_period:u64,counterparty_versions:*object,proof_height:Height,proof_init:bytes,proof_client:bytes,proof_consensus:bytes,consensus_height:Height,signer,host_consensus_state_proof:bytes',
    MsgUpdateParams: 'signer|',
  },
  'ibc.lightclients.wasm.v1': {
    MsgMigrateContract: 'signer|signer,client_id,checksum:bytes,msg:bytes',
    MsgRemoveChecksum: 'signer|signer,checksum:bytes',
    MsgStoreCode: 'signer|signer,wasm_byte_code:bytes',
  },
};

/**
 * Authorizations, fee allowances, evidence and decision policies by their full name. Sources: authz.proto of x/bank and x/staking, x/authz,
 * x/evidence, x/feegrant and x/group of cosmos/cosmos-sdk, modules/apps/transfer of cosmos/ibc-go, x/wasm of CosmWasm/wasmd.
 * Chains refuse fields with `!` when they are empty (ValidateBasic of each).
 */
const granted: Readonly<Record<InnerTable, Readonly<Record<string, string>>>> = {
  authorization: {
    'cosmos.authz.v1beta1.GenericAuthorization': 'msg!',
    'cosmos.bank.v1beta1.SendAuthorization': 'spend_limit!:*Coin,allow_list:*string',
    'cosmos.staking.v1beta1.StakeAuthorization':
      'max_tokens:Coin,allow_list:StakeValidators,deny_list:StakeValidators,authorization_type!:AuthorizationType',
    'cosmwasm.wasm.v1.ContractExecutionAuthorization': 'grants!:*ContractGrant',
    'cosmwasm.wasm.v1.ContractMigrationAuthorization': 'grants!:*ContractGrant',
    'cosmwasm.wasm.v1.StoreCodeAuthorization': 'grants!:*CodeGrant',
    'ibc.applications.transfer.v1.TransferAuthorization': 'allocations!:*Allocation',
  },
  allowance: {
    'cosmos.feegrant.v1beta1.AllowedMsgAllowance': 'allowance:any,allowed_messages!:*string',
    'cosmos.feegrant.v1beta1.BasicAllowance': 'spend_limit:*Coin,expiration:time',
    'cosmos.feegrant.v1beta1.PeriodicAllowance':
      'basic:BasicAllowance,period:dur,period_spend_limit!:*Coin,period_can_spend:*Coin,period_reset:time',
  },
  evidence: {
    'cosmos.evidence.v1beta1.Equivocation': 'height!:i64,time!:time,power!:i64,consensus_address!',
  },
  policy: {
    'cosmos.group.v1.PercentageDecisionPolicy': 'percentage!,windows!:PolicyWindows',
    'cosmos.group.v1.ThresholdDecisionPolicy': 'threshold!,windows!:PolicyWindows',
  },
};
type InnerTable = 'authorization' | 'allowance' | 'evidence' | 'policy';

/** Types that occur only inside these messages. */
const nested: Readonly<Record<string, string>> = {
  Allocation:
    'source_port!,source_channel!,spend_limit:*Coin,allow_list:*string,allowed_packet_data:*string,allowed_forwarding:*object',
  BasicAllowance: 'spend_limit:*Coin,expiration:time',
  Channel:
    'state:ChannelState,ordering!:ChannelOrder,counterparty:ChannelEnd,connection_hops!:*string,version,upgrade_sequence:u64',
  ChannelEnd: 'port_id,channel_id',
  CodeGrant: 'code_hash:bytes,instantiate_permission:AccessConfig',
  CommissionRates: 'rate:dec,max_rate:dec,max_change_rate:dec',
  Config: 'allowed_relayers:*string',
  ContractGrant: 'contract!,limit:any,filter:any',
  Description: 'moniker,identity,website,security_contact,details',
  Grant: 'authorization!:any,expiration:time',
  Input: 'address!,coins!:*Coin',
  InterchainAccountPacketData: 'type:PacketType,data:bytes,memo',
  MemberRequest: 'address,weight,metadata',
  Output: 'address!,coins!:*Coin',
  Period: 'length:i64,amount!:*Coin',
  Permissions: 'level:CircuitLevel,limit_type_urls:*string',
  PolicyWindows: 'voting_period!:dur,min_execution_period:dur',
  QueryRequest: 'path,data:bytes',
  SendEnabled: 'denom!,enabled:bool',
  StakeValidators: 'address:*string',
  WeightedVoteOption: 'option!:VoteOption,weight',
};

/** A line of the table. */
interface Message {
  readonly signer: string;
  /** Empty if the line has no fields. */
  readonly fields: readonly Field[];
}

const tables: ReadonlyMap<string, ReadonlyMap<string, Message>> = new Map(
  Object.entries(messages).map(([name, own]) => [
    name,
    new Map(Object.entries(own).map(([message, line]) => [message, readLine(line)])),
  ]),
);
/** The same by full names. */
const listedMessages: ReadonlyMap<string, Message> = new Map(
  [...tables].flatMap(([name, own]) => [...own].map(([message, line]) => [`${name}.${message}`, line] as const)),
);
const nestedTable: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.entries({ ...nestedTypes, ...nested }).map(([name, line]) => [name, fieldsOfLine(line)]),
);

const grantedTable: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.values(granted).flatMap((own) => Object.entries(own).map(([name, line]) => [name, fieldsOfLine(line)])),
);

/** The fields of contents and of messages that only the shared table has, by full names. */
const contents: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.entries(contentTypes).flatMap(([name, own]) =>
    Object.keys(own).map((content) => [`${name}.${content}`, fieldsOf(`${name}.${content}`) ?? []] as const),
  ),
);

function readLine(line: string): Message {
  const [signer = '', fields = ''] = line.split('|');
  return { signer, fields: fieldsOfLine(fields) };
}

/**
 * The fields of a message, content, authorization or allowance by its full name without a slash. Undefined if no table
 * has it.
 */
export function fieldsIn(typeName: string): readonly Field[] | undefined {
  const fields = listedMessages.get(typeName)?.fields ?? grantedTable.get(typeName);
  return fields && fields.length > 0 ? fields : contents.get(typeName);
}

/** The full names of the authorizations, fee allowances, evidence or decision policies that the table has. */
export function namesOfKind(kind: InnerTable): readonly string[] {
  return Object.keys(granted[kind]);
}

/** The fields of a nested type by its short name. Undefined if no table has it. */
export function fieldsInside(name: string): readonly Field[] | undefined {
  return nestedTable.get(name);
}

/** The field with the signer of a message. Undefined if no table has the message. */
export function signerIn(typeName: string): string | undefined {
  return listedMessages.get(typeName)?.signer;
}

/** Whether the table has all messages of a package. */
export function isWholePackage(name: string): boolean {
  return tables.has(name);
}

/** Whether a table has a message or content. */
export function isKnownType(typeName: string): boolean {
  return listedMessages.has(typeName) || contents.has(typeName);
}

/**
 * The type that is most likely meant by a misspelt one. Looks in its package, in other versions of it, and in packages
 * with a similar name.
 */
export function closestType(typeName: string): string | undefined {
  const dot = typeName.lastIndexOf('.');
  const [ownPackage, name] = [typeName.slice(0, dot), typeName.slice(dot + 1)];
  const near = closestName(name, namesIn(ownPackage));
  if (near !== undefined) return `${ownPackage}.${near}`;
  const packages = [...new Set([...tables.keys(), ...Object.keys(contentTypes)])];
  const others = packages.filter((one) => stemOf(one) === stemOf(ownPackage));
  const closest = closestName(ownPackage, packages);
  const wanted = [...others, ...(closest === undefined ? [] : [closest])].find((one) => namesIn(one).includes(name));
  return wanted && `${wanted}.${name}`;
}

/** The package of a type: `cosmos.gov.v1` of `cosmos.gov.v1.MsgVote`. */
export function packageOf(typeName: string): string {
  return typeName.slice(0, Math.max(0, typeName.lastIndexOf('.')));
}

/** A package without its version: `cosmos.gov`. */
export function stemOf(packageName: string): string {
  return packageName.replace(/\.v\d\w*$/, '');
}

function namesIn(packageName: string): readonly string[] {
  const contents = Object.keys(ownValue(contentTypes, packageName) ?? {});
  return [...(tables.get(packageName)?.keys() ?? []), ...contents.filter((name) => !name.includes('('))];
}

/** Whether a name is that of a field, as the SDK or as protobuf's JSON writes it: `max_bytes`, `maxBytes`. */
export function isFieldName(field: Field, name: string): boolean {
  // A name in camelCase is shorter.
  return field.name === name || (name.length < field.name.length && toCamel(field.name) === name);
}
