import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { isHttpError } from '../../src/api/errors.ts';
import type { ChainNode } from '../../src/api/node.ts';
import { openNode } from '../../src/api/open.ts';
import { isFields } from '../../src/chain/fields.ts';
import type { ChainFacts } from '../../src/draft/chainFacts.ts';
import { checkDraft } from '../../src/draft/checkDraft.ts';
import { type DraftNeeds, needsOf, noNeeds } from '../../src/draft/draftNeeds.ts';
import { type Draft, readDraft } from '../../src/draft/draftText.ts';
import { createFactsReader } from '../../src/draft/factsReader.ts';
import type { Severity } from '../../src/draft/finding.ts';
import { submissionOf } from '../../src/draft/proposed/submission.ts';
import { paramsModules } from '../../src/draft/writing/newDraft.ts';
import { projectFolder, startFolder } from '../support/folders.ts';
import { startSampleNode } from '../support/nodes.ts';
import { addresses, bondDenom } from './accounts.ts';
import { featuresOf, isIbc, isWasm, type NodeName, sdkOf } from './build.ts';
import { freePorts, type RunningNode, startNode } from './chain.ts';
import { type Cli, exportState, type Message, Signer } from './cli.ts';
import { type DraftAnswer, type DraftCase, draftCases, executedCases, legacyKeys } from './drafts.ts';
import { makeHome } from './genesis.ts';
import { editMessageGenesis, setUpMessages } from './messageChain.ts';
import { changedModules, messageCases, passingToHarm } from './messageDrafts.ts';

/** The answers of a node to drafts, and its own statements before. */
export interface DraftRecording {
  /** The name of the node. */
  readonly sdk: NodeName;
  readonly facts: ChainFacts;
  readonly answers: readonly DraftAnswer[];
}

const fileOf = (sdk: string) => join(projectFolder, `test/fixtures/nodes/${sdk}.drafts.json.gz`);

export function writeDrafts(recording: DraftRecording): void {
  writeFileSync(fileOf(recording.sdk), gzipSync(JSON.stringify(recording, freeze), { level: 9 }));
}

export function readDrafts(sdk: NodeName): DraftRecording {
  return JSON.parse(gunzipSync(readFileSync(fileOf(sdk))).toString('utf8'), thaw);
}

/** JSON has no maps, sets, big integers and times. */
function freeze(this: unknown, key: string, value: unknown): unknown {
  const raw = isFields(this) ? this[key] : value;
  if (typeof raw === 'bigint') return { $bigint: String(raw) };
  if (raw instanceof Map) return { $map: [...raw] };
  if (raw instanceof Set) return { $set: [...raw] };
  return raw instanceof Date ? { $date: raw.toISOString() } : value;
}

function thaw(_: string, value: unknown): unknown {
  if (!isFields(value)) return value;
  if (typeof value.$bigint === 'string') return BigInt(value.$bigint);
  if (typeof value.$date === 'string') return new Date(value.$date);
  if (Array.isArray(value.$set)) return new Set(value.$set);
  return Array.isArray(value.$map) ? new Map(value.$map) : value;
}

/**
 * Asks a node that is started for it about every draft, and puts some to the vote: of the applications of other modules, drafts of messages,
 * all of them. Leaves nothing behind.
 */
export async function recordDrafts(binary: string, name: NodeName, stop: AbortSignal): Promise<DraftRecording> {
  const folder = startFolder(`drafts-${name}`);
  const limit = AbortSignal.any([stop, AbortSignal.timeout(600_000)]);
  let node: RunningNode | undefined;
  try {
    const ports = await freePorts();
    const cli = await makeHome(binary, sdkOf(name), folder.path, ports, limit);
    const hasMessages = isWasm(name) || isIbc(name);
    if (hasMessages) editMessageGenesis(folder.path);
    const started = await startNode(binary, folder.path, ports, limit);
    node = started;
    await started.until('some blocks', () => started.height() > 5);
    const signer = new Signer(cli);
    const before = hasMessages ? await setUpMessages(started, signer, isWasm(name)) : 0;
    const chain = openNode({ baseUrl: parseBaseUrl(started.rest) });
    const { facts, cases } = await readCases(chain, name, limit);
    const answers: DraftAnswer[] = [];
    for (const one of cases) answers.push({ ...one, ...(await simulate(chain, one, facts)) });
    await chain.dispose();
    const executed = await execute(started, signer, before, chosenOf(name, facts, answers));
    await started.dispose();
    return {
      sdk: name,
      facts: hasMessages ? { ...facts, delegations: await stateDelegations(cli, facts.height) } : facts,
      answers: answers.map((answer) => ({ ...answer, ...executed.get(answer.name) })),
    };
  } finally {
    await node?.dispose();
    folder.dispose();
  }
}

