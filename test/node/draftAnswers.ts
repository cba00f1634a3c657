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
import { noNeeds } from '../../src/draft/draftNeeds.ts';
import { type Draft, readDraft } from '../../src/draft/draftText.ts';
import { createFactsReader } from '../../src/draft/factsReader.ts';
import type { Severity } from '../../src/draft/finding.ts';
import { submissionOf } from '../../src/draft/proposed/submission.ts';
import { paramsModules } from '../../src/draft/writing/newDraft.ts';
import { projectFolder, startFolder } from '../support/folders.ts';
import { addresses } from './accounts.ts';
import { featuresOf, type Version } from './build.ts';
import { freePorts, type RunningNode, startNode } from './chain.ts';
import { type Message, Signer } from './cli.ts';
import { type DraftAnswer, type DraftCase, draftCases, executedCases, legacyKeys } from './drafts.ts';
import { makeHome } from './genesis.ts';

/** The answers of a node to drafts, and its own statements before. */
export interface DraftRecording {
  readonly sdk: Version;
  readonly facts: ChainFacts;
  readonly answers: readonly DraftAnswer[];
}

const fileOf = (sdk: string) => join(projectFolder, `test/fixtures/nodes/${sdk}.drafts.json.gz`);

export function writeDrafts(recording: DraftRecording): void {
  writeFileSync(fileOf(recording.sdk), gzipSync(JSON.stringify(recording, freeze), { level: 9 }));
}

export function readDrafts(sdk: Version): DraftRecording {
  return JSON.parse(gunzipSync(readFileSync(fileOf(sdk))).toString('utf8'), thaw);
}

/** JSON has no maps, big integers and times. */
function freeze(this: unknown, key: string, value: unknown): unknown {
  const raw = isFields(this) ? this[key] : value;
  if (typeof raw === 'bigint') return { $bigint: String(raw) };
  if (raw instanceof Map) return { $map: [...raw] };
  return raw instanceof Date ? { $date: raw.toISOString() } : value;
}

function thaw(_: string, value: unknown): unknown {
  if (!isFields(value)) return value;
  if (typeof value.$bigint === 'string') return BigInt(value.$bigint);
  if (typeof value.$date === 'string') return new Date(value.$date);
  return Array.isArray(value.$map) ? new Map(value.$map) : value;
}

/** Asks a node that is started for it about every draft, and puts some to the vote. Leaves nothing behind. */
export async function recordDrafts(binary: string, version: Version, stop: AbortSignal): Promise<DraftRecording> {
  const folder = startFolder(`drafts-${version}`);
  const limit = AbortSignal.any([stop, AbortSignal.timeout(600_000)]);
  let node: RunningNode | undefined;
  try {
    const ports = await freePorts();
    const cli = await makeHome(binary, version, folder.path, ports, limit);
    const started = await startNode(binary, folder.path, ports, limit);
    node = started;
    await started.until('some blocks', () => started.height() > 5);
    const facts = await readFacts(started, limit);
    const features = featuresOf(version);
    const cases = draftCases(facts, features);
    const answers: DraftAnswer[] = [];
    const chain = openNode({ baseUrl: parseBaseUrl(started.rest) });
    for (const one of cases) answers.push({ ...one, ...(await simulate(chain, one, facts)) });
    await chain.dispose();
    const chosen = executedCases(features).map((name) => {
      const found = cases.find((one) => one.name === name);
      if (!found) throw new Error(`There is no case "${name}"`);
      return { name, submission: submissionOf(parse(found), addresses.holder, facts) };
    });
    const executed = await execute(started, new Signer(cli), chosen);
    return { sdk: version, facts, answers: answers.map((answer) => ({ ...answer, ...executed.get(answer.name) })) };
  } finally {
    await node?.dispose();
    folder.dispose();
  }
}

async function readFacts({ rest }: RunningNode, signal: AbortSignal): Promise<ChainFacts> {
  const chain = openNode({ baseUrl: parseBaseUrl(rest) });
  try {
    const legacy = Object.entries(legacyKeys).flatMap(([subspace, keys]) => keys.map((key) => ({ subspace, key })));
    const needs = { ...noNeeds, packages: paramsModules, legacy, plans: ['v9', ''], pool: true, pace: true };
    return await createFactsReader(chain, signal)(needs);
  } finally {
    await chain.dispose();
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

/** Submits what is taken and shows itself when it is executed, lets it pass, and says how that ended. */
async function execute(
  node: RunningNode,
  signer: Signer,
  chosen: readonly { readonly name: string; readonly submission: Message }[],
): Promise<ReadonlyMap<string, Pick<DraftAnswer, 'executed' | 'after'>>> {
  const submitted = [];
  for (const { name, submission } of chosen) submitted.push(await signer.sign('holder', [submission], name));
  const votes = chosen.map((_, at) => ({
    '@type': '/cosmos.gov.v1.MsgVote',
    proposal_id: String(at + 1),
    voter: addresses.val,
    option: 'VOTE_OPTION_YES',
    metadata: '',
  }));
  const vote = await signer.sign('val', votes, 'votes');
  await node.send(submitted);
  await node.send([vote]);
  const ends = await node.until('all votes have ended', () => {
    const results = chosen.map((_, at) => node.decisions.find(({ id }) => id === at + 1)?.result);
    return results.every((result) => result !== undefined) && results;
  });
  const outcomes = new Map<string, Pick<DraftAnswer, 'executed' | 'after'>>();
  for (const [at, { name }] of chosen.entries()) {
    const executed = ends[at];
    if (executed === undefined) continue;
    const module = /^cosmos\.(\w+)\.v1beta1/.exec(name)?.[1];
    const isPassed = executed === 'proposal_passed' && module !== undefined;
    const reply: unknown = isPassed
      ? await (await fetch(`${node.rest}/cosmos/${module}/v1beta1/params`)).json()
      : undefined;
    const after = isFields(reply) && isFields(reply.params) ? { after: reply.params } : {};
    outcomes.set(name, { executed, ...after });
  }
  return outcomes;
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
    | 'taken'
    | 'taken, harmful'
    | 'wrong';
}

/** Holds our findings on each draft against the answer of the node. */
export function judgeDrafts({ facts, answers }: DraftRecording): readonly DraftVerdict[] {
  return answers.map((answer) => {
    const findings = checkDraft(answer.text, facts)?.findings ?? [];
    const of = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).map(({ code }) => code);
    const [errors, warnings] = [of('error'), of('warning').filter((code) => code !== 'send-from-gov')];
    return { answer, errors, warnings, kind: kindOf(answer, errors, warnings) };
  });
}

function kindOf(
  { status, message }: DraftAnswer,
  errors: readonly string[],
  warnings: readonly string[],
): DraftVerdict['kind'] {
  if (status === 200) {
    if (errors.length === 0) return 'taken';
    return errors.every((code) => harmful.has(code)) ? 'taken, harmful' : 'wrong';
  }
  if (errors.length > 0) return 'refused, an error';
  if (warnings.length > 0) return 'refused, a warning';
  return cannotBeTold.some(([sentence]) => sentence.test(message)) ? 'refused, cannot be told' : 'wrong';
}

/** `refused, an error: 402; taken: 241`, in the order of the names. */
export function countKinds(verdicts: readonly DraftVerdict[]): string {
  const kinds = Object.entries(Object.groupBy(verdicts, ({ kind }) => kind));
  return kinds
    .map(([kind, all]) => `${kind}: ${all.length}`)
    .toSorted()
    .join('; ');
}
