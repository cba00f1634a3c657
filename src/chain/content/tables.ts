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

/**
 * Messages of governance over the modules of the SDK, IBC and wasm (SDK 0.47 to 0.53, ibc-go 8 to 10, their .proto
 * files), written as in `fieldTables.ts`.
 */
export const moduleMessages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cosmos.auth.v1beta1': { MsgUpdateParams: 'authority,params:AuthParams' },
  'cosmos.bank.v1beta1': {
    MsgUpdateParams: 'authority,params:BankParams',
    MsgSetSendEnabled: 'authority,send_enabled:*SendEnabled,use_default_for:*string',
    MsgSend: 'from_address,to_address,amount:*Coin',
  },
  'cosmos.consensus.v1': {
    MsgUpdateParams: 'authority,block:BlockParams,evidence:EvidenceParams,validator:ValidatorParams,abci?:AbciParams',
  },
  'cosmos.crisis.v1beta1': { MsgUpdateParams: 'authority,constant_fee:Coin' },
  'cosmos.distribution.v1beta1': { MsgUpdateParams: 'authority,params:DistributionParams' },
  'cosmos.gov.v1': { MsgUpdateParams: 'authority,params:GovParams' },
  'cosmos.mint.v1beta1': { MsgUpdateParams: 'authority,params:MintParams' },
  'cosmos.protocolpool.v1': {
    MsgUpdateParams: 'authority,params:ProtocolPoolParams',
    MsgCommunityPoolSpend: 'authority,recipient,amount:*Coin',
    MsgCreateContinuousFund: 'authority,recipient,percentage:dec,expiry?:time',
    MsgCancelContinuousFund: 'authority,recipient',
  },
  'cosmos.slashing.v1beta1': { MsgUpdateParams: 'authority,params:SlashingParams' },
  'cosmos.staking.v1beta1': { MsgUpdateParams: 'authority,params:StakingParams' },
  'cosmwasm.wasm.v1': { MsgUpdateParams: 'authority,params:WasmParams' },
  'ibc.applications.interchain_accounts.controller.v1': { MsgUpdateParams: 'signer,params:IcaControllerParams' },
  'ibc.applications.interchain_accounts.host.v1': { MsgUpdateParams: 'signer,params:IcaHostParams' },
  'ibc.applications.transfer.v1': { MsgUpdateParams: 'signer,params:TransferParams' },
  'ibc.core.client.v1': { MsgUpdateParams: 'signer,params:ClientParams' },
  'ibc.core.connection.v1': { MsgUpdateParams: 'signer,params:ConnectionParams' },
};

/** What stands inside these messages. */
export const moduleTypes: Readonly<Record<string, string>> = {
  AuthParams:
    'max_memo_characters:u64,tx_sig_limit:u64,tx_size_cost_per_byte:u64,sig_verify_cost_ed25519:u64,sig_verify_cost_secp256k1:u64',
  BankParams: 'send_enabled:*SendEnabled,default_send_enabled:bool',
  SendEnabled: 'denom,enabled:bool',
  BlockParams: 'max_bytes:i64,max_gas:i64',
  EvidenceParams: 'max_age_num_blocks:i64,max_age_duration:dur,max_bytes:i64',
  ValidatorParams: 'pub_key_types:*string',
  AbciParams: 'vote_extensions_enable_height:i64',
  DistributionParams: 'community_tax:dec,base_proposer_reward:dec,bonus_proposer_reward:dec,withdraw_addr_enabled:bool',
  GovParams:
    'min_deposit:*Coin,max_deposit_period:dur,voting_period:dur,quorum,threshold,veto_threshold,min_initial_deposit_ratio,' +
    'proposal_cancel_ratio?,proposal_cancel_dest?,expedited_voting_period?:dur,expedited_threshold?,expedited_min_deposit?:*Coin,' +
    'burn_vote_quorum:bool,burn_proposal_deposit_prevote:bool,burn_vote_veto:bool,min_deposit_ratio?',
  MintParams:
    'mint_denom,inflation_rate_change:dec,inflation_max:dec,inflation_min:dec,goal_bonded:dec,blocks_per_year:u64,max_supply?',
  ProtocolPoolParams: 'enabled_distribution_denoms:*string,distribution_frequency:u64',
  SlashingParams:
    'signed_blocks_window:i64,min_signed_per_window:dec,downtime_jail_duration:dur,slash_fraction_double_sign:dec,slash_fraction_downtime:dec',
  StakingParams:
    'unbonding_time:dur,max_validators:u32,max_entries:u32,historical_entries:u32,bond_denom,min_commission_rate:dec',
  WasmParams: 'code_upload_access:AccessConfig,instantiate_default_permission:AccessType',
  IcaControllerParams: 'controller_enabled:bool',
  IcaHostParams: 'host_enabled:bool,allow_messages:*string',
  TransferParams: 'send_enabled:bool,receive_enabled:bool',
  ClientParams: 'allowed_clients:*string',
  ConnectionParams: 'max_expected_time_per_block:u64',
};

/** Types that stand inside others. */
export const nestedTypes: Readonly<Record<string, string>> = {
  Coin: 'denom,amount',
  DecCoin: 'denom,amount:dec',
  Height: 'revision_number:u64,revision_height:u64',
  ParamChange: 'subspace,key,value',
  Plan: 'name,time?:time,height:i64,info,upgraded_client_state?:any',
  AccessConfig: 'permission:AccessType,address?,addresses?:*string',
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
  Token:
    'base_denom,reserve_factor:dec,collateral_weight:dec,liquidation_threshold:dec,base_borrow_rate:dec,kink_borrow_rate:dec,' +
    'max_borrow_rate:dec,kink_utilization:dec,liquidation_incentive:dec,symbol_denom,exponent:u32,enable_msg_supply?:bool,' +
    'enable_msg_borrow?:bool,blacklist?:bool,max_collateral_share?:dec,max_supply_utilization?:dec,' +
    'min_collateral_liquidity?:dec,max_supply?,historic_medians?:u32',
  AccessGrant: 'address,permissions:*Access',
};

/** Enums that count from 0. */
export const enums: Readonly<Record<string, readonly string[]>> = {
  AccessType: ['UNSPECIFIED', 'NOBODY', 'ONLY_ADDRESS', 'EVERYBODY', 'ANY_OF_ADDRESSES'].map((n) => `ACCESS_TYPE_${n}`),
  SuperfluidAssetType: ['Native', 'LPShare', 'ConcentratedShare'].map((n) => `SuperfluidAssetType${n}`),
  MarkerStatus: ['UNSPECIFIED', 'PROPOSED', 'FINALIZED', 'ACTIVE', 'CANCELLED', 'DESTROYED'].map(
    (n) => `MARKER_STATUS_${n}`,
  ),
  Access: ['UNSPECIFIED', 'MINT', 'BURN', 'DEPOSIT', 'WITHDRAW', 'DELETE', 'ADMIN', 'TRANSFER'].map(
    (n) => `ACCESS_${n}`,
  ),
  MarkerType: ['UNSPECIFIED', 'COIN', 'RESTRICTED'].map((n) => `MARKER_TYPE_${n}`),
};