/** The drafts that a node is asked about, and the facts that it states before. */
async function readCases(
  chain: ChainNode,
  name: NodeName,
  signal: AbortSignal,
): Promise<{ readonly facts: ChainFacts; readonly cases: readonly DraftCase[] }> {
  const read = createFactsReader(chain, signal);
  if (!isWasm(name) && !isIbc(name)) {
    const legacy = Object.entries(legacyKeys).flatMap(([subspace, keys]) => keys.map((key) => ({ subspace, key })));
    const needs = { ...noNeeds, packages: paramsModules, legacy, plans: ['v9', ''], pool: true, pace: true };
    const facts = await read(needs);
    return { facts, cases: draftCases(facts, featuresOf(sdkOf(name))) };
  }
  const today = await read({ ...noNeeds, packages: changedModules, paidByGov: [bondDenom] });
  const cases = messageCases(today, isWasm(name));
  return { facts: await read(allNeeds(cases.map((one) => needsOf(parse(one))))), cases };
}

/** The needs of some drafts together. */
function allNeeds(all: readonly DraftNeeds[]): DraftNeeds {
  const names = (of: (needs: DraftNeeds) => readonly string[]) => [...new Set(all.flatMap(of))];
  return {
    ...noNeeds,
    packages: names(({ packages }) => packages),
    denoms: names(({ denoms }) => denoms),
    paidByGov: names(({ paidByGov }) => paidByGov),
    proposals: names(({ proposals }) => proposals),
    clients: names(({ clients }) => clients),
    accounts: names(({ accounts }) => accounts),
    pool: true,
    pace: true,
    types: true,
    operators: true,
    units: true,
  };
}

/** The submissions of the drafts that are put to the vote. */
function chosenOf(name: NodeName, facts: ChainFacts, answers: readonly DraftAnswer[]): readonly Chosen[] {
  const wanted = isWasm(name) || isIbc(name) ? undefined : executedCases(featuresOf(sdkOf(name)));
  const missing = wanted?.find((one) => !answers.some((answer) => answer.name === one));
  if (missing !== undefined) throw new Error(`There is no case "${missing}"`);
  return answers
    .filter((answer) => (wanted ? wanted.includes(answer.name) : answer.status === 200))
    .map((answer) => ({ name: answer.name, submission: submissionOf(parse(answer), addresses.holder, facts) }));
}

/** The delegations of the gov account, which only a state lists. */
async function stateDelegations(cli: Cli, height = 0n): Promise<ChainFacts['delegations']> {
  const local = await startSampleNode(await exportState(cli, height));
  try {
    return (await createFactsReader(local.node)({ ...noNeeds, delegations: true })).delegations;
  } finally {
    await local.dispose();
  }
}

function parse({ text }: DraftCase): Draft {
  const draft = readDraft(text);
  if (typeof draft !== 'object') throw new Error(`This is no draft: ${text.slice(0, 200)}`);
  return draft;
}

/** Asks as Simulate on Node… does. */
async function simulate(
  chain: ChainNode,
  one: DraftCase,
  facts: ChainFacts,
): Promise<{ readonly status: number; readonly message: string }> {
  try {
    await chain.simulate(addresses.holder, submissionOf(parse(one), addresses.holder, facts));
    return { status: 200, message: '' };
  } catch (error) {
    if (!isHttpError(error)) throw error;
    return { status: error.status, message: withoutFolders(error.nodeMessage ?? '').slice(0, 300) };
  }
}

