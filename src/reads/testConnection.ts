import { isAbort, isApiError, isUnreachable, isUnsupported, reasonOf } from '../api/errors.ts';
import { createMask } from '../api/masks.ts';
import type { ChainNode } from '../api/node.ts';
import type { Page } from '../api/pages.ts';
import type { Credential } from '../api/transport/transportTypes.ts';
import type { ProposalRow } from '../chain/gov/proposal.ts';
import type { Source } from '../session/source.ts';

interface Probe {
  readonly operation: string;
  readonly ms: number;
  readonly found: string;
  readonly failure?: string;
  /** The address that failed, if one was asked. */
  readonly url?: string | undefined;
  readonly error?: unknown;
}

/** The node to test, and the facts that the report adds. */
export interface ReportContext {
  readonly source: Source;
  readonly node: ChainNode;
  /** The credential header that is sent, if any. Its value is hidden, even if the node repeats it. */
  readonly credential: Credential | undefined;
  readonly notices: readonly string[];
  /** The names and versions of the extension and of the editor. */
  readonly extension: string;
}

/**
 * Reads the chain id that a node states. Rejects with the first error if it answers neither list, since it is no node
 * then.
 */
export async function identify(node: ChainNode, signal?: AbortSignal): Promise<string | undefined> {
  await node.nodeInfo(signal).catch((error: unknown) => {
    if (isAbort(error) || isUnreachable(error)) throw error;
  });
  await node.supply({ limit: 1 }, signal).catch(async (error: unknown) => {
    if (isAbort(error)) throw error;
    await node.proposals({}, { limit: 1 }, signal).catch(() => Promise.reject(error));
  });
  return node.dialect.chainId;
}

interface Answers {
  readonly probes: readonly Probe[];
  readonly isNode: boolean;
  readonly chainId?: string | undefined;
  readonly sdkVersion?: string | undefined;
  readonly height?: bigint | undefined;
}

/**
 * Asks all operations. `isNode` is false if neither supply nor proposals were answered: a web page or another service
 * answers there.
 */
async function askAll(node: ChainNode, signal: AbortSignal): Promise<Answers> {
  const probes: Probe[] = [];
  let unreachable = false;
  const ask = async <T>(
    operation: string,
    work: () => Promise<T>,
    found: (answer: T) => string = offered,
  ): Promise<T | undefined> => {
    if (unreachable) return undefined;
    const start = performance.now();
    const add = (result: Omit<Probe, 'operation' | 'ms'>): number =>
      probes.push({ operation, ms: performance.now() - start, ...result });
    try {
      const answer = await work();
      add({ found: found(answer) });
      return answer;
    } catch (error) {
      if (isAbort(error)) throw error;
      unreachable = isUnreachable(error);
      add({ found: '', failure: reasonOf(error), url: isApiError(error) ? urlOf(error) : undefined, error });
      return undefined;
    }
  };
  await ask('node info', () => node.nodeInfo(signal));
  const supply = await ask('total supply', () => node.supply({ limit: 1 }, signal), foundRows);
  const height = supply?.info.height;
  for (const { denom } of supply?.rows.slice(0, 1) ?? [])
    await ask(
      `supply of ${denom}`,
      () => node.supplyOf(denom, signal),
      ({ amount }) => String(amount),
    );
  if (height !== undefined)
    await ask(`total supply at height ${height}`, () => node.supply({ limit: 1, height }, signal), foundHeight);
  const proposals = await ask('proposals', () => node.proposals({}, { limit: 1 }, signal), foundRows);
  // A web page "not found" looks like a node that offers nothing.
  if (!supply && !proposals) return { probes: probes.filter(({ failure }) => failure !== undefined), isNode: false };
  await ask('proposals by status', () => node.proposals({ status: 'passed' }, { limit: 1 }, signal), foundRows);
  for (const { id } of proposals?.rows.slice(0, 1) ?? []) {
    await ask(`proposal ${id}`, () => node.proposal(id, signal), foundForm);
    await ask(`tally of proposal ${id}`, () => node.tally(id, signal));
  }
  await ask('gov parameters', () => node.govParams(signal));
  await ask('staking pool', () => node.votingPower(signal));
  await ask('denom metadata', () => node.denomsMetadata({ limit: 1 }, signal));
  const { chainId, sdkVersion } = node.dialect;
  return { probes, isNode: true, chainId, sdkVersion, height };
}

function offered(answer: unknown): string {
  return answer === undefined ? 'not available' : 'available';
}

