/**
 * The one part of undici that is used, by its own path: the package's entry brings fetch, WebSocket and caches along
 * (270 kB minified), and puts an agent of its own under the global fetch of everyone in the process.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';

  // biome-ignore lint/style/noDefaultExport: a CommonJS module is one value.
  export default Pool;
}
