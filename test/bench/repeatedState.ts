import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

export const coinsInState = 5000;
export const proposalsInState = 500;

/**
 * Writes an export of about `megabytes` MB: blocks of accounts, of balances, of delegations and of what the distribution module
 * keeps for each delegation, repeated; then the supply, which is the sum of the balances, 500 proposals and the validators. Only
 * as much as fits the blocks is made, so 4 GB are written as fast as the disk takes them.
 */
export async function writeRepeatedState(file: string, megabytes: number): Promise<void> {
  const denoms = Array.from({ length: coinsInState }, (_, index) =>
    index === 0 ? 'uatom' : `ibc/${(index * 7919).toString(16).toUpperCase().padStart(64, '0')}`,
  );
  const address = (index: number) => `cosmos1${index.toString(36).padStart(8, 'q').repeat(5).slice(2)}`;
  const quarter = (megabytes * 1e6) / 4;
  const times = Math.ceil(quarter / largestBlock);
  const accounts = toBlock(quarter / times, (index) => ({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address: address(index),
    pub_key: { '@type': '/cosmos.crypto.secp256k1.PubKey', key: `A${String(index).padStart(42, 'x')}=` },
    account_number: String(index),
    sequence: String(index % 1000),
  }));
  const sums = new Map<string, bigint>();
  const balances = toBlock(quarter / times, (index) => {
    const amount = (index * 7_368_787) % 10_000_000_000;
    const chosen = [0, ...(index % 7 === 0 ? [1 + ((index / 7) % (coinsInState - 1))] : [])].map(
      (n) => denoms[n] ?? '',
    );
    for (const denom of chosen) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount * times));
    return { address: address(index), coins: chosen.map((denom) => ({ denom, amount: String(amount) })) };
  });
  const delegations = toBlock(quarter / times, (index) => ({
    delegator_address: address(index),
    validator_address: `cosmosvaloper1${address(index % 180).slice(7)}`,
    shares: `${(index * 7_368_787) % 10_000_000_000}.000000000000000000`,
  }));
  const startingInfos = toBlock(quarter / times, (index) => ({
    delegator_address: address(index),
    validator_address: `cosmosvaloper1${address(index % 180).slice(7)}`,
    starting_info: { previous_period: String(index), stake: `${index}.000000000000000000`, height: '4821000' },
  }));
  const supply = [...sums].map(([denom, amount]) => ({ denom, amount: String(amount) }));
  const out = createWriteStream(file, { highWaterMark: 1 << 22 });
  const write = async (bytes: string | Buffer) => {
    if (!out.write(bytes)) await once(out, 'drain');
  };
  await write(
    '{"genesis_time":"2024-01-01T00:00:00Z","chain_id":"bench-1","initial_height":"100","app_state":{"auth":{"params":{},"accounts":[',
  );
  for (let block = 0; block < times; block++) await write(block === 0 ? accounts.subarray(1) : accounts);
  await write(']},"bank":{"params":{"default_send_enabled":true},"balances":[');
  for (let block = 0; block < times; block++) await write(block === 0 ? balances.subarray(1) : balances);
  await write(`],"supply":${JSON.stringify(supply)},"denom_metadata":[]},"gov":{"deposits":[],"votes":[],"proposals":`);
  await write(JSON.stringify(Array.from({ length: proposalsInState }, (_, index) => toProposal(index))));
  await write('},"distribution":{"delegator_starting_infos":[');
  for (let block = 0; block < times; block++) await write(block === 0 ? startingInfos.subarray(1) : startingInfos);
  await write(']},"staking":{"exported":true,"delegations":[');
  for (let block = 0; block < times; block++) await write(block === 0 ? delegations.subarray(1) : delegations);
  await write('],"validators":[{"status":"BOND_STATUS_BONDED","tokens":"12"}]}}}');
  out.end();
  await once(out, 'finish');
}

export function toProposal(index: number): Record<string, unknown> {
  return {
    proposal_id: String(index + 1),
    content: {
      '@type': '/cosmos.gov.v1beta1.TextProposal',
      title: `Title ${index}`,
      description: 'some words '.repeat(100),
    },
    status: 'PROPOSAL_STATUS_PASSED',
    final_tally_result: { yes: '10', abstain: '0', no: '3', no_with_veto: '1' },
    submit_time: '2023-01-01T00:00:00Z',
    deposit_end_time: '2023-01-15T00:00:00Z',
    total_deposit: [{ denom: 'uatom', amount: '512000000' }],
    voting_start_time: '2023-01-02T00:00:00Z',
    voting_end_time: '2023-01-16T00:00:00Z',
  };
}

const largestBlock = 8e6;

/** Items as JSON, a comma before each: as many as fit into `bytes`. */
function toBlock(bytes: number, item: (index: number) => object): Buffer {
  const parts: string[] = [];
  for (let index = 0, size = 0; size < bytes; index++) {
    const text = `,${JSON.stringify(item(index))}`;
    parts.push(text);
    size += text.length;
  }
  return Buffer.from(parts.join(''));
}