function foundRows({ rows }: Page<unknown>): string {
  return rows.length === 1 ? '1 row' : `${rows.length} rows`;
}

function foundHeight({ info }: Page<unknown>): string {
  return info.unpinnedReason ?? 'the same height';
}

function foundForm(row: ProposalRow): string {
  return row.kind === 'unreadable' ? `unreadable: ${row.reason}` : row.form;
}

/** The results of a test of a connection. */
interface TestedConnection {
  /** The report for a bug report, without secrets and local folders. */
  readonly text: string;
  /** The median time of the answers, in milliseconds. */
  readonly ms: number;
  /**
   * The error if the test failed: the node stopped answering, or a list that the views show cannot be read. Undefined
   * if it passed.
   */
  readonly error: unknown;
}

/** Asks each operation once. Rejects only by `signal`. */
export async function testConnection(context: ReportContext, signal: AbortSignal): Promise<TestedConnection> {
  const { credential, node, notices, extension } = context;
  const { probes, isNode, chainId, sdkVersion, height } = await askAll(node, signal);
  const { dialect } = node;
  const times = probes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const ms = times[Math.floor(times.length / 2)] ?? 0;
  const answered = probes.filter(({ failure }) => failure === undefined).length;
  const absence = context.source.kind === 'http' ? 'no module' : 'not in this state';
  const lines = [
    `Connection to ${sourceAddress(context)}`,
    `Tested ${new Date().toISOString()} with ${extension}`,
    '',
    ...notices.map((notice) => `notice           ${notice}`),
    ...(isNode ? [] : ['result           not a node: neither supply nor proposals could be read']),
    `answered         ${answered} of ${probes.length} requests`,
    `latency          ${Math.round(ms)} ms (median)`,
    `header           ${credential ? `${credential.name} (its value is kept secret)` : 'none'}`,
    `path segment     ${known(dialect.segment)}`,
    `chain id         ${known(chainId)}`,
    `SDK version      ${known(sdkVersion)}`,
    `height           ${known(height)}`,
    `supply of denom  ${known(dialect.supplyOf)}`,
    `status filter    ${known(dialect.segment && (dialect.segment === 'chain' ? 'name' : 'number'))}`,
    `governance       ${dialect.gov === 'none' ? absence : known(dialect.gov)}`,
    `newest first     ${known(dialect.reverse, 'by the node', 'no, reversed by the extension after reading them all')}`,
    `height pinning   ${known(dialect.height, 'yes', 'no')}`,
    `not available    ${dialect.unsupported.join(', ') || 'none known'}`,
    '',
    ...probes.map(probeText),
    '',
  ];
  const text = createMask(credential?.value ?? '')(lines.join('\n'));
  return { text, ms, error: decisiveError(probes, isNode) };
}

/**
 * Gives the error that decides. A chain may lack one of the two lists. A list that it has and that fails is a failure,
 * even if all else was answered.
 */
function decisiveError(probes: readonly Probe[], isNode: boolean): unknown {
  const unanswered = probes.find(({ error }) => isUnreachable(error));
  const lists = probes.filter(({ operation }) => operation === 'total supply' || operation === 'proposals');
  const failed = lists.find(({ error }) => error !== undefined && !(isNode && isUnsupported(error)));
  return (unanswered ?? failed)?.error;
}

function sourceAddress({ source, node }: ReportContext): string {
  switch (source.kind) {
    case 'http':
      return node.baseUrl;
    case 'file':
      return `the state file ${source.name}`;
    case 'sample':
      return 'the sample chain';
    case 'invalid':
      return source.id;
    default:
      return source satisfies never;
  }
}

function urlOf(error: object): string | undefined {
  return 'url' in error && typeof error.url === 'string' ? error.url : undefined;
}

function probeText({ operation, ms, found, failure, url }: Probe): string {
  const time = `${Math.round(ms)} ms`.padStart(8);
  if (failure === undefined) return `ok   ${time}  ${operation}: ${found}`;
  const address = url === undefined ? [] : [`${' '.repeat(15)}GET ${url}`];
  return [`FAIL ${time}  ${operation}: ${failure}`, ...address].join('\n');
}

/** Gives the text of a value. A value that was not needed so far is not known. */
function known(value: string | bigint | boolean | undefined, yes = 'yes', no = 'no'): string {
  if (value === undefined) return 'unknown';
  return typeof value === 'boolean' ? (value ? yes : no) : String(value);
}
