/**
 * The protobuf fields of gov contents (contract-facts section 6 and the published .proto files), one line a type.
 * `name:type` in field order; `7=name` jumps to a number; `*type` is repeated; `name?` is left out where the bytes do
 * not hold it (fields that older chains lack), all others show their default as REST does. No type is `string`.
 * Contents start at field 3, behind title and description; messages (`Msg…`) and nested types start at 1.
 */
const access = 'instantiate_permission:AccessConfig';
const fromCoins = 'amount:*Coin';
const pegged = 'pointee,pointer,version:u32';

/** Contents and messages by package. */
export const contentTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cosmos.gov.v1beta1': { TextProposal: '' },
  'cosmos.gov.v1': { MsgExecLegacyContent: 'content:any,authority' },
  'cosmos.params.v1beta1': { ParameterChangeProposal: 'changes:*ParamChange' },
  'cosmos.distribution.v1beta1': {
    CommunityPoolSpendProposal: 'recipient,amount:*Coin',
    CommunityPoolSpendProposalWithDeposit: 'recipient,amount,deposit',
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
    StoreCodeProposal: `run_as,wasm_byte_code:bytes,7=${access},unpin_code:bool,source?,builder?,code_hash?:bytes`,
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
    StoreAndInstantiateContractProposal: `run_as,wasm_byte_code:bytes,${access},unpin_code:bool,admin,label,msg:json,funds:*Coin,source,builder,code_hash:bytes`,
    MsgStoreCode: `sender,wasm_byte_code:bytes,5=${access}`,
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
    MsgStoreAndInstantiateContract: `authority,3=wasm_byte_code:bytes,${access},unpin_code:bool,admin,label,msg:json,funds:*Coin,source,builder,code_hash:bytes`,
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
  'evmos.incentives.v1': {
    RegisterIncentiveProposal: 'contract,allocations:*DecCoin,epochs:u32',
    CancelIncentiveProposal: 'contract',
  },
  'evmos.vesting.v2': { ClawbackProposal: 'address,destination_address' },
  'canto.erc20.v1': {
    RegisterCoinProposal: 'metadata:Metadata',
    RegisterERC20Proposal: 'erc20address',
    ToggleTokenConversionProposal: 'token',
  },
  'canto.govshuttle.v1': {
    LendingMarketProposal: 'metadata:LendingMarket',
    TreasuryProposal: 'metadata:Treasury',
  },
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
  'kava.earn.v1beta1': {
    CommunityPoolDepositProposal: 'amount:Coin',
    CommunityPoolWithdrawProposal: 'amount:Coin',
  },
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
  'umee.leverage.v1': { UpdateRegistryProposal: 'registry:*Token' },
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
