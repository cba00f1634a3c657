import type { WatchTarget } from '../../watch/watchList.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { Report } from '../report.ts';
import type { Storage } from '../storage.ts';
import type { Watched } from '../watch/watchScreen.ts';

/** The objects of the window that all panels share. */
export interface PanelHost {
  readonly active: ActiveSession;
  readonly storage: Storage;
  readonly watchList: Watched & { readonly toggle: (target: WatchTarget) => Promise<void> };
  readonly report: Report;
}
