/**
 * The two parts of undici that are used, by their own paths. undici has no public path to them alone. Its entry sets a
 * global dispatcher, which serves every `fetch` of the process and so all extensions. It also adds 270 kB of fetch,
 * WebSocket and cache code to the bundle. The parts are those that the entry exports as `Pool` and `buildConnector`,
 * and are used by that interface.
 */
import buildConnect from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';

export { buildConnect, Pool };
