import { ownValue } from '../fields.ts';

/**
 * The protobuf fields of gov contents, from the published .proto files of the modules (docs/nodes.md#contents), one line a
 * type. `name:type` in field order; `7=name` jumps to a number; `*type` is repeated; `name?` is left out where the bytes do
 * not hold it (fields that older chains lack), all others show their default as REST does. A field without a type is a
 * `string`. Contents start at field 3, after title and description; messages (`Msg…`) and nested types start at 1.
 */
const fromCoins = 'amount:*Coin';
const pegged = 'pointee,pointer,version:u32';

/** Contents and messages by package. */
export const contentTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cosmos.gov.v1beta1': { TextProposal: '' },
  'cosmos.gov.v1': { MsgExecLegacyContent: 'content:any,authority' },
  'cosmos.params.v1beta1': { ParameterChangeProposal: 'changes!:*ParamChange' },
  'cosmos.distribution.v1beta1': {
    CommunityPoolSpendProposal: 'recipient!,amount:*Coin',
    MsgCommunityPoolSpend: 'authority,recipient,amount:*Coin',
  },
  'cosmos.upgrade.v1beta1': {
    SoftwareUpgradeProposal: 'plan:Plan',
    CancelSoftwareUpgradeProposal: '',
    MsgSoftwareUpgrade: 'authority,plan:Plan',
    MsgCancelUpgrade: 'authority',
  },
  'ibc.core.client.v1': {
    ClientUpdateProposal: 'subject_client_id,substitute_client_id',
    // The form of SDK 0.40–0.42; chosen by what field 4 holds.
    'ClientUpdateProposal(header)': 'client_id,header:any',
    UpgradeProposal: 'plan:Plan,upgraded_client_state:any',
    MsgRecoverClient: 'subject_client_id,substitute_client_id,signer',
    MsgIBCSoftwareUpgrade: 'plan:Plan,upgraded_client_state:any,signer',
  },
  'cosmwasm.wasm.v1': {
    StoreCodeProposal:
      'run_as,wasm_byte_code:bytes,7=instantiate_permission:AccessConfig,unpin_code:bool,source?,builder?,code_hash?:bytes',
    InstantiateContractProposal: 'run_as,admin,code_id:u64,label,msg:json,funds:*Coin',
    InstantiateContract2Proposal: 'run_as,admin,code_id:u64,label,msg:json,funds:*Coin,salt:bytes,fix_msg:bool',
    MigrateContractProposal: 'run_as?,contract,code_id:u64,msg:json',
    SudoContractProposal: 'contract,msg:json',
    ExecuteContractProposal: 'run_as,contract,msg:json,funds:*Coin',
    UpdateAdminProposal: 'new_admin,contract',
    ClearAdminProposal: 'contract',
    PinCodesProposal: 'code_ids:*u64',
    UnpinCodesProposal: 'code_ids:*u64',
    UpdateInstantiateConfigProposal: 'access_config_updates:*AccessConfigUpdate',
    StoreAndInstantiateContractProposal:
      'run_as,wasm_byte_code:bytes,instantiate_permission:AccessConfig,unpin_code:bool,admin,label,msg:json,funds:*Coin,source,builder,code_hash:bytes',
    MsgStoreCode: 'sender,wasm_byte_code:bytes,5=instantiate_permission:AccessConfig',
    MsgInstantiateContract: 'sender,admin,code_id:u64,label,msg:json,funds:*Coin',
    MsgInstantiateContract2: 'sender,admin,code_id:u64,label,msg:json,funds:*Coin,salt:bytes,fix_msg:bool',
    MsgExecuteContract: 'sender,contract,msg:json,5=funds:*Coin',
    MsgMigrateContract: 'sender,contract,code_id:u64,msg:json',
    MsgSudoContract: 'authority,contract,msg:json',
    MsgUpdateAdmin: 'sender,new_admin,contract',
    MsgClearAdmin: 'sender,3=contract',
    MsgPinCodes: 'authority,code_ids:*u64',
    MsgUnpinCodes: 'authority,code_ids:*u64',
    MsgUpdateInstantiateConfig: 'sender,code_id:u64,new_instantiate_permission:AccessConfig',
    MsgStoreAndInstantiateContract:
      'authority,3=wasm_byte_code:bytes,instantiate_permission:AccessConfig,unpin_code:bool,admin,label,msg:json,funds:*Coin,source,builder,code_hash:bytes',
  },
  'interchain_security.ccv.provider.v1': {
    ConsumerAdditionProposal:
      'chain_id,initial_height:Height,genesis_hash:bytes,binary_hash:bytes,spawn_time:time,unbonding_period:dur,' +
      'ccv_timeout_period:dur,transfer_timeout_period:dur,consumer_redistribution_fraction,' +
      'blocks_per_distribution_transmission:i64,historical_entries:i64,distribution_transmission_channel?,top_N?:u32,' +
      'validators_power_cap?:u32,validator_set_cap?:u32,allowlist?:*string,denylist?:*string,min_stake?:u64,allow_inactive_vals?:bool',
    ConsumerRemovalProposal: 'chain_id,stop_time:time',
    ConsumerModificationProposal:
      'chain_id,top_N:u32,validators_power_cap:u32,validator_set_cap:u32,allowlist:*string,denylist:*string,min_stake?:u64,allow_inactive_vals?:bool',
    EquivocationProposal: 'equivocations:*Equivocation',
    ChangeRewardDenomsProposal: 'denoms_to_add:*string,denoms_to_remove:*string',
  },
  'osmosis.poolincentives.v1beta1': {
    ReplacePoolIncentivesProposal: 'records:*DistrRecord',
    UpdatePoolIncentivesProposal: 'records:*DistrRecord',
  },
  'osmosis.superfluid.v1beta1': {
    SetSuperfluidAssetsProposal: 'assets:*SuperfluidAsset',
    RemoveSuperfluidAssetsProposal: 'superfluid_asset_denoms:*string',
    UpdateUnpoolWhiteListProposal: 'ids:*u64,is_overwrite:bool',
  },
  'osmosis.txfees.v1beta1': { UpdateFeeTokenProposal: 'feetokens:*FeeToken' },
  'osmosis.gamm.v1beta1': {
    ReplaceMigrationRecordsProposal: 'records:*PoolLink',
    UpdateMigrationRecordsProposal: 'records:*PoolLink',
    SetScalingFactorControllerProposal: 'pool_id:u64,controller_address',
    CreateConcentratedLiquidityPoolsAndLinktoCFMMProposal: 'pool_records_with_cfmm_link:*LinkedPoolRecord',
  },
  'osmosis.concentratedliquidity.v1beta1': {
    CreateConcentratedLiquidityPoolsProposal: 'pool_records:*PoolRecord',
    TickSpacingDecreaseProposal: 'pool_id_to_tick_spacing_records:*TickSpacing',
  },
  'osmosis.cosmwasmpool.v1beta1': {
    UploadCosmWasmPoolCodeAndWhiteListProposal: 'wasm_byte_code:bytes',
    MigratePoolContractsProposal: 'pool_ids:*u64,new_code_id:u64,wasm_byte_code:bytes,migrate_msg:bytes',
  },
  'osmosis.incentives': { CreateGroupsProposal: 'create_groups:*PoolIds' },
  'osmosis.poolmanager.v1beta1': { DenomPairTakerFeeProposal: 'denom_pair_taker_fee:*TakerFee' },
  'osmosis.protorev.v1beta1': {
    SetProtoRevEnabledProposal: 'enabled:bool',
    SetProtoRevAdminAccountProposal: 'account',
  },
  'evmos.erc20.v1': {
    RegisterCoinProposal: 'metadata:*Metadata',
    RegisterERC20Proposal: 'erc20addresses:*string',
    ToggleTokenConversionProposal: 'token',
    UpdateERC20MetadataProposal: 'contract,name,symbol,decimals:u32',
  },
  'canto.erc20.v1': {
    RegisterCoinProposal: 'metadata:Metadata',
    RegisterERC20Proposal: 'erc20address',
    ToggleTokenConversionProposal: 'token',
  },
  'canto.govshuttle.v1': { LendingMarketProposal: 'metadata:LendingMarket', TreasuryProposal: 'metadata:Treasury' },
  'kava.committee.v1beta1': {
    CommitteeChangeProposal: 'new_committee:any',
    CommitteeDeleteProposal: 'committee_id:u64',
  },
  'kava.kavadist.v1beta1': { CommunityPoolMultiSpendProposal: 'recipient_list:*Spend' },
  'kava.community.v1beta1': {
    CommunityPoolLendDepositProposal: fromCoins,
    CommunityPoolLendWithdrawProposal: fromCoins,
    CommunityCDPRepayDebtProposal: 'collateral_type,payment:Coin',
    CommunityCDPWithdrawCollateralProposal: 'collateral_type,collateral:Coin',
    CommunityPoolProposal: 'messages:*any',
  },
  'kava.earn.v1beta1': { CommunityPoolDepositProposal: 'amount:Coin', CommunityPoolWithdrawProposal: 'amount:Coin' },
  'gravity.v1': {
    UnhaltBridgeProposal: '4=target_nonce:u64',
    AirdropProposal: 'denom,recipients:bytes,amounts:*u64',
    CommunityPoolEthereumSpendProposal: 'recipient,amount:Coin,bridge_fee:Coin',
  },
  'provenance.marker.v1': {
    AddMarkerProposal:
      'amount:Coin,manager,status:MarkerStatus,marker_type:MarkerType,access_list:*AccessGrant,supply_fixed:bool,allow_governance_control:bool,required_attributes?:*string',
    SupplyIncreaseProposal: 'amount:Coin,target_address',
    SupplyDecreaseProposal: 'amount:Coin',
    SetAdministratorProposal: 'denom,access:*AccessGrant',
    RemoveAdministratorProposal: 'denom,removed_address:*string',
    ChangeStatusProposal: 'denom,new_status:MarkerStatus',
    WithdrawEscrowProposal: 'denom,amount:*Coin,target_address',
    SetDenomMetadataProposal: 'metadata:Metadata',
  },
  'provenance.msgfees.v1': {
    AddMsgFeeProposal: 'msg_type_url,additional_fee:Coin,recipient?,recipient_basis_points?',
    UpdateMsgFeeProposal: 'msg_type_url,additional_fee:Coin,recipient?,recipient_basis_points?',
    RemoveMsgFeeProposal: 'msg_type_url',
  },
  'provenance.name.v1': { CreateRootNameProposal: 'name,owner,restricted:bool' },
  'terra.treasury.v1beta1': {
    AddBurnTaxExemptionAddressProposal: 'addresses:*string',
    RemoveBurnTaxExemptionAddressProposal: 'addresses:*string',
  },
  'axelar.axelarnet.v1beta1': { CallContractsProposal: 'contract_calls:*ContractCall' },
  'quicksilver.interchainstaking.v1': {
    RegisterZoneProposal:
      'connection_id,base_denom,local_denom,account_prefix,multi_send:bool,liquidity_module:bool,messages_per_tx?:i64,' +
      'return_to_sender?:bool,deposits_enabled?:bool,unbonding_enabled?:bool,decimals?:i64,is_118?:bool',
    UpdateZoneProposal: 'chain_id,changes:*KeyValue',
  },
  'stride.stakeibc': {
    AddValidatorsProposal: 'host_zone,5=deposit',
    ToggleLSMProposal: 'host_zone,enabled:bool,deposit',
  },
  'seiprotocol.seichain.evm': {
    AddERCNativePointerProposal: 'token,pointer,version:u32',
    AddERCCW20PointerProposal: pegged,
    AddERCCW721PointerProposal: pegged,
    AddCWERC20PointerProposal: pegged,
    AddCWERC721PointerProposal: pegged,
  },
};

