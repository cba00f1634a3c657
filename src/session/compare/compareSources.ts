import type { Session } from '../session.ts';
import type { Source } from '../source.ts';
import { compareParams } from './compareParams.ts';
import { compareProposals } from './compareProposals.ts';
import { compareSupply } from './compareSupply.ts';
import type { ComparedSide, Comparison, Section, SideName } from './comparison.ts';
import { fileStamp } from './fileStamp.ts';
import { paramValues } from './paramValues.ts';
import { readSide, type SideProgress, type SideReading } from './readSide.ts';

/** A source of which neither supply nor proposals could be read; `message` is one sentence with its name. */
export class SideError extends Error {
  readonly source: Source;

  constructor(source: Source, cause: unknown) {
    super(`${source.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'SideError';
    this.source = source;
  }
}

/** What is compared: a session that somebody holds. */
export type Comparable = Pick<Session, 'source' | 'node' | 'notices'>;

export interface CompareOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (side: SideName, progress: SideProgress) => void;
}

/**
 * Reads both sources at the same time and tells what differs. A part that one side cannot give does not keep the others
 * from being compared.
 *
 * @throws SideError when a side cannot be read at all; the other one is then given up. An `AbortError` once `signal` fires.
 */
export async function compareSources(
  left: Comparable,
  right: Comparable,
  { signal, onProgress }: CompareOptions,
): Promise<Comparison> {
  const other = new AbortController();
  const either = AbortSignal.any([signal, other.signal]);
  const read = async (side: SideName, session: Comparable) => {
    try {
      return await readWhole(session, either, (progress) => onProgress(side, progress));
    } catch (error) {
      other.abort(error);
      throw error;
    }
  };
  const stamps = await Promise.all([fileStamp(left.source), fileStamp(right.source)]);
  const both = await Promise.allSettled([read('left', left), read('right', right)]);
  signal.throwIfAborted();
  other.signal.throwIfAborted();
  const [a, b] = both;
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return {
    left: toSide(left, a.value, stamps[0]),
    right: toSide(right, b.value, stamps[1]),
    supply: section(a.value.supply, b.value.supply, compareSupply),
    proposals: section(a.value.proposals, b.value.proposals, compareProposals),
    params: paramsSection(a.value.params, b.value.params),
  };
}

async function readWhole(
  session: Comparable,
  signal: AbortSignal,
  onProgress: (progress: SideProgress) => void,
): Promise<SideReading> {
  const node = await session.node().catch((error: unknown) => {
    throw new SideError(session.source, error);
  });
  const reading = await readSide(node, signal, onProgress);
  const { supply, proposals } = reading;
  if (supply.status === 'rejected' && proposals.status === 'rejected')
    throw new SideError(session.source, supply.reason);
  return reading;
}

function toSide(
  { source, notices }: Comparable,
  { height, heightDropped }: SideReading,
  stamp: string | undefined,
): ComparedSide {
  return { source, height, heightDropped, stamp, notices };
}

function section<Value, Difference>(
  left: PromiseSettledResult<Value>,
  right: PromiseSettledResult<Value>,
  compare: (left: Value, right: Value) => readonly Difference[],
): Section<Difference> {
  if (left.status === 'rejected') return { kind: 'failed', side: 'left', error: left.reason };
  if (right.status === 'rejected') return { kind: 'failed', side: 'right', error: right.reason };
  return { kind: 'compared', differences: compare(left.value, right.value) };
}

function paramsSection(left: SideReading['params'], right: SideReading['params']): Comparison['params'] {
  const [a, b] = [left, right].map((side) => (side.status === 'fulfilled' ? paramValues(side.value) : undefined));
  if (a?.size === 0) return { kind: 'notOffered', side: 'left' };
  if (b?.size === 0) return { kind: 'notOffered', side: 'right' };
  return section(left, right, () => compareParams(a ?? new Map(), b ?? new Map()));
}
