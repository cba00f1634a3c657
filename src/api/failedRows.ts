import type { Client } from './client.ts';
import { type Gov, unreadable } from './gov.ts';
import type { WireProposalRow } from './node.ts';
import { idKey, type Page } from './pages.ts';
import { isFailedRow, isMissing, isNodeFault, isTooLarge } from './replyFaults.ts';

const fullPage = 100;
/** Requests that one reading may spend on finding the rows that fail. */
const mostSearches = 800;

/** A page of the list of all, or that a row in it fails it, and why. */
type Outcome = Page<WireProposalRow> | { readonly fault: unknown };

/**
 * All proposals of a node on which single rows fail their pages (docs/nodes.md#v1-to-v1beta1), ascending; `unreadable` rows
 * stand for those that the node cannot give at all. Pages are halved by the places of rows, which are exact in lists without a
 * filter, until the rows that fail are known; their ids are remembered, so that the next reading goes round them.
 *
 * @throws as `Client.get`; the node's fault when too many requests were spent on looking for its cause.
 */
export async function readAroundFailedRows(
  client: Client,
  gov: Gov,
  height: bigint | undefined,
  signal: AbortSignal,
): Promise<Page<WireProposalRow>> {
  const { memory } = client;
  const rows: WireProposalRow[] = [];
  /** Place of the next row, and id of the last one that was read. */
  let place = 0;
  let last = 0n;
  /** Rows between that one and `place` that failed, and why. */
  let failed = 0;
  let fault: unknown;
  /** One of so many next rows fails; undefined while none is known to. */
  let within: number | undefined;
  let searches = 0;

  const ask = async (from: { key: string } | { offset: number }, limit: number): Promise<Outcome> => {
    try {
      return await gov.pageOfAll({ ...from, limit, height }, signal);
    } catch (error) {
      searches += 1;
      if ((!isFailedRow(error) && !isTooLarge(error)) || searches > mostSearches) throw error;
      return { fault: error };
    }
  };

  /** One proposal by its id, remembered as one that fails its page; undefined where there is none. */
  const readAlone = async (id: bigint): Promise<WireProposalRow | undefined> => {
    searches += 1;
    if (searches > mostSearches) throw fault;
    const row = await gov.proposal(id, signal).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      if (isNodeFault(error)) return unreadable(id, fault);
      throw error;
    });
    if (row) memory.learnFailingId(id, row.form === 'unreadable' ? row.reason : undefined);
    return row;
  };

  const hasFrom = async (id: bigint) => {
    const page = await ask({ key: idKey(id) }, 1);
    return 'fault' in page || page.rows.length > 0;
  };

  /** An id behind the last proposal, by doubling steps and halves. */
  const findEnd = async () => {
    let low = last;
    let high = last + 1n;
    while (await hasFrom(high)) [low, high] = [high, high + high - last];
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (await hasFrom(middle)) low = middle;
      else high = middle;
    }
    return high;
  };

  /** Finds the rows that failed between the last one and `next`; deleted proposals leave gaps of any width between them. */
  const addFailed = async (next: bigint) => {
    const found: WireProposalRow[] = [];
    const near = next < last + 8n ? next : last + 8n;
    const take = async (id: bigint) => {
      const row = found.length < failed ? await readAlone(id) : undefined;
      if (row) found.push(row);
    };
    for (let id = last + 1n; id < near; id++) await take(id);
    for (let id = next - 1n; id >= near && found.length < failed; id--) await take(id);
    rows.push(...found.sort((a, b) => (a.id < b.id ? -1 : 1)));
    failed = 0;
  };

  for (;;) {
    const ahead = memory.facts.failingIds
      .map((known) => ({ id: BigInt(known.id), reason: known.reason }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .find(({ id }) => id > last);
    if (ahead?.id === last + 1n && failed === 0 && within === undefined) {
      const { id, reason } = ahead;
      const row = reason === undefined ? await readAlone(id) : ({ form: 'unreadable', id, reason } as const);
      if (row) {
        rows.push(row);
        place += 1;
      }
      last = id;
      continue;
    }
    const room = ahead === undefined ? fullPage : Math.min(fullPage, Number(ahead.id - last - 1n));
    const limit = within === undefined ? (failed > 0 ? 1 : room) : Math.max(1, Math.floor(within / 2));
    const page = await ask({ offset: place }, limit);
    if ('fault' in page) {
      ({ fault } = page);
      within = limit > 1 ? limit : undefined;
      if (limit > 1) continue;
      failed += 1;
      place += 1;
      continue;
    }
    const [first] = page.rows;
    if (failed > 0) await addFailed(first ? first.id : await findEnd());
    rows.push(...page.rows);
    place += page.rows.length;
    for (const row of page.rows) if (row.id > last) last = row.id;
    within = within !== undefined && within > limit ? within - limit : undefined;
    if (page.nextKey === undefined || page.rows.length === 0) return { ...page, rows, total: undefined };
  }
}
