/**
 * The parts of undici that are used, by their own paths: the package's entry sets a global dispatcher for every `fetch` of
 * the process, which all extensions share, and adds 270 kB of fetch, WebSocket and cache code to the bundle.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
