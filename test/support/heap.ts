import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The used heap of this process after a collection, in bytes. */
export function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This process cannot collect garbage on demand');
  // Objects that the first collection finalizes are freed by the second.
  for (let time = 0; time < 2; time++) collect();
  return process.memoryUsage().heapUsed;
}
