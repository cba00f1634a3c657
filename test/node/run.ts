import { startFolder } from '../support/folders.ts';
import { addresses, chainId } from './accounts.ts';
import { buildNode, featuresOf, goVersion, isIbc, isWasm, type NodeName, nodeNames, type Version } from './build.ts';
import { freePorts, type RunningNode, startNode } from './chain.ts';
import { type Cli, type SignedTx, Signer } from './cli.ts';
import { countKinds, judgeDrafts, recordDrafts, writeDrafts } from './draftAnswers.ts';
import { makeHome } from './genesis.ts';
import { checkOneHeight } from './oneHeight.ts';
import { Recorder, recordAnswers, recordPruned } from './record.ts';
import { type Decision, type Recording, writeRecording } from './recording.ts';
import {
  cancellations,
  depositsOf,
  endingProposals,
  type Messages,
  openProposals,
  realUpgrade,
  type Submitted,
  submissions,
  votesOf,
  withIds,
} from './scenario.ts';
import { checkSplit } from './split.ts';
import { compareVerdicts } from './verdicts.ts';

/**
 * `npm run test:node [-- VERSION…] [--heights] [--write]`: builds nodes of the Cosmos SDK, lets them decide on the
 * script's proposals and compares that with the extension's verdicts, its findings on drafts, and where it says that the
 * coins are. It also compares what is shown together with what the node states of one height, over a slow way to it;
 * with `--heights` only this. `--write` replaces the recordings in test/fixtures/nodes.
 */
export async function testNode(args: readonly string[], stop: AbortSignal): Promise<number> {
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const unknown = wanted.filter((arg) => !nodeNames.some((name) => name.startsWith(arg)));
  if (unknown.length > 0) throw new Error(`There is no node ${unknown.join(', ')}; there are ${nodeNames.join(', ')}.`);
  if (goVersion() === undefined) {
    console.log('Skipped: the nodes are built with Go, which is not installed (go.dev, 1.23 or later).');
    return 0;
  }
  const isWanted = (name: NodeName) => wanted.length === 0 || wanted.some((arg) => name.startsWith(arg));
  let failures = 0;
  for (const name of nodeNames.filter(isWanted)) {
    console.log(`── ${name}: building, which takes minutes the first time`);
    try {
      const binary = await buildNode(name, stop);
      const write = args.includes('--write');
      const heights = args.includes('--heights');
      const options = { write, heights, stop };
      const wrong =
        isIbc(name) || isWasm(name)
          ? [
              ...(isIbc(name) ? await checkSplit(binary, name, stop) : []),
              ...(await askAboutDrafts(binary, name, options)),
            ]
          : await testVersion(binary, name, options);
      for (const sentence of wrong) console.log(`   wrong: ${sentence}`);
      failures += wrong.length;
    } catch (error) {
      if (stop.aborted) return 130;
      throw error;
    }
  }
  return failures > 0 ? 1 : 0;
}

interface Options {
  /** Whether the recordings are replaced. */
  readonly write: boolean;
  /** Whether only the heights of answers are compared. */
  readonly heights: boolean;
  readonly stop: AbortSignal;
}

