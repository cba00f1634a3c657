import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { openNode } from '../../src/api/open.ts';
import type { SupplySplit } from '../../src/chain/supplySplit.ts';
import { readSplit } from '../../src/reads/readSplit.ts';
import { maxAges } from '../../src/session/kept.ts';
import { startFolder } from '../support/folders.ts';
import { keptChain, startSampleNode } from '../support/nodes.ts';
import { addresses, bondDenom } from './accounts.ts';
import { featuresOf, isIbc, type NodeName, sdkOf } from './build.ts';
import { freePorts, type RunningNode, startNode } from './chain.ts';
import { type Cli, exportState, jsonFile, type Message, Signer } from './cli.ts';
import { makeHome, validators } from './genesis.ts';
import { addChannels, escrowsOf, type StatedEscrow, transfers, voucher, voucherPath } from './ibc.ts';

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
export async function checkSplit(binary: string, name: NodeName, stop: AbortSignal): Promise<readonly string[]> {
  const folder = startFolder(`split-${name}`);
  const limit = AbortSignal.any([stop, AbortSignal.timeout(600_000)]);
  let running: RunningNode | undefined;
  try {
    const ports = await freePorts();
    const cli = await makeHome(binary, sdkOf(name), folder.path, ports, limit);
    const hasIbc = isIbc(name);
    editGenesis(join(folder.path, 'config/genesis.json'), hasIbc);
    const signed = await new Signer(cli).sign('alice', messagesOf(name), 'what moves coins');
    running = await startNode(binary, folder.path, ports, limit);
    await running.send([signed]);

    const denoms = hasIbc ? [bondDenom, 'uosmo', voucher] : [bondDenom];
    const node = openNode({ baseUrl: parseBaseUrl(running.rest), segment: 'cosmos' });
    const ofNode: SupplySplit[] = [];
    const chain = keptChain(node);
    for (const denom of denoms) ofNode.push(await readSplit(chain, denom, { maxAge: maxAges.screen }));
    const origin = hasIbc ? await node.ibcDenom(voucher.slice('ibc/'.length)) : undefined;
    await node.dispose();
    const height = ofNode[0]?.height;
    if (height === undefined || ofNode.some((split) => split.height !== height)) return ['the node keeps to no height'];
    const stated: Stated[] = [];
    for (const denom of denoms) stated.push(await askNode(running.rest, height, denom, hasIbc));
    await running.dispose();

    const ofState = await readState(cli, height, denoms);
    const lost = hasIbc && `${origin?.path}/${origin?.base}` !== voucherPath ? [`${voucher} comes from nowhere`] : [];
    return [...lost, ...stated.flatMap((one, at) => compare(one, ofNode[at], ofState[at]))];
  } finally {
    await running?.dispose();
    folder.dispose();
  }
}

/** Adds a vesting account of each kind, and channels where the chain has IBC. */
function editGenesis(file: string, hasIbc: boolean): void {
  const genesis = jsonFile(file);
  const { auth, bank } = genesis.app_state;
  const now = Math.floor(Date.parse(genesis.genesis_time) / 1000);
  for (const [at, kind] of kinds.entries()) {
    const address = vestingAddresses[at] ?? '';
    auth.accounts.push(vestingAccount(kind, address, auth.accounts.length, now));
    bank.balances.push({ address, coins: stake(balance) });
  }
  if (hasIbc) addChannels(genesis.app_state);
  writeFileSync(file, JSON.stringify(genesis));
}

/** A deposit, an unbonding, and transfers over channels where the chain has them. */
function messagesOf(name: NodeName): readonly Message[] {
  const { titles, expedited } = featuresOf(sdkOf(name));
  const submit = {
    '@type': '/cosmos.gov.v1.MsgSubmitProposal',
    messages: [],
    initial_deposit: stake(500),
    proposer: addresses.alice,
    metadata: 'm',
    ...(titles ? { title: 'T', summary: 'S' } : {}),
    ...(expedited ? { expedited: false } : {}),
  };
  const undelegate = {
    '@type': '/cosmos.staking.v1beta1.MsgUndelegate',
    delegator_address: addresses.alice,
    validator_address: validators[0]?.operator,
    amount: stake(1_000)[0],
  };
  return [submit, undelegate, ...(isIbc(name) ? transfers : [])];
}

/** The statements of a node about one denom at a height. */
interface Stated {
  readonly denom: string;
  readonly supply: bigint;
  /** Module → balance. */
  readonly modules: ReadonlyMap<string, bigint>;
  readonly escrows: readonly StatedEscrow[];
  /** The amount that vesting accounts cannot spend, and the sum of their balances. */
  readonly locked: bigint;
  readonly vesting: bigint;
}

