import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AccountName, addresses, bondDenom, chainId, mnemonic, moduleAddresses } from './accounts.ts';
import { type Features, featuresOf, type Version } from './build.ts';
import { type Cli, cliOf, jsonFile } from './cli.ts';

/** Free ports of this machine for a node's REST, RPC and gRPC. */
export interface Ports {
  readonly rest: number;
  readonly rpc: number;
  readonly grpc: number;
}

interface Validator {
  readonly moniker: string;
  readonly operator: string;
  readonly tokens: bigint;
  /** Account → shares; more shares than tokens are what a slash leaves behind. */
  readonly shares: Readonly<Partial<Record<AccountName, bigint>>>;
  readonly jailed: boolean;
}

/**
 * Bonded are 15,000,000 in all, of which the first validator, the only one that signs blocks, has more than two thirds.
 * The second was slashed, so that powers have fractions; the fourth is jailed and counts for nothing.
 */
export const validators: readonly Validator[] = [
  {
    moniker: 'One',
    operator: 'cosmosvaloper19rl4cm2hmr8afy4kldpxz3fka4jguq0ae5egnx',
    tokens: 12_160_001n,
    shares: {
      val: 6_000_000n,
      alice: 1_500_000n,
      bob: 450_000n,
      dave: 700_001n,
      erin: 500_000n,
      frank: 500_000n,
      grace: 2_510_000n,
    },
    jailed: false,
  },
  {
    moniker: 'Two <b>& co</b> ☃',
    operator: 'cosmosvaloper1jrkmdcwgq94uaamx6zax2luewlhf7u4kevjy63',
    tokens: 1_760_150n,
    shares: { val2: 1_000_000n, bob: 450_000n, carol: 333_333n },
    jailed: false,
  },
  {
    moniker: 'Three',
    operator: 'cosmosvaloper1kng7tv83qesgvv2ze7hxlw4urfrjk8vq9844pc',
    tokens: 1_079_849n,
    shares: { val3: 1_079_849n },
    jailed: false,
  },
  {
    moniker: 'Four',
    operator: 'cosmosvaloper1zuvk68xw4y9swp06796rx8zarjvvkrt62w8n8v',
    tokens: 1_123_456n,
    shares: { val4: 1_000_000n, heidi: 123_456n },
    jailed: true,
  },
];
const unbonding = 12_345n;
const communityPool = 1_000n;
const perAccount = { stake: 20_000_000n, uosmo: 1_000_000n };

/** Seconds of chain time: long enough for every vote to be cast, as all transactions are signed beforehand. */
export const periods = { voting: 12, expedited: 6, deposit: 8 } as const;

export const ibcDenom = (channel: number) =>
  `ibc/${createHash('sha256').update(`transfer/channel-${channel}/uatom`).digest('hex').toUpperCase()}`;

/** Denoms of every form that the version allows, 1 to 76 digits of them; more than the 100 rows of a node's first page. */
export function holdings(features: Features): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  for (let i = 0; i < 30; i++) held.set(ibcDenom(i), String(10n ** BigInt(i) + BigInt(i)));
  for (let i = 1; i <= 40; i++) held.set(`gamm/pool/${i}`, String(BigInt(i) * 10n ** 18n));
  for (let i = 0; i < 20; i++)
    held.set(`factory/${addresses.alice}/${features.govV1 ? `x.${i}_y` : `x${i}`}`, `${i + 1}`);
  for (let i = 0; i < 14; i++) held.set(`${i % 2 ? 'U' : 'u'}coin${i}`, String(7n ** BigInt(i)));
  held.set('uatom', '123456789012345');
  held.set(`a${'z'.repeat(127)}`, '1');
  held.set('abc', '9'.repeat(76));
  const withNewSigns = ['a:b', 'a.b', 'a_b', 'by_denom', 'erc20/0xdAC17F958D2ee523a2206206994597C13D831ec7', 'abc/'];
  if (features.govV1) for (const denom of withNewSigns) held.set(denom, '42');
  return held;
}

const coins = (amounts: Iterable<readonly [string, string | bigint]>) =>
  [...amounts]
    .map(([denom, amount]) => ({ denom, amount: String(amount) }))
    .sort((a, b) => (a.denom < b.denom ? -1 : 1));

const sum = (amounts: readonly bigint[]) => amounts.reduce((a, b) => a + b, 0n);