/** Types that stand inside others. */
export const nestedTypes: Readonly<Record<string, string>> = {
  Coin: 'denom,amount',
  Height: 'revision_number:u64,revision_height:u64',
  ParamChange: 'subspace,key,value',
  Plan: 'name,time?:time,height:i64,info,upgraded_client_state?:any',
  AccessConfig: 'permission!:AccessType,address?,addresses?:*string',
  AccessConfigUpdate: 'code_id:u64,instantiate_permission:AccessConfig',
  Equivocation: 'height:i64,time:time,power:i64,consensus_address',
  DistrRecord: 'gauge_id:u64,weight',
  SuperfluidAsset: 'denom,asset_type:SuperfluidAssetType',
  FeeToken: 'denom,poolID:u64',
  PoolLink: 'balancer_pool_id:u64,cl_pool_id:u64',
  LinkedPoolRecord: 'denom0,denom1,tick_spacing:u64,exponent_at_price_one?,spread_factor:dec,balancer_pool_id:u64',
  PoolRecord: 'denom0,denom1,tick_spacing:u64,5=spread_factor:dec',
  TickSpacing: 'pool_id:u64,new_tick_spacing:u64',
  PoolIds: 'pool_ids:*u64',
  TakerFee: 'denom0,denom1,taker_fee:dec',
  Metadata: 'description,denom_units:*DenomUnit,base,display,name?,symbol?,uri?,uri_hash?',
  DenomUnit: 'denom,exponent:u32,aliases:*string',
  LendingMarket: 'Account:*string,PropId:u64,values:*u64,calldatas:*string,signatures:*string',
  Treasury: 'PropID:u64,recipient,amount:u64,denom',
  Spend: 'address,amount:*Coin',
  ContractCall: 'chain,contract_address,payload:bytes',
  KeyValue: 'key,value',
  AccessGrant: 'address,permissions:*Access',
};

