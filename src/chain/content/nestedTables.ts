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