/** An ed25519 key made of a name, as CometBFT writes it. */
function consensusKey(name: string) {
  const seed = createHash('sha256').update(name).digest();
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([head, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const address = createHash('sha256').update(publicKey).digest('hex').slice(0, 40).toUpperCase();
  return {
    address,
    publicKey: publicKey.toString('base64'),
    privateKey: Buffer.concat([seed, publicKey]).toString('base64'),
  };
}

/** Makes the home of a chain of one node in `folder`, all of it on loopback and on `ports`. */
export async function makeHome(binary: string, version: Version, folder: string, ports: Ports, stop: AbortSignal) {
  const cli = cliOf(binary, folder, stop);
  await cli.run(['init', 'node', '--chain-id', chainId]);
  await addKeys(cli);
  const { address, publicKey, privateKey } = consensusKey('One');
  writeFileSync(
    join(folder, 'config/priv_validator_key.json'),
    JSON.stringify({
      address,
      pub_key: { type: 'tendermint/PubKeyEd25519', value: publicKey },
      priv_key: { type: 'tendermint/PrivKeyEd25519', value: privateKey },
    }),
  );
  editGenesis(join(folder, 'config/genesis.json'), version);
  editSettings(folder, ports);
  return cli;
}

async function addKeys(cli: Cli) {
  for (const [index, [name, address]] of Object.entries(addresses).entries()) {
    await cli.run(['keys', 'add', name, '--recover', '--index', String(index), '--keyring-backend', 'test'], mnemonic);
    const shown = await cli.run(['keys', 'show', name, '-a', '--keyring-backend', 'test']);
    if (shown.trim() !== address) throw new Error(`The key ${name} has the address ${shown.trim()}, not ${address}.`);
  }
}

function editGenesis(file: string, version: Version): void {
  const features = featuresOf(version);
  const genesis = jsonFile(file);
  const app = genesis.app_state;
  const names = Object.entries(addresses);
  app.auth.accounts = names.map(([, address], index) => ({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address,
    pub_key: null,
    account_number: String(index),
    sequence: '0',
  }));
  const ordinary = Object.entries(perAccount);
  const held = holdings(features);
  const staked = sum(validators.map(({ tokens }) => tokens)) + unbonding;
  app.bank.balances = [
    ...names.map(([name, address]) => ({ address, coins: coins([...ordinary, ...(name === 'holder' ? held : [])]) })),
    { address: moduleAddresses.notBonded, coins: coins([[bondDenom, staked]]) },
    { address: moduleAddresses.distribution, coins: coins([[bondDenom, communityPool]]) },
  ];
  app.bank.denom_metadata = metadata(features);
  app.distribution.fee_pool.community_pool = [{ denom: bondDenom, amount: `${communityPool}.000000000000000000` }];
  // No validator is jailed for blocks that it did not sign. SDK 0.46 looks at each block of the window when it exports.
  app.slashing.params.signed_blocks_window = '50000';
  app.staking.validators = validators.map(toValidator);
  app.staking.delegations = validators.flatMap(({ operator, shares }) =>
    Object.entries(shares).map(([name, amount]) => ({
      delegator_address: new Map<string, string>(names).get(name),
      validator_address: operator,
      shares: `${amount}.000000000000000000`,
    })),
  );
  app.staking.unbonding_delegations = [
    {
      delegator_address: addresses.carol,
      validator_address: validators[1]?.operator,
      entries: [
        {
          creation_height: '1',
          completion_time: '2100-01-01T00:00:00Z',
          initial_balance: String(unbonding),
          balance: String(unbonding),
        },
      ],
    },
  ];
  editGov(app.gov, version);

  const consensus = genesis.consensus_params ?? genesis.consensus.params;
  // Without it blocks of CometBFT 0.34 are a second apart in their own time, however fast they come.
  if ('time_iota_ms' in consensus.block) consensus.block.time_iota_ms = '1';
  // Lets a node that keeps few blocks drop the others.
  consensus.evidence.max_age_num_blocks = '5';
  consensus.evidence.max_age_duration = '1000000000';
  writeFileSync(file, JSON.stringify(genesis));
}

function toValidator({ moniker, operator, tokens, shares, jailed }: Validator) {
  return {
    operator_address: operator,
    consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: consensusKey(moniker).publicKey },
    jailed,
    // They are bonded with the first block.
    status: 'BOND_STATUS_UNBONDED',
    tokens: String(tokens),
    delegator_shares: `${sum(Object.values(shares))}.000000000000000000`,
    description: { moniker, identity: '', website: 'https://example.org', security_contact: '', details: '' },
    unbonding_height: '0',
    unbonding_time: '1970-01-01T00:00:00Z',
    commission: {
      commission_rates: {
        rate: '0.050000000000000000',
        max_rate: '0.200000000000000000',
        max_change_rate: '0.010000000000000000',
      },
      update_time: '2024-01-01T00:00:00Z',
    },
    min_self_delegation: '1',
  };
}

interface GovState {
  readonly voting_params: { voting_period: string };
  deposit_params: object;
  /** In place of the groups since SDK 0.47. */
  readonly params?: object;
}

function editGov(gov: GovState, version: Version): void {
  const least = (factor: number) =>
    coins([
      [bondDenom, `${10_000 * factor}`],
      ['uosmo', `${500 * factor}`],
    ]);
  if (!gov.params) {
    gov.voting_params.voting_period = `${periods.voting}s`;
    gov.deposit_params = { min_deposit: least(1), max_deposit_period: `${periods.deposit}s` };
    return;
  }
  Object.assign(gov.params, {
    min_deposit: least(1),
    max_deposit_period: `${periods.deposit}s`,
    voting_period: `${periods.voting}s`,
    expedited_voting_period: `${periods.expedited}s`,
    expedited_min_deposit: least(10),
    // The newest burns deposits wherever it can, the others where the SDK does by itself.
    ...(version === '0.53.8' ? { burn_vote_quorum: true, burn_proposal_deposit_prevote: true } : {}),
  });
}

function metadata(features: Features) {
  const of = (base: string, display: string, exponent: number, more: object = {}) => ({
    description: `About <${base}> & "others"`,
    denom_units: [
      { denom: base, exponent: 0, aliases: [`micro${display}`] },
      { denom: display, exponent, aliases: [] },
    ],
    base,
    display,
    name: `Name of ${display}`,
    symbol: display.toUpperCase(),
    ...more,
  });
  const wide = `factory/${addresses.alice}/${features.govV1 ? 'x.1_y' : 'x1'}`;
  return [
    of(bondDenom, 'STAKE', 6, { description: '' }),
    of('uatom', 'atom', 6),
    of(ibcDenom(0), 'ibcatom', 6),
    of(wide, 'wide', 18, { name: 'Ünïcødé ☃ 𝒳 \u2028', symbol: '<b>' }),
    ...(features.govV1 ? [of('abc', 'ABC', 12, { uri: 'https://example.org/a?b=1&c=2', uri_hash: 'AB' })] : []),
  ];
}

/** Changes lines `name = value` of a TOML file; `section.name` outside the first part. Names that it has not are ignored. */
function editToml(file: string, values: Readonly<Record<string, string>>): void {
  let section = '';
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      section = /^\[([^\]]+)\]/.exec(line)?.[1] ?? section;
      const name = /^([\w-]+) = /.exec(line)?.[1];
      const value = values[section === '' ? `${name}` : `${section}.${name}`];
      return value === undefined ? line : `${name} = ${value}`;
    });
  writeFileSync(file, lines.join('\n'));
}

function editSettings(folder: string, { rest, rpc, grpc }: Ports): void {
  editToml(join(folder, 'config/config.toml'), {
    fast_sync: 'false',
    'rpc.laddr': `"tcp://127.0.0.1:${rpc}"`,
    'rpc.pprof_laddr': '""',
    'p2p.laddr': '"tcp://127.0.0.1:0"',
    'p2p.pex': 'false',
    // Two of the three validators never propose: their turns are soon over.
    'consensus.timeout_propose': '"400ms"',
    'consensus.timeout_propose_delta': '"200ms"',
    'consensus.timeout_commit': '"200ms"',
  });
  editToml(join(folder, 'config/app.toml'), {
    'minimum-gas-prices': `"0${bondDenom}"`,
    pruning: '"nothing"',
    'api.enable': 'true',
    'api.address': `"tcp://127.0.0.1:${rest}"`,
    'grpc.address': `"127.0.0.1:${grpc}"`,
    'grpc-web.enable': 'false',
  });
}