/** Enums that count from 0: the prefix of their names, then the names. */
export const enums: Readonly<Record<string, string>> = {
  AccessType: 'ACCESS_TYPE_ UNSPECIFIED NOBODY ONLY_ADDRESS EVERYBODY ANY_OF_ADDRESSES',
  SuperfluidAssetType: 'SuperfluidAssetType Native LPShare ConcentratedShare',
  MarkerStatus: 'MARKER_STATUS_ UNSPECIFIED PROPOSED FINALIZED ACTIVE CANCELLED DESTROYED',
  Access: 'ACCESS_ UNSPECIFIED MINT BURN DEPOSIT WITHDRAW DELETE ADMIN TRANSFER',
  MarkerType: 'MARKER_TYPE_ UNSPECIFIED COIN RESTRICTED',
  VoteOption: 'VOTE_OPTION_ UNSPECIFIED YES ABSTAIN NO NO_WITH_VETO',
  GroupExec: 'EXEC_ UNSPECIFIED TRY',
  CircuitLevel: 'LEVEL_ NONE_UNSPECIFIED SOME_MSGS ALL_MSGS SUPER_ADMIN',
  AuthorizationType: 'AUTHORIZATION_TYPE_ UNSPECIFIED DELEGATE UNDELEGATE REDELEGATE CANCEL_UNBONDING_DELEGATION',
  ChannelOrder: 'ORDER_ NONE_UNSPECIFIED UNORDERED ORDERED',
  ChannelState: 'STATE_ UNINITIALIZED_UNSPECIFIED INIT TRYOPEN OPEN CLOSED FLUSHING FLUSHCOMPLETE',
  PacketType: 'TYPE_ UNSPECIFIED EXECUTE_TX',
};

