import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import type { ChainNode } from '../../src/api/node.ts';
import { openNode } from '../../src/api/open.ts';
import type { Proposal } from '../../src/chain/gov/proposal.ts';
import { Validators } from '../../src/lists/validators.ts';
import { readValidatorVotes } from '../../src/reads/proposalReads.ts';
import { readSplit } from '../../src/reads/readSplit.ts';
import { Kept, maxAges } from '../../src/session/kept.ts';
import { startFolder } from '../support/folders.ts';
import { judge } from '../support/judge.ts';
import { keptChain } from '../support/nodes.ts';
import { serve } from '../support/servers.ts';
import { type AccountName, addresses, bondDenom } from './accounts.ts';
import type { Version } from './build.ts';
import { freePorts, type RunningNode, startNode } from './chain.ts';
import { jsonFile, type Message, type SignedTx, Signer } from './cli.ts';
import { makeHome, validators } from './genesis.ts';

/** The way to the node, in milliseconds. */
const delay = 120;
const proposals = 10;
const expedited = 6;
/** More blocks with votes than the reading takes. */
const rounds = 120;

const coins = (factor: number) => [
  { denom: bondDenom, amount: String(10_000 * factor) },
  { denom: 'uosmo', amount: String(500 * factor) },
];
const submission = (proposer: AccountName, isExpedited: boolean): Message => ({
  '@type': '/cosmos.gov.v1.MsgSubmitProposal',
  messages: [],
  initial_deposit: coins(isExpedited ? 10 : 1),
  proposer: addresses[proposer],
  ...{ metadata: 'm', title: 'T', summary: 'S', expedited: isExpedited },
});
const vote = (id: number, voter: AccountName, option: string): Message => ({
  '@type': '/cosmos.gov.v1.MsgVote',
  ...{ proposal_id: String(id), voter: addresses[voter], option: `VOTE_OPTION_${option}`, metadata: '' },
});
const delegation = (amount: number): Message => ({
  '@type': '/cosmos.staking.v1beta1.MsgDelegate',
  delegator_address: addresses.alice,
  validator_address: validators[0]?.operator,
  amount: { denom: bondDenom, amount: String(amount) },
});

/** The transactions for the chain, signed before it starts. */
async function signAll(signer: Signer) {
  const list = (length: number) => Array.from({ length }, (_, at) => at + 1);
  const regular = list(proposals).map(() => submission('bob', false));
  const fast = list(expedited).map(() => submission('dave', true));
  const fastVotes = list(expedited).map((id) => vote(proposals + id, 'val', 'YES'));
  const before = [
    await signer.sign('bob', regular, 'proposals'),
    await signer.sign('dave', fast, 'expedited proposals'),
    await signer.sign('val', fastVotes, 'votes on expedited proposals'),
  ];
  const each: SignedTx[] = [];
  for (const round of list(rounds)) {
    const option = round % 2 === 0 ? 'YES' : 'NO';
    // The stake of each block is its own, so that bonded total and tally tell the height.
    const messages = [...list(proposals).map((id) => vote(id, 'alice', option)), delegation(1000 + round)];
    each.push(await signer.sign('alice', messages, `votes of round ${round}`));
  }
  return { before, each };
}

/** Passes requests on to the node after the delay, as they are. */
async function startSlowWay(rest: string) {
  const server = createServer(async (request, response) => {
    try {
      await pause(delay);
      const height = request.headers['x-cosmos-block-height'];
      const reply = await fetch(`${rest}${request.url}`, { headers: atHeight(height?.toString()) });
      const body = await reply.text();
      const echo = reply.headers.get(heightHeader);
      const type = { 'content-type': 'application/json' };
      response.writeHead(reply.status, echo === null ? type : { ...type, [heightHeader]: echo }).end(body);
    } catch {
      response.destroy();
    }
  });
  const { port, dispose } = await serve(server);
  return { url: `http://127.0.0.1:${port}`, dispose };
}

const heightHeader = 'grpc-metadata-x-cosmos-block-height';

function atHeight(height: string | undefined): Record<string, string> {
  return height === undefined ? {} : { 'x-cosmos-block-height': height };
}

