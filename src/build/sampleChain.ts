import { base64Hash } from './sampleAddresses.ts';
import { sampleBank } from './sampleBank.ts';
import { sampleGov } from './sampleGov.ts';
import { sampleStaking } from './sampleStaking.ts';
import { sampleT0 } from './sampleTime.ts';

/**
 * The sample chain: an exported state as SDK 0.45 writes it (contract-facts section 5). Everything in it is made up here and
 * the same on every run. Times of the state are offsets from `genesis_time` (T0); whoever serves it moves T0 to its own start.
 */
export function sampleChain() {
  const gov = sampleGov();
  const heldByGov = gov.deposits.flatMap((one) => one.amount).reduce((sum, one) => sum + BigInt(one.amount), 0n);
  return {
    genesis_time: sampleT0,
    chain_id: 'sample-1',
    initial_height: '4821338',
    consensus_params: {
      block: { max_bytes: '200000', max_gas: '60000000', time_iota_ms: '1000' },
      evidence: { max_age_num_blocks: '302400', max_age_duration: '1814400000000000', max_bytes: '50000' },
      validator: { pub_key_types: ['ed25519'] },
      version: {},
    },
    app_hash: Buffer.from(base64Hash('app hash'), 'base64').toString('hex').toUpperCase(),
    app_state: {
      auth: authState(),
      bank: sampleBank(heldByGov),
      distribution: distributionState(),
      gov,
      mint: mintState(),
      slashing: slashingState(),
      staking: sampleStaking(),
      transfer: { port_id: 'transfer', denom_traces: [], params: { send_enabled: true, receive_enabled: true } },
    },
  };
}

/** The text of the committed file: one line of JSON. */
export const sampleChainText = () => `${JSON.stringify(sampleChain())}\n`;

const authState = () => ({
  params: {
    max_memo_characters: '512',
    tx_sig_limit: '7',
    tx_size_cost_per_byte: '10',
    sig_verify_cost_ed25519: '590',
    sig_verify_cost_secp256k1: '1000',
  },
  accounts: [],
});

const distributionState = () => ({
  params: {
    community_tax: '0.020000000000000000',
    base_proposer_reward: '0.010000000000000000',
    bonus_proposer_reward: '0.040000000000000000',
    withdraw_addr_enabled: true,
  },
});

const mintState = () => ({
  minter: { inflation: '0.072400000000000000', annual_provisions: '29865000000000.000000000000000000' },
  params: {
    mint_denom: 'usample',
    inflation_rate_change: '0.130000000000000000',
    inflation_max: '0.100000000000000000',
    inflation_min: '0.050000000000000000',
    goal_bonded: '0.670000000000000000',
    blocks_per_year: '5256000',
  },
});

const slashingState = () => ({
  params: {
    signed_blocks_window: '10000',
    min_signed_per_window: '0.050000000000000000',
    downtime_jail_duration: '600s',
    slash_fraction_double_sign: '0.050000000000000000',
    slash_fraction_downtime: '0.000100000000000000',
  },
  signing_infos: [],
  missed_blocks: [],
});