/** The names of an enum, in the order of their numbers; undefined for any other type. */
export function enumNames(type: string): readonly string[] | undefined {
  const [prefix, ...names] = own(enums, type)?.split(' ') ?? [];
  return prefix === undefined ? undefined : names.map((name) => `${prefix}${name}`);
}

/** One field of a type; `type` is a scalar word (`u64`, `json`, …), the name of a nested type or of an enum. */
export interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly optional: boolean;
  /** Chains refuse it empty: the line has `!` behind the name. */
  readonly isNeeded: boolean;
}

/** The fields of a content or message by its full name without a leading slash; undefined if it is not known. */
export function fieldsOf(typeName: string): readonly Field[] | undefined {
  const dot = typeName.lastIndexOf('.');
  const name = typeName.slice(dot + 1);
  const line = own(own(contentTypes, typeName.slice(0, dot)), name);
  if (line === undefined) return undefined;
  return fieldsOfLine(name.startsWith('Msg') ? line : ['title', 'description', line].filter(Boolean).join(','));
}

/** The fields of a nested type by its short name. */
export function nestedFields(name: string): readonly Field[] | undefined {
  const line = own(nestedTypes, name);
  return line === undefined ? undefined : fieldsOfLine(line);
}

/** Whether a type is encoded as a varint. */
export function isNumeric(type: string): boolean {
  return ['u64', 'i64', 'u32', 'bool'].includes(type) || own(enums, type) !== undefined;
}

