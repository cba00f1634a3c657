import { isAbort } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import { statusNames } from '../api/statusNames.ts';

/** How one operation answered; `failure` is the error's sentence. */
export interface Probe {
  readonly operation: string;
  readonly ms: number;
  readonly found: string;
  readonly failure?: string;
}

/** What a node says of itself when every operation is asked once. */
export interface ConnectionReport {
  readonly baseUrl: string;
  readonly chainId: string | undefined;
  readonly sdkVersion: string | undefined;
  readonly probes: readonly Probe[];
}

/** Asks each operation of the contract once, and what the node offers beside it; never rejects but by `signal`. */
export async function testConnection(node: ChainNode, signal: AbortSignal): Promise<ConnectionReport> {
  const probes: Probe[] = [];
  const ask = async <T>(
    operation: string,
    work: () => Promise<T>,
    found: (answer: T) => string,
  ): Promise<T | undefined> => {
    const start = performance.now();
    try {
      const answer = await work();
      probes.push({ operation, ms: performance.now() - start, found: found(answer) });
      return answer;
    } catch (error) {
      if (isAbort(error)) throw error;
      const failure = error instanceof Error ? error.message : String(error);
      probes.push({ operation, ms: performance.now() - start, found: '', failure });
      return undefined;
    }
  };
  const info = await ask('node info', () => node.nodeInfo(signal), offered);
  const supply = await ask(
    'total supply',
    () => node.supply({ limit: 1 }, signal),
    ({ coins }) => `${coins.length} row`,
  );
  const denom = supply?.coins[0]?.denom;
  if (denom)
    await ask(
      `supply of ${denom}`,
      () => node.supplyOf(denom, signal),
      (coin) => coin.amount,
    );
  const proposals = await ask(
    'proposals',
    () => node.proposals({}, { limit: 1 }, signal),
    ({ rows }) => `${rows.length} row`,
  );
  await ask(
    'proposals by status',
    () => node.proposals({ status: statusNames[3] }, { limit: 1 }, signal),
    ({ rows }) => `${rows.length} row`,
  );
  const [first] = proposals?.rows ?? [];
  if (first) {
    const id =
      first.form === 'unreadable'
        ? first.id
        : BigInt(first.form === 'v1' ? first.proposal.id : first.proposal.proposal_id);
    await ask(
      `proposal ${id}`,
      () => node.proposal(id, signal),
      (row) => row.form,
    );
  }
  await ask('gov parameters', () => node.govParams(signal), offered);
  await ask('staking pool', () => node.bondedTokens(signal), offered);
  return {
    baseUrl: node.baseUrl,
    chainId: node.dialect.chainId ?? info?.default_node_info?.network ?? undefined,
    sdkVersion: node.dialect.sdkVersion ?? info?.application_version?.cosmos_sdk_version ?? undefined,
    probes,
  };
}

function offered(answer: unknown): string {
  return answer === undefined ? 'not offered' : 'offered';
}

/** The report as plain text for a bug report: what was asked, what was found, how long it took; no secrets in it. */
export function reportText(report: ConnectionReport, node: ChainNode, extension: string): string {
  const { dialect } = node;
  const rows = report.probes.map(({ operation, ms, found, failure }) => {
    const time = `${Math.round(ms)} ms`.padStart(8);
    return `${failure === undefined ? 'ok  ' : 'FAIL'} ${time}  ${operation}: ${failure ?? found}`;
  });
  const known = (value: unknown) => (value === undefined ? 'unknown' : String(value));
  return [
    `Connection to ${report.baseUrl}`,
    `Tested ${new Date().toISOString()} with ${extension}`,
    '',
    `path segment     ${known(dialect.segment)}`,
    `chain id         ${known(report.chainId)}`,
    `SDK version      ${known(report.sdkVersion)}`,
    `supply of denom  ${known(dialect.supplyOf)}`,
    `status filter    ${known(dialect.status)}`,
    `gov v1           ${known(dialect.govV1)}`,
    `reverse          ${known(dialect.reverse)}`,
    `height pinning   ${known(dialect.height)}`,
    `not offered      ${dialect.notOffered.join(', ') || 'nothing known'}`,
    '',
    ...rows,
    '',
  ].join('\n');
}