/** Gives what is wrong, one sentence each. */
async function testVersion(binary: string, version: Version, options: Options): Promise<readonly string[]> {
  const { write, stop } = options;
  const heights = featuresOf(version).expedited ? await checkOneHeight(binary, version, stop) : [];
  if (options.heights) return heights;
  const started = Date.now();
  const { recording, state } = await runNode(binary, version, stop);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`   ${recording.answers.length} answers at height ${recording.height} in ${seconds} s`);
  const strange = unexpected(recording);
  if (write && strange.length === 0) {
    const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`;
    const sizes = writeRecording(recording, state);
    console.log(`   written: ${kilobytes(sizes.answers)} of answers, ${kilobytes(sizes.state)} of state`);
  }
  const { govV1 } = featuresOf(version);
  return [
    ...heights,
    ...strange,
    ...(await disagreements(recording)),
    ...(govV1 ? await askAboutDrafts(binary, version, options) : []),
    ...(govV1 ? await checkSplit(binary, version, stop) : []),
  ];
}

/** Where the extension's findings on drafts differ from the node's answers; nodes before SDK 0.46 are not asked. */
async function askAboutDrafts(binary: string, name: NodeName, { write, stop }: Options): Promise<readonly string[]> {
  const recording = await recordDrafts(binary, name, stop);
  if (write) writeDrafts(recording);
  const verdicts = judgeDrafts(recording);
  console.log(`   ${verdicts.length} drafts: ${countKinds(verdicts)}`);
  return verdicts
    .filter(({ kind }) => kind === 'wrong')
    .map(({ answer, errors }) => `${answer.name}: the node says ${answer.status} ${answer.message}, ours ${errors}`);
}

/** Where the chain did not do what the script is made for. */
function unexpected({ proposals, decisions }: Recording): readonly string[] {
  const results = {
    passed: 'proposal_passed',
    rejected: 'proposal_rejected',
    failed: 'proposal_failed',
    dropped: 'proposal_dropped',
    cancelled: 'cancelled',
  } as const;
  return proposals.flatMap(({ id, key, expected }) => {
    if (!expected) return [];
    const found = decisions.filter((decision) => decision.id === id).map(({ result }) => result);
    const rounds = expected.firstRound ? ['expedited_proposal_rejected'] : [];
    const wanted = [...rounds, results[expected.end]];
    return found.join() === wanted.join()
      ? []
      : [`${key}: the script expects ${wanted.join()}, the chain says ${found.join()}`];
  });
}

/** Where the extension's verdict differs from the chain's decision. */
async function disagreements(recording: Recording): Promise<readonly string[]> {
  const comparisons = await compareVerdicts(recording);
  const different = comparisons.filter(({ ours, expected }) => ours !== expected);
  console.log(`   ${comparisons.length - different.length} of ${comparisons.length} verdicts as the chain decided`);
  return different.map(
    ({ proposal, ours, expected }) => `${proposal.key}: the extension says "${ours}", the chain "${expected}"`,
  );
}

/** Runs one chain from its genesis to the answers of a node that has dropped its old states. Leaves nothing behind. */
async function runNode(binary: string, version: Version, stop: AbortSignal) {
  const folder = startFolder(`node-${version}`);
  const limit = AbortSignal.any([stop, AbortSignal.timeout(600_000)]);
  const nodes: RunningNode[] = [];
  try {
    const ports = await freePorts();
    const cli = await makeHome(binary, version, folder.path, ports, limit);
    const start = async (more: readonly string[], env?: NodeJS.ProcessEnv) => {
      const node = await startNode(binary, folder.path, ports, limit, more, env);
      nodes.push(node);
      return node;
    };
    const played = await playScript(cli, version, start);
    return await recordRun(cli, version, start, played);
  } finally {
    for (const node of nodes) await node.dispose();
    folder.dispose();
  }
}

type Start = (more: readonly string[], env?: NodeJS.ProcessEnv) => Promise<RunningNode>;

const upgradeName = 'v1.5';
/** After the vote on it, which takes 12 s of blocks that are at least 200 ms apart. */
const upgradeHeight = 80;
const withHandler = { UPGRADE_HANDLER: upgradeName };

/** A chain that has run to the height of its recording. */
interface Played {
  readonly node: RunningNode;
  readonly height: number;
  readonly submitted: readonly Submitted[];
  readonly decisions: readonly Decision[];
  readonly times: ReadonlyMap<number, string>;
}

/** Goes through an upgrade where the version allows it, lets all votes end, and opens others. */
async function playScript(cli: Cli, version: Version, start: Start): Promise<Played> {
  const features = featuresOf(version);
  const signer = new Signer(cli);
  const signAll = async (messages: Messages, purpose: string) => {
    const signed: SignedTx[] = [];
    for (const [name, list] of messages) signed.push(await signer.sign(name, list, `${purpose} of ${name}`));
    return signed;
  };
  const signRound = async (round: readonly Submitted[]) => [
    await signAll(submissions(round, features), 'proposals'),
    await signAll(depositsOf(round, features), 'deposits'),
    await signAll(votesOf(round, 'votes', features), 'votes'),
  ];

  // Everything is signed before the chain starts, so that no vote comes late on a slow machine.
  const upgrade = features.expedited ? withIds([realUpgrade(upgradeName, upgradeHeight)], 1) : [];
  const ending = withIds(endingProposals(features), upgrade.length + 1);
  const open = withIds(openProposals(features), upgrade.length + ending.length + 1);
  const fast = ending.filter(({ expedited }) => expedited);
  const regular = ending.filter(({ expedited }) => !expedited);
  const upgradeTxs = await signRound(upgrade);
  const endingTxs = await signRound(ending);
  const changedVotes = await signAll(votesOf(regular, 'again', features), 'changed votes');
  const cancelling = await signAll(cancellations(ending), 'cancelling');
  const secondVotes = await signAll(votesOf(fast, 'again', features), 'second votes');
  const openTxs = await signRound(open);

  let node = await start([]);
  let before: Pick<RunningNode, 'decisions' | 'times'> = { decisions: [], times: new Map() };
  if (upgrade.length > 0) {
    for (const transactions of upgradeTxs) await node.send(transactions);
    await node.upgradeNeeded();
    await node.dispose();
    before = node;
    node = await start([], withHandler);
  }
  for (const transactions of [...endingTxs, changedVotes, cancelling]) await node.send(transactions);
  const resultsOf = ({ id }: Submitted) => node.decisions.filter((one) => one.id === id).map(({ result }) => result);
  await node.until('the expedited votes have ended', () => fast.every((one) => resultsOf(one).length > 0));
  await node.send(secondVotes);
  const isOver = (one: Submitted) => resultsOf(one).some((result) => !result.startsWith('expedited'));
  await node.until('all votes have ended', () => ending.every(isOver));
  const included = [];
  for (const transactions of openTxs) included.push(...(await node.send(transactions)));
  const height = Math.max(...included.map((tx) => tx.height));
  await node.until('the next block', () => node.height() > height);
  return {
    node,
    height,
    submitted: [...upgrade, ...ending, ...open],
    decisions: [...before.decisions, ...node.decisions].filter((decision) => decision.height <= height),
    times: new Map([...before.times, ...node.times]),
  };
}

/** Asks all questions at one height, exports the state of that height, and asks a node that has dropped old states. */
async function recordRun(cli: Cli, version: Version, start: Start, played: Played) {
  const { node, height, submitted, decisions, times } = played;
  const recorder = new Recorder(node.rest, height);
  const upgrade = submitted.some(({ key }) => key === 'upgrade-now') ? upgradeName : undefined;
  await recordAnswers(recorder, { sdk: version, height, submitted, decisions, upgrade });
  const commandLineVotes: Record<string, unknown> = {};
  for (const { id } of submitted.filter(({ expected, key }) => !expected && key !== 'upgrade-now')) {
    const words = ['query', 'gov', 'votes', String(id), '--height', String(height), '--node', node.rpc, '-o', 'json'];
    commandLineVotes[id] = JSON.parse(await cli.run(words));
  }
  const allTimes: string[] = [];
  for (let at = 1; at <= height; at++) allTimes.push(times.get(at) ?? (await blockTime(node, at)));
  await node.dispose();
  const exported = await cli.run(['export', '--height', String(height)]);

  const few = ['--pruning=custom', '--pruning-keep-recent=5', '--pruning-interval=10', '--min-retain-blocks=5'];
  const pruned = await start(few, withHandler);
  const first = pruned.height();
  await pruned.until('old states are dropped', () => pruned.height() > first + 30);
  const later = new Recorder(pruned.rest, height);
  await recordPruned(later, first);
  await pruned.dispose();

  const recording: Recording = {
    sdk: version,
    chainId,
    height,
    times: allTimes,
    accounts: addresses,
    proposals: submitted.map(({ id, key, proposer, votes, expected }) => ({ id, key, proposer, votes, expected })),
    decisions,
    commandLineVotes,
    answers: [...recorder.answers, ...later.answers],
  };
  // Some versions log to the same stream.
  return { recording, state: exported.slice(exported.search(/^\{/m)) };
}

/** The time of a block that was made before the node's events were listened to. */
async function blockTime({ rest }: RunningNode, height: number): Promise<string> {
  const reply = await fetch(`${rest}/cosmos/base/tendermint/v1beta1/blocks/${height}`);
  const { block } = Object(await reply.json());
  return String(block.header.time);
}
