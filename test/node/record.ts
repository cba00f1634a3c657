import { Agent, request } from 'node:http';
import { addresses } from './accounts.ts';
import { type Features, featuresOf, type Version } from './build.ts';
import { holdings, ibcDenom, validators } from './genesis.ts';
import type { Answer, Decision } from './recording.ts';
import { canonicalPath, farAhead, withNumber } from './replay.ts';
import type { Submitted } from './scenario.ts';

/** The parts of the questions. */
export interface Subject {
  readonly sdk: Version;
  /** The height at which everything is asked that names no other. */
  readonly height: number;
  readonly submitted: readonly Submitted[];
  readonly decisions: readonly Decision[];
  /** The upgrade that the chain went through, where it did. */
  readonly upgrade: string | undefined;
}

const bank = '/cosmos/bank/v1beta1';
const staking = '/cosmos/staking/v1beta1';
const tendermint = '/cosmos/base/tendermint/v1beta1';
const unknownId = 9999;
const encode = encodeURIComponent;

/** Asks a node by REST, one question at a time, and keeps the answers. */
export class Recorder {
  readonly answers: Answer[] = [];
  readonly #base: URL;
  readonly #height: string;
  readonly #agent = new Agent({ keepAlive: false });

  constructor(rest: string, height: number) {
    this.#base = new URL(rest);
    this.#height = String(height);
  }

  /** Asks at a height: that of the recording, another one as the header has it, or `latest` without a header. */
  async ask(path: string, at = this.#height): Promise<Answer> {
    const known = this.answers.find((answer) => answer.path === path && answer.at === at);
    if (known) return known;
    const answer = await this.#send(path, at);
    this.answers.push(answer);
    return answer;
  }

  async askAll(paths: readonly string[], at = this.#height): Promise<void> {
    for (const path of paths) await this.ask(path, at);
  }

  /** Follows `next_key` from this page to the end of its list. */
  async walk(path: string): Promise<void> {
    let key: string | undefined;
    for (let pages = 0; pages < 200; pages++) {
      const { body } = await this.ask(key === undefined ? path : `${path}&pagination.key=${encode(key)}`);
      key = nextKeyOf(body);
      if (key === undefined) return;
    }
    throw new Error(`The list ${path} does not end.`);
  }

  /** Asks what replaying takes for one question, and throws when the node does not. */
  async same(path: string, other: string): Promise<void> {
    const isOne = [canonicalPath(path), canonicalPath(withNumber(path))].includes(canonicalPath(other));
    if (!isOne) throw new Error(`Replaying tells ${path} and ${other} apart.`);
    const [one, two] = [await this.#send(path), await this.#send(other)];
    const isSame = one.status === two.status && JSON.stringify(one.body) === JSON.stringify(two.body);
    if (!isSame) throw new Error(`The node does not answer ${other} as it answers ${path}.`);
  }

  #send(path: string, at = this.#height): Promise<Answer> {
    const headers = at === 'latest' ? {} : { 'x-cosmos-block-height': at };
    const { hostname, port } = this.#base;
    return new Promise((resolve, reject) => {
      const asked = request({ hostname, port, path, headers, agent: this.#agent, timeout: 30_000 }, (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('error', reject);
        reply.on('end', () => {
          const height = reply.headers['grpc-metadata-x-cosmos-block-height'];
          resolve({
            path,
            at,
            status: reply.statusCode ?? 0,
            height: height === undefined ? undefined : String(height),
            date: reply.headers.date ?? '',
            body: parsed(Buffer.concat(parts).toString('utf8')),
          });
        });
      });
      asked.on('timeout', () => asked.destroy(new Error(`No answer to ${path}`)));
      asked.on('error', reject).end();
    });
  }
}

/** The JSON without what no test reads: what a binary was built of, and the transactions and signatures of blocks. */
function parsed(text: string): unknown {
  const left = new Map<string, unknown>([
    ['build_deps', []],
    ['txs', []],
    ['signatures', []],
  ]);
  try {
    return JSON.parse(text, (name, value) => left.get(name) ?? value);
  } catch {
    return text;
  }
}

function nextKeyOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('pagination' in body)) return undefined;
  const { pagination } = body;
  if (typeof pagination !== 'object' || pagination === null || !('next_key' in pagination)) return undefined;
  return typeof pagination.next_key === 'string' && pagination.next_key !== '' ? pagination.next_key : undefined;
}

/** The question with these parameters: those that are undefined are left out. */
function withQuery(path: string, query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encode(String(value))}`],
  );
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}

/** All questions whose answers are kept. */
export async function recordAnswers(recorder: Recorder, subject: Subject): Promise<void> {
  const features = featuresOf(subject.sdk);
  await recordSupply(recorder, features);
  for (const version of ['v1beta1', 'v1'] as const) {
    await recordProposals(recorder, version, features, subject);
    await recordVotes(recorder, version, subject);
    const params = ['voting', 'deposit', 'tallying', 'x', ''].map((kind) => `/cosmos/gov/${version}/params/${kind}`);
    await recorder.askAll(params);
  }
  await recordStaking(recorder);
  await recordModules(recorder, subject);
  await recordHeights(recorder, subject);
  await recordEnds(recorder, features, subject);
}

async function recordSupply(recorder: Recorder, features: Features): Promise<void> {
  const list = `${bank}/supply`;
  const page = (query: Readonly<Record<string, string | number | boolean>>) => {
    const named = Object.entries(query).map(([name, value]) => [`pagination.${name}`, value]);
    return withQuery(list, Object.fromEntries(named));
  };
  await recorder.ask(list);
  for (const limit of [200, 100, 50]) {
    await recorder.walk(page({ limit }));
    await recorder.askAll([page({ limit, reverse: true }), page({ limit, count_total: true })]);
  }
  await recorder.walk(page({ limit: 50, reverse: true }));
  await recorder.ask(page({ limit: 50, offset: 50, count_total: true }));
  await recorder.same(page({ limit: 200 }), page({ limit: 5000 }));
  await recorder.same(page({ limit: 50 }), page({ limit: 50, offset: 0, count_total: false, reverse: false }));
  const key = Buffer.from('gamm/pool/2').toString('base64');
  await recorder.askAll([
    page({ limit: 0 }),
    page({ limit: '' }),
    page({ limit: 'abc' }),
    page({ limit: -1 }),
    page({ limit: 5, offset: 500, count_total: true }),
    page({ limit: 3, key }),
    page({ limit: 3, key, reverse: true }),
    page({ limit: 3, key: Buffer.from('unknown').toString('base64') }),
    page({ limit: 3, key: Buffer.from('zzz').toString('base64') }),
    page({ limit: 3, key: '!!' }),
    page({ limit: 3, key, offset: 3 }),
    page({ limit: 3, key, count_total: true }),
    page({ limit: '0x10' }),
    `${list}?pagination.limit=2&pagination.countTotal=true`,
    `${list}?pagination.limit=2&pagination.limit=4`,
    `${list}?pagination.limit=2&unknown=1`,
    `${list}?limit=2`,
  ]);
  const held = [...holdings(features).keys()];
  const denoms = [held[0] ?? '', held[40] ?? '', held[75] ?? '', 'stake', 'uatom', 'abc', ...held.slice(-3)];
  for (const denom of [...denoms, 'unknown', 'ab', 'a b', 'ünï', '']) {
    await recorder.askAll([`${list}/${encode(denom)}`, withQuery(`${list}/by_denom`, { denom })]);
    const key = Buffer.from(denom).toString('base64');
    if (denom !== '') await recorder.ask(page({ key, limit: 1 }));
    await recorder.ask(`${bank}/denoms_metadata/${encode(denom)}`);
  }
  const metadata = `${bank}/denoms_metadata`;
  await recorder.askAll([metadata, withQuery(metadata, { 'pagination.limit': 200 })]);
  await recorder.walk(withQuery(metadata, { 'pagination.limit': 2 }));
  await recorder.ask(withQuery(`${bank}/denoms_metadata_by_query_string`, { denom: ibcDenom(0) }));
}

async function recordProposals(
  recorder: Recorder,
  version: 'v1' | 'v1beta1',
  { govV1 }: Features,
  { submitted }: Subject,
): Promise<void> {
  const list = `/cosmos/gov/${version}/proposals`;
  await recorder.ask(list);
  if (version === 'v1' && !govV1) return recorder.askAll([`${list}/1`, `${list}/1/tally`]);
  const page = (query: Readonly<Record<string, string | number | boolean | undefined>>) =>
    withQuery(list, Object.fromEntries(Object.entries(query).map(([name, value]) => [parameter(name), value])));
  for (const status of [undefined, 1, 2, 3, 4, 5]) {
    for (const reverse of [undefined, true]) {
      for (const limit of [200, 50]) await recorder.ask(page({ status, limit, reverse, count_total: true }));
      await recorder.ask(page({ status, limit: 200, reverse }));
      await recorder.walk(page({ status, limit: 50, reverse }));
    }
    await recorder.askAll([page({ status, limit: 1 }), page({ status, limit: 1, count_total: true })]);
  }
  for (const reverse of [undefined, true]) {
    await recorder.walk(page({ limit: 7, reverse }));
    await recorder.walk(page({ status: 3, limit: 4, reverse }));
  }
  for (const name of ['DEPOSIT_PERIOD', 'VOTING_PERIOD', 'PASSED', 'REJECTED', 'FAILED', 'CANCELED', 'UNSPECIFIED']) {
    const named = page({ status: `PROPOSAL_STATUS_${name}`, limit: 200 });
    if ((await recorder.ask(named)).status === 200) await recorder.same(named, withNumber(named));
  }
  await recorder.same(page({ status: 4, limit: 200 }), page({ status: 4, limit: 60 }));
  await recorder.same(page({ limit: 200 }), page({ status: 0, limit: 1000, offset: 0, reverse: false }));
  await recorder.askAll([
    ...[0, 3, 20, 500].map((offset) => page({ limit: 5, offset, count_total: true })),
    ...[5, 500].map((offset) => page({ status: 3, limit: 5, offset, count_total: true })),
    page({ limit: 2, key: 'AAAAAAAAAAM=', offset: 3 }),
    page({ limit: 2, key: 'AAAAAAAAAAM=', reverse: true }),
    page({ limit: 2, key: 'AAAAAAAAJxA=' }),
    page({ limit: 2, key: '!!' }),
    page({ limit: 'abc' }),
    page({ status: 6 }),
    page({ status: 99 }),
    page({ status: 'abc' }),
  ]);
  for (const address of Object.values(addresses)) {
    await recorder.askAll([
      withQuery(list, { voter: address, proposal_status: 2 }),
      withQuery(list, { voter: address, proposal_status: 2, 'pagination.limit': 200 }),
      withQuery(list, { voter: address, 'pagination.limit': 200 }),
      withQuery(list, { depositor: address, 'pagination.limit': 200 }),
    ]);
  }
  for (const address of ['x', `${addresses.alice}x`, 'osmo194c3vs4hy6cygqtz0j5lhtpj7hy9xra3w0ha3p']) {
    await recorder.askAll([withQuery(list, { voter: address }), withQuery(list, { depositor: address })]);
  }
  for (const { id, expected } of submitted) {
    await recorder.ask(`${list}/${id}`);
    if (expected?.end !== 'passed' && expected?.end !== 'rejected') await recorder.ask(`${list}/${id}/tally`);
  }
  await recorder.askAll([
    `${list}/1/tally`,
    `${list}/0`,
    `${list}/0/tally`,
    `${list}/${unknownId}`,
    `${list}/${unknownId}/tally`,
  ]);
  await recorder.askAll(['abc', '18446744073709551616', '0x2', ''].map((id) => `${list}/${id}`));
}

/** Our name of a parameter of a list of proposals → the node's. */
function parameter(name: string): string {
  return name === 'status' ? 'proposal_status' : `pagination.${name}`;
}

async function recordVotes(recorder: Recorder, version: 'v1' | 'v1beta1', { submitted }: Subject): Promise<void> {
  const of = (id: number) => `/cosmos/gov/${version}/proposals/${id}`;
  const open = submitted.filter(({ expected }) => expected === undefined);
  const all = open.find(({ key }) => key === 'open-all');
  const paid = open.find(({ key }) => key === 'open-deposit');
  if (!all || !paid) throw new Error('The script has no open proposals.');
  for (const { id } of open) {
    await recorder.askAll([
      `${of(id)}/votes`,
      `${of(id)}/deposits`,
      withQuery(`${of(id)}/votes`, { 'pagination.limit': 200 }),
    ]);
  }
  await recorder.walk(withQuery(`${of(all.id)}/votes`, { 'pagination.limit': 5 }));
  await recorder.askAll([
    withQuery(`${of(all.id)}/votes`, { 'pagination.limit': 5, 'pagination.reverse': true }),
    withQuery(`${of(all.id)}/votes`, { 'pagination.limit': 5, 'pagination.offset': 5, 'pagination.count_total': true }),
    `${of(1)}/votes`,
    `${of(1)}/deposits`,
    `${of(unknownId)}/votes`,
    `${of(unknownId)}/deposits`,
    `${of(0)}/votes`,
    `${of(0)}/votes/${addresses.val}`,
  ]);
  for (const address of [...Object.values(addresses), 'x', validators[0]?.operator ?? '']) {
    await recorder.ask(`${of(all.id)}/votes/${address}`);
    await recorder.ask(`${of(paid.id)}/deposits/${address}`);
  }
  await recorder.askAll(open.map(({ id }) => `${of(id)}/votes/${addresses.bob}`));
  await recorder.askAll([1, unknownId].map((id) => `${of(id)}/votes/${addresses.val}`));
  await recorder.ask(`${of(unknownId)}/deposits/${addresses.erin}`);
}

async function recordStaking(recorder: Recorder): Promise<void> {
  const list = `${staking}/validators`;
  await recorder.askAll([`${staking}/pool`, list, withQuery(list, { 'pagination.limit': 200 })]);
  await recorder.walk(withQuery(list, { 'pagination.limit': 1 }));
  for (const status of ['BOND_STATUS_BONDED', 'BOND_STATUS_UNBONDED', 'BOND_STATUS_UNBONDING', '3', 'bonded', '']) {
    await recorder.askAll([withQuery(list, { status }), withQuery(list, { status, 'pagination.limit': 200 })]);
  }
  await recorder.ask(
    withQuery(list, { status: 'BOND_STATUS_BONDED', 'pagination.limit': 1, 'pagination.count_total': true }),
  );
  for (const { operator } of validators)
    await recorder.askAll([`${list}/${operator}`, `${list}/${operator}/delegations`]);
  await recorder.askAll([`${list}/cosmosvaloper1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqyk`, `${list}/x`]);
  for (const address of Object.values(addresses)) await recorder.ask(`${staking}/delegations/${address}`);
}

async function recordModules(recorder: Recorder, { upgrade }: Subject): Promise<void> {
  const modules = ['auth', 'bank', 'distribution', 'evidence', 'mint', 'slashing', 'staking', 'crisis', 'upgrade'];
  await recorder.askAll(modules.map((module) => `/cosmos/${module}/v1beta1/params`));
  await recorder.askAll([
    '/cosmos/consensus/v1/params',
    '/cosmos/consensus/v1beta1/params',
    '/cosmos/nothing/v1/params',
  ]);
  const subspaces = [
    ['auth', 'MaxMemoCharacters'],
    ['bank', 'SendEnabled'],
    ['bank', 'DefaultSendEnabled'],
    ['baseapp', 'BlockParams'],
    ['baseapp', 'EvidenceParams'],
    ['crisis', 'ConstantFee'],
    ['distribution', 'communitytax'],
    ['gov', 'votingparams'],
    ['gov', 'tallyparams'],
    ['gov', 'depositparams'],
    ['mint', 'MintDenom'],
    ['mint', 'InflationMax'],
    ['slashing', 'SignedBlocksWindow'],
    ['staking', 'BondDenom'],
    ['staking', 'MaxValidators'],
    ['staking', 'HistoricalEntries'],
    ['staking', 'UnbondingTime'],
    ['staking', 'nothing'],
    ['nothing', 'x'],
  ];
  for (const [subspace, key] of subspaces)
    await recorder.ask(withQuery('/cosmos/params/v1beta1/params', { subspace, key }));
  await recorder.askAll([
    `${tendermint}/node_info`,
    '/cosmos/auth/v1beta1/bech32',
    '/cosmos/gov/v1/constitution',
    '/cosmos/upgrade/v1beta1/current_plan',
    '/cosmos/upgrade/v1beta1/applied_plan/nothing',
    ...(upgrade === undefined ? [] : [`/cosmos/upgrade/v1beta1/applied_plan/${upgrade}`]),
    `/ibc/apps/transfer/v1/denoms/${ibcDenom(0).slice(4)}`,
    `/ibc/apps/transfer/v1/denom_traces/${ibcDenom(0).slice(4)}`,
    // Paths of other chains, and of the contract with its neutral segment.
    '/chain/bank/v1beta1/supply',
    '/chain/gov/v1beta1/proposals',
    '/atomone/gov/v1/params/tallying',
    '/initia/gov/v1/params',
    '/cosmos/poa/v1/total_power',
    '/cosmos/adminmodule/adminmodule/archivedproposals',
  ]);
}

async function recordHeights(recorder: Recorder, { height, decisions }: Subject): Promise<void> {
  const pool = `${staking}/pool`;
  const odd = ['1', '2', '0', '-1', '1.5', 'abc', String(height + farAhead), '9223372036854775808'];
  for (const at of odd) await recorder.askAll([pool, `/cosmos/gov/v1beta1/proposals/1`], at);
  await recorder.ask(pool, 'latest');
  const lastEnd = decisions.at(-1)?.height ?? 1;
  const heights = [1, lastEnd, height, 0, height + farAhead, 'abc'];
  await recorder.askAll(
    [...heights, 'latest'].map((which) => `${tendermint}/blocks/${which}`),
    'latest',
  );
}

/** The reads of a client in the last block before votes end. The verdict follows from them. */
async function recordEnds(recorder: Recorder, { govV1 }: Features, { decisions }: Subject): Promise<void> {
  const ended = decisions.filter(({ result }) => result !== 'proposal_dropped' && result !== 'cancelled');
  for (const before of new Set(ended.map(({ height }) => height - 1))) {
    const at = String(before);
    await recorder.askAll(
      [`${staking}/pool`, withQuery(`${staking}/validators`, { status: 'BOND_STATUS_BONDED' })],
      at,
    );
    const ids = ended.filter(({ height }) => height - 1 === before).map(({ id }) => id);
    for (const version of govV1 ? ['v1', 'v1beta1'] : ['v1beta1']) {
      const gov = `/cosmos/gov/${version}`;
      await recorder.askAll(
        ['voting', 'deposit', 'tallying'].map((kind) => `${gov}/params/${kind}`),
        at,
      );
      await recorder.ask(withQuery(`${gov}/proposals`, { proposal_status: 2, 'pagination.limit': 200 }), at);
      for (const id of ids) await recorder.askAll([`${gov}/proposals/${id}`, `${gov}/proposals/${id}/tally`], at);
    }
    for (const id of ids) await recorder.ask(`/cosmos/gov/${govV1 ? 'v1' : 'v1beta1'}/proposals/${id}/votes`, at);
  }
}

/** The answers of a node that no longer keeps this height, neither its state nor its block. */
export async function recordPruned(recorder: Recorder, pruned: number): Promise<void> {
  const at = String(pruned);
  await recorder.askAll(
    [`${staking}/pool`, `${bank}/supply?pagination.limit=1`, '/cosmos/gov/v1beta1/proposals/1'],
    at,
  );
  await recorder.ask(`${tendermint}/blocks/${pruned}`, 'latest');
}
