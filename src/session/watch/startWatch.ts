import { followMirror } from './followMirror.ts';
import { Watch, type WatchOptions } from './watch.ts';
import { WatchFiles } from './watchFiles.ts';
import { WatchStore } from './watchStore.ts';

/** Entry of the lazily loaded watch list: reads the stored list and begins to keep it current. Rejects as the file system does. */
export async function startWatch(options: WatchOptions): Promise<Watch> {
  const files = new WatchFiles(options.folder, options.onKeptAside);
  const store = new WatchStore(files);
  await followMirror(store, options.synced);
  return new Watch(files, store, options);
}
