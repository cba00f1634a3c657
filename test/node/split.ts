import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { openNode } from '../../src/api/open.ts';
import type { SupplySplit } from '../../src/chain/coin.ts';
import { readSplit } from '../../src/session/readSplit.ts';
import { startFolder } from '../support/folders.ts';
import { startSampleNode } from '../support/nodes.ts';
import { addresses, bondDenom } from './accounts.ts';
import type { Version } from './build.ts';
import { freePorts, startNode } from './chain.ts';
import { jsonFile, type Message, Signer } from './cli.ts';
import { makeHome } from './genesis.ts';

const day = 86_400;
const stake = (amount: number) => [{ denom: bondDenom, amount: String(amount) }];

/** An account of each kind, half of whose time is over; the second holds less than it locked, as it delegated the rest. */
const kinds = ['Continuous', 'Delayed', 'Periodic', 'Permanent'] as const;
/** Any 20 bytes: nothing is signed for them. */
const vestingAddresses = [
  'cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpjnp7du',
  'cosmos1qgpqyqszqgpqyqszqgpqyqszqgpqyqszrh8mx2',
  'cosmos1qvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrz8x6vt',
  'cosmos1qszqgpqyqszqgpqyqszqgpqyqszqgpqyzhplth',
] as const;
const balance = 1_050;

function vestingAccount(kind: (typeof kinds)[number], address: string, number: number, now: number): Message {
  const base_vesting_account = {
    base_account: { address, pub_key: null, account_number: String(number), sequence: '0' },
    original_vesting: stake(1_000),
    delegated_free: [],
    delegated_vesting: kind === 'Delayed' ? stake(300) : [],
    end_time: kind === 'Permanent' ? '0' : String(now + 1_000 * day),
  };
  const periods = [
    { length: String(500 * day), amount: stake(400) },
    { length: String(1_500 * day), amount: stake(600) },
  ];
  const type = kind === 'Permanent' ? 'PermanentLockedAccount' : `${kind}VestingAccount`;
  return {
    '@type': `/cosmos.vesting.v1beta1.${type}`,
    base_vesting_account,
    ...(kind === 'Continuous' || kind === 'Periodic' ? { start_time: String(now - 1_000 * day) } : {}),
    ...(kind === 'Periodic' ? { vesting_periods: periods } : {}),
  };
}

/**
 * Compares where the coins of a chain are, as the extension reads it from the node and from its exported state, with every
 * balance and spendable balance that the node states at that height. Gives what differs.
 */
export async function checkSplit(binary: string, version: Version, stop: AbortSignal): Promise<readonly string[]> {
  const folder = startFolder(`split-${version}`);
  const ports = await freePorts();
  const cli = await makeHome(binary, version, folder.path, ports, stop);
  const file = join(folder.path, 'config/genesis.json');
  const genesis = jsonFile(file);
  const { auth, bank } = genesis.app_state;
  const now = Math.floor(Date.parse(genesis.genesis_time) / 1000);
  for (const [at, kind] of kinds.entries()) {
    const address = vestingAddresses[at] ?? '';
    auth.accounts.push(vestingAccount(kind, address, auth.accounts.length, now));
    bank.balances.push({ address, coins: stake(balance) });
  }
  writeFileSync(file, JSON.stringify(genesis));
  const submit = {
    '@type': '/cosmos.gov.v1.MsgSubmitProposal',
    messages: [],
    initial_deposit: stake(500),
    proposer: addresses.alice,
    metadata: 'm',
    title: 'T',
    summary: 'S',
    expedited: false,
  };
  const signed = await new Signer(cli).sign('alice', [submit], 'a deposit');
  const running = await startNode(binary, folder.path, ports, stop, []);
  try {
    await running.send([signed]);
    const node = openNode({ baseUrl: parseBaseUrl(running.rest), segment: 'cosmos' });
    const ofNode = await readSplit(node, bondDenom);
    await node.dispose();
    const ask = async (path: string): Promise<Record<string, Record<string, string>>> => {
      const headers = { 'x-cosmos-block-height': String(ofNode.height) };
      return Object(await (await fetch(`${running.rest}/cosmos/${path}`, { headers })).json());
    };
    const holds = async (address: string, kind = 'balances') =>
      BigInt((await ask(`bank/v1beta1/${kind}/${address}/by_denom?denom=${bondDenom}`)).balance?.amount ?? -1);
    const expected = new Map<string, bigint>();
    const { accounts } = Object(await ask('auth/v1beta1/module_accounts'));
    for (const { name, base_account } of accounts) expected.set(`module ${name}`, await holds(base_account.address));
    const supply = BigInt((await ask(`bank/v1beta1/supply/by_denom?denom=${bondDenom}`)).amount?.amount ?? -1);
    const rest = supply - [...expected.values()].reduce((sum, amount) => sum + amount, 0n);
    let locked = 0n;
    for (const address of vestingAddresses)
      locked += (await holds(address)) - (await holds(address, 'spendable_balances'));
    await running.dispose();
    const exported = await cli.run(['export', '--height', String(ofNode.height)]);
    const state = join(folder.path, 'state.json');
    writeFileSync(state, exported.slice(exported.search(/^\{/m)));
    const local = await startSampleNode(state);
    const ofState = await readSplit(local.node, bondDenom);
    await local.dispose();
    const free = BigInt(kinds.length * balance) - locked;
    const others = rest - locked - free;
    const asState = new Map([
      ...expected,
      ['vesting_locked ', locked],
      ['vesting_free ', free],
      ['other ', others],
      ['residue ', 0n],
    ]);
    console.log(
      `   split at height ${ofNode.height}: ${ofNode.rows.length} rows of the node, ${ofState.rows.length} of its state, ${locked} locked`,
    );
    return [
      ...differences('node', ofNode, supply, new Map([...expected, ['other ', rest]])),
      ...differences('state', ofState, supply, asState),
      ...(locked === 0n || (expected.get('module gov') ?? 0n) === 0n ? ['nothing is locked, or deposited'] : []),
    ];
  } finally {
    await running.dispose();
    folder.dispose();
  }
}

function differences(of: string, split: SupplySplit, supply: bigint, expected: ReadonlyMap<string, bigint>): string[] {
  const found = new Map(split.rows.map((row) => [`${row.class} ${row.name}`, row.amount]));
  const names = new Set([...found.keys(), ...expected.keys()]);
  const wrong = [...names].filter((name) => (found.get(name) ?? 0n) !== (expected.get(name) ?? 0n));
  return [
    ...(split.supply === supply ? [] : [`the ${of} says a supply of ${split.supply}, not ${supply}`]),
    ...wrong.map((name) => `split of the ${of}: ${name} ${found.get(name)}, not ${expected.get(name)}`),
  ];
}