/** A varint as REST shows it: 64-bit integers as strings, enums by name where it is known. */
export function toNumeric(type: string, value: bigint): string | number | boolean {
  if (type === 'u64') return String(value);
  if (type === 'i64') return String(BigInt.asIntN(64, value));
  if (type === 'bool') return value !== 0n;
  if (type === 'u32') return Number(BigInt.asUintN(32, value));
  const number = Number(BigInt.asIntN(32, value));
  return enumNames(type)?.[number] ?? number;
}

/** The value that REST shows for a field that the bytes do not contain. */
export function zeroOf(type: string): unknown {
  if (isNumeric(type)) return toNumeric(type, 0n);
  return type === 'string' ? '' : type === 'dec' ? toDec('0') : null;
}

/** The RFC 3339 text of a protobuf Timestamp as REST shows it (0, 3, 6 or 9 digits); undefined outside years 1–9999. */
export function toTimestamp(seconds: bigint, nanos: number): string | undefined {
  if (seconds < -62135596800n || seconds > 253402300799n || nanos < 0 || nanos > 999_999_999) return undefined;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction(nanos)}Z`;
}

/** A protobuf Duration as REST shows it: `172800s`, `0.500s`; undefined if seconds and nanos have different signs. */
export function toDuration(seconds: bigint, nanos: number): string | undefined {
  if (Math.abs(nanos) > 999_999_999 || (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0)) return undefined;
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  return `${sign}${seconds < 0n ? -seconds : seconds}${fraction(Math.abs(nanos))}s`;
}

/** A Dec as JSON has it: in protobuf its text is the integer without the point, 18 digits to the left; other text stays. */
export function toDec(raw: string): string {
  const [, sign, digits] = /^(-?)(\d+)$/.exec(raw) ?? [];
  if (digits === undefined) return raw;
  const padded = digits.padStart(19, '0');
  return `${sign}${padded.slice(0, -18)}.${padded.slice(-18)}`;
}

function fraction(nanos: number): string {
  const digits = String(nanos).padStart(9, '0');
  return nanos === 0 ? '' : `.${digits.replace(/(000){1,2}$/, '')}`;
}

function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table && ownValue(table, name);
}

/** The fields of a line of the tables. */
export function fieldsOfLine(line: string): readonly Field[] {
  const fields: Field[] = [];
  for (const [, jump, name = '', mark, repeated, type = 'string'] of line.matchAll(
    /(?:(\d+)=)?(\w+)([?!])?(?::(\*)?(\w+))?/g,
  )) {
    const number = jump ? Number(jump) : (fields.at(-1)?.number ?? 0) + 1;
    fields.push({ number, name, type, repeated: repeated === '*', optional: mark === '?', isNeeded: mark === '!' });
  }
  return fields;
}
