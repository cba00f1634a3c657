import { applyChanges, readMirror, type SyncedKeys, writeMirror } from './mirror.ts';
import type { WatchStore } from './watchStore.ts';

/** Takes in what other machines changed, and makes the synced keys as the list is. */
export async function followMirror(store: WatchStore, synced: SyncedKeys): Promise<void> {
  await store.updateList((list) => applyChanges(list, readMirror(list, synced)));
  await writeMirror(store.list, synced);
}
