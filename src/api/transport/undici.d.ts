/**
 * The parts of undici that are used, by their own paths: the package's entry sets a global dispatcher for every `fetch` of
 * the process, which all extensions share, and adds 270 kB of fetch, WebSocket and cache code to the bundle.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import { type buildConnector, Dispatcher, type ProxyAgent } from 'undici';

  type Factory = (origin: string | URL, options: { readonly connect: buildConnector.connector }) => Dispatcher;
  export default class extends Dispatcher {
    constructor(options: Omit<ProxyAgent.Options, 'factory'> & { readonly factory: Factory });
  }
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
