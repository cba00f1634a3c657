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