/** The sentence of a node without folders of the machine that it was built on. */
function withoutFolders(message: string): string {
  return message.replace(/\/\S*\/pkg\/mod\//g, '');
}

interface Chosen {
  readonly name: string;
  readonly submission: Message;
}

/**
 * Submits what is taken and shows itself when it is executed, lets it pass, and says how that ended. `before` is the number of proposals
 * that the chain has.
 */
async function execute(
  node: RunningNode,
  signer: Signer,
  before: number,
  chosen: readonly Chosen[],
): Promise<ReadonlyMap<string, Partial<DraftAnswer>>> {
  const idOf = (at: number) => before + at + 1;
  const submissions = chosen.map(({ submission }) => submission);
  const votes = chosen.map((_, at) => ({
    '@type': '/cosmos.gov.v1.MsgVote',
    proposal_id: String(idOf(at)),
    voter: addresses.val,
    option: 'VOTE_OPTION_YES',
    metadata: '',
  }));
  const submitted = await signer.sign('holder', submissions, 'proposals');
  const vote = await signer.sign('val', votes, 'votes');
  await node.send([submitted]);
  await node.send([vote]);
  const ends = await node.until('all votes have ended', () => {
    const results = chosen.map((_, at) => node.decisions.find(({ id }) => id === idOf(at))?.result);
    return results.every((result) => result !== undefined) && results;
  });
  const outcomes = new Map<string, Partial<DraftAnswer>>();
  for (const [at, { name }] of chosen.entries()) {
    const executed = ends[at];
    if (executed === undefined) continue;
    const more = executed === 'proposal_passed' ? await paramsAfter(node, name) : await reasonOf(node, idOf(at));
    outcomes.set(name, { executed, ...more });
  }
  return outcomes;
}

/** Today's parameters of the module that a draft is named after. */
async function paramsAfter({ rest }: RunningNode, name: string): Promise<Partial<DraftAnswer>> {
  const module = /^cosmos\.(\w+)\.v1beta1/.exec(name)?.[1];
  if (module === undefined) return {};
  const reply: unknown = await (await fetch(`${rest}/cosmos/${module}/v1beta1/params`)).json();
  return isFields(reply) && isFields(reply.params) ? { after: reply.params } : {};
}

/** The sentence of a node on why a proposal failed, since SDK 0.50. */
async function reasonOf({ rest }: RunningNode, id: number): Promise<Partial<DraftAnswer>> {
  const reply: unknown = await (await fetch(`${rest}/cosmos/gov/v1/proposals/${id}`)).json();
  const reason = isFields(reply) && isFields(reply.proposal) ? reply.proposal.failed_reason : undefined;
  return typeof reason === 'string' ? { message: withoutFolders(reason).slice(0, 300) } : {};
}

/** Findings on values that the modules' own checks refuse, as `test/fixtures/paramBounds.json` shows. */
export const refusedByModules = ['param-value', 'param-order', 'vote-extensions'] as const;

/** Findings that a node does not make when a proposal is submitted; each is shown by proposals that were put to the vote. */
export const harmful: ReadonlySet<string> = new Set([
  ...refusedByModules,
  'params-incomplete',
  'spend-over-pool',
  'address-invalid',
  'upgrade-plan',
  'upgrade-height-past',
  'field-type',
]);

/** Refusals of a node that no source can be asked about: the sentences of nodes, and the reasons. */
export const cannotBeTold: readonly (readonly [sentence: RegExp, why: string])[] = [
  [/unknown message type|unable to resolve type URL/, 'which types an app has is not asked for'],
  [/value: "many words", err: invalid parameter value/, 'what a module makes of a text is not known'],
  [/time duration must be positive|nil pointer/, 'which fields of a value may be left out is not known'],
  [/^not found$/, 'which groups a chain has is not asked for'],
  [/^external community pool/, 'which module has the community pool is not asked for'],
  [
    /^connection handshake .*(client state is not active|light client not found)/,
    'clients are asked for only where one is recovered',
  ],
];

/** One draft, by what the node said and what we say. */
export interface DraftVerdict {
  readonly answer: DraftAnswer;
  readonly errors: readonly string[];
  /** Those that may be why a node refuses: no hints, and none that is about something else. */
  readonly warnings: readonly string[];
  readonly kind:
    | 'refused, an error'
    | 'refused, a warning'
    | 'refused, cannot be told'
    | 'failed, an error'
    | 'failed, a warning'
    | 'failed, cannot be told'
    | 'passed'
    | 'passed, harmful'
    | 'taken'
    | 'taken, harmful'
    | 'wrong';
}

/** Warnings about something else than what a node refuses. */
const aboutOthers: ReadonlySet<string> = new Set(['send-from-gov', 'grant-unlimited', 'message-undone']);

/** Holds our findings on each draft against the answer of the node. */
export function judgeDrafts({ facts, answers }: DraftRecording): readonly DraftVerdict[] {
  return answers.map((answer) => {
    const findings = checkDraft(answer.text, facts)?.findings ?? [];
    const of = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).map(({ code }) => code);
    const [errors, warnings] = [of('error'), of('warning').filter((code) => !aboutOthers.has(code))];
    return { answer, errors, warnings, kind: kindOf(answer, errors, warnings) };
  });
}

function kindOf(
  { name, status, message, executed }: DraftAnswer,
  errors: readonly string[],
  warnings: readonly string[],
): DraftVerdict['kind'] {
  const isFailed = executed === 'proposal_failed';
  if (status === 200 && !isFailed) {
    const taken = executed === undefined ? 'taken' : 'passed';
    if (errors.length === 0) return taken;
    const isHarm = passingToHarm.has(name) || errors.every((code) => harmful.has(code));
    return isHarm ? `${taken}, harmful` : 'wrong';
  }
  const ended = isFailed ? 'failed' : 'refused';
  if (errors.length > 0) return `${ended}, an error`;
  if (warnings.length > 0) return `${ended}, a warning`;
  return cannotBeTold.some(([sentence]) => sentence.test(message)) ? `${ended}, cannot be told` : 'wrong';
}

/** `refused, an error: 402; taken: 241`, in the order of the names. */
export function countKinds(verdicts: readonly DraftVerdict[]): string {
  const kinds = Object.entries(Object.groupBy(verdicts, ({ kind }) => kind));
  return kinds
    .map(([kind, all]) => `${kind}: ${all.length}`)
    .toSorted()
    .join('; ');
}