async function ask(rest: string, path: string, height?: bigint) {
  const reply = await fetch(`${rest}${path}`, { headers: atHeight(height?.toString()) });
  return { body: Object(await reply.json()), height: reply.headers.get(heightHeader) };
}

/**
 * Reads what is shown together of a node with votes and delegations in every block, over a slow way, and compares it with
 * what the node states of the height that the extension names. Gives what differs.
 */
export async function checkOneHeight(binary: string, version: Version, stop: AbortSignal): Promise<readonly string[]> {
  const folder = startFolder(`heights-${version}`);
  const limit = AbortSignal.any([stop, AbortSignal.timeout(600_000)]);
  const ends: (() => Promise<void>)[] = [];
  try {
    const ports = await freePorts();
    const cli = await makeHome(binary, version, folder.path, ports, limit);
    const file = join(folder.path, 'config/genesis.json');
    const genesis = jsonFile(file);
    Object.assign(genesis.app_state.gov.params, { voting_period: '900s', expedited_voting_period: '8s' });
    writeFileSync(file, JSON.stringify(genesis));
    const { before, each } = await signAll(new Signer(cli));
    const running = await startNode(binary, folder.path, ports, limit);
    ends.push(() => running.dispose());
    const way = await startSlowWay(running.rest);
    ends.push(way.dispose);
    const node = openNode({ baseUrl: parseBaseUrl(way.url), segment: 'cosmos' });
    ends.push(() => node.dispose());
    await running.send(before);
    const ended = await watchEnds(node);

    let isReading = true;
    const sending = (async () => {
      for (const tx of each) if (isReading) await running.send([tx]);
    })();
    sending.catch(() => undefined);
    await running.until('the first round of votes', () => running.height() > 5);
    const wrong: string[] = [];
    const from = running.height();
    let apart = 0;
    for (let id = 1; id <= proposals; id++) {
      apart += await plainReads(way.url, id);
      wrong.push(...(await checkProposal(running, node, BigInt(id))));
    }
    const to = running.height();
    isReading = false;
    await sending;
    console.log(
      `   ${proposals} proposals over ${delay} ms at heights ${from} to ${to}: ${wrong.length} answers of several heights; ` +
        `of plain requests, proposal, tally and bonded total were ${apart} of ${proposals} times`,
    );
    if (apart === 0) wrong.push('plain requests were all of one height: the chain was too slow to show anything');
    return [...ended, ...wrong];
  } finally {
    for (const end of ends.reverse()) await end();
    folder.dispose();
  }
}

/** Judges the expedited votes, which all pass, over and over across their end. */
async function watchEnds(node: ChainNode): Promise<readonly string[]> {
  const wrong: string[] = [];
  const said = new Map<string, number>();
  const open = new Set(Array.from({ length: expedited }, (_, at) => BigInt(proposals + at + 1)));
  while (open.size > 0)
    await Promise.all(
      [...open].map(async (id) => {
        const row = await node.proposal(id);
        if (row.kind !== 'proposal') throw new Error(`Proposal ${id} cannot be read.`);
        const { verdict, proposal } = await judge(node, row, new Date());
        const words = `${proposal.status}: ${verdict.outcome.kind}`;
        said.set(words, (said.get(words) ?? 0) + 1);
        if (proposal.status !== 'voting') open.delete(id);
        if (!/^(voting: wouldPass|passed: passed)$/.test(words)) wrong.push(`expedited proposal ${id}: ${words}`);
      }),
    );
  const all = [...said].map(([words, count]) => `${words} ${count}`).join(', ');
  console.log(`   ${expedited} expedited votes read across their end: ${all}`);
  return wrong;
}

/** 1 if what a verdict rests on, asked for one after the other at no height, is of several heights. */
async function plainReads(url: string, id: number): Promise<number> {
  const paths = [
    `/cosmos/gov/v1/proposals/${id}`,
    `/cosmos/gov/v1/proposals/${id}/tally`,
    '/cosmos/staking/v1beta1/pool',
  ];
  const heights = new Set<string | null>();
  for (const path of paths) heights.add((await ask(url, path)).height);
  return heights.size > 1 ? 1 : 0;
}

async function checkProposal({ rest }: RunningNode, node: ChainNode, id: bigint): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const row = await node.proposal(id);
  if (row.kind !== 'proposal') return [`proposal ${id} cannot be read`];
  return [
    ...(await checkVerdict(rest, node, row)),
    ...(await checkSplitOf(rest, node, signal)),
    ...(await checkShares(rest, node)),
  ];
}

