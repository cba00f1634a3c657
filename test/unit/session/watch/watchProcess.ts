// A window of its own process: adds entries, and takes upon itself the events that wait. Prints what it took as JSON.
import { systemClock } from '../../../../src/session/watch/clock.ts';
import { addTargets } from '../../../../src/session/watch/listChanges.ts';
import { Notices } from '../../../../src/session/watch/notices.ts';
import { WatchFiles } from '../../../../src/session/watch/watchFiles.ts';
import { WatchStore } from '../../../../src/session/watch/watchStore.ts';

const [folder, first, count] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: watchProcess.ts FOLDER FIRST COUNT');
const store = new WatchStore(new WatchFiles(folder, (kept) => console.error(kept)));
const told: string[] = [];
const show = async (events: readonly { id: string }[]) => {
  told.push(...events.map(({ id }) => id));
};
const notices = new Notices({ store, clock: systemClock, level: () => 'all', show });
notices.ask();
for (let id = Number(first); id < Number(first) + Number(count); id++) {
  const target = { kind: 'proposal', sourceId: 'https://a.test', id: BigInt(id) } as const;
  await store.updateList((list) => addTargets(list, [target]));
  await notices.beat(true, false);
}
console.log(JSON.stringify(told));
