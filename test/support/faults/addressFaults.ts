import { type Fault, send } from './fault.ts';

/** Addresses at which nobody answers. */
export const addressFaults: readonly Fault[] = [
  {
    name: 'refused',
    address: 'refused',
    serve: send(''),
    says: /refuses connections: nothing listens there/,
    tries: 0,
  },
  {
    name: 'black hole',
    address: 'full',
    serve: send(''),
    says: /no connection within 1 s: nothing answers/,
    tries: 0,
  },
  {
    name: 'a name that does not resolve',
    address: 'unknown',
    serve: send(''),
    says: /the name no-such-node\.invalid does not resolve/,
    tries: 0,
  },
];