async function askNode(rest: string, height: bigint, denom: string, hasIbc: boolean): Promise<Stated> {
  const ask = async (path: string) => {
    const headers = { 'x-cosmos-block-height': String(height) };
    return Object(await (await fetch(`${rest}${path}`, { headers })).json());
  };
  const bank = '/cosmos/bank/v1beta1';
  const holds = async (address: string) =>
    BigInt((await ask(`${bank}/balances/${address}/by_denom?denom=${encodeURIComponent(denom)}`)).balance.amount);
  const spendable = async (address: string) => {
    const { balances } = await ask(`${bank}/spendable_balances/${address}?pagination.limit=1000`);
    return BigInt(balances.find((coin: { denom: string }) => coin.denom === denom)?.amount ?? 0);
  };
  const modules = new Map<string, bigint>();
  const { accounts } = await ask('/cosmos/auth/v1beta1/module_accounts');
  for (const { name, base_account } of accounts) modules.set(name, await holds(base_account.address));
  let [locked, vesting] = [0n, 0n];
  for (const address of vestingAddresses) {
    const held = await holds(address);
    vesting += held;
    locked += held - (await spendable(address));
  }
  const { amount } = await ask(`${bank}/supply/by_denom?denom=${encodeURIComponent(denom)}`);
  const escrows = hasIbc ? await escrowsOf(ask, holds) : [];
  return { denom, supply: BigInt(amount.amount), modules, escrows, locked, vesting };
}

/** The splits of the state that a node exports at a height. */
async function readState(cli: Cli, height: bigint, denoms: readonly string[]): Promise<readonly SupplySplit[]> {
  const local = await startSampleNode(await exportState(cli, height));
  try {
    const splits: SupplySplit[] = [];
    const chain = keptChain(local.node);
    for (const denom of denoms) splits.push(await readSplit(chain, denom, { maxAge: maxAges.screen }));
    return splits;
  } finally {
    await local.dispose();
  }
}

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((all, amount) => all + amount, 0n);

/** Where the two splits of a denom differ from what the node states; the rows are printed. */
function compare(stated: Stated, ofNode?: SupplySplit, ofState?: SupplySplit): readonly string[] {
  const { denom, supply, modules, escrows, locked, vesting } = stated;
  if (!ofNode || !ofState) return [`there is no split of ${denom}`];
  const named = [...modules].map(([name, amount]) => [`module ${name}`, amount] as const);
  // A node is asked only for open channels.
  const rowsOf = (all: readonly StatedEscrow[]) =>
    all.map(({ name, counterparty, amount }) => [`escrow ${name} ${counterparty}`, amount] as const);
  const [open, every] = [rowsOf(escrows.filter(({ isOpen }) => isOpen)), rowsOf(escrows)];
  const left = (rows: readonly (readonly [string, bigint])[]) => supply - sum(rows.map(([, amount]) => amount));
  const onNode = new Map([...named, ...open, ['other ', left([...named, ...open])]]);
  const inState = new Map([
    ...named,
    ...every,
    ['vesting_locked ', locked],
    ['vesting_free ', vesting - locked],
    ['other ', left([...named, ...every]) - vesting],
    ['residue ', 0n],
  ]);
  const isEmpty = denom === bondDenom && [locked, modules.get('gov'), unbondingIn(stated)].some((amount) => !amount);
  const rows = `${ofNode.rows.length} rows of the node and ${ofState.rows.length} of its state`;
  const escrowed = escrows.length > 0 ? `, ${sum(every.map(([, amount]) => amount))} in ${every.length} escrows` : '';
  console.log(
    `   split of ${supply} ${denom} at height ${ofNode.height}: ${rows}; ${locked} of ${vesting} in vesting accounts locked, ` +
      `${modules.get('gov')} in deposits, ${modules.get('not_bonded_tokens_pool')} not bonded${escrowed}`,
  );
  return [
    ...differences('node', ofNode, supply, onNode),
    ...differences('state', ofState, supply, inState),
    ...(isEmpty ? ['nothing is locked, deposited or unbonding'] : []),
  ];
}

/** The unbonding tokens, beside the stake of validators outside the set. */
function unbondingIn({ modules }: Stated): bigint {
  const jailed = sum(validators.filter((one) => one.jailed).map(({ tokens }) => tokens));
  return (modules.get('not_bonded_tokens_pool') ?? 0n) - jailed;
}

function differences(of: string, split: SupplySplit, supply: bigint, expected: ReadonlyMap<string, bigint>): string[] {
  const keyOf = ({ class: of, name, counterparty }: SupplySplit['rows'][number]) =>
    of === 'escrow' ? `escrow ${name} ${counterparty}` : `${of} ${name}`;
  const found = new Map(split.rows.map((row) => [keyOf(row), row.amount]));
  const names = new Set([...found.keys(), ...expected.keys()]);
  const wrong = [...names].filter((name) => (found.get(name) ?? 0n) !== (expected.get(name) ?? 0n));
  return [
    ...(split.supply === supply ? [] : [`the ${of} says a supply of ${split.supply}, not ${supply}`]),
    ...wrong.map((name) => `split of the ${of}: ${name} ${found.get(name)}, not ${expected.get(name)}`),
  ];
}
