import type { AnyPager } from '../../chain/pager.ts';
import { isStatusGroup, statusGroups } from '../../chain/proposalGroup.ts';
import type { ActiveSession } from '../activeSession.ts';
import { supplyOwner } from '../trees/supplyTree.ts';
import type { RowKey } from './args.ts';

/** The list that a row stands for or belongs to. */
export function pagerOf({ session }: ActiveSession, row: RowKey | undefined): AnyPager | undefined {
  const owner = row?.kind === 'group' ? row.group : row?.kind === 'more' || row?.kind === 'notice' ? row.owner : '';
  if (owner === supplyOwner) return session.supply.pager;
  return isStatusGroup(owner) ? session.proposals.pager(owner) : undefined;
}

/** Reads anew what was looked at, in both views. */
export async function refreshAll(active: ActiveSession): Promise<void> {
  const { proposals, supply } = active.session;
  await refreshStarted([supply.pager, ...statusGroups.map((group) => proposals.pager(group))]);
}

/** Lists that nobody has looked at stay unread. */
export async function refreshStarted(pagers: readonly AnyPager[]): Promise<void> {
  const seen = pagers.filter((pager) => pager.started || pager.error !== undefined);
  const results = await Promise.allSettled(seen.map((pager) => (pager.started ? pager.refresh() : pager.loadMore())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** A failure of paging stands in the tree, as a row with Retry: no notification beside it. */
export async function quiet(load: Promise<void> | undefined): Promise<void> {
  await load?.catch(() => undefined);
}

/** Reads on where a list failed, or reads it anew where it had ended. */
export async function retry(pager: AnyPager | undefined): Promise<void> {
  if (!pager) return;
  await (pager.started && !pager.hasMore ? pager.refresh() : pager.loadMore());
}