/** Tally, bonded total and votes of validators, of the height that the judgement names. */
async function checkVerdict(rest: string, node: ChainNode, row: Proposal): Promise<readonly string[]> {
  const { id } = row;
  const { inputs, height } = await judge(node, row, new Date());
  if (height === undefined) return [`proposal ${id}: no height`];
  const { tally } = (await ask(rest, `/cosmos/gov/v1/proposals/${id}/tally`, height)).body;
  const bonded = await bondedAt(rest, height);
  const { signal } = new AbortController();
  const options = { height, onProgress: () => undefined, signal };
  const votes = await readValidatorVotes(node, id, options);
  const power = votes.validators.reduce((all, one) => all + one.power, 0n);
  const pairs = [
    ['yes', inputs.liveTally?.yes, BigInt(tally.yes_count)],
    ['no', inputs.liveTally?.no, BigInt(tally.no_count)],
    ['bonded total', inputs.votingPower, bonded],
    ['height of the votes of validators', votes.height, height],
    ['power of validators', power, bonded],
  ] as const;
  return pairs
    .filter(([, found, expected]) => found !== expected)
    .map(([name, found, expected]) => `proposal ${id} at height ${height}: ${name} ${found}, not ${expected}`);
}

async function bondedAt(rest: string, height: bigint): Promise<bigint> {
  return BigInt((await ask(rest, '/cosmos/staking/v1beta1/pool', height)).body.pool.bonded_tokens);
}

/** The supply and the balances of modules, of the height that the split names. */
async function checkSplitOf(rest: string, node: ChainNode, signal: AbortSignal): Promise<readonly string[]> {
  const split = await readSplit(keptChain(node), bondDenom, { maxAge: maxAges.screen, signal });
  const { height, rows } = split;
  if (height === undefined) return ['split: no height'];
  const bank = '/cosmos/bank/v1beta1';
  const { amount } = (await ask(rest, `${bank}/supply/by_denom?denom=${bondDenom}`, height)).body;
  const wrong: string[] = [];
  if (split.supply !== BigInt(amount.amount))
    wrong.push(`split at height ${height}: supply ${split.supply}, not ${amount.amount}`);
  const { accounts } = (await ask(rest, '/cosmos/auth/v1beta1/module_accounts', height)).body;
  for (const { name, base_account: account } of accounts) {
    const path = `${bank}/balances/${account.address}/by_denom?denom=${bondDenom}`;
    const held = BigInt((await ask(rest, path, height)).body.balance.amount);
    const found = rows.find((row) => row.class === 'module' && row.name === name)?.amount ?? 0n;
    if (held !== found) wrong.push(`split at height ${height}: ${name} ${found}, not ${held}`);
  }
  return wrong;
}

/** The rows of validators and the total that their shares are of. */
async function checkShares(rest: string, node: ChainNode): Promise<readonly string[]> {
  const kept = new Kept();
  const store = new Validators({ node: async () => node, pageSize: () => 2, kept });
  try {
    await store.pager.loadMore();
    await store.loadBonded({ maxAge: maxAges.screen });
    await store.pager.loadMore();
    const { value, height } = kept.bonded.get() ?? {};
    if (height === undefined) return ['validators: no height'];
    const { body } = await ask(rest, '/cosmos/staking/v1beta1/validators', height);
    const tokensOf = (operator: string) =>
      body.validators.find((one: { operator_address: string }) => one.operator_address === operator)?.tokens;
    const wrong = store.shown
      .filter(({ operator, tokens }) => String(tokens) !== tokensOf(operator))
      .map(({ moniker, tokens }) => `validators at height ${height}: ${moniker} ${tokens}`);
    const points = store.shown.reduce((sum, row) => sum + (store.sharePoints(row) ?? 0), 0);
    if (points !== 10_000) wrong.push(`shares of validators add up to ${points} hundredths of a percent`);
    const bonded = await bondedAt(rest, height);
    if (value !== bonded) wrong.push(`bonded total at height ${height}: ${value}, not ${bonded}`);
    return wrong;
  } finally {
    store.dispose();
  }
}
